// The energy of a GPU, or of one SM: monitors in each sub-core, and the cost of their counts by the tables.
//   const auto power = attach_monitors(gpu);   // before the simulation starts
//   sc_start(); ...
//   power->energy().total_pj;
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/platforms/gpu.h"
#include "subcore/power/energy_model.h"
#include "subcore/power/hardware.h"
#include "subcore/power/monitors.h"

namespace subcore {

// The energy so far, in pJ.
struct Energy {
  double total_pj = 0;
  std::vector<std::pair<std::string, double>> by_event_pj;   // in the order of EnergyEvents
  std::vector<std::pair<std::string, double>> by_preset_pj;  // total energy by each shipped table
  std::vector<std::string> notes;  // coefficients that are no points of the table, and the like
};

// The parts of the sub-cores of one SM, and their cost by the platform's energy table.
struct Hardware {
  std::vector<HardwarePart> parts;
  std::vector<HardwareCost> costs;  // of each part
  double storage_bits = 0, area_mm2 = 0, leakage_mw = 0;
  std::optional<double> chip_share;  // share of the sub-cores of all SMs, if the machine has its chip's area
  std::vector<std::string> notes;    // parts for which the table has no number
};

class PowerMonitors {
 public:
  // Attaches nothing yet. Throws ConfigError if an energy table is missing or malformed.
  explicit PowerMonitors(const PlatformParameters& platform);
  // Observes the sub-cores of `sm`, an SM of this platform, from now on.
  void attach(StreamingMultiprocessor& sm);
  // Counts the hardware of a module of the GPU as a part of each SM.
  void share(const Module& module) { add_hardware(module, hardware_); }
  // Sets the cycles for which leakage is charged, if the caller knows them better than the first SM's clock.
  void count_cycles(std::function<Cycle()> cycles) { cycles_ = std::move(cycles); }

  Energy energy() const;
  double total_pj() const { return subcore::total_pj(coefficients_, counts()) + leakage_pj(coefficients_); }
  // The hardware of an observed SM. Empty before the first SM is observed.
  Hardware hardware() const;
  // Rows of module, event, count and pJ, with a header row.
  static constexpr const char* csv_header = "module,event,count,energy_pj\n";
  std::string csv() const;
  // One line about the difference between the sum of the modules and the whole, or an empty text.
  std::string imbalance() const;

 private:
  EnergyCounts counts() const;
  // The leakage of all observed SMs by these coefficients; 0 unless energy.leakage is set.
  double leakage_pj(const EnergyCoefficients& coefficients) const;

  EnergyCoefficients coefficients_;
  std::vector<std::pair<std::string, EnergyCoefficients>> shipped_;  // by each shipped table
  bool issue_logic_, matrix_, leakage_;
  HardwareProcess process_;
  Chip chip_;
  double period_ns_;
  std::function<Cycle()> cycles_;
  Inventory hardware_;  // of one SM
  unsigned sms_ = 0;
  std::deque<RegisterPathMonitor> monitors_;
};

// Attaches monitors to every SM, by the GPU's own parameters. The GPU keeps the monitors, and its host can
// read their energy. Throws ConfigError.
std::shared_ptr<PowerMonitors> attach_monitors(Gpu& gpu);
// Attaches monitors to an SM that belongs to no GPU. The monitors must outlive the SM's simulation.
std::unique_ptr<PowerMonitors> attach_monitors(StreamingMultiprocessor& sm,
                                               const PlatformParameters& platform);

}  // namespace subcore
