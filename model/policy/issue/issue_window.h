// One warp's instruction buffer, which decides which of its instructions may issue next. The issue scheduler
// asks every warp's window for a candidate and selects a warp.
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

// The event that makes an active warp pending: the warp waits for a result of long latency (RFC), or a strand
// ends (software RFC).
enum class Demotion : std::uint8_t { long_latency, strand_end };
// The effect of a branch on the window of a BOC: none; later instructions wait for the branch; or a taken
// branch empties the window.
enum class BranchHandling : std::uint8_t { ignore, wait, flush_on_taken };

constexpr std::array<std::string_view, 2> names(Demotion) {
  return {"long_latency", "strand_end"};
}
constexpr std::array<std::string_view, 3> names(BranchHandling) {
  return {"ignore", "wait", "flush_on_taken"};
}

// True if a barrier must not be reached before this access has entered the load/store unit. The unit performs
// accesses in the order in which they enter, so the accesses of a warp behind the barrier come later.
inline bool barrier_waits_for(MemoryAccess access) {
  return access.loads || access.stores;
}
// The same for the instruction's access.
inline bool barrier_waits_for(const Instruction& i) {
  return barrier_waits_for(memory_access_of(i));
}

// True if the warp waits or is announced at a barrier with this instruction.
inline bool reaches_barrier(const Instruction& i) {
  return i.code->kind == InstructionKind::barrier || arrives_at_barrier(*i.code);
}

// True if the warp waits at an mbarrier with this instruction: it asks for a phase until that phase is
// complete. If the trace's warp asked again, the answer was no, and such a question is not waited for here.
inline bool waits_at_mbarrier(const Instruction& i) {
  return i.code->async == AsyncStep::check && i.mask != 0 && i.async != nullptr && !i.async->retried;
}

// True if the warp waits with this instruction until a barrier or an mbarrier is over.
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
  // The cause for which the warp issues nothing; StallCause::none if it does not wait.
  StallCause cause() const { return cause_; }
  // A part of a watchdog's report; empty if the warp does not wait.
  const char* words() const {
    return !waits() ? "" : cause_ == StallCause::mbarrier ? ", waits at an mbarrier" : ", waits at a barrier";
  }

 private:
  StallCause cause_ = StallCause::none;
};

// Why a warp issues nothing: a hazard, or none if nothing is buffered or under way.
struct Blocked {
  StallCause cause = StallCause::none;
  const Instruction* instruction = nullptr;  // the instruction that waits; null if none is buffered
};

// The bits of an instruction in a buffer: valid, PC, four registers and two predicates, its class.
inline constexpr std::uint32_t buffered_bits = 1 + 32 + 40 + 3;
// The bits of SOCGPU's entry, which also has issued, seniority and the next PC (SOCGPU, section 3, Fig. 2).
inline constexpr std::uint32_t socgpu_buffered_bits = buffered_bits + 36;

class IssueWindow {
 public:
  virtual ~IssueWindow() = default;

  // Takes a fetched instruction, which is usable from cycle `stamp` on. Instructions come in program order.
  // There is room, because fetching needs a credit for each entry. False if the instruction cannot be the
  // next candidate.
  virtual bool insert(Instruction& i, Cycle stamp) = 0;
  // The instruction that may issue in cycle `now`, or null. If the arrival of an instruction is the only
  // known change to come, `look_again` becomes the cycle of that arrival.
  virtual Instruction* candidate(Cycle now, Cycle& look_again) = 0;
  // Why the last call of candidate(), in `now` or before, found none.
  virtual Blocked blocked(Cycle now) const = 0;
  // The candidate issues in cycle `now`.
  virtual void issue(Instruction& i, Cycle now) = 0;
  // The instruction's operands have been read (collected), its results have been written (retired), or it has
  // entered the load/store unit and barriers wait for it (entered). False if the candidate is the same as
  // before.
  virtual bool collected(const Instruction& i) = 0;
  // See collected().
  virtual bool retired(Instruction& i) = 0;
  // See collected().
  virtual bool entered(const Instruction& i) = 0;
  // Whether the last call of candidate() found that the warp waits for a register that awaits a write. If so,
  // collected() returns false and does not change blocked(). Hazards of reads, and of the order of accesses,
  // are nearer than hazards of writes.
  virtual bool minds_only_results() const { return false; }
  // An instruction of fixed latency may issue from now on and will find the results of this one, though they
  // are not written.
  virtual bool bypassable(const Instruction&) { return false; }
  // The barrier of the warp's CTA, or the phase of the mbarrier at which the warp waits, is over.
  virtual void barrier_released() = 0;
  // The oldest instruction that has arrived by `now` and has not issued, or null.
  virtual Instruction* next(Cycle now) const = 0;
  // Two-level scheduling: whether the warp will not issue for long. With Demotion::long_latency it waits at a
  // barrier or for a long-latency result. With strand_end, a strand ends while such a result is outstanding.
  virtual bool stalled(Cycle now) const = 0;
  // Whether fetching gets an entry back when its instruction issues. If not, it gets the entry back when the
  // instruction retires.
  virtual bool frees_at_issue() const = 0;
  // Whether a barrier, or a wait at an mbarrier, has retired but keeps its entry until its release.
  virtual bool holds_retired_barrier() const { return false; }

  // Whether an instruction is buffered that has arrived by `now`, waits at a barrier, or awaits a result.
  virtual bool occupied(Cycle now) const = 0;
  // Whether the window is empty, with no instruction buffered or under way.
  virtual bool drained() const = 0;
  // Adds the parts of the window: its buffer, and the structures that find the hazards in it.
  virtual void inventory(Inventory&) const {}
  // Writes the buffered instructions and what they wait for, for the watchdog's report, without an end of
  // line. False if the window is idle.
  virtual bool describe(std::ostream& out) const = 0;
};

struct DependenceCounts;  // dependence_matrix.h
class HoldClock;          // hold_clock.h

// The platform's settings that a window needs.
struct IssueWindowSite {
  std::uint32_t instruction_buffer = 2;  // entries per warp
  bool wait_for_branches = false;        // nothing issues behind a branch that has not retired
  Demotion demotion = Demotion::long_latency;
  DependenceCounts* dependences = nullptr;  // where to count; null unless counts_dependences()
  HoldClock* hold_clock = nullptr;          // null unless make_hold_clock() makes one
  std::uint32_t products = 0;  // most products of a warpgroup that a warp may have under way; 0 = none
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
  // Whether the compiler's control bits replace the scoreboard, so that every instruction must have them.
  virtual bool needs_control_bits() const { return false; }
  // The clock of the stall counters, which all windows of a sub-core share; null unless needs_control_bits().
  virtual std::unique_ptr<HoldClock> make_hold_clock() const;
  static Choices<IssueChoice>& choices();
};

}  // namespace subcore
