#include "modules/collector/ocu.h"

#include <algorithm>
#include <ostream>

#include "modules/collector/collector_parameters.h"

namespace subcore {

Ocu::Ocu(const sc_core::sc_module_name& name, unsigned index, unsigned slots)
    : Collector(name), index_(static_cast<std::uint8_t>(index)), slots_(slots) {
  issue_socket.on_receive<&Ocu::issued>(this);
  source_socket.on_receive<&Ocu::delivered>(this);
  dispatch_socket.on_credit<&Ocu::dispatched>(this);
}

void Ocu::issued(unsigned, IssueTransfer& t) {
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
void Ocu::delivered(unsigned, OperandTransfer& t) {
  instruction_->collected[t.slot] = t.version;
  complete_ = std::max(complete_, t.stamp);
  --missing_;
  move();
}

void Ocu::dispatched(unsigned, DispatchTransfer& t) {
  latch_free_ = t.stamp;
  move();
}

void Ocu::move() {
  if (instruction_ == nullptr || missing_ != 0 || !moves(complete_, latch_free_)) return;
  DispatchTransfer d{complete_, instruction_};
  IssueTransfer freed{complete_, instruction_, CollectorStatus{}};
  instruction_ = nullptr;
  latch_free_ = never;
  dispatch_socket.send(d);
  issue_socket.credit(freed);
}

void Ocu::register_statistics(StatisticsGroup& g) {
  g.counter("instructions", "instructions", "instructions collected", instructions_);
  g.counter("source_operands", "operands", "source operands looked for", source_operands_);
}

std::vector<Signal> Ocu::signals() {
  return {{"busy", 1, [this](Cycle) { return std::uint64_t{instruction_ != nullptr}; }},
          {"warp", 16, [this](Cycle) { return std::uint64_t{instruction_ ? instruction_->warp_slot : 0u}; }},
          {"pc", 16, [this](Cycle) { return instruction_ ? instruction_->code->pc & 0xffff : 0; }},
          {"missing", 5, [this](Cycle) { return std::uint64_t{missing_}; }}};
}

void Ocu::report_waiting(std::ostream& out) const {
  if (instruction_ != nullptr) report_collecting(out, *this, *instruction_, missing_);
}

Collector* OcuChoice::make(const char* name, const CollectorParameters& p, const CollectorSite& site) const {
  return new Ocu(name, site.index, p.slots);
}

}  // namespace subcore
