#include "subcore/modules/crossbar/crossbar.h"

namespace subcore {

// One signal for each port: the register that the port gets; if there are several, the last one.
std::vector<Signal> Crossbar::signals() {
  SignalList list;
  list.in("crossbar").activity([this](Cycle) { return reads_ + writes_; });
  for (unsigned c = 0; c < source_socket.size(); ++c) {
    SignalProbe<OperandTransfer>& probe = source_probes_.watch(source_socket[c]);
    list.marked("to_c" + std::to_string(c), {}, [&probe](Cycle) {
      const OperandTransfer* t = probe.refresh();
      return t == nullptr ? Signal::x : marked_register(t->reg, 0);
    });
  }
  for (unsigned c = 0; c < destination_socket.size(); ++c) {
    SignalProbe<DestinationTransfer>& probe = destination_probes_.watch(destination_socket[c]);
    list.marked("result_to_c" + std::to_string(c), {"near", "drop"}, [&probe](Cycle) {
      const DestinationTransfer* t = probe.refresh();
      if (t == nullptr) return Signal::x;
      return marked_register(t->reg,
                             (t->near ? 1u : 0u) | (t->kind != DestinationTransfer::Kind::result ? 2u : 0u));
    });
  }
  return list;
}

}  // namespace subcore
