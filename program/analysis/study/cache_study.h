// The register-cache study of JETCAS 2024: one pass over a trace, which feeds any number of configurations.
// The study counts accesses and knows no time. Only one line at a time is in memory, whatever the trace's
// size.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/trace/trace.h"
#include "subcore/program/analysis/study/cache_run.h"
#include "subcore/program/analysis/study/sass_listing.h"

namespace subcore {

// Sources of reuse flags. `automatic` takes the first of these that there is: a given listing, a
// kernel-N.sass sidecar, the lines' `reuse=` if the file's format line announces it, and synthetic flags.
enum class StudyFlags : std::uint8_t {
  automatic,
  trace,  // the lines' `reuse=`; a line without it has no flags
  // Sets flag k if the warp's next instruction, in straight line, reads the same register at position k. A
  // compiler could have set this flag, whether or not it did.
  synthetic,
  none,
};
constexpr std::array<std::string_view, 4> names(StudyFlags) {
  return {"auto", "trace", "synthetic", "none"};
}

// The source of reuse flags, and a listing if there is one.
struct StudyOptions {
  StudyFlags flags = StudyFlags::automatic;
  std::optional<SassListing> listing;
};

// A configuration, and how its run went.
struct StudyJob {
  StudyCacheRun run;
  std::string failure;  // why RFC-sim would have ended, so that the counters mean nothing
  bool over = false;    // compat: the rest of the current kernel is not read
};

// Totals of a trace, which are the same for all configurations.
struct StudySummary {
  std::uint64_t kernels = 0, instructions = 0;
  std::uint64_t hmma = 0, imma = 0;         // matrix products among the instructions
  std::uint64_t skipped_by_rfcsim = 0;      // lines whose PC does not have four digits
  std::uint64_t kernels_cut_by_rfcsim = 0;  // cut by a line of several destinations
  std::vector<std::string> flag_sources;    // "listing", "sidecar", "trace", "synthetic", "none"; each once
  bool synthetic_flags() const;
};

// Runs every job over the whole trace. `progress` gets the share done, 0 to 1. Throws TraceError.
StudySummary run_cache_study(const TraceProgram& program, const StudyOptions& options,
                             std::vector<StudyJob>& jobs, const std::function<void(double)>& progress = {});

}  // namespace subcore
