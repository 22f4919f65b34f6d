// IssueScheduler of one sub-core: instruction buffers with their hazards, warp priority and collector
// allocation. At most one instruction issues per cycle (Malekeh, Fig. 6).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <optional>
#include <vector>

#include "subcore/model/policy/allocation/allocation.h"
#include "subcore/model/policy/issue/dependence_matrix.h"
#include "subcore/model/policy/issue/hold_clock.h"
#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/model/policy/issue/unit_gate.h"
#include "subcore/model/policy/promotion/active_set.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"
#include "subcore/modules/issue_scheduler/issue_accounting.h"
#include "subcore/modules/issue_scheduler/scheduler_parameters.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class IssueScheduler final : public TickingModule {
 public:
  InPort<FetchTransfer> instruction_socket;
  PortVector<OutPort<IssueTransfer>> issue_socket;  // one per collector (port R)
  InPort<RetireTransfer> retire_socket;
  OutPort<BarrierTransfer> barrier_socket;
  InPort<EnteredTransfer> entered_socket;  // memory instructions that have entered the load/store unit
  InPort<ControlTransfer> sthld_socket;
  PortVector<OutPort<WarpTransfer>> warp_socket;  // to the operand cache, if there is one

  EventPort<StallEvent> stall_port;  // tells observers what each warp waits for

  struct Counters {
    CounterList& list;
    bool two_levels, reorders, control_bits;
    std::uint32_t path_causes;  // a bit for each cause of waiting that the operand path has
    bool has_products;          // warpgroups make products, so warps may change their allocation of registers
    Counter issued{list, "issued", "instructions", "warp instructions issued"};
    Counter retired{list, "retired", "instructions", "warp instructions retired"};
    Counter predicated_off{list, "predicated_off", "instructions",
                           "warp instructions issued without an active lane"};
    // BOW, Fig. 4. The counts are the sum of cycles of retirement less the sum of cycles of issue, so that
    // nothing is kept for an instruction. The counts are right when no instruction is under way, as at the
    // end of a kernel.
    Counter memory_cycles{list, "execution_memory_cycles", "cycles",
                          "cycles from issue to retirement, summed over instructions of the load/store unit"};
    Counter other_cycles{list, "execution_other_cycles", "cycles",
                         "cycles from issue to retirement, summed over all other instructions"};
    Counter& execution_cycles(const Instruction& i) {
      return i.code->execution == ExecutionClass::load_store ? memory_cycles : other_cycles;
    }
    IssueCycles cycles{list, two_levels, reorders, control_bits, path_causes};
    Counter near_flushes{list, "near_flushes", "flushes",
                         "collectors with near values that were taken from their warp"};
    Counter promotions{list, two_levels, "promotions", "warps", "pending warps that became active"};
    Counter demotions{list, two_levels, "demotions", "warps", "active warps that became pending"};
    Counter interval_changes{list, two_levels, "interval_changes", "warps",
                             "active warps that came to another register interval"};
    Counter barriers{list, "barriers", "instructions", "barriers issued"};
    Counter allocation_changes{list, has_products, "allocation_changes", "instructions",
                               "instructions that change how many registers their warp has (USETMAXREG)"};
    Counter overtaken{list, reorders, "overtaken", "instructions",
                      "instructions issued after a younger instruction of their warp"};
  };

  // The scheduler's surroundings in its sub-core.
  struct Site {
    std::uint32_t warp_slots, collectors;
    std::uint64_t seed;                   // for the allocation's random choices
    bool wait_for_branches;               // a warp issues nothing behind a branch that has not retired
    bool has_operand_cache;               // a cache must hear of warps that come and go
    std::optional<UnitGate> unit_gate{};  // gate and CollectorChoice::stall_causes() of the path
    std::uint32_t path_causes = 0;
    Cycle start_cycle = 0;       // cycles are counted from here on; no warp comes before
    std::uint32_t products = 0;  // products that a warp may have under way; 0 = none
  };
  IssueScheduler(const sc_core::sc_module_name& name, const SchedulerParameters& parameters,
                 const AllocationChoice& allocation, const Site& site);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }
  // Ends the run in cycle `end`. Every cycle before `end` is counted, and later ones only when another
  // instruction has come.
  void end_run(Cycle end) { accounting_.end_run(end); }

  // The number of the cause for which a warp does not issue at the end of cycle `now`; Signal::x: no cause.
  // For observers that wait for a long stall.
  std::uint64_t stall_cause(unsigned slot, Cycle now);

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  void inventory(Inventory& list) const override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  void start_of_simulation() override { accounting_.start(); }

  // A warp's instruction buffer, and what is known of the warp.
  struct Slot {
    std::unique_ptr<IssueWindow> window;
    Instruction* candidate = nullptr;  // the instruction it may issue; valid where eligible_
    std::uint32_t interval = 0;        // register interval that the operand cache has brought in
  };
  // A collector, and what it has been given.
  struct Held {
    unsigned slot = 0;     // warp slot of its last instruction
    CollectorStatus next;  // status to take over in cycle next_from
    Cycle next_from = never;
    Instruction* left = nullptr;  // instruction that has left by then
  };
  // An instruction has come to another step on its way.
  struct Progress {
    enum Step : std::uint8_t { left_collector, bypassable, entered, retired };
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    Step step = retired;
  };
  void fetched(unsigned, FetchTransfer& t);
  void collector_freed(unsigned c, IssueTransfer& t);
  void collector_status(unsigned c, IssueTransfer& t);
  void window_told(unsigned c, const IssueTransfer& t);
  void retire(unsigned, RetireTransfer& t) { put({t.stamp, t.instruction, Progress::retired}); }
  void entered(unsigned, EnteredTransfer& t) { put({t.stamp, t.instruction, Progress::entered}); }
  void set_sthld(unsigned, ControlTransfer& t);
  void barrier_released(unsigned, BarrierTransfer& t);

  void registers_moved(unsigned, WarpTransfer& t);

  bool issued_in(Cycle now, unsigned slot) const {
    return last_issue_cycle_ == now && last_issued_ == static_cast<int>(slot);
  }
  const Instruction* shown(unsigned slot, Cycle now) const;
  IssueAccounting::Warps warps(Cycle now) const {
    return {eligible_, followed_, active_set_ ? active_set_->active() : ~WarpMask{0}, unit_busy_,
            last_issue_cycle_ == now ? last_issued_ : -1};
  }
  // Whether an observer wants to see every cycle, or a counter needs cycles that no other module asks for.
  bool sees_every_cycle() const {
    return accounting_.observed() || has_signals_ || active_set_ != nullptr || hold_clock_ != nullptr;
  }
  void find_causes(Cycle now) {
    accounting_.find_causes(warps(now),
                            [&](unsigned slot) { return slots_[slot].window->blocked(now).cause; });
  }
  StallCause warp_cause(unsigned slot, Cycle now) {
    find_causes(now);
    return accounting_.cause(slot, warps(now), now);
  }
  void tell_observers(Cycle now);
  void take_over(Cycle now);
  void take_status(unsigned c);
  void collected(const Instruction& i);
  // A collector has news, as of `stamp`. `matters`: a warp without a candidate may get one, or another cause.
  // If no warp has a candidate, other news can wait until a tick comes for another reason.
  void hear_of_collector(Cycle stamp, bool matters) {
    if (matters || eligible_ != 0 || sees_every_cycle()) {
      wake(stamp);
    } else {
      put_off_ = std::max(put_off_, stamp);
    }
  }
  void take_progress(const Progress& p, Cycle now);
  void take_rest(Cycle now);
  void put(const Progress& p);
  void put_rest(Cycle stamp);
  void credit(unsigned slot, Instruction* i, Cycle now);
  // Something has happened to a warp; `candidate`: it may have another candidate.
  void affected(unsigned slot, bool candidate) {
    accounting_.affected(slot);
    if (candidate || active_set_) bits::add(changed_, slot);
  }
  void evaluate(unsigned slot, Cycle now);
  void look_at_levels(unsigned slot, Cycle now);
  void issue(unsigned slot, unsigned c, Cycle now);
  WarpMask owners() const;
  bool rearrange(Cycle now);
  void tell_cache(unsigned slot, WarpTransfer::Kind kind, Instruction* i, Cycle now);
  bool pending_ready() const;
  WarpMask with_open_units(WarpMask ready, Cycle now);
  StallCause decide(Cycle now);
  StallCause idle_cause(Cycle now);

  // Members that every tick reads lie together, because the schedulers of a GPU have more state than a
  // first-level cache holds.
  alignas(64) WarpMask eligible_ = 0;  // warps that have a candidate
  WarpMask changed_ = 0;               // warps to be evaluated again
  WarpMask followed_ = 0;              // warps whose last issue was not their last instruction
  WarpMask minds_only_results_ = 0;    // see IssueWindow::minds_only_results()
  Cycle last_issue_cycle_ = never;
  int last_issued_ = -1;
  bool reorders_;        // warps may issue out of order
  bool frees_at_issue_;  // buffer entries become free at issue; else at retirement
  AllocationFailure alloc_fail_;
  PendingReady pending_ready_;
  std::unique_ptr<ActiveSet> active_set_;  // two-level scheduling; null with one level
  std::uint64_t announced_ = 0;            // collectors with a status to take over
  std::uint64_t issues_ = 0;
  PayloadEventQueue<Progress> progress_;
  Cycle put_off_ = 0;       // last stamp of news of collectors that have no tick of their own
  Cycle rest_due_ = never;  // first stamp in the other queues and control_
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> uid_;  // per slot: dynamic id of the warp in the buffer
  std::vector<Held> held_;          // per collector
  CollectorViews collectors_;
  std::unique_ptr<WarpPriority> priority_;
  std::unique_ptr<AllocationPolicy> allocation_;
  bool waits_as_sthld_says_;               // the allocation policy does
  std::unique_ptr<HoldClock> hold_clock_;  // null unless control bits rule the issue
  bool holding_ = false;                   // stall counts stand still
  bool has_signals_ = false;               // a waveform may show every cycle
  std::optional<UnitGate> unit_gate_;      // empty: the operand path waits for units
  WarpMask unit_busy_ = 0;                 // eligible warps whose instruction's unit takes none
  Counters counters_;
  IssueAccounting accounting_;

  WarpMask present_ = 0, stalled_ = 0, known_ = 0;  // as ActiveSet::step() wants them
  ControlTransfer control_{never, 0};               // a STHLD to take over
  PayloadEventQueue<BarrierTransfer> released_;
  PayloadEventQueue<WarpTransfer, &WarpTransfer::warp_slot> moved_;
  std::unique_ptr<DependenceCounts> dependences_;  // of the windows of all slots; null if no window counts
};

}  // namespace subcore
