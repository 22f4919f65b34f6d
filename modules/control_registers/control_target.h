// ControlTarget: the target's end of a control path, of 64-bit registers. A TLM-2.0 base-protocol target; may
// stay unbound. An annotated delay is waited for: the access sees and changes what is there then.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>

#include "subcore/modules/conductor/method_process.h"
#include "subcore/modules/control_registers/control_port.h"
#include "subcore/modules/memory/at_target.h"

namespace subcore {

class ControlTarget : public TargetSocket<sc_core::SC_ZERO_OR_MORE_BOUND>,
                      protected tlm::tlm_fw_transport_if<> {
 public:
  // Makes the access and sets the response status. `debug`: through the debug transport.
  using Access = std::function<void(Payload&, bool debug)>;

  // To be a member of its module.
  ControlTarget(const char* name, Access access)
      : TargetSocket(name, *this),
        access_(std::move(access)),
        due_("due"),
        process_("answer", due_, [this] { answer(); }) {}

 private:
  using Initiator = AtTarget<TargetSocket<sc_core::SC_ZERO_OR_MORE_BOUND>>;

  void access(Payload& t, bool debug = false) {
    t.set_dmi_allowed(false);
    access_(t, debug);
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) override {
    if (synchronise(this->name(), t, delay)) access(t);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    const bool at_once = delay == sc_core::SC_ZERO_TIME;
    const auto begin = [&] {
      if (at_once) return Initiator::Answer::completed;
      due_.notify(delay);
      return Initiator::Answer::waiting;
    };
    const auto ended = [&] {
      if (held_) due_.notify(delay);
    };
    tlm::tlm_sync_enum answer;
    try {
      answer = initiator_.called(t, phase, 0, begin, ended);
    } catch (const Failure&) {
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    } catch (const sc_core::sc_report&) {
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      throw;
    }
    if (at_once && phase == tlm::BEGIN_REQ) access(t);
    return answer;
  }
  void answer() {
    held_ = initiator_.responding();
    if (held_) return;
    access(*initiator_.request());
    initiator_.respond(*initiator_.request());
  }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload& t) override {
    access(t, true);
    return t.is_response_ok() ? t.get_data_length() : 0;
  }

  Access access_;
  // A request that came through nb_transport_fw with a delay waits for its moment; its response ends it.
  Initiator initiator_{*this};
  bool held_ = false;  // the request is due, but the response to the one before has not ended
  sc_core::sc_event due_;
  MethodProcess process_;
};

}  // namespace subcore
