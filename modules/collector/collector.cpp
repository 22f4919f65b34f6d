#include "subcore/modules/collector/collector.h"

namespace subcore {

SignalList SingleCollector::collecting_signals() const {
  SignalList list(signal_prefix());
  list.key([this](Cycle) { return SignalList::identity(instruction_) * 32 + missing_; })
      .instruction("", [this](Cycle) -> const Instruction* { return instruction_; })
      .number("missing", 5,
              [this](Cycle) { return instruction_ != nullptr ? std::uint64_t{missing_} : Signal::x; });
  return list;
}

}  // namespace subcore
