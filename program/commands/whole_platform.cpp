#include "subcore/program/commands/whole_platform.h"

#include "subcore/modules/conductor/conductor.h"
#include "subcore/program/commands/command.h"

namespace subcore {

void require_whole(const std::filesystem::path& file, const PlatformParameters& platform) {
  if (!platform.memory.kind->is_complete())
    throw UsageError(file.string() +
                     ": its memory is bound in C++ (memory.kind or memory.dram.kind external, or "
                     "memory.interconnect.host_ports); expected a platform with all of its memory");
  const std::string clock = problem_of_clock(platform.clock_period_ns);
  if (!clock.empty()) throw UsageError(file.string() + ": " + clock);
}

}  // namespace subcore
