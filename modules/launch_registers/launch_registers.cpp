#include "subcore/modules/launch_registers/launch_registers.h"

#include <cmath>
#include <ostream>

namespace subcore {

LaunchRegisters::LaunchRegisters(const sc_core::sc_module_name& name, Readers readers,
                                 const Conductor& conductor)
    : RegisterTarget(name, launch_register::size),
      launch_socket("launch_socket"),
      interrupt("interrupt"),
      readers_(std::move(readers)),
      conductor_(conductor),
      changed_("changed"),
      process_("update", changed_, [this] { update(); }) {
  launch_socket.on_status<&LaunchRegisters::kernel_ended>(this);
}

void LaunchRegisters::ring() {
  ++launched_;
  KernelTransfer t{conductor_.now() + 1, kernel_};
  launch_socket.send(t);
}

void LaunchRegisters::kernel_ended(unsigned, KernelTransfer& t) {
  ended_.put(t);
  await_next();
}

// Asks for the next notification. An event has only one, the earliest, so each end that is taken asks again.
void LaunchRegisters::await_next() {
  if (ended_.empty()) return;
  changed_.notify(sc_core::sc_time::from_value(ended_.next() * conductor_.period().value() -
                                               sc_core::sc_time_stamp().value()));
}

void LaunchRegisters::update() {
  ended_.take(conductor_.now(), [this](const KernelTransfer& t) {
    ++finished_;
    finish_cycle_ = t.stamp - 1;
    interrupt_status_ |= launch_interrupt::kernel_ended;
    if (finished_ == launched_) interrupt_status_ |= launch_interrupt::all_ended;
  });
  await_next();
  for (int i = 0; i < interrupt.size(); ++i)
    interrupt[i]->write((interrupt_status_ & interrupt_enable_) != 0);
}

std::optional<std::uint64_t> LaunchRegisters::read_register(std::uint64_t offset) {
  switch (offset) {
    case launch_register::kernels:
      return readers_.kernels();
    case launch_register::kernel:
      return kernel_;
    case launch_register::doorbell:
      return std::nullopt;
    case launch_register::launched:
      return launched_;
    case launch_register::finished:
      return finished_;
    case launch_register::status:
      return (launched_ != finished_ ? launch_status::busy : 0) |
             (readers_.under_way() ? launch_status::under_way : 0) |
             (conductor_.failed() ? launch_status::failed : 0);
    case launch_register::interrupt_status:
      return interrupt_status_;
    case launch_register::interrupt_enable:
      return interrupt_enable_;
    case launch_register::finish_cycle:
      return finish_cycle_;
    case launch_register::cycle:
      return conductor_.now();
    case launch_register::instructions_retired:
      return readers_.instructions_retired();
    case launch_register::source_operands:
      return readers_.source_operands();
    case launch_register::cache_read_hits:
      return readers_.cache_read_hits();
    default:
      if (!energy_) return std::nullopt;
      return static_cast<std::uint64_t>(std::llround(energy_() * 1000));
  }
}

tlm::tlm_response_status LaunchRegisters::write_register(std::uint64_t offset, std::uint64_t value,
                                                         bool debug) {
  switch (offset) {
    case launch_register::kernel:
      if (value >= readers_.kernels()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
      kernel_ = value;
      return tlm::TLM_OK_RESPONSE;
    case launch_register::doorbell:
      if (debug) return tlm::TLM_COMMAND_ERROR_RESPONSE;
      if (conductor_.failed()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
      if (kernel_ >= readers_.kernels()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
      ring();
      return tlm::TLM_OK_RESPONSE;
    case launch_register::interrupt_status:
      interrupt_status_ &= ~value;
      break;
    case launch_register::interrupt_enable:
      if ((value & ~launch_interrupt::all) != 0) return tlm::TLM_COMMAND_ERROR_RESPONSE;
      interrupt_enable_ = value;
      break;
    default:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
  }
  changed_.notify(sc_core::SC_ZERO_TIME);
  return tlm::TLM_OK_RESPONSE;
}

void LaunchRegisters::report_waiting(std::ostream& out) const {
  if (drained()) return;
  out << name() << ": " << launched_ - finished_ << " of " << launched_
      << " kernels launched have not ended\n";
}

std::vector<Signal> LaunchRegisters::signals() {
  SignalList list("host_");
  list.in("host")
      .number("launched", 32, [this](Cycle) { return launched_; })
      .number("finished", 32, [this](Cycle) { return finished_; })
      .flag("interrupt",
            [this](Cycle) { return std::uint64_t{(interrupt_status_ & interrupt_enable_) != 0}; });
  return list;
}

}  // namespace subcore
