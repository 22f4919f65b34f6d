#include "subcore/observers/save_file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "subcore/model/stall/stall_groups.h"

namespace subcore {
namespace {

// GTKWave's flags for a row (its TraceEntFlagBits).
const char* radix(Signal::Form form, unsigned bits) {
  switch (form) {
    case Signal::Form::mask:
      return "@28";  // binary
    case Signal::Form::address:
      return "@22";  // hexadecimal
    case Signal::Form::real:
    case Signal::Form::text:
      return "@20";
    case Signal::Form::cause:
      return "@2024";  // decimal, through a filter file
    default:
      return bits == 1 ? "@28" : "@24";  // decimal
  }
}
constexpr const char* open_group = "@800200\n-";
constexpr const char* closed_group = "@c00200\n-";
constexpr const char* end_of_open = "@1000200\n-";
constexpr const char* end_of_closed = "@1401200\n-";

// The width of a cycle in the picture, enough for a few letters.
constexpr double pixels_per_cycle = 32;

}  // namespace

void SaveFile::row(const std::string& path, const std::string& group, const std::string& name, unsigned bits,
                   Signal::Form form) {
  const std::size_t dot = path.rfind('.');
  const std::string parent = dot == std::string::npos ? "" : path.substr(0, dot);
  const std::string title = !group.empty() ? group : dot == std::string::npos ? path : path.substr(dot + 1);
  auto g = std::find_if(groups_.begin(), groups_.end(),
                        [&](const Group& o) { return o.parent == parent && o.name == title; });
  if (g == groups_.end()) g = groups_.insert(groups_.end(), Group{parent, title, {}});
  const bool vector = form != Signal::Form::text && form != Signal::Form::real && bits > 1;
  g->rows.push_back({radix(form, bits),
                     path + '.' + name + (vector ? "[" + std::to_string(bits - 1) + ":0]" : ""),
                     form == Signal::Form::cause});
}

std::string SaveFile::causes_text() {
  std::string text = "# names and colours of stall causes for GTKWave\n";
  for (const StallCauseLine& line : stall_causes) {
    const std::size_t group = stall_group_of(line.cause);
    if (group == stall_groups.size()) continue;
    text += std::to_string(static_cast<unsigned>(line.cause)) + " ?" + stall_groups[group].x11 + '?' +
            line.name + '\n';
  }
  return text;
}

std::string SaveFile::text(const std::string& waveform, const std::string& causes, std::uint64_t period,
                           std::uint64_t start) const {
  // GTKWave's zoom is the logarithm of the time in 200 pixels.
  const double zoom = std::floor(std::log2(static_cast<double>(period) * 200 / pixels_per_cycle));
  std::string text = "[*] rows of a waveform for GTKWave: gtkwave " + waveform + " THIS_FILE\n[dumpfile] \"" +
                     waveform + "\"\n[timestart] " + std::to_string(start) +
                     "\n[size] 1600 1000\n[pos] -1 -1\n*-" + std::to_string(static_cast<int>(zoom)) +
                     ".000000 " + std::to_string(start);
  for (unsigned marker = 0; marker < 26; ++marker) text += " -1";
  text += '\n';
  // The tree is opened down to the first group.
  std::set<std::string> parents;
  if (!groups_.empty()) {
    const std::string path =
        std::max_element(groups_.begin(), groups_.end(),
                         [](const Group& a, const Group& b) { return a.parent.size() < b.parent.size(); })
            ->parent +
        '.';
    for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
      parents.insert(path.substr(0, dot + 1));
  }
  for (const std::string& p : parents) text += "[treeopen] " + p + '\n';
  text += "[sst_width] 180\n[signals_width] 340\n[sst_expanded] 1\n[sst_vpaned_height] 300\n";
  // Of groups with the same name, as of several sub-cores, only the first is open.
  std::set<std::string> seen;
  for (const Group& g : groups_) {
    const bool open = seen.insert(g.name).second;
    const std::string title = (g.parent.empty() ? "" : g.parent + ' ') + g.name;
    text += (open ? open_group : closed_group) + title + '\n';
    for (const Row& row : g.rows)
      text += row.radix + '\n' + (row.is_cause ? "^1 " + causes + '\n' : "") + row.path + '\n';
    text += (open ? end_of_open : end_of_closed) + title + '\n';
  }
  return text + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

}  // namespace subcore
