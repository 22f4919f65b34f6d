// The energy of a GPU, or of one SM: monitors in each of its sub-cores, and what their counts cost by the
// tables.
//   const auto power = attach_monitors(gpu);   // before the simulation starts
//   sc_start(); ...
//   power->energy().total_pj;
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "subcore/platforms/gpu.h"
#include "subcore/power/energy_model.h"
#include "subcore/power/monitors.h"

namespace subcore {

// The energy so far, in pJ.
struct Energy {
  double total_pj = 0;
  std::vector<std::pair<std::string, double>> by_event_pj;   // in the order of EnergyEvents
  std::vector<std::pair<std::string, double>> by_preset_pj;  // total, by each shipped table
  std::vector<std::string> notes;  // coefficients that are no points of the table, ...
};

class PowerMonitors {
 public:
  // Attaches nothing yet. Throws ConfigError when an energy table is missing or malformed.
  explicit PowerMonitors(const PlatformParameters& platform);
  // The sub-cores of `sm`, of this platform, are observed from now on.
  void attach(StreamingMultiprocessor& sm);

  Energy energy() const;
  double total_pj() const { return subcore::total_pj(coefficients_, counts()); }
  // module, event, count, pJ rows, with a header row.
  static constexpr const char* csv_header = "module,event,count,energy_pj\n";
  std::string csv() const;
  // The difference between the sum of the modules and the whole, in one line; empty if there is none.
  std::string imbalance() const;

 private:
  EnergyCounts counts() const;

  EnergyCoefficients coefficients_;
  std::vector<std::pair<std::string, EnergyCoefficients>> shipped_;  // by every shipped table
  bool issue_logic_, matrix_;
  std::deque<RegisterPathMonitor> monitors_;
};

// Attaches monitors to every SM, by the GPU's own parameters. The GPU keeps them, and its host reads their
// energy. Throws ConfigError.
std::shared_ptr<PowerMonitors> attach_monitors(Gpu& gpu);
// Attaches monitors to one SM that is no part of a GPU; they must outlive its simulation.
std::unique_ptr<PowerMonitors> attach_monitors(StreamingMultiprocessor& sm,
                                               const PlatformParameters& platform);

}  // namespace subcore
