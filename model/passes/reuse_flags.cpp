#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/model/passes/compiler_passes.h"

namespace subcore {
namespace {

constexpr unsigned reuse_banks = 2;

enum class ReuseCacheUse : std::uint8_t { yes, no, unknown };

ReuseCacheUse use_of(const StaticInstruction& s) {
  if (uses_reuse_cache(s.execution)) return ReuseCacheUse::yes;
  return s.execution == ExecutionClass::load_store ? ReuseCacheUse::no : ReuseCacheUse::unknown;
}

class Flagger {
 public:
  Flagger(const CodeTable& code, const KernelProfile& profile)
      : code_(code.instructions), profiles_(profile.instructions()), arrivals_(profiles_.size()) {
    for (const InstructionProfile& p : profiles_)
      for (const std::uint32_t next : p.warp_successors) ++arrivals_[next];
  }

  // Whether some register of the slot is found again, and no entry might stay too long.
  bool is_reused(std::uint32_t instruction, unsigned slot) const {
    const StaticInstruction& s = code_[instruction];
    bool found = false;
    unsigned banks = 0;
    for (unsigned k = 0; k < s.source_count; ++k) {
      if (!bits::has(s.source_slots[k], slot) || s.sources[k] == rz) continue;
      const unsigned bank = s.sources[k] % reuse_banks;
      if (bits::has(banks, bank) || s.writes(s.sources[k])) return false;
      bits::add(banks, bank);
      const Fate fate = follow(instruction, slot, s.sources[k]);
      if (fate == Fate::open) return false;
      found = found || fate == Fate::found;
    }
    return found;
  }

 private:
  enum class Fate : std::uint8_t {
    found,
    lost,  // the entry is cleared
    open,  // the entry may stay
  };

  // The fate of the register in its slot's entry behind the instruction.
  Fate follow(std::uint32_t instruction, unsigned slot, Register r) const {
    for (std::uint32_t at = instruction; goes_straight(at);) {
      at = profiles_[at].warp_successors[0];
      const StaticInstruction& s = code_[at];
      const ReuseCacheUse use = use_of(s);
      if (use != ReuseCacheUse::no)
        for (unsigned k = 0; k < s.source_count; ++k) {
          const bool same_entry = bits::has(s.source_slots[k], slot) &&
                                  s.sources[k] % reuse_banks == r % reuse_banks && s.sources[k] != rz;
          if (!same_entry) continue;
          // An instruction that is predicated off leaves the entry as it is.
          if (use == ReuseCacheUse::unknown || profiles_[at].off) return Fate::open;
          return s.sources[k] == r ? Fate::found : Fate::lost;
        }
      if (s.writes(r)) return Fate::open;
    }
    return Fate::open;
  }

  // Whether every warp goes on with the next instruction of the same basic block.
  bool goes_straight(std::uint32_t at) const {
    if (code_[at].kind == InstructionKind::control || profiles_[at].warp_successors.size() != 1) return false;
    const std::uint32_t next = profiles_[at].warp_successors[0];
    return arrivals_[next] == 1 && !profiles_[next].warp_entry && code_[next].pc > code_[at].pc;
  }

  const StaticInstructions& code_;
  const std::vector<InstructionProfile>& profiles_;
  std::vector<std::uint32_t> arrivals_;
};

}  // namespace

bool has_reuse_flags(const CodeTable& code) {
  return std::any_of(code.instructions.begin(), code.instructions.end(),
                     [](const StaticInstruction& s) { return s.reuse_mask != 0; });
}

void synthesise_reuse_flags(CodeTable& code, const KernelProfile& profile) {
  const Flagger flagger(code, profile);
  for (std::uint32_t i = 0; i < profile.instructions().size(); ++i) {
    StaticInstruction& s = code.instructions[i];
    s.reuse_mask = 0;
    if (use_of(s) != ReuseCacheUse::yes) continue;
    for (unsigned slot = 0; slot < operand_slots; ++slot)
      if (flagger.is_reused(i, slot)) bits::add(s.reuse_mask, slot);
  }
}

}  // namespace subcore
