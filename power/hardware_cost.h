// Area and leakage of hardware: bits by kind and ports, times a coefficient. An energy table has the
// coefficients (`hardware`). README.md has the formula and its uncertainties.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subcore/model/hardware/inventory.h"

namespace subcore {

// The cost of a bit of a kind, or of a part.
struct BitCost {
  double area_um2 = 0, leakage_nw = 0;  // with one port
  double per_port = 0;                  // a cell's height and width grow by this share for each further port
};

// The part of an energy table that says what bits cost.
struct HardwareTable {
  double node_nm = 0, voltage = 0;              // the process of the coefficients
  double cell_um2 = 0;                          // area of a memory cell in that process; 0: not given
  std::array<std::optional<BitCost>, 4> kinds;  // by HardwareKind
  std::map<std::string, BitCost> parts;         // in place of the kind's cost: "bank.registers"
  bool empty() const { return node_nm == 0; }
};

// The process in which the hardware is to be made. 0: the table's.
struct HardwareProcess {
  double node_nm = 0, voltage = 0;
};

struct HardwareCost {
  double area_mm2 = 0, leakage_mw = 0;
  bool known = false;  // whether the table has a coefficient for it
};
// The cost of a part. Area scales with the square of the node. Leakage scales with the node, as the width of
// all transistors does, and with the square of the voltage.
HardwareCost cost_of(const HardwarePart& part, const HardwareTable& table, const HardwareProcess& process);

// The chip with the sub-cores (gpu.die_mm2, gpu.sram_cell_um2). 0: not known.
struct Chip {
  double die_mm2 = 0, cell_um2 = 0;
  unsigned sms = 0;
};
// The share of the chip's area that parts with `area_mm2` in each SM take; `area_mm2` is in the table's
// process. Area scales with the area of a memory cell, because names of processes say little about sizes (28
// nm and 12 nm: 0.127 and 0.070 um2). Empty if the chip or the table lacks a number.
std::optional<double> share_of_chip(double area_mm2, const HardwareTable& table, const Chip& chip);

}  // namespace subcore
