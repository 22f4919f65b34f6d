// Accounting of an issue scheduler's cycles: by state and cause in counters, and by warp for observers.
// Nothing is decided here. The scheduler says what each cycle was spent on, what warps wait for, and what has
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

// Cycles by state and by cause, up to the last look. When a run has ended, they are exact up to its end.
struct IssueCycles {
  CounterList& list;
  bool two_levels, reorders, control_bits;
  std::uint32_t path_causes;  // a bit for each cause of the operand path
  std::array<Counter, issue_states.size()> by_state{{in(IssueState::empty), in(IssueState::hazard),
                                                     in(IssueState::no_collector), in(IssueState::waiting),
                                                     in(IssueState::pending_ready), in(IssueState::issued)}};
  // For states that have several causes. The cycles of a state's causes sum to the state's cycles.
  std::array<Counter, scheduler_cause_count> by_cause =
      causes(std::make_index_sequence<scheduler_cause_count>());

  // Cycles of a cause. If a state has this cause alone, the cycles of the state.
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
  // Counts cycles from `start` on; no warp comes before.
  IssueAccounting(IssueCycles& cycles, EventPort<StallEvent>& port, unsigned warp_slots, unsigned collectors,
                  Cycle start)
      : since_(start), cycles_(cycles), port_(port), warps_(warp_slots), collectors_(collectors) {}

  // Notes an instruction that issues from this warp slot. True: a younger one of its warp has issued before.
  bool overtaken(unsigned slot, const Instruction& i);

  // Notes that an instruction of the kernel has come.
  void fetched(const KernelHeader* kernel) {
    counting_ = true;
    coming_ = kernel;
  }
  // Counts the cycles before `end` for the cause that begin() was given last.
  void count(Cycle end) {
    if (!counting_) return;
    cycles_.by_state[static_cast<std::size_t>(state())] += end - since_;
    if (cause_ != StallCause::issued) count_causes(end);
    since_ = end;
  }
  // Says the cause of the cycles from the last counted one on. If ready warps find no collector, the
  // collectors in the way say more.
  void begin(StallCause cause) {
    const bool was_empty = state() == IssueState::empty;
    cause_ = cause;
    wait_for_collectors_ = 0;
    if (was_empty && state() != IssueState::empty) end_idle();
  }
  // Ends a run in cycle `end`. Later cycles are counted only when another instruction has come.
  void end_run(Cycle end);

  IssueState state() const { return state_of(cause_); }
  // The cause of cycle `now`, which is the last one.
  StallCause cause(Cycle now) const {
    return state() == IssueState::no_collector ? collector_cause(now) : cause_;
  }
  // The cause for which a ready warp finds no collector.
  StallCause collector_cause(Cycle now) const;

  // Notes that an instruction of this warp slot goes to collector c.
  void issued(unsigned c, unsigned slot) { collectors_[c] = {slot, never, never, StallCause::operands}; }
  // Notes that all operands of the collector's instruction are there as of `stamp`.
  void complete(unsigned c, Cycle stamp) { collectors_[c].complete = stamp; }
  // Notes what the collector waits for before all operands are there.
  void waits_for(unsigned c, StallCause cause) { collectors_[c].waits_for = cause; }
  // Notes whether the collector takes another instruction, as of `stamp`.
  void takes_another(unsigned c, bool free, Cycle stamp) {
    Cycle& from = collectors_[c].free_from;
    from = !free ? never : from == never ? stamp : from;
  }
  // Notes that all these collectors are in the way. Returns the nearest cause that one of them waits for
  // before dispatch.
  StallCause all_busy(std::uint64_t collectors) {
    in_the_way_ = collectors;
    StallCause nearest = StallCause::none;
    for (const unsigned c : bits::each(collectors)) {
      nearest = std::min(nearest, collectors_[c].waits_for);
      if (nearest == StallCause::operands) break;  // the usual case: no cause is nearer
    }
    return nearest;
  }
  // Notes which busy collectors are in the way: those to which the last instructions of ready warps have
  // gone. If there is none, all busy collectors are.
  void refused(WarpMask ready, std::uint64_t busy);

