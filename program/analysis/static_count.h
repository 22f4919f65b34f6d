// A count of a trace that takes the place of a platform in an experiment, without a simulation. A count is of
// the accesses of the register-cache study (JETCAS 2024) in one configuration, or of a trace's operands. By a
// platform's compiler it also tells where results go. A count leaves the files of a simulation, with its
// numbers under RunResult::counts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "subcore/base/yaml_entry.h"
#include "subcore/model/statistics/results.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/config/platform_choice.h"
#include "subcore/program/analysis/study/cache_study.h"

namespace subcore {

struct StaticCount {
  enum class Kind { cache_study, trace_info };

  std::string name;
  Kind kind = Kind::cache_study;
  // The platform whose operands and compiler passes trace_info counts. The study needs no platform.
  std::string platform = "baseline";
  PlatformChoice file{std::string()};
  // Parameters of the study:
  bool has_cache = true;  // false: only the register file
  RegisterCacheParameters cache{};
  unsigned bank_bits = 128;
  StudyFlags flags = StudyFlags::automatic;

  // The settings that decide the numbers, apart from trace and program, as YAML. The settings also go into
  // the results folder.
  std::string settings(const PlatformParameters& of) const;
};

// The counts that an entry `cache_study` or `trace_info` of a scenario file asks for.
std::vector<StaticCount> read_static_counts(const YamlSource& source, const YamlSource::Entry& map);

// The members of `counts` that any count has.
const std::vector<std::string>& static_count_names();

// Counts. `platform` has the count's name. Throws TraceError, and std::runtime_error where RFC-sim would end.
RunResult counted(const StaticCount& count, const PlatformParameters& platform, const TraceProgram& trace,
                  const std::function<void(double)>& progress);

}  // namespace subcore
