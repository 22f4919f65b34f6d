// Area and leakage of hardware: bits by kind and ports, times a coefficient each. The coefficients are those
// of an energy table (`hardware`); README.md has the formula and what is uncertain of it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subcore/model/hardware/inventory.h"

namespace subcore {

// A bit of a kind, or of a part.
struct BitCost {
  double area_um2 = 0, leakage_nw = 0;  // with one port
  double per_port = 0;                  // a cell's height and width grow by this share for each further port
};

// The part of an energy table that says what bits cost.
struct HardwareTable {
  double node_nm = 0, voltage = 0;              // of the coefficients
  std::array<std::optional<BitCost>, 4> kinds;  // by HardwareKind
  std::map<std::string, BitCost> parts;         // in the place of the kind's: "bank.registers"
  bool empty() const { return node_nm == 0; }
};

// The process that the hardware is to be made in; 0: as the table has it.
struct HardwareProcess {
  double node_nm = 0, voltage = 0;
};

struct HardwareCost {
  double area_mm2 = 0, leakage_mw = 0;
  bool known = false;  // the table has a coefficient for it
};
// The cost of a part. Area goes with the square of the node. Leakage goes with the node (as the width of all
// transistors does) and with the square of the voltage.
HardwareCost cost_of(const HardwarePart& part, const HardwareTable& table, const HardwareProcess& process);

}  // namespace subcore
