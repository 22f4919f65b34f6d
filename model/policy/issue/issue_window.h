// One warp's instruction buffer, and which of its instructions may issue next. The issue scheduler asks every
// warp's window for a candidate and picks among the warps.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string_view>

#include "subcore/model/hardware/inventory.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/parameters/choice.h"
#include "subcore/model/policy/issue/memory_access.h"
#include "subcore/model/stall/stall_cause.h"

namespace subcore {

// The event that makes an active warp pending: it waits for a result of long latency (RFC), or a strand ends
// (software RFC).
enum class Demotion : std::uint8_t { long_latency, strand_end };
// The effect of a branch on the window of a BOC: none, the instructions behind it wait for it, or a taken
// branch empties the window.
enum class BranchHandling : std::uint8_t { ignore, wait, flush_on_taken };

constexpr std::array<std::string_view, 2> names(Demotion) {
  return {"long_latency", "strand_end"};
}
constexpr std::array<std::string_view, 3> names(BranchHandling) {
  return {"ignore", "wait", "flush_on_taken"};
}

// True if a barrier must not be reached before this instruction, or access, has entered the load/store unit,
// which performs accesses in the order in which they enter: those of a warp behind the barrier then come
// later.
inline bool barrier_waits_for(MemoryAccess access) {
  return access.loads || access.stores;
}
// The same of the instruction's access.
inline bool barrier_waits_for(const Instruction& i) {
  return barrier_waits_for(memory_access_of(i));
}

// True if the warp waits or is announced at a barrier with this instruction.
inline bool reaches_barrier(const Instruction& i) {
  return i.code->kind == InstructionKind::barrier || arrives_at_barrier(*i.code);
}

// True if the warp waits at an mbarrier with this instruction: it asks for a phase until that is complete. A
// question that the trace's warp has asked once more was answered no; nothing waits for such an answer here.
inline bool waits_at_mbarrier(const Instruction& i) {
  return i.code->async == AsyncStep::check && i.mask != 0 && i.async != nullptr && !i.async->retried;
}

// True if the warp waits at a barrier or an mbarrier with this instruction, until that is over.
inline bool waits_for_release(const Instruction& i) {
  return (i.code->kind == InstructionKind::barrier && i.mask != 0) || waits_at_mbarrier(i);
}

// The barrier or mbarrier at which a warp waits until it is released.
class AwaitedRelease {
 public:
  // An instruction of the warp issues.
  void issue(const Instruction& i) {
    if (waits_for_release(i))
      cause_ = i.code->kind == InstructionKind::barrier ? StallCause::barrier : StallCause::mbarrier;
  }
  void released() { cause_ = StallCause::none; }
  bool waits() const { return cause_ != StallCause::none; }
  // The cause for which the warp issues nothing: none if it does not wait.
  StallCause cause() const { return cause_; }
  // The part of a watchdog's report; empty if the warp does not wait.
  const char* words() const {
    return !waits() ? "" : cause_ == StallCause::mbarrier ? ", waits at an mbarrier" : ", waits at a barrier";
  }

 private:
  StallCause cause_ = StallCause::none;
};

// Why a warp issues nothing: a hazard, or none if nothing is buffered or under way.
struct Blocked {
  StallCause cause = StallCause::none;
  const Instruction* instruction = nullptr;  // the one that waits; null if none is buffered
};

// Bits of an instruction in a buffer: valid, PC, four registers and two predicates, its class.
inline constexpr std::uint32_t buffered_bits = 1 + 32 + 40 + 3;
// Bits of SOCGPU's entry, which has issued, seniority and the next PC as well (SOCGPU, section 3, Fig. 2).
inline constexpr std::uint32_t socgpu_buffered_bits = buffered_bits + 36;

class IssueWindow {
 public:
  virtual ~IssueWindow() = default;

