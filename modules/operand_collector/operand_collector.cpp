#include "modules/operand_collector/operand_collector.h"

#include <algorithm>
#include <ostream>

namespace subcore {

OperandCollector::OperandCollector(const sc_core::sc_module_name& name, unsigned index, unsigned slots)
    : Collector(name), index_(static_cast<std::uint8_t>(index)), slots_(slots) {
  issue_socket.on_receive<&OperandCollector::issued>(this);
  source_socket.on_receive<&OperandCollector::delivered>(this);
  dispatch_socket.on_credit<&OperandCollector::dispatched>(this);
}

void OperandCollector::issued(unsigned, IssueTransfer& t) {
  Instruction& i = *t.instruction;
  check_slots(*this, i, slots_);
  instruction_ = &i;
  missing_ = i.source_count;
  complete_ = t.stamp;
  ++instructions_;
  source_operands_ += i.source_count;
  if (missing_ == 0) {
    move();
    return;
  }
  OperandTransfer read;
  read.stamp = t.stamp;
  read.instruction = &i;
  read.warp_slot = i.warp_slot;
  read.collector = index_;
  for (unsigned s = 0; s < i.source_count; ++s) {
    read.slot = static_cast<std::uint8_t>(s);
    read.reg = i.source(s);
    read_socket.send(read);
  }
}

// A bank may announce an operand long before it is there, so the last to be announced need not be the last.
void OperandCollector::delivered(unsigned, OperandTransfer& t) {
  instruction_->collected[t.slot] = t.version;
  complete_ = std::max(complete_, t.stamp);
  --missing_;
  move();
}

void OperandCollector::dispatched(unsigned, DispatchTransfer& t) {
  latch_free_ = t.stamp;
  move();
}

void OperandCollector::move() {
  if (instruction_ == nullptr || missing_ != 0 || !moves(complete_, latch_free_)) return;
  DispatchTransfer d{complete_, instruction_};
  IssueTransfer freed{complete_, instruction_, CollectorStatus{}};
  instruction_ = nullptr;
  latch_free_ = never;
  dispatch_socket.send(d);
  issue_socket.credit(freed);
}

void OperandCollector::register_statistics(StatisticsGroup& g) {
  g.counter("instructions", "instructions", "instructions collected", instructions_);
  g.counter("source_operands", "operands", "source operands looked for", source_operands_);
}

std::vector<Signal> OperandCollector::signals() {
  return {{"busy", 1, [this](Cycle) { return std::uint64_t{instruction_ != nullptr}; }},
          {"warp", 16, [this](Cycle) { return std::uint64_t{instruction_ ? instruction_->warp_slot : 0u}; }},
          {"pc", 16, [this](Cycle) { return instruction_ ? instruction_->code->pc & 0xffff : 0; }},
          {"missing", 5, [this](Cycle) { return std::uint64_t{missing_}; }}};
}

void OperandCollector::report_waiting(std::ostream& out) const {
  if (instruction_ != nullptr) report_collecting(out, *this, *instruction_, missing_);
}

}  // namespace subcore
