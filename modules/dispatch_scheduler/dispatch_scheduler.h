// DispatchScheduler: each cycle, picks a collector in whose latch an instruction waits and whose unit can
// take an instruction. The collector is the one that has waited longest, with ties round robin, or each in
// turn (BOW, section IV-A). A collector with several such instructions offers the oldest. Memory instructions
// of a warp go in program order, and the load/store unit keeps this order. An operand path may bring a
// derived scheduler.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "subcore/modules/dispatch_scheduler/dispatch_parameters.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class DispatchScheduler : public TickingModule {
 protected:
  // An instruction in a collector's latch, with copies of what every choice looks at.
  struct Waiting {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    std::uint64_t sequence = 0;
    std::uint8_t collector = 0;
    std::uint8_t unit = 0;  // the unit's index in unit_socket
  };

  // Members that every tick reads lie next to those of the base class, because the state of an SM fills more
  // than its share of a first-level cache.
  Cycle last_dispatch_ = never;
  unsigned next_ = 0;  // the collector whose turn comes first
  DispatchOrder order_;
  std::uint8_t last_unit_ = 0;
  Counter dispatched_{counter_list_, "dispatched", "instructions", "instructions sent to a unit"};
  // Waiting instructions by collector, and those of a collector the oldest first. Mostly there are one or
  // two.
  boost::container::small_vector<Waiting, 8> waiting_;

 public:
  PortVector<InPort<DispatchTransfer>> dispatch_socket;  // a socket per collector
  PortVector<OutPort<DispatchTransfer>> unit_socket;     // by ExecutionUnitKind, load/store unit last

  // Memory instructions that the load/store unit has begun and that barriers wait for (barrier_waits_for()).
  OutPort<EnteredTransfer> entered_socket;

  // `load_store_queue`: how many instructions the load/store unit accepts from this sub-core.
  DispatchScheduler(const sc_core::sc_module_name& name, DispatchOrder order, unsigned collectors,
                    unsigned load_store_queue);

  Cycle tick(Cycle now) override;

  std::vector<Signal> signals() override;
  bool drained() const override { return waiting_.empty(); }
  void report_waiting(std::ostream& out) const override;

 private:
  void ready(unsigned c, DispatchTransfer& t);
  void unit_free(unsigned unit, DispatchTransfer& t);

  bool overtakes(const Instruction& i, Cycle now) const;
  unsigned turns_before(unsigned c) const;
  Cycle dispatch_chosen(const Waiting& w, Cycle now);

 protected:
  Cycle next_chance(Cycle now);
  void dispatch(const Waiting& chosen, Cycle now);
};

}  // namespace subcore
