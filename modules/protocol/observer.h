// Observers of the ports (port.h): what monitors and recorders derive from.
#pragma once

namespace subcore {

// Sees every forward transfer of the ports it is attached to. Observers change nothing.
template <class Payload>
class TransferObserver {
 public:
  virtual ~TransferObserver() = default;
  // Called before the receiver is. The payload is the sender's: nothing of it may be kept by address.
  virtual void transferred(const Payload& payload) = 0;
};

// Sees what comes back on the ports it is attached to: every credit, whether END_REQ is a call of its own or
// on the return path of the transfer, and every status.
template <class Payload>
class BackwardObserver {
 public:
  virtual ~BackwardObserver() = default;
  virtual void credited(const Payload&) {}  // END_REQ; the payload's stamp says when it counts
  virtual void told(const Payload&) {}      // status_phase
};

}  // namespace subcore
