// Redirects of fetching: places where a trace leaves the straight line.
//
// SOCGPU flushes a warp's instruction buffer when an issued branch, return or reconvergence leads elsewhere
// than to the next instruction (SOCGPU, section 3). A trace has neither the wrong path nor the reconvergence
// PC, so the flush becomes a stop. Nothing is fetched past such an instruction until it has issued or is
// written back. The paper has one more condition: an instruction behind the reconvergence PC waits until it
// is the oldest. A trace does not allow that condition, so it is left out.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// When the instruction behind a taken branch can be fetched: at once, when the branch has issued, or when
// it has been written back.
enum class FetchRedirect : std::uint8_t { perfect, issue, write_back };

constexpr std::array<std::string_view, 3> names(FetchRedirect) {
  return {"perfect", "issue", "write_back"};
}

// An instruction as a trace shows it. The mask combines the active lanes and the predicate.
struct FetchedInstruction {
  const StaticInstruction& code;
  std::uint32_t mask = 0;
};

// True if `next` is the instruction behind pc in the code. Instructions are 16 bytes apart. Before Volta
// (`binary_version` below 70, 0 = unknown) they are 8 bytes apart, with a control word in front of every
// three.
constexpr bool falls_through(std::uint64_t pc, std::uint64_t next, std::uint32_t binary_version) {
  if (binary_version == 0 || binary_version >= 70) return next == pc + 16;
  return next == pc + 8 || (next == pc + 16 && (pc + 8) % 32 == 0);
}

// True if fetching cannot know from `one` alone that the warp's next instruction is `next`. Either the PC
// jumps, or a control instruction or exit that some lanes execute changes the active mask. (A predicate of
// `next` looks the same in a trace; fetching then stops needlessly.)
inline bool redirects_fetch(const FetchedInstruction& one, const FetchedInstruction& next,
                            std::uint32_t binary_version) {
  if (!falls_through(one.code.pc, next.code.pc, binary_version)) return true;
  const bool steers = one.code.kind == InstructionKind::control || one.code.kind == InstructionKind::exit;
  return steers && one.mask != 0 && next.mask != one.mask;
}

}  // namespace subcore
