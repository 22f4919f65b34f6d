// IssueScheduler of one sub-core: instruction buffers with their hazards, warp priority and collector
// allocation. Issues at most one instruction per cycle (Malekeh, Fig. 6).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "model/policy/allocation/allocation.h"
#include "model/policy/issue/issue_window.h"
#include "model/policy/promotion/active_set.h"
#include "model/policy/warp_priority/warp_priority.h"
#include "modules/issue_scheduler/scheduler_parameters.h"
#include "modules/protocol/inbox.h"
#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"

namespace subcore {

class IssueScheduler : public TickingModule {
 public:
  sc_core::sc_vector<InPort<FetchTransfer>> instruction_socket;  // one per warp slot
  sc_core::sc_vector<OutPort<IssueTransfer>> issue_socket;       // one per collector (port R)
  InPort<ResultTransfer> retire_socket;
  OutPort<BarrierTransfer> barrier_socket;
  InPort<DispatchTransfer> entered_socket;  // memory instructions that have entered the load/store unit
  InPort<ControlTransfer> sthld_socket;
  sc_core::sc_vector<OutPort<WarpTransfer>> warp_socket;  // to the operand cache, if there is one

  // What a cycle was spent on. A state lasts until the scheduler looks again, so that sleeping costs nothing.
  enum class State : std::uint8_t { empty, hazard, no_collector, waiting, pending_ready, issued };
  struct StateText {
    const char *name, *meaning;
  };
  static constexpr std::array<StateText, 6> states{
      {{"empty", "no warp had an instruction"},
       {"hazard", "every head instruction had a hazard, or waited at a barrier"},
       {"no_collector", "ready warps found no collector"},
       {"waiting", "ready warps were held back by STHLD (Malekeh Fig. 6, case 7)"},
       {"pending_ready", "nothing was issued, but a pending warp was ready (Malekeh Fig. 10, state 2)"},
       {"issue", "an instruction was issued"}}};

  struct Counters {
    CounterList& list;
    bool two_levels, reorders;
    Counter issued{list, "issued", "instructions", "warp instructions issued"};
    Counter retired{list, "retired", "instructions", "warp instructions retired"};
    Counter predicated_off{list, "predicated_off", "instructions", "issued with no active lane"};
    // By State, up to the last look; once a run has ended, exactly up to its end.
    std::array<Counter, states.size()> cycles{{cycles_in(State::empty), cycles_in(State::hazard),
                                               cycles_in(State::no_collector), cycles_in(State::waiting),
                                               cycles_in(State::pending_ready), cycles_in(State::issued)}};
    Counter near_flushes{list, "near_flushes", "flushes",
                         "collectors taken from a warp that had near values in them"};
    Counter promotions{list, two_levels, "promotions", "warps", "pending warps that became active"};
    Counter demotions{list, two_levels, "demotions", "warps", "active warps that became pending"};
    Counter interval_changes{list, two_levels, "interval_changes", "warps",
                             "active warps that came to another register interval"};
    Counter barriers{list, "barriers", "instructions", "barriers issued"};
    Counter overtaken{list, reorders, "overtaken", "instructions",
                      "issued after a younger instruction of their warp"};

    Counter cycles_in(State s) {
      const StateText& text = states[static_cast<std::size_t>(s)];
      return {list, std::string(text.name) + "_cycles", "cycles", text.meaning};
    }
  };

  // What the scheduler has to know of the sub-core around it.
  struct Site {
    std::uint32_t warp_slots, collectors;
    std::uint64_t seed;      // of the allocation's random choices
    bool wait_for_branches;  // a warp issues nothing behind a branch that has not retired
    bool has_operand_cache;  // which wants to know of warps that come and go
  };
  IssueScheduler(const sc_core::sc_module_name& name, const SchedulerParameters& parameters,
                 const AllocationChoice& allocation, const Site& site);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }
  // The run is over in cycle `end`: every cycle before `end` is counted, and later ones only when another
  // instruction has come.
  void end_run(Cycle end);

  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  struct Held {            // what a collector has been given
    unsigned slot = 0;     // warp slot of its last instruction
    CollectorStatus news;  // status to take over at news_stamp
    Cycle news_stamp = never;
    std::vector<const Instruction*> left;  // instructions that have left by news_stamp
  };

  void fetched(unsigned slot, FetchTransfer& t);
  void collector_freed(unsigned c, IssueTransfer& t);
  void collector_status(unsigned c, IssueTransfer& t);
  void retire(unsigned, ResultTransfer& t);
  void entered(unsigned, DispatchTransfer& t);
  void set_sthld(unsigned, ControlTransfer& t);
  void barrier_released(unsigned, BarrierTransfer& t);

  void warp_settled(unsigned, WarpTransfer& t);

  void count_cycles(Cycle end);
  void take_over(Cycle now);
  void take_status(unsigned c);
  void evaluate(unsigned slot, Cycle now);
  void issue(unsigned slot, unsigned c, Cycle now);
  WarpMask owners() const;
  bool rearrange(Cycle now);
  void tell_cache(unsigned slot, WarpNews news, Instruction* i, Cycle now);
  bool pending_ready() const;
  State decide(Cycle now);

  AllocationFailure alloc_fail_;
  std::unique_ptr<WarpPriority> priority_;
  std::unique_ptr<AllocationPolicy> allocation_;
  bool reorders_;  // warps may issue out of order
  struct Youngest {
    std::uint32_t warp_uid = 0;
    std::uint64_t sequence = 0;
  };
  std::vector<Youngest> youngest_;                     // per slot: what has issued; only when reorders_
  std::vector<std::unique_ptr<IssueWindow>> windows_;  // per warp slot
  std::vector<Instruction*> candidates_;  // per slot: what its warp may issue; valid where eligible_
  std::vector<std::uint32_t> uid_;        // per slot: dynamic id of the warp whose instructions are buffered
  std::vector<CollectorView> collectors_;
  std::vector<Held> held_;
  Inbox<ResultTransfer> retiring_;
  Inbox<DispatchTransfer> entered_;
  Inbox<BarrierTransfer> released_;
  Inbox<WarpTransfer, &WarpTransfer::warp_slot> settled_;
  WarpMask eligible_ = 0;  // has a candidate
  WarpMask changed_ = 0;   // to be evaluated again
  // Two-level scheduling; null with one level.
  std::unique_ptr<ActiveSet> active_set_;
  PendingReady pending_ready_;
  WarpMask present_ = 0, stalled_ = 0, known_ = 0;  // as ActiveSet::step wants them
  WarpMask followed_ = 0;                           // warps whose last issue was not their last instruction
  std::vector<std::uint32_t> interval_;             // per slot: the register interval that was brought in
  unsigned busy_ = 0;                               // collectors that take no instruction
  bool news_ = false;                               // some Held has a status to take over
  int last_issued_ = -1;
  std::uint64_t issues_ = 0;
  ControlTransfer control_{never, 0};  // STHLD to take over
  State state_ = State::empty;
  Cycle state_since_ = 0;  // what is not counted yet
  bool counting_ = true;   // false between runs
  Cycle last_issue_cycle_ = never;
  Counters counters_;
};

}  // namespace subcore
