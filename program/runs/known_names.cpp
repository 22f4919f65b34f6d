#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "subcore/base/files.h"
#include "subcore/base/yaml_node.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/runs/finished_run.h"
#include "subcore/program/runs/results_folder.h"
#include "subcore/program/runs/sweep.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

constexpr std::size_t longest_name = 255;  // limit of the usual file systems

// A name in the runs of a results folder. `Known` has the hashes of the platforms or traces that have the
// name ("" if a run does not say), and the folder of one such run.
struct Known {
  std::set<std::string> hashes;
  fs::path folder;
  bool is(const std::string& hash) const { return hashes.size() == 1 && hashes.count(hash) == 1; }
};
using KnownNames = std::map<std::string, Known>;

// The key in a run's record. A person may have changed the record, or another version of the program may have
// written it.
std::optional<RunKey> key_of(const fs::path& run) {
  const std::optional<std::string> text = file_text(run / finished_file);
  const auto record = nlohmann::json::parse(text.value_or(""), nullptr, false);
  RunKey key;
  for (const auto& [name, hash] : {std::pair("program", &key.program), std::pair("platform", &key.platform),
                                   std::pair("trace", &key.trace)}) {
    if (!record.is_object() || !record.contains(name) || !record[name].is_string()) return std::nullopt;
    *hash = record[name].get<std::string>();
  }
  return key;
}

void flatten(const YamlNode& node, const std::string& key, std::map<std::string, std::string>& to) {
  if (node.is_scalar()) {
    to[key] = node.text();
  } else if (node.is_map()) {
    for (const auto& [name, value] : node.pairs())
      if (name.is_scalar()) flatten(value, key.empty() ? name.text() : key + '.' + name.text(), to);
  } else if (node.is_list()) {
    for (std::size_t i = 0; i < node.items().size(); ++i)
      flatten(node.items()[i], key + '[' + std::to_string(i) + ']', to);
  }
}

// The parameters by which `now` differs from the platform of a run, as a sweep names them: "seed=2". Empty if
// there are none, or too many for a name.
std::string difference(const fs::path& run, const std::string& now) {
  constexpr std::size_t few = 3;
  const std::optional<std::string> before = file_text(run / "platform.yaml");
  if (!before) return {};
  std::map<std::string, std::string> old, all;
  try {
    flatten(YamlNode::parse(*before), "", old);
    flatten(YamlNode::parse(now), "", all);
  } catch (const YamlError&) {  // another program wrote the file
    return {};
  }
  std::vector<SweepAxis> axes;
  for (const auto& [key, value] : all) {
    const auto same = old.find(key);
    if (key == "name" || (same != old.end() && same->second == value)) continue;
    axes.push_back({key, {value}});
  }
  const bool has_list = std::any_of(axes.begin(), axes.end(),
                                    [](const SweepAxis& a) { return a.key.find('[') != std::string::npos; });
  return axes.empty() || axes.size() > few || has_list ? "" : points_of(axes).front().name;
}

// The first of name,MORE, name,2, name,3 and so on that is not `taken` and for which fits() is true: no other
// platform or trace has the name.
std::string other_name(const std::string& name, const std::string& more, const std::set<std::string>& taken,
                       const std::function<bool(const std::string&)>& fits) {
  for (unsigned number = more.empty() ? 2 : 1;; ++number) {
    std::string other = name + ',' + (number == 1 ? more : std::to_string(number));
    const bool is_name = other.size() <= longest_name &&
                         std::none_of(other.begin(), other.end(), [](char c) { return c >= 0 && c < ' '; });
    if ((is_name || number > 1) && taken.count(other) == 0 && fits(other)) return other;
  }
}

std::string line_of(const fs::path& folder, const std::string& what, const std::string& name,
                    const std::string& other) {
  return folder.string() + " has results of another " + what + " " + name +
         ", which stay; the new results are called " + other + " there";
}

}  // namespace

std::vector<std::string> name_apart(std::vector<Job>& jobs, const fs::path& folder,
                                    const std::vector<RunName>& published) {
  KnownNames platforms, traces;
  for (const RunName& run : published) {
    const fs::path path = folder / run.subfolder();
    if (!is_there(path)) continue;  // the run has been removed
    const std::optional<RunKey> key = key_of(path);
    for (const auto& [names, name, hash] : {std::tuple(&platforms, &run.platform, key ? key->platform : ""),
                                            std::tuple(&traces, &run.trace, key ? key->trace : "")}) {
      Known& known = (*names)[*name];
      known.hashes.insert(hash);
      known.folder = path;
    }
  }
  std::vector<std::string> lines;
  if (platforms.empty()) return lines;
  std::set<std::string> platform_names, trace_names;
  for (const Job& job : jobs) {
    platform_names.insert(job.platform->name);
    trace_names.insert(job.trace.name);
  }
  std::map<std::shared_ptr<const PlatformParameters>, std::shared_ptr<const PlatformParameters>> renamed;
  std::map<std::vector<fs::path>, std::string> trace_of;  // name of a trace in the folder, by the trace's
                                                          // files
  for (Job& job : jobs) {
    auto& platform = renamed[job.platform];
    const std::string name = job.platform->name;
    if (const auto known = platforms.find(name); platform == nullptr && known != platforms.end()) {
      if (!known->second.is(job.settings_hash())) {
        const std::string settings =
            job.count ? job.count->settings(*job.platform) : resolved_yaml(*job.platform);
        const std::string more = difference(known->second.folder, settings);
        Job other = job;
        other_name(name, more, platform_names, [&](const std::string& candidate) {
          auto copy = std::make_shared<PlatformParameters>(*job.platform);
          copy->name = candidate;
          other.platform = std::move(copy);
          const auto there = platforms.find(candidate);
          return there == platforms.end() || there->second.is(other.settings_hash());
        });
        platform = other.platform;
        platform_names.insert(platform->name);
        lines.push_back(line_of(folder, "platform", name, platform->name));
      }
    }
    if (platform == nullptr) platform = job.platform;
    std::string& trace = trace_of[job.trace.kernels];
    if (const auto known = traces.find(job.trace.name); trace.empty() && known != traces.end()) {
      const std::string hash = trace_hash(job.trace);
      if (!known->second.is(hash)) {
        trace = other_name(job.trace.name, job.trace.selection_name, trace_names,
                           [&](const std::string& candidate) {
                             const auto there = traces.find(candidate);
                             return there == traces.end() || there->second.is(hash);
                           });
        trace_names.insert(trace);
        lines.push_back(line_of(folder, "trace", job.trace.name, trace));
      }
    }
    if (trace.empty()) trace = job.trace.name;
  }
  std::map<std::string, std::string> names;
  for (const auto& [before, now] : renamed) names.emplace(before->name, now->name);
  for (Job& job : jobs) {
    job.trace.name = trace_of.at(job.trace.kernels);
    job.platform = renamed.at(job.platform);
    if (job.member != 0) job.member_of = names.at(job.member_of);
  }
  return lines;
}

}  // namespace subcore
