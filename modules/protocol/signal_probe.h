// Keeps what last went through a port, for signals. Made by Module::signals(), so that only a run with a
// waveform has any.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <vector>

#include "subcore/modules/protocol/port.h"

namespace subcore {

template <class Payload>
class SignalProbe final : public TransferObserver<Payload> {
 public:
  void transferred(const Payload& p) override {
    last_ = p;
    transferred_ = true;
  }
  // Called once a cycle, by the first of the signals that look: a transfer since the last call is of this
  // cycle.
  const Payload* refresh() {
    here_ = transferred_;
    transferred_ = false;
    return here();
  }
  // Null: nothing has come in this cycle.
  const Payload* here() const { return here_ ? &last_ : nullptr; }

 private:
  Payload last_{};
  bool transferred_ = false, here_ = false;
};

// The probes of a module; they live as long as the ports.
template <class Payload>
class SignalProbes {
 public:
  template <class Port>
  SignalProbe<Payload>& watch(Port& port) {
    probes_.push_back(std::make_unique<SignalProbe<Payload>>());
    port.observe(*probes_.back());
    return *probes_.back();
  }

 private:
  std::vector<std::unique_ptr<SignalProbe<Payload>>> probes_;
};

}  // namespace subcore
