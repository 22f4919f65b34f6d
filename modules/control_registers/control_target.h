// ControlTarget: the target's end of a control path, of 64-bit registers. A TLM-2.0 base-protocol target; may
// stay unbound. An annotated delay is waited for: the access sees and changes what is there then.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <functional>

#include "subcore/modules/conductor/method_process.h"
#include "subcore/modules/control_registers/control_port.h"

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
  void access(Payload& t, bool debug = false) {
    t.set_dmi_allowed(false);
    access_(t, debug);
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) override {
    if (synchronise(this->name(), t, delay)) access(t);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      if (responding_ == &t) {
        responding_ = nullptr;
        if (t.has_mm()) t.release();
        if (held_) due_.notify(delay);
      }
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ && phase > tlm::END_RESP) return tlm::TLM_ACCEPTED;  // extended: ignored
    if (phase != tlm::BEGIN_REQ || asked_ != nullptr) {
      t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      SC_REPORT_ERROR("/subcore/protocol",
                      (std::string(this->name()) + ": the initiator broke the base protocol: " +
                       (phase != tlm::BEGIN_REQ ? "a phase that is neither BEGIN_REQ nor END_RESP"
                                                : "BEGIN_REQ before the END_REQ of the request before"))
                          .c_str());
      return tlm::TLM_COMPLETED;
    }
    if (delay == sc_core::SC_ZERO_TIME) {
      access(t);
      return tlm::TLM_COMPLETED;
    }
    if (t.has_mm()) t.acquire();
    asked_ = &t;
    due_.notify(delay);
    return tlm::TLM_ACCEPTED;
  }
  void answer() {
    held_ = responding_ != nullptr;
    if (held_) return;
    Payload& t = *asked_;
    asked_ = nullptr;
    responding_ = &t;
    access(t);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = (*this)->nb_transport_bw(t, phase, zero);
    if (responding_ != nullptr &&
        (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))) {
      responding_ = nullptr;
      if (t.has_mm()) t.release();
    }
  }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload& t) override {
    access(t, true);
    return t.is_response_ok() ? t.get_data_length() : 0;
  }

  Access access_;
  // Requests that came through nb_transport_fw with a delay. A response ends its request, so one at a time is
  // asked.
  Payload* asked_ = nullptr;       // BEGIN_REQ seen, BEGIN_RESP not sent
  Payload* responding_ = nullptr;  // BEGIN_RESP sent, END_RESP not seen
  bool held_ = false;              // asked_ is due, but responding_ comes first
  sc_core::sc_event due_;
  MethodProcess process_;
};

}  // namespace subcore
