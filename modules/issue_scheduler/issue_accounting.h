// Accounting of an issue scheduler's cycles: by state and cause in counters, by warp for observers. Nothing
// is decided here: the scheduler says what each cycle was spent on, what warps wait for, and what has
// become of the collectors.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"
#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/statistics/counter.h"
#include "subcore/modules/protocol/event_port.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

// Cycles by state and by cause, up to the last look; once a run has ended, exactly up to its end.
struct IssueCycles {
  CounterList& list;
  bool two_levels, reorders, control_bits;
  std::uint32_t path_causes;  // a bit for each that the operand path has
  std::array<Counter, issue_states.size()> by_state{{in(IssueState::empty), in(IssueState::hazard),
                                                     in(IssueState::no_collector), in(IssueState::waiting),
                                                     in(IssueState::pending_ready), in(IssueState::issued)}};
  // For states that have several causes: they sum to the state's.
  std::array<Counter, scheduler_cause_count> by_cause =
      causes(std::make_index_sequence<scheduler_cause_count>());

  // Cycles of a cause, which may be all of its state.
  std::uint64_t with(StallCause c) const {
    return is_only_leaf(c) ? by_state[static_cast<std::size_t>(state_of(c))]
                           : by_cause[static_cast<std::size_t>(c)];
  }

 private:
  Counter in(IssueState s) {
    const IssueStateLine& text = issue_states[static_cast<std::size_t>(s)];
    return {list, std::string(text.name) + "_cycles", "cycles", text.meaning};
  }
  Counter of(const StallCauseLine& line) {
    const bool possible = line.cause == StallCause::not_active    ? two_levels
                          : line.cause == StallCause::window_full ? reorders
                          : is_of_control_bits(line.cause)        ? control_bits
                          : is_of_operand_path(line.cause)        ? (path_causes & bit_of(line.cause)) != 0
                                                                  : true;
    if (!possible || is_only_leaf(line.cause)) return {list, false, {}, "cycles", line.meaning};
    return {list, std::string(line.name) + "_cycles", "cycles", line.meaning};
  }
  template <std::size_t... n>
  std::array<Counter, scheduler_cause_count> causes(std::index_sequence<n...>) {
    return {{of(stall_causes[n])...}};
  }
};

class IssueAccounting {
 public:
  // Cycles are counted from `start` on; no warp comes before.
  IssueAccounting(IssueCycles& cycles, EventPort<StallEvent>& port, unsigned warp_slots, unsigned collectors,
                  Cycle start)
      : since_(start), cycles_(cycles), port_(port), warps_(warp_slots), collectors_(collectors) {}

  // Counts an instruction that issues from this warp slot. True: a younger one of its warp has issued before.
  bool overtaken(unsigned slot, const Instruction& i);

  // An instruction of the kernel has come.
  void fetched(const KernelHeader* kernel) {
    counting_ = true;
    coming_ = kernel;
  }
  // The cycles before `end` were spent as begin() has said last.
  void count(Cycle end) {
    if (!counting_) return;
    cycles_.by_state[static_cast<std::size_t>(state())] += end - since_;
    if (cause_ != StallCause::issued) count_causes(end);
    since_ = end;
  }
  // The cycles from the last that is counted on are spent on this cause; where ready warps find no collector
  // the collectors in the way say more.
  void begin(StallCause cause) {
    const bool was_empty = state() == IssueState::empty;
    cause_ = cause;
    wait_for_collectors_ = 0;
    if (was_empty && state() != IssueState::empty) end_idle();
  }
  // The run is over in cycle `end`: later cycles are counted only when another instruction has come.
  void end_run(Cycle end);

  IssueState state() const { return state_of(cause_); }
  // The cause on which cycle `now`, the last, was spent.
  StallCause cause(Cycle now) const {
    return state() == IssueState::no_collector ? collector_cause(now) : cause_;
  }
  // The cause for which a ready warp finds no collector.
  StallCause collector_cause(Cycle now) const;

  // An instruction of this warp slot goes to collector c.
  void issued(unsigned c, unsigned slot) { collectors_[c] = {slot, never, never, StallCause::operands}; }
  // All its operands are there as of `stamp`.
  void complete(unsigned c, Cycle stamp) { collectors_[c].complete = stamp; }
  // Before that, the collector waits for this.
  void waits_for(unsigned c, StallCause cause) { collectors_[c].waits_for = cause; }
  // As of `stamp`, whether the collector takes another instruction.
  void takes_another(unsigned c, bool free, Cycle stamp) {
    Cycle& from = collectors_[c].free_from;
    from = !free ? never : from == never ? stamp : from;
  }
  // All these collectors are in the way. Returns the nearest of what they wait for before dispatch.
  StallCause all_busy(std::uint64_t collectors) {
    in_the_way_ = collectors;
    StallCause nearest = StallCause::none;
    for (const unsigned c : bits::each(collectors)) {
      nearest = std::min(nearest, collectors_[c].waits_for);
      if (nearest == StallCause::operands) break;  // as it mostly is: nothing is nearer
    }
    return nearest;
  }
  // The busy ones are, to which the ready warps' last instructions have gone; without one all of them.
  void refused(WarpMask ready, std::uint64_t busy);

