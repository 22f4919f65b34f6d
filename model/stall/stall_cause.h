// The causes on which scheduler cycles are spent: a tree of two levels, the same for windows in and out of
// order. Every cycle of a scheduler has one cause, a leaf, and so has every cycle of a warp (docs/looking.md
// has the figure).
//
// The order of the leaves decides which cause is chosen. The cause nearest to issuing comes first. Among
// several warps the nearest cause counts, because the warp with it came closest to issuing. For a single
// instruction the farthest cause counts, because the instruction has to wait for all of its causes.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace subcore {

// The tree's first level.
enum class IssueState : std::uint8_t { empty, hazard, no_collector, waiting, pending_ready, issued };

// A state's name, and its meaning.
struct IssueStateLine {
  const char *name, *meaning;  // in statistics and reports
};

// Names and meanings of the states, by IssueState.
inline constexpr std::array<IssueStateLine, 6> issue_states{
    {{"empty", "no warp had an instruction"},
     {"hazard", "every head instruction had a hazard, or waited at a barrier"},
     {"no_collector", "ready warps found no collector"},
     {"waiting", "ready warps were held back by STHLD (Malekeh Fig. 6, case 7)"},
     {"pending_ready", "nothing was issued, but a pending warp was ready (Malekeh Fig. 10, state 2)"},
     {"issue", "an instruction was issued"}}};

enum class StallCause : std::uint8_t {
  issued,
  held,
  turn_around,
  dispatch,
  operands,
  unit_queue,
  pending_ready,
  not_active,
  port_hold,
  unit_busy,
  stall_count,
  memory_order,
  war,
  waw,
  control,
  buffer_empty,
  raw_short,
  sb0,  // causes of the six counters, in their order
  sb1,
  sb2,
  sb3,
  sb4,
  sb5,
  window_full,
  raw_long,
  copy_groups,
  products,
  mbarrier,
  barrier,
  draining,
  fetch,
  no_warp,
  drained,
  not_selected,  // a cause of warps only
  none
};

// A cause, its state, its name, and its meaning.
struct StallCauseLine {
  StallCause cause;
  IssueState state;
  const char *name, *meaning;  // in statistics and reports
};

// A new cause needs one enumerator and one line here.
inline constexpr std::array stall_causes{
    StallCauseLine{StallCause::issued, IssueState::issued, "issue", "an instruction was issued"},
    StallCauseLine{StallCause::held, IssueState::waiting, "waiting",
                   "held back by STHLD (Malekeh Fig. 6, case 7)"},
    StallCauseLine{StallCause::turn_around, IssueState::no_collector, "turn_around",
                   "an instruction was leaving a collector, which is free from the next cycle on"},
    StallCauseLine{StallCause::dispatch, IssueState::no_collector, "dispatch",
                   "a collector had all operands, but the instruction before it still waited for dispatch"},
    StallCauseLine{StallCause::operands, IssueState::no_collector, "operands",
                   "every collector in the way waited for operands"},
    StallCauseLine{StallCause::unit_queue, IssueState::no_collector, "unit_queue",
                   "an instruction of variable latency waited in Control for room in its unit's queue"},
    StallCauseLine{StallCause::pending_ready, IssueState::pending_ready, "pending_ready",
                   "nothing was issued, but a pending warp was ready (Malekeh Fig. 10, state 2)"},
    StallCauseLine{StallCause::not_active, IssueState::hazard, "not_active",
                   "only warps that were not active had no hazard; they would have found no collector, or "
                   "were becoming active or pending"},
    StallCauseLine{StallCause::port_hold, IssueState::hazard, "port_hold",
                   "an instruction of fixed latency held Allocate until it got ports of the banks, its unit, "
                   "or room for its result; others waited behind it, or their stall counts stood still"},
    StallCauseLine{StallCause::unit_busy, IssueState::hazard, "unit_busy",
                   "the unit of an instruction of fixed latency took no instruction in that cycle"},
    StallCauseLine{StallCause::stall_count, IssueState::hazard, "stall_count",
                   "the stall count or yield of the instruction before had not passed"},
    StallCauseLine{StallCause::memory_order, IssueState::hazard, "memory_order",
                   "an older memory access of the warp had to go first"},
    StallCauseLine{
        StallCause::war, IssueState::hazard, "war",
        "a register to be written was still to be read, or had the most pending reads that are counted"},
    StallCauseLine{StallCause::waw, IssueState::hazard, "waw",
                   "a register to be written awaited an older result"},
    StallCauseLine{StallCause::control, IssueState::hazard, "control",
                   "an older branch was under way, or a branch or exit waited for older instructions"},
    StallCauseLine{StallCause::buffer_empty, IssueState::hazard, "buffer_empty",
                   "the instruction buffer was empty while older instructions of the warp were under way"},
    StallCauseLine{StallCause::raw_short, IssueState::hazard, "raw_short",
                   "a source awaited a result of short latency"},
    StallCauseLine{StallCause::sb0, IssueState::hazard, "sb0", "counter SB0 of the control bits was not 0"},
    StallCauseLine{StallCause::sb1, IssueState::hazard, "sb1", "counter SB1 of the control bits was not 0"},
    StallCauseLine{StallCause::sb2, IssueState::hazard, "sb2", "counter SB2 of the control bits was not 0"},
    StallCauseLine{StallCause::sb3, IssueState::hazard, "sb3", "counter SB3 of the control bits was not 0"},
    StallCauseLine{StallCause::sb4, IssueState::hazard, "sb4", "counter SB4 of the control bits was not 0"},
    StallCauseLine{StallCause::sb5, IssueState::hazard, "sb5", "counter SB5 of the control bits was not 0"},
    StallCauseLine{StallCause::window_full, IssueState::hazard, "window_full",
                   "every entry of the out-of-order window had issued and awaited its write-back"},
    StallCauseLine{StallCause::raw_long, IssueState::hazard, "raw_long",
                   "a source awaited a load or atomic of global, local or generic memory, or a texture"},
    StallCauseLine{StallCause::copy_groups, IssueState::hazard, "copy_groups",
                   "more groups of asynchronous copies were under way than DEPBAR.LE allows"},
    StallCauseLine{StallCause::products, IssueState::hazard, "products",
                   "products of a warpgroup were under way: too many, in more groups than WARPGROUP.DEPBAR "
                   "allows, or on accumulators that were needed; or WARPGROUP.ARRIVE waited for results"},
    StallCauseLine{StallCause::mbarrier, IssueState::hazard, "mbarrier",
                   "the warp waited for a phase of a barrier in shared memory (mbarrier)"},
    StallCauseLine{StallCause::barrier, IssueState::hazard, "barrier", "the warp waited at a barrier"},
    StallCauseLine{StallCause::draining, IssueState::hazard, "draining",
                   "the warp had issued its last instruction and awaited results"},
    StallCauseLine{StallCause::fetch, IssueState::empty, "fetch",
                   "the next instruction was being fetched, and no instruction was under way"},
    StallCauseLine{StallCause::no_warp, IssueState::empty, "no_warp",
                   "no warp was there, but more warps of the kernel came"},
    StallCauseLine{StallCause::drained, IssueState::empty, "drained",
                   "all warps of the kernel had ended, and no more warps came"},
    StallCauseLine{StallCause::not_selected, IssueState::issued, "not_selected",
                   "the warp was ready, but another one issued"},
};
// The number of causes that a scheduler's cycles have.
inline constexpr std::size_t scheduler_cause_count = stall_causes.size() - 1;

