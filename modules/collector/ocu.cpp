#include "subcore/modules/collector/ocu.h"

#include "subcore/base/bits.h"
#include "subcore/modules/operand_path/collector_parameters.h"

namespace subcore {

Ocu::Ocu(const sc_core::sc_module_name& name, unsigned index, unsigned slots)
    : SingleCollector(name, index, slots) {
  issue_socket.on_receive<&Ocu::issued>(this);
  source_socket.on_receive<&Ocu::delivered>(this);
  dispatch_socket.on_credit<&Ocu::dispatched>(this);
}

void Ocu::issued(unsigned, IssueTransfer& t) {
  Instruction& i = *t.instruction;
  check_slots(i);
  begin(i, i.source_count, t.stamp);
  ++counters_.instructions;
  counters_.source_operands += i.source_count;
  if (missing_ == 0) {
    move();
  } else {
    ask(i, static_cast<SourceSet>(bits::below(i.source_count)), t.stamp);
  }
}

void Ocu::delivered(unsigned, OperandTransfer& t) {
  instruction_->operands[t.slot].collected = t.version;
  came(t.stamp);
  move();
}

void Ocu::dispatched(unsigned, DispatchTransfer& t) {
  latch_left(*t.instruction, t.stamp);
  move();
}

Collector* OcuChoice::make(const char* name, const CollectorParameters& p, const CollectorSite& site) const {
  return new Ocu(name, site.index, p.slots);
}

}  // namespace subcore
