#include "modules/control_registers/control_registers.h"

#include <cstring>

#include "modules/control_registers/control_port.h"
#include "modules/memory/memory_port.h"

namespace subcore {

ControlRegisters::ControlRegisters(const sc_core::sc_module_name& name, unsigned sub_cores,
                                   std::uint32_t sthld, Readers readers, const Conductor& conductor)
    : Module(name),
      control_socket("control_socket", *this),
      sthld_socket("sthld_socket", sub_cores),
      sthld_(sthld),
      readers_(std::move(readers)),
      conductor_(conductor),
      due_("due"),
      process_("answer", due_, [this] { answer(); }) {}

void ControlRegisters::spread(Cycle stamp) {
  for (auto& s : sthld_socket) {
    ControlTransfer t{stamp, static_cast<std::uint32_t>(sthld_)};
    s.send(t);
  }
}

void ControlRegisters::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  if (synchronise(name(), t, delay)) access(t);
}

tlm::tlm_sync_enum ControlRegisters::nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
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

void ControlRegisters::answer() {
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

void ControlRegisters::access(tlm::tlm_generic_payload& t, bool debug) {
  std::uint64_t value = 0;
  t.set_response_status(register_access(t, control_register::size, debug));
  if (t.is_response_error()) return;
  if (t.is_write()) {
    if (t.get_address() != control_register::sthld) {
      t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    std::memcpy(&value, t.get_data_ptr(), 8);
    sthld_ = value > 0xffff ? 0xffff : value;
    spread(conductor_.now() + 1);
  } else if (t.is_read()) {
    switch (t.get_address()) {
      case control_register::cycle:
        value = conductor_.now();
        break;
      case control_register::instructions_retired:
        value = readers_.instructions_retired();
        break;
      case control_register::source_operands:
        value = readers_.source_operands();
        break;
      case control_register::cache_read_hits:
        value = readers_.cache_read_hits();
        break;
      case control_register::sthld:
        value = sthld_;
        break;
      default:
        break;
    }
    std::memcpy(t.get_data_ptr(), &value, 8);
  }
}

}  // namespace subcore
