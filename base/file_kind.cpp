#include "subcore/base/file_kind.h"

#include <algorithm>
#include <array>

namespace subcore {
namespace {

struct KindLine {
  FileKind kind;
  const char* words;
  const char* taken_by;  // the option or command that reads such a file
  std::vector<std::string> keys;
};

const std::array<KindLine, 4>& kinds() {
  static const std::array<KindLine, 4> all{{
      {FileKind::platform,
       "a platform",
       "--platform, or 'platforms' in a scenario file",
       {"extends", "name", "machine", "description", "seed", "clock_period_ns", "tick_order",
        "interval_cycles", "gpu", "sm", "sub_core", "load_store", "copy_engine", "memory", "sthld", "passes",
        "operands", "checks", "energy"}},
      {FileKind::scenario,
       "a scenario",
       "subcore run SCENARIO.yaml",
       {"name", "description", "platforms", "gpu", "cache_study", "trace_info", "traces", "sample", "set",
        "sweep", "vary", "skip_refused", "parts", "results", "seeds", "fixed_traces", "vcd", "pipeline",
        "figures"}},
      {FileKind::energy_table,
       "an energy table",
       "energy.preset of a platform",
       {"extends", "preset", "source", "events", "hardware"}},
      {FileKind::rfcsim_configuration,
       "a configuration of RFC-sim",
       "subcore cache-study --rfcsim-config",
       {"arch", "assoc", "n_block", "n_dw", "policy", "bitwidth", "energy_model", "window_len"}},
  }};
  return all;
}

using Entries = std::vector<YamlSource::Entry>;

// How many of the entries have a key of this kind of file.
std::ptrdiff_t known(const Entries& entries, const KindLine& line) {
  return std::count_if(entries.begin(), entries.end(), [&](const YamlSource::Entry& e) {
    return std::find(line.keys.begin(), line.keys.end(), e.key) != line.keys.end();
  });
}

const KindLine& likeliest(const Entries& entries) {
  return *std::max_element(kinds().begin(), kinds().end(), [&](const KindLine& a, const KindLine& b) {
    return known(entries, a) < known(entries, b);
  });
}

const KindLine& line_of(FileKind kind) {
  return kinds()[static_cast<std::size_t>(kind)];
}

}  // namespace

const std::vector<std::string>& keys_of(FileKind kind) {
  return line_of(kind).keys;
}

std::string kind_words(const std::filesystem::path& file) {
  if (file.extension() != ".yaml" && file.extension() != ".yml") return "";
  try {
    const YamlSource source(file);
    const auto entries = source.entries(source.root(), source.root(), "");
    const KindLine& line = likeliest(entries);
    if (known(entries, line) == 0) return "";
    return std::string(", but its keys are those of ") + line.words + ", which is for " + line.taken_by;
  } catch (const ConfigError&) {
    return "";
  }
}

void require_kind(const YamlSource& source, const std::vector<YamlSource::Entry>& entries, FileKind kind) {
  const KindLine &wanted = line_of(kind), &found = likeliest(entries);
  if (known(entries, found) <= known(entries, wanted)) return;
  throw ConfigError(source.name() + ": is " + found.words + ", as its keys say; expected " + wanted.words +
                    " (" + found.words + " is for " + found.taken_by + ")");
}

}  // namespace subcore