  // A fetched instruction, usable from cycle `stamp` on; in program order. There is room, because fetching
  // needs a credit for each entry. False if it cannot be the next candidate.
  virtual bool insert(Instruction& i, Cycle stamp) = 0;
  // The instruction that may issue in cycle `now`, or null. `look_again` becomes the cycle in which an
  // instruction that is on its way arrives, if that is all that is known to change.
  virtual Instruction* candidate(Cycle now, Cycle& look_again) = 0;
  // Why there was no candidate when candidate() was called last, in `now` or before.
  virtual Blocked blocked(Cycle now) const = 0;
  // The candidate issues in cycle `now`.
  virtual void issue(Instruction& i, Cycle now) = 0;
  // The instruction's operands have been read (collected), its results have been written (retired), or it is
  // one that barriers wait for and has entered the load/store unit (entered). False if the candidate is the
  // same as before.
  virtual bool collected(const Instruction& i) = 0;
  // See collected().
  virtual bool retired(Instruction& i) = 0;
  // See collected().
  virtual bool entered(const Instruction& i) = 0;
  // Whether what the warp waited for when candidate() was called last is a register that awaits a write. If
  // so, collected() returns false and changes nothing that blocked() says: a hazard of reads, or of the order
  // of accesses, is nearer than one of writes.
  virtual bool minds_only_results() const { return false; }
  // An instruction of fixed latency may issue and will find its results, though they are not written.
  virtual bool bypassable(const Instruction&) { return false; }
  // The barrier of the warp's CTA is over, or the phase of the mbarrier at which it waits.
  virtual void barrier_released() = 0;
  // The oldest instruction that has arrived by `now` and not issued, or null.
  virtual Instruction* next(Cycle now) const = 0;
  // Two-level scheduling: the warp will not issue for long, because it waits at a barrier or for a
  // long-latency result (Demotion::long_latency), or because a strand ends with such a result outstanding
  // (strand_end).
  virtual bool stalled(Cycle now) const = 0;
  // Whether the entry is free again for fetching when its instruction issues; otherwise it is when that
  // retires.
  virtual bool frees_at_issue() const = 0;
  // Whether a barrier, or what waits at an mbarrier, has retired but keeps its entry until its release.
  virtual bool holds_retired_barrier() const { return false; }

  // Whether something is buffered that has arrived by `now`, waits at a barrier, or awaits a result.
  virtual bool occupied(Cycle now) const = 0;
  // Whether the window is empty, with no instruction buffered or under way.
  virtual bool drained() const = 0;
  // Adds the parts of the window: its buffer, and what finds the hazards in it.
  virtual void inventory(Inventory&) const {}
  // Describes what is buffered and what it waits for, for the watchdog's report; no end of line. False if
  // idle.
  virtual bool describe(std::ostream& out) const = 0;
};

struct DependenceCounts;  // dependence_matrix.h
class HoldClock;          // hold_clock.h

// The platform's settings that a window has to know.
struct IssueWindowSite {
  std::uint32_t instruction_buffer = 2;  // instructions of a warp
  bool wait_for_branches = false;        // nothing issues behind a branch that has not retired
  Demotion demotion = Demotion::long_latency;
  DependenceCounts* dependences = nullptr;  // to be kept account of; null unless counts_dependences()
  HoldClock* hold_clock = nullptr;          // null unless make_hold_clock() makes one
  std::uint32_t products = 0;               // of a warpgroup that a warp may have under way; 0 = none
};

// sub_core.scheduler.issue.
class IssueChoice : public Choice {
 public:
  // A window for each warp slot.
  virtual std::unique_ptr<IssueWindow> make(const IssueWindowSite& site) const = 0;
  // Whether a warp issues in program order.
  virtual bool in_order() const = 0;
  // Whether the windows count the dependences that they find.
  virtual bool counts_dependences() const { return false; }
  // Whether the compiler's control bits replace the scoreboard, so that every instruction has to have some.
  virtual bool needs_control_bits() const { return false; }
  // The clock of the stall counters, which all windows of a sub-core share; null unless needs_control_bits().
  virtual std::unique_ptr<HoldClock> make_hold_clock() const;
  static Choices<IssueChoice>& choices();
};

}  // namespace subcore
