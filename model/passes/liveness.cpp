#include "subcore/base/bits.h"
#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

RegisterSet killed(const StaticInstruction& s, const InstructionProfile& p) {
  RegisterSet set;
  for (unsigned k = 0; k < s.destination_count; ++k)
    if (bits::has(p.kills(), k)) set.set(s.destinations[k]);
  return set;
}

}  // namespace

Liveness live_registers(const CodeTable& code, const KernelProfile& profile) {
  const auto& profiles = profile.instructions();
  const std::size_t count = profiles.size();
  Liveness live{std::vector<RegisterSet>(count), std::vector<RegisterSet>(count)};
  std::vector<RegisterSet> used(count), surviving(count);
  for (std::size_t i = 0; i < count; ++i) {
    const StaticInstruction& s = code.instructions[i];
    surviving[i] = ~killed(s, profiles[i]);
    if (profiles[i].runs == 0) continue;
    for (unsigned k = 0; k < s.source_count; ++k) used[i].set(s.sources[k]);
    if (s.accumulators.read) for_each_accumulator(s, [&](Register r) { used[i].set(r); });
  }
  // Instructions are numbered as they were first met, so going backwards settles all but the loops at once.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = count; i-- > 0;) {
      RegisterSet out;
      for (const std::uint32_t next : profiles[i].warp_successors) out |= live.in[next];
      const RegisterSet in = used[i] | (out & surviving[i]);
      live.out[i] = out;
      if (in == live.in[i]) continue;
      live.in[i] = in;
      changed = true;
    }
  }
  return live;
}

void mark_last_uses(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                    std::deque<Annotation>& annotations) {
  const auto& profiles = profile.instructions();
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const StaticInstruction& s = code.instructions[i];
    // A register that the instruction writes itself has a new value behind it.
    const RegisterSet kept = liveness.out[i] & ~killed(s, profiles[i]);
    SourceSet last = 0;
    for (unsigned k = 0; k < s.source_count; ++k)
      if (profiles[i].runs != 0 && !kept.test(s.sources[k])) bits::add(last, k);
    annotations[i].last_use = last;
  }
}

}  // namespace subcore