  // The scheduler's warps in a cycle, a bit for each slot.
  struct Warps {
    WarpMask eligible, followed, active, unit_busy;
    int issued;  // the slot that has issued in this cycle, or -1
  };
  // Something has happened to the warp of a slot, or to all: its cause may be another one.
  void affected(unsigned slot) { bits::add(cause_is_old_, slot); }
  void all_affected() { cause_is_old_ = bits::first(static_cast<unsigned>(warps_.size())); }
  // Looks for the causes of warps that are affected. blocked(slot): why the slot's window has no candidate.
  // Asked only when somebody wants to know, which is when nothing can issue.
  template <class Blocked>
  void find_causes(const Warps& w, const Blocked& blocked) {
    for (const unsigned slot : bits::each(cause_is_old_)) {
      StallCause cause = StallCause::none;
      if (!bits::has(w.eligible, slot)) {
        cause = blocked(slot);
        if (cause == StallCause::draining && bits::has(w.followed, slot)) cause = StallCause::buffer_empty;
      }
      set_warp_cause(slot, cause);
    }
    cause_is_old_ = 0;
  }
  // The cause of a warp, as observers are told it, but at once: it is known in each cycle what a collector in
  // the way waits for. After find_causes().
  StallCause cause(unsigned slot, const Warps& w, Cycle now) const {
    const StallCause known = known_cause(slot, w);
    return known != StallCause::none ? known : collector_cause(now);
  }
  // The nearest of these causes; none if there is no warp.
  StallCause nearest_cause() const {
    return causes_ == 0 ? StallCause::none : static_cast<StallCause>(bits::lowest(causes_));
  }

  // Whether anybody hears what tell() says; known from start() on.
  bool observed() const { return observed_; }
  void start() { observed_ = port_.observed(); }
  // Observers hear what a warp spends the cycles from `now` on: at once, or if it waits for a collector with
  // its candidate, when it is known what the collector waited for. blocked(): the instruction that waits in
  // its window.
  template <class Blocked>
  void tell(Cycle now, unsigned slot, const Warps& w, const Instruction* candidate, std::uint32_t warp_uid,
            const Blocked& blocked) {
    const StallCause cause = known_cause(slot, w);
    if (cause == StallCause::none) {
      warps_[slot].waiting = candidate;
      bits::add(wait_for_collectors_, slot);
    } else if (cause != StallCause::issued && cause == warps_[slot].cause) {
      tell(now, slot, cause, blocked(), warp_uid);
    } else {
      const bool has_candidate = cause == StallCause::issued || bits::has(w.eligible, slot);
      tell(now, slot, cause, has_candidate ? candidate : nullptr, warp_uid);
    }
  }

 private:
  // Why a warp has no instruction that it may issue; none: it has one, or nothing of it is here.
  void set_warp_cause(unsigned slot, StallCause cause);
  // Why a warp does not issue in this cycle; none if it waits for a collector.
  StallCause known_cause(unsigned slot, const Warps& w) const;
  // warp_uid is only looked at without an instruction.
  void tell(Cycle cycle, unsigned slot, StallCause cause, const Instruction* i, std::uint32_t warp_uid = 0);
  struct Warp {
    StallCause cause = StallCause::none;
    StallCause told = StallCause::no_warp;  // to observers, and with which instruction
    const Instruction* told_instruction = nullptr;
    const Instruction* waiting = nullptr;  // for a collector
    std::uint32_t uid = 0;                 // of the warp that issued last, and its youngest that has issued
    std::uint64_t youngest = 0;
  };
  struct Collector {
    unsigned slot = 0;  // warp slot of its last instruction
    // Why it takes no instruction: from when on all operands of the last one were there, and from when on it
    // is free.
    Cycle complete = never, free_from = never;
    StallCause waits_for = StallCause::operands;  // before `complete`
  };
  // First cycle with all operands, and of leaving, of what is in the way.
  struct Wait {
    Cycle complete, left;
    StallCause waits_for;  // before `complete`
  };
  Wait wait(Cycle end) const;
  void count_causes(Cycle end);
  void end_idle();
  void tell_of_collectors(Cycle end);
  Counter& cycles(StallCause c) { return cycles_.by_cause[static_cast<std::size_t>(c)]; }

  Cycle since_;  // cycles from here on are not counted yet
  StallCause cause_ = StallCause::no_warp;
  bool counting_ = true;   // false between runs
  bool observed_ = false;  // somebody listens to the port
  WarpMask cause_is_old_ = 0;
  WarpMask wait_for_collectors_ = 0;  // warps of which observers are to be told
  std::uint64_t in_the_way_ = 0;      // collectors that ready warps found no way into
  const KernelHeader* coming_ = nullptr;
  IssueCycles& cycles_;
  EventPort<StallEvent>& port_;
  std::uint32_t causes_ = 0;  // a bit for each cause that warps have, and how many have it
  std::array<std::uint8_t, stall_causes.size()> warps_with_{};
  // Cycles without a warp, while it is not known whether more of the kernel's come; and the kernel of the
  // last instructions.
  std::uint64_t idle_ = 0;
  std::optional<std::uint64_t> kernel_;
  std::vector<Warp> warps_;
  std::vector<Collector> collectors_;
};

}  // namespace subcore
