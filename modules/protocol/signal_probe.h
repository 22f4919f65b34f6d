// Keeps what last went through a port, for signals. Module::signals() makes probes, so only a run with a
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
  // Returns the transfer of this cycle; null: none. The first signal of a cycle that looks calls refresh(),
  // which takes a transfer since the last call for one of this cycle.
  const Payload* refresh() {
    here_ = transferred_;
    transferred_ = false;
    return here();
  }
  // The transfer of this cycle; null: none has come.
  const Payload* here() const { return here_ ? &last_ : nullptr; }

 private:
  Payload last_{};
  bool transferred_ = false, here_ = false;
};

// The probes of a module, which live as long as the ports.
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
