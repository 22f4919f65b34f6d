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
        "interval_cycles", "gpu", "sm", "sub_core", "load_store", "memory", "sthld", "passes", "operands",
        "checks", "energy"}},
      {FileKind::scenario,
       "a scenario",
       "subcore run SCENARIO.yaml",
       {"name", "description", "platforms", "gpu", "cache_study", "trace_info", "traces", "sample", "set",
        "sweep", "vary", "parts", "results", "seeds", "fixed_traces", "vcd", "pipeline", "figures"}},
      {FileKind::energy_table,
       "an energy table",
       "energy.preset of a platform",
       {"extends", "preset", "source", "events", "leakage_mw"}},
      {FileKind::rfcsim_configuration,
       "a configuration of RFC-sim",
       "subcore cache-study --rfcsim-config",
       {"arch", "assoc", "n_block", "n_dw", "policy", "bitwidth", "energy_model", "window_len"}},
  }};
  return all;
}

const KindLine& line_of(FileKind kind) {
  return kinds()[static_cast<std::size_t>(kind)];
}

}  // namespace

const std::vector<std::string>& keys_of(FileKind kind) {
  return line_of(kind).keys;
}

void require_kind(const YamlSource& source, const std::vector<YamlSource::Entry>& entries, FileKind kind) {
  const auto known = [&](const KindLine& line) {
    return std::count_if(entries.begin(), entries.end(), [&](const YamlSource::Entry& e) {
      return std::find(line.keys.begin(), line.keys.end(), e.key) != line.keys.end();
    });
  };
  const KindLine& wanted = line_of(kind);
  const KindLine& likeliest =
      *std::max_element(kinds().begin(), kinds().end(),
                        [&](const KindLine& a, const KindLine& b) { return known(a) < known(b); });
  if (known(likeliest) <= known(wanted)) return;
  throw ConfigError(source.name() + ": is " + likeliest.words + " by its keys; expected " + wanted.words +
                    " (" + likeliest.words + " is for " + likeliest.taken_by + ")");
}

}  // namespace subcore
