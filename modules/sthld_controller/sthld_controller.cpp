#include "modules/sthld_controller/sthld_controller.h"

#include <cstring>

#include "modules/control_registers/control_registers.h"

namespace subcore {

SthldController::SthldController(const sc_core::sc_module_name& name, unsigned sms, const SthldParameters& p,
                                 sc_core::sc_time cycle)
    : Module(name),
      control_socket("control_socket", sms),
      machine_(p.table, {p.value, p.minimum, p.maximum, p.step, p.threshold}),
      interval_(p.interval),
      cycle_(cycle) {
  SC_HAS_PROCESS(SthldController);
  for (auto& s : control_socket) s.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  SC_METHOD(decide);
}

std::uint64_t SthldController::access(unsigned sm, tlm::tlm_command command, std::uint64_t address,
                                      std::uint64_t value) {
  unsigned char data[8];
  std::memcpy(data, &value, 8);
  tlm::tlm_generic_payload t;
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(data);
  t.set_data_length(8);
  t.set_streaming_width(8);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  control_socket[sm]->b_transport(t, delay);
  if (t.is_response_error()) {
    SC_REPORT_ERROR("/subcore/control", (std::string(name()) + ": " + t.get_response_string()).c_str());
  }
  std::memcpy(&value, data, 8);
  return value;
}

void SthldController::decide() {
  const auto period = cycle_.value();
  if (first_) {
    first_ = false;
    next_trigger(sc_core::sc_time::from_value(interval_ * period - period / 2));
    return;
  }
  if (stopped_) return;
  std::uint64_t instructions = 0;
  for (unsigned sm = 0; sm < control_socket.size(); ++sm) {
    instructions += access(sm, tlm::TLM_READ_COMMAND, control_register::instructions_retired, 0);
  }
  const double ipc = static_cast<double>(instructions - last_instructions_) / interval_;
  last_instructions_ = instructions;
  const std::uint32_t sthld = machine_.interval(ipc);
  for (unsigned sm = 0; sm < control_socket.size(); ++sm) {
    access(sm, tlm::TLM_WRITE_COMMAND, control_register::sthld, sthld);
  }
  ++decisions_;
  sthld_sum_ += sthld;
  next_trigger(sc_core::sc_time::from_value(interval_ * period));
}

void SthldController::register_statistics(StatisticsGroup& g) {
  g.counter("decisions", "intervals", "intervals decided", decisions_);
  g.derived("sthld_mean", "cycles", "mean STHLD set, over intervals", [this] {
    return decisions_ == 0 ? machine_.sthld()
                           : static_cast<double>(sthld_sum_) / static_cast<double>(decisions_);
  });
}

std::vector<Signal> SthldController::signals() {
  return {{"state", 3, [this](Cycle) { return std::uint64_t{machine_.state()}; }}};
}

}  // namespace subcore
