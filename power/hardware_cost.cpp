#include "subcore/power/hardware_cost.h"

namespace subcore {

HardwareCost cost_of(const HardwarePart& part, const HardwareTable& table, const HardwareProcess& process) {
  const auto own = table.parts.find(part.name);
  const auto& of_kind = table.kinds[static_cast<std::size_t>(part.kind)];
  if (own == table.parts.end() && !of_kind) return {};
  const BitCost& bit = own != table.parts.end() ? own->second : *of_kind;
  const double node = process.node_nm == 0 ? 1 : process.node_nm / table.node_nm;
  const double volts = process.voltage == 0 ? 1 : process.voltage / table.voltage;
  const double side = 1 + bit.per_port * (part.ports - 1);
  const double cells = static_cast<double>(part.all_bits()) * side * side;
  return {cells * bit.area_um2 * node * node * 1e-6, cells * bit.leakage_nw * node * volts * volts * 1e-6,
          true};
}

std::optional<double> share_of_chip(double area_mm2, const HardwareTable& table, const Chip& chip) {
  if (chip.die_mm2 == 0 || table.cell_um2 == 0) return std::nullopt;
  return area_mm2 * chip.sms * chip.cell_um2 / table.cell_um2 / chip.die_mm2;
}

}  // namespace subcore
