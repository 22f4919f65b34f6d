#include "subcore/modules/control_registers/control_registers.h"

namespace subcore {

ControlRegisters::ControlRegisters(const sc_core::sc_module_name& name, unsigned sub_cores,
                                   std::uint32_t sthld, bool is_read, Readers readers,
                                   const Conductor& conductor)
    : RegisterTarget(name, control_register::size),
      sthld_socket("sthld_socket", sub_cores),
      sthld_(sthld),
      is_read_(is_read),
      readers_(std::move(readers)),
      conductor_(conductor) {}

void ControlRegisters::spread(Cycle stamp) {
  for (auto& s : sthld_socket) {
    ControlTransfer t{stamp, static_cast<std::uint32_t>(sthld_)};
    s.send(t);
  }
}

void ControlRegisters::begin_kernel(Cycle start) {
  kernel_cycle_ = start;
  retired_before_ = readers_.instructions_retired();
}

std::optional<std::uint64_t> ControlRegisters::read_register(std::uint64_t offset) {
  switch (offset) {
    case control_register::cycle:
      return conductor_.now();
    case control_register::instructions_retired:
      return readers_.instructions_retired();
    case control_register::source_operands:
      return readers_.source_operands();
    case control_register::cache_read_hits:
      return readers_.cache_read_hits();
    case control_register::kernel_cycle:
      return kernel_cycle_;
    case control_register::kernel_instructions:
      return readers_.instructions_retired() - retired_before_;
    case control_register::ctas:
      return readers_.ctas();
    default:
      return sthld_;
  }
}

tlm::tlm_response_status ControlRegisters::write_register(std::uint64_t offset, std::uint64_t value, bool) {
  if (offset != control_register::sthld) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  sthld_ = value > 0xffff ? 0xffff : value;
  spread(conductor_.now() + 1);
  return tlm::TLM_OK_RESPONSE;
}

std::vector<Signal> ControlRegisters::signals() {
  if (!is_read_) return {};
  return SignalList().in("sthld").number("sthld", 16, [this](Cycle) { return sthld_; });
}

}  // namespace subcore
