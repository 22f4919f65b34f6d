#include "subcore/modules/collector/collector.h"

#include <ostream>
#include <sstream>

#include "subcore/modules/protocol/failure.h"

namespace subcore {

void Collector::report_slots(const Instruction& i) const {
  std::ostringstream text;
  text << name() << ": the instruction at pc 0x" << std::hex << i.code->pc << std::dec << " has "
       << unsigned{i.source_count} << " source operands; expected at most " << slots_
       << " (sub_core.collector.slots)";
  fail("/subcore/slots", text.str());
}

void Collector::report_collecting(std::ostream& out, const Instruction& i, unsigned missing) const {
  out << name() << ": warp " << i.warp_uid << ", pc 0x" << std::hex << i.code->pc << std::dec;
  if (missing != 0) {
    out << " waits for " << missing << " operands\n";
  } else {
    out << " waits for dispatch\n";
  }
}

SignalList SingleCollector::collecting_signals() const {
  SignalList list(signal_prefix());
  list.key([this](Cycle) { return SignalList::identity(instruction_) * 32 + missing_; })
      .instruction("", [this](Cycle) -> const Instruction* { return instruction_; })
      .number("missing", 5,
              [this](Cycle) { return instruction_ != nullptr ? std::uint64_t{missing_} : Signal::x; });
  return list;
}

}  // namespace subcore