  // The scheduler's warps in a cycle, a bit for each slot.
  struct Warps {
    WarpMask eligible, followed, active, unit_busy;
    int issued;  // the slot that has issued in this cycle, or -1
  };
  // Notes that something has happened to the warp of a slot, or to all warps, so the cause may have changed.
  void affected(unsigned slot) { bits::add(cause_is_old_, slot); }
  void all_affected() { cause_is_old_ = bits::first(static_cast<unsigned>(warps_.size())); }
  // Finds the causes of warps that something has happened to. blocked(slot): why the slot's window has no
  // candidate. The scheduler asks only when somebody needs the causes, which is when nothing can issue.
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
  // The cause of a warp that observers are told, but at once: each cycle shows what a collector in the way
  // waits for. To be called after find_causes().
  StallCause cause(unsigned slot, const Warps& w, Cycle now) const {
    const StallCause known = known_cause(slot, w);
    return known != StallCause::none ? known : collector_cause(now);
  }
  // The nearest cause of all warps; none if there is no warp.
  StallCause nearest_cause() const {
    return causes_ == 0 ? StallCause::none : static_cast<StallCause>(bits::lowest(causes_));
  }

  // Whether an observer hears what tell() says; known from start() on.
  bool observed() const { return observed_; }
  void start() { observed_ = port_.observed(); }
  // Tells observers what a warp spends the cycles from `now` on. If the warp waits for a collector with its
  // candidate, observers hear when it is known what the collector waited for, else at once. `blocked()`: the
  // instruction that waits in the warp's window.
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
  // Sets why a warp has no instruction that it may issue; none: the warp has one, or nothing of the warp is
  // here.
  void set_warp_cause(unsigned slot, StallCause cause);
  // Why a warp does not issue in this cycle; none if the warp waits for a collector.
  StallCause known_cause(unsigned slot, const Warps& w) const;
  // `warp_uid` counts only without an instruction.
  void tell(Cycle cycle, unsigned slot, StallCause cause, const Instruction* i, std::uint32_t warp_uid = 0);
  struct Warp {
    StallCause cause = StallCause::none;
    StallCause told = StallCause::no_warp;  // the cause that observers were told, and its instruction
    const Instruction* told_instruction = nullptr;
    const Instruction* waiting = nullptr;  // waits for a collector
    std::uint32_t uid = 0;                 // the warp that issued last, and its youngest issued instruction
    std::uint64_t youngest = 0;
  };
  struct Collector {
    unsigned slot = 0;  // warp slot of its last instruction
    // Why the collector takes no instruction: `complete` is when all operands of the last one were there, and
    // `free_from` is when the collector is free.
    Cycle complete = never, free_from = never;
    StallCause waits_for = StallCause::operands;  // cause of its wait before `complete`
  };
  // Of the collectors in the way: the first cycle with all operands, and the first cycle of leaving.
  struct Wait {
    Cycle complete, left;
    StallCause waits_for;  // cause of their wait before `complete`
  };
  Wait wait(Cycle end) const;
  void count_causes(Cycle end);
  void end_idle();
  void tell_of_collectors(Cycle end);
  Counter& cycles(StallCause c) { return cycles_.by_cause[static_cast<std::size_t>(c)]; }

  Cycle since_;  // cycles from here on are not counted yet
  StallCause cause_ = StallCause::no_warp;
  bool counting_ = true;   // false between runs
  bool observed_ = false;  // an observer listens to the port
  WarpMask cause_is_old_ = 0;
  WarpMask wait_for_collectors_ = 0;  // warps of which observers will hear
  std::uint64_t in_the_way_ = 0;      // collectors that kept ready warps out
  const KernelHeader* coming_ = nullptr;
  IssueCycles& cycles_;
  EventPort<StallEvent>& port_;
  std::uint32_t causes_ = 0;  // a bit for each cause of any warp, and how many warps have it
  std::array<std::uint8_t, stall_causes.size()> warps_with_{};
  // Cycles without a warp, while it is open whether more warps of the kernel come. kernel_ is the kernel of
  // the last instructions.
  std::uint64_t idle_ = 0;
  std::optional<std::uint64_t> kernel_;
  std::vector<Warp> warps_;
  std::vector<Collector> collectors_;
};

}  // namespace subcore
