// Energy of the register-operand path: counted events times a coefficient each. README.md says which event is
// charged when.
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
    bool operator==(const Note& other) const { return event == other.event && text == other.text; }
  };

  PerEnergyEvent<double> pj;
  // Coefficients that no computed point of the table covers: "xbar_rd: 2x16 by formula".
  std::vector<Note> scaled;
  // Events that the table does not know, which cost nothing: "victim_rd: not in table cacti22, charged 0 pJ".
  std::vector<Note> unknown;
  HardwareTable hardware;
  std::string preset;
  std::string source;  // a line that says where the numbers come from

  double& operator[](EnergyEvent e) { return pj[e]; }
  double operator[](EnergyEvent e) const { return pj[e]; }
};

// Coefficients of the platform's energy.preset for the platform's structure: collector kind and number, slots
// or entries, banks and their size. Throws ConfigError when the table is missing or malformed.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform);
// The coefficients by a preset of somebody else's choice.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset);
// The coefficients for one of many platforms, which share `tables`.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset,
                                       EnergyTables& tables);

// The energy of all events together, in pJ.
double total_pj(const EnergyCoefficients& coefficients, const EnergyCounts& counts);

}  // namespace subcore
