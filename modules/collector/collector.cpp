#include "subcore/modules/collector/collector.h"

namespace subcore {

void SingleCollector::report_waiting(std::ostream& out) const {
  if (instruction_ != nullptr) report_collecting(out, *instruction_, missing_);
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
