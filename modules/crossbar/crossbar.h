// Crossbar between banks and collectors, with a read path (banks -> port S) and a write path (results -> port
// D). Transfers pass in the cycle in which they come: the arbiter has resolved every conflict before.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/signal_probe.h"

namespace subcore {

class Crossbar : public Module {
 public:
  PortVector<InPort<OperandTransfer>> data_socket;              // from each bank
  PortVector<OutPort<OperandTransfer>> source_socket;           // to each collector's port S
  InPort<DestinationTransfer> write_socket;                     // from the arbiter
  PortVector<OutPort<DestinationTransfer>> destination_socket;  // to each collector's port D; none for OCUs

  // `readers`: collectors and all others that read. `writers`: collectors with a port D.
  Crossbar(const sc_core::sc_module_name& name, unsigned banks, unsigned readers, unsigned writers)
      : Module(name),
        data_socket("data_socket", banks),
        source_socket("source_socket", readers),
        write_socket("write_socket"),
        destination_socket("destination_socket", writers) {
    for (unsigned b = 0; b < banks; ++b) data_socket[b].on_receive<&Crossbar::read>(this, b);
    write_socket.on_receive<&Crossbar::write>(this);
    for (unsigned c = 0; c < destination_socket.size(); ++c) {
      destination_socket[c].on_status<&Crossbar::steering_changed>(this, c);
    }
  }

  std::uint64_t reads() const { return reads_; }
  std::vector<Signal> signals() override;
  // Results come over one bus and fan out to the collectors.
  void inventory(Inventory& list) const override {
    list.add("read_path", HardwareKind::crosspoint, std::uint64_t{data_socket.size()} * source_socket.size(),
             operand_bits);
    list.add("write_path", HardwareKind::crosspoint, destination_socket.size(), operand_bits);
  }

 private:
  void read(unsigned, OperandTransfer& t) {
    ++reads_;
    source_socket[t.collector].send(t);
  }
  void write(unsigned, DestinationTransfer& t) {
    ++writes_;
    destination_socket[t.collector].send(t);
  }
  void steering_changed(unsigned, DestinationTransfer& t) { write_socket.status(t); }

  SignalProbes<OperandTransfer> source_probes_;
  SignalProbes<DestinationTransfer> destination_probes_;
  Counter reads_{counter_list_, "reads", "operands", "operands delivered to collectors"};
  Counter writes_{counter_list_, "writes", "operands", "results and invalidations sent to collectors"};
};

}  // namespace subcore
