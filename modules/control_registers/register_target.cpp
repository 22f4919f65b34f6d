#include "modules/control_registers/register_target.h"

#include <cstring>

#include "modules/control_registers/control_port.h"
#include "modules/memory/memory_port.h"

namespace subcore {

RegisterTarget::RegisterTarget(const sc_core::sc_module_name& name, std::uint64_t size)
    : Module(name),
      control_socket("control_socket", *this),
      size_(size),
      due_("due"),
      process_("answer", due_, [this] { answer(); }) {}

void RegisterTarget::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  if (synchronise(name(), t, delay)) access(t);
}

tlm::tlm_sync_enum RegisterTarget::nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    if (responding_ == &t) {
      responding_ = nullptr;
      let_go(t);
      if (held_) due_.notify(delay);
    }
    return tlm::TLM_COMPLETED;
  }
  if (delay == sc_core::SC_ZERO_TIME) {
    access(t);
    return tlm::TLM_COMPLETED;
  }
  keep(t);
  asked_ = &t;
  due_.notify(delay);
  return tlm::TLM_ACCEPTED;
}

void RegisterTarget::answer() {
  held_ = responding_ != nullptr;
  if (held_) return;
  tlm::tlm_generic_payload& t = *asked_;
  asked_ = nullptr;
  responding_ = &t;
  access(t);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time zero = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = control_socket->nb_transport_bw(t, phase, zero);
  if (responding_ != nullptr &&
      (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))) {
    responding_ = nullptr;
    let_go(t);
  }
}

void RegisterTarget::access(tlm::tlm_generic_payload& t, bool debug) {
  t.set_response_status(register_access(t, size_, debug));
  if (t.is_response_error()) return;
  std::uint64_t value = 0;
  if (t.is_write()) {
    std::memcpy(&value, t.get_data_ptr(), 8);
    t.set_response_status(write_register(t.get_address(), value, debug));
  } else if (t.is_read()) {
    t.set_response_status(read_register(t.get_address(), value));
    if (t.is_response_ok()) std::memcpy(t.get_data_ptr(), &value, 8);
  }
}

}  // namespace subcore
