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

// The registers that are used at each instruction or behind it, before their value ends. `use(i, set)` adds
// the registers that instruction i uses.
template <class Use>
Liveness live_by(const CodeTable& code, const KernelProfile& profile, Use use) {
  const auto& profiles = profile.instructions();
  const std::size_t count = profiles.size();
  Liveness live{std::vector<RegisterSet>(count), std::vector<RegisterSet>(count)};
  std::vector<RegisterSet> used(count), surviving(count);
  for (std::size_t i = 0; i < count; ++i) {
    surviving[i] = ~killed(code.instructions[i], profiles[i]);
    if (profiles[i].runs != 0) use(i, used[i]);
  }
  // Instructions are numbered as they were first met, so one backward pass settles all code but loops.
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

}  // namespace

Liveness live_registers(const CodeTable& code, const KernelProfile& profile) {
  return live_by(code, profile, [&](std::size_t i, RegisterSet& used) {
    const StaticInstruction& s = code.instructions[i];
    for (unsigned k = 0; k < s.source_count; ++k) used.set(s.sources[k]);
    if (s.accumulators.read) for_each_accumulator(s, [&](Register r) { used.set(r); });
  });
}

void mark_bank_needs(const CodeTable& code, const KernelProfile& profile,
                     std::deque<Annotation>& annotations) {
  const auto& profiles = profile.instructions();
  const Liveness completed = live_by(code, profile, [&](std::size_t i, RegisterSet& used) {
    const StaticInstruction& s = code.instructions[i];
    for (unsigned k = 0; k < s.destination_count; ++k)
      if (!bits::has(profiles[i].kills(), k)) used.set(s.destinations[k]);
    for_each_accumulator(s, [&](Register r) { used.set(r); });
  });
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const StaticInstruction& s = code.instructions[i];
    for (unsigned k = 0; k < s.destination_count; ++k)
      bits::set(annotations[i].needs_banks, k,
                !profiles[i].whole || completed.out[i].test(s.destinations[k]));
  }
}

void mark_last_uses(const CodeTable& code, const KernelProfile& profile, const Liveness& liveness,
                    std::deque<Annotation>& annotations) {
  const auto& profiles = profile.instructions();
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const StaticInstruction& s = code.instructions[i];
    // A register that the instruction itself writes has a new value behind it.
    const RegisterSet kept = liveness.out[i] & ~killed(s, profiles[i]);
    SourceSet last = 0;
    for (unsigned k = 0; k < s.source_count; ++k)
      if (profiles[i].runs != 0 && !kept.test(s.sources[k])) bits::add(last, k);
    annotations[i].last_use = last;
  }
}

}  // namespace subcore
