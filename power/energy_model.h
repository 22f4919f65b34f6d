// Energy of the register-operand path: each event's count times its coefficient. README.md says which event
// is charged when.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <vector>

#include "subcore/power/energy_events.h"
#include "subcore/power/hardware_cost.h"

namespace subcore {

class EnergyTables;
struct PlatformParameters;

struct EnergyCoefficients {
  // A remark on the coefficient of one event.
  struct Note {
    std::size_t event;  // index in the table of events
    std::string text;
  };

  PerEnergyEvent<double> pj;
  // Coefficients that no computed point of the table covers: "xbar_rd: 2x16 by formula".
  std::vector<Note> scaled;
  // Events that the table does not have, which cost nothing: "victim_rd: not in table cacti22, charged 0 pJ".
  std::vector<Note> unknown;
  HardwareTable hardware;
  std::string preset;
  std::string source;  // one line: where the numbers come from

  double& operator[](EnergyEvent e) { return pj[e]; }
  double operator[](EnergyEvent e) const { return pj[e]; }
};

// The coefficients of the platform's energy.preset for the platform's structure: collector kind and number,
// slots or entries, banks and their size. Throws ConfigError if the table is missing or malformed.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform);
// The coefficients by another preset than the platform's.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset);
// The coefficients for one of several platforms, which share `tables`.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset,
                                       EnergyTables& tables);

// The energy of all events together, in pJ.
double total_pj(const EnergyCoefficients& coefficients, const EnergyCounts& counts);

}  // namespace subcore
