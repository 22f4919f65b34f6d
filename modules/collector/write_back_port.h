// WriteBackPort: the path on which a collector sends the arbiter values that the banks do not have.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <ostream>

#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class WriteBackPort {
 public:
  // A member of a collector, which becomes the parent of the socket. `exists`: the collector writes back at
  // all.
  explicit WriteBackPort(bool exists) : socket_("write_back_socket", exists ? 1 : 0) {
    for (auto& socket : socket_) socket.on_credit<&WriteBackPort::written>(this);
  }
  bool exists() const { return socket_.size() != 0; }
  // Null if the port does not exist.
  OutPort<OperandTransfer>* port() { return exists() ? &socket_[0] : nullptr; }
  // Sends the value of register `r` of the warp in slot `warp_slot`, from cycle `stamp` on. The port must
  // exist.
  void send(Register r, const Version& version, std::uint16_t warp_slot, Cycle stamp) {
    OperandTransfer w;
    w.stamp = stamp;
    w.version = version;
    w.warp_slot = warp_slot;
    w.reg = r;
    w.kind = OperandTransfer::Kind::write_back;
    ++on_their_way_;
    socket_[0].send(w);
  }
  // Whether every value that was sent is on its way into its bank.
  bool drained() const { return on_their_way_ == 0; }
  // Writes a line for the watchdog if values wait. `name` is the collector's.
  void report_waiting(std::ostream& out, const char* name) const {
    if (!drained()) out << name << ": " << on_their_way_ << " values wait to be written back\n";
  }

 private:
  void written(unsigned, OperandTransfer&) { --on_their_way_; }

  PortVector<OutPort<OperandTransfer>> socket_;  // one or none
  unsigned on_their_way_ = 0;
};

}  // namespace subcore
