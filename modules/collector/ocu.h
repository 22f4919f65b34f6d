// Operand collector unit (OCU): gathers the source operands of one instruction from the banks (Malekeh,
// section II). An OCU is combinational in its issue cycle: the read requests leave inside the issue callback,
// as hardware pushes them into the bank queues when it allocates the collector. An OCU holds no queue.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/modules/collector/collector.h"
#include "subcore/modules/operand_path/collector_choice.h"

namespace subcore {

class Ocu final : public SingleCollector {
 public:
  Ocu(const sc_core::sc_module_name& name, unsigned index, unsigned slots);

  Cycle tick(Cycle) override {
    move();
    return never;
  }
  std::vector<Signal> signals() override { return collecting_signals(); }
  // Each slot has its operand, with valid, ready and the register. The operand comes from the crossbar and
  // goes to a unit.
  void inventory(Inventory& list) const override {
    list.add("operands", HardwareKind::data, slots(), operand_bits, 2);
    list.add("operand_table", HardwareKind::state, slots(), 2 + register_bits);
  }

 private:
  void issued(unsigned, IssueTransfer& t);
  void delivered(unsigned, OperandTransfer& t);
  void dispatched(unsigned, DispatchTransfer& t);
  void move() {
    if (moves_on()) move_on({});
  }

  struct Counters {
    CounterList& list;
    Counter instructions{list, "instructions", "instructions", "instructions collected"};
    Counter source_operands{list, "source_operands", "operands", "source operands looked for"};
  };
  Counters counters_{counter_list_};
};

class OcuChoice final : public CollectorChoice {
 public:
  const char* module_name() const override { return "operand_collector"; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
  bool keeps_values() const override { return false; }
};

}  // namespace subcore
