#include "model/hints/reuse_flags.h"

#include <algorithm>

#include "model/bits.h"

namespace subcore {

bool has_reuse_flags(const CodeTable& code) {
  return std::any_of(code.instructions.begin(), code.instructions.end(),
                     [](const StaticInstruction& s) { return s.reuse_mask != 0; });
}

void synthesise_reuse_flags(CodeTable& code, const KernelProfile& profile) {
  const auto& profiles = profile.instructions();
  std::vector<std::uint32_t> arrivals(profiles.size());
  for (const InstructionProfile& p : profiles)
    for (const std::uint32_t next : p.warp_successors) ++arrivals[next];
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    StaticInstruction& s = code.instructions[i];
    s.reuse_mask = 0;
    if (s.kind == InstructionKind::control || profiles[i].warp_successors.size() != 1) continue;
    const std::uint32_t next = profiles[i].warp_successors[0];
    const StaticInstruction& after = code.instructions[next];
    if (arrivals[next] != 1 || profiles[next].warp_entry || after.pc <= s.pc) continue;
    for (unsigned slot = 0; slot < s.slots.size(); ++slot) {
      const Register r = s.slots[slot];
      const bool overwritten = std::find(s.destinations.begin(), s.destinations.begin() + s.destination_count,
                                         r) != s.destinations.begin() + s.destination_count;
      if (r != rz && r == after.slots[slot] && !overwritten) bits::add(s.reuse_mask, slot);
    }
  }
}

}  // namespace subcore
