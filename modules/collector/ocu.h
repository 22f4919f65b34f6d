// Operand collector unit (OCU): gathers the source operands of one instruction from the banks (Malekeh,
// section II). Combinational in its issue cycle: the read requests leave inside the issue callback, as
// hardware pushes them into the bank queues when the collector is allocated; it holds no queue.
#pragma once

#include <iosfwd>

#include "modules/collector/collector.h"
#include "modules/collector/collector_choice.h"

namespace subcore {

class Ocu final : public Collector {
 public:
  // `index`: its number in the sub-core; `slots`: source operands it can hold, 1..max_sources.
  Ocu(const sc_core::sc_module_name& name, unsigned index, unsigned slots);

  Cycle tick(Cycle) override {
    move();
    return never;
  }
  std::uint64_t source_operands() const override { return source_operands_; }
  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override { return instruction_ == nullptr; }
  void report_waiting(std::ostream& out) const override;

 private:
  void issued(unsigned, IssueTransfer& t);
  void delivered(unsigned, OperandTransfer& t);
  void dispatched(unsigned, DispatchTransfer& t);
  void move();

  Instruction* instruction_ = nullptr;
  unsigned missing_ = 0;
  Cycle complete_ = 0;    // first cycle in which every operand that has come may be used
  Cycle latch_free_ = 0;  // first cycle in which the latch is free; `never`: it waits for dispatch
  std::uint8_t index_;
  unsigned slots_;
  std::uint64_t instructions_ = 0, source_operands_ = 0;
};

class OcuChoice final : public CollectorChoice {
 public:
  const char* module_name() const override { return "operand_collector"; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
  bool keeps_values() const override { return false; }
};

}  // namespace subcore