// The cause's line; StallCause::none has no line.
constexpr const StallCauseLine& line_of(StallCause c) {
  return stall_causes[static_cast<std::size_t>(c)];
}
// The state of a cause.
constexpr IssueState state_of(StallCause c) {
  return line_of(c).state;
}
// The name of a cause's state, by the cause's name. Empty if scheduler cycles have no such cause.
constexpr std::string_view state_of_cause(std::string_view cause) {
  for (std::size_t n = 0; n < scheduler_cause_count; ++n)
    if (stall_causes[n].name == cause)
      return issue_states[static_cast<std::size_t>(stall_causes[n].state)].name;
  return "";
}
// Whether the warp's next instruction is not ready to issue.
constexpr bool is_hazard(StallCause c) {
  return c >= StallCause::not_active && c <= StallCause::draining;
}
// Whether the cause is the only leaf of its state, so that both have the same cycles.
constexpr bool is_only_leaf(StallCause c) {
  std::size_t leaves = 0;
  for (std::size_t n = 0; n < scheduler_cause_count; ++n) leaves += stall_causes[n].state == state_of(c);
  return leaves == 1;
}
// The cause of counter SB`n`, 0 to 5, of the control bits.
constexpr StallCause cause_of_counter(unsigned n) {
  return static_cast<StallCause>(static_cast<unsigned>(StallCause::sb0) + n);
}
// Whether only the issue window control_bits has the cause.
constexpr bool is_of_control_bits(StallCause c) {
  return c == StallCause::stall_count || (c >= StallCause::sb0 && c <= StallCause::sb5);
}
// The cause's bit in a set of causes.
constexpr std::uint32_t bit_of(StallCause c) {
  return std::uint32_t{1} << static_cast<unsigned>(c);
}
// Whether only some platforms have the cause: operand paths that declare it
// (CollectorChoice::stall_causes()), or machines that make products of a warpgroup or bulk copies.
constexpr bool is_of_operand_path(StallCause c) {
  return c == StallCause::port_hold || c == StallCause::unit_queue || c == StallCause::unit_busy ||
         c == StallCause::products || c == StallCause::mbarrier;
}
// The farther of two causes for which one instruction waits.
constexpr StallCause farther(StallCause a, StallCause b) {
  return std::max(a, b);
}

// Whether the lines of the tables follow the order of the enumerators. The compiler checks this.
constexpr bool stall_lines_follow_the_enumerators() {
  for (std::size_t n = 0; n < stall_causes.size(); ++n) {
    if (static_cast<std::size_t>(stall_causes[n].cause) != n) return false;
    if (is_hazard(stall_causes[n].cause) != (stall_causes[n].state == IssueState::hazard)) return false;
  }
  return static_cast<std::size_t>(StallCause::none) == stall_causes.size() &&
         static_cast<std::size_t>(StallCause::not_selected) == scheduler_cause_count &&
         static_cast<std::size_t>(IssueState::issued) + 1 == issue_states.size();
}
static_assert(stall_lines_follow_the_enumerators(),
              "one line for each enumerator but none, in their order, the hazards together");

}  // namespace subcore
