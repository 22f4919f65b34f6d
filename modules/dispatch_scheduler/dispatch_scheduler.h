// DispatchScheduler: picks, each cycle, one collector in whose latch an instruction waits and whose unit can
// take one: the one that has waited longest, ties round robin, or each in turn (BOW, section IV-A). Of a
// collector that has several such instructions the oldest is considered. Memory instructions of a warp go in
// program order, in which the load/store unit keeps them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"

namespace subcore {

enum class DispatchOrder : std::uint8_t { oldest, round_robin };

constexpr std::array<std::string_view, 2> names(DispatchOrder) {
  return {"oldest", "round_robin"};
}

class DispatchScheduler : public TickingModule {
 public:
  PortVector<InPort<DispatchTransfer>> dispatch_socket;  // one per collector
  PortVector<OutPort<DispatchTransfer>> unit_socket;     // by ExecutionUnitKind, load/store unit last

  // Memory instructions for which barriers wait (barrier_waits_for()) that the load/store unit has begun.
  OutPort<DispatchTransfer> entered_socket;

  // `load_store_queue`: instructions the load/store unit accepts from this sub-core.
  DispatchScheduler(const sc_core::sc_module_name& name, DispatchOrder order, unsigned collectors,
                    unsigned load_store_queue);

  Cycle tick(Cycle now) override;

  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  void ready(unsigned c, DispatchTransfer& t);
  void unit_free(unsigned unit, DispatchTransfer& t);

  bool overtakes(const Instruction& i, Cycle now) const;
  const DispatchTransfer* oldest_usable(unsigned c, Cycle now) const;

  DispatchOrder order_;
  std::vector<std::vector<DispatchTransfer>> waiting_;  // per collector
  unsigned count_ = 0;
  unsigned next_ = 0;  // round robin
  Cycle last_dispatch_ = never;
  unsigned last_unit_ = 0;
  Counter dispatched_{counter_list_, "dispatched", "instructions", "instructions sent to a unit"};
};

}  // namespace subcore
