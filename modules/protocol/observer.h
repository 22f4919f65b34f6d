// Observers of the ports (port.h), from which monitors and recorders derive.
#pragma once

namespace subcore {

// Sees every forward transfer of the ports to which it is attached. Observers change nothing.
template <class Payload>
class TransferObserver {
 public:
  virtual ~TransferObserver() = default;
  // Called before the receiver is. The payload belongs to the sender, so an observer must not keep its
  // address.
  virtual void transferred(const Payload& payload) = 0;
};

// Sees what comes back on the ports to which it is attached: every credit and every status. A credit is seen
// whether END_REQ is a call of its own or on the return path of the transfer.
template <class Payload>
class BackwardObserver {
 public:
  virtual ~BackwardObserver() = default;
  virtual void credited(const Payload&) {}  // END_REQ; the payload's stamp says when it counts
  virtual void told(const Payload&) {}      // status_phase
};

}  // namespace subcore
