// The energy of a GPU, or of one SM: monitors in each of its sub-cores, and what their counts cost by the
// tables.
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
  std::vector<std::pair<std::string, double>> by_preset_pj;  // total, by each shipped table
  std::vector<std::string> notes;  // coefficients that are no points of the table, ...
};

// What the sub-cores of one SM are built of, and what that costs by the platform's energy table.
struct Hardware {
  std::vector<HardwarePart> parts;
  std::vector<HardwareCost> costs;  // of each part
  double storage_bits = 0, area_mm2 = 0, leakage_mw = 0;
  std::optional<double> chip_share;  // of the sub-cores of all SMs, where the machine says its chip's area
  std::vector<std::string> notes;    // parts that the table has no number for
};

class PowerMonitors {
 public:
  // Attaches nothing yet. Throws ConfigError when an energy table is missing or malformed.
  explicit PowerMonitors(const PlatformParameters& platform);
  // The sub-cores of `sm`, of this platform, are observed from now on.
  void attach(StreamingMultiprocessor& sm);
  // A module of the GPU whose hardware counts as a part of each SM.
  void share(const Module& module) { add_hardware(module, hardware_); }
  // The cycles that leakage is charged for, for whoever knows them better than the first SM's clock.
  void count_cycles(std::function<Cycle()> cycles) { cycles_ = std::move(cycles); }

  Energy energy() const;
  double total_pj() const { return subcore::total_pj(coefficients_, counts()) + leakage_pj(coefficients_); }
  // Of an SM that is observed; empty before the first is.
  Hardware hardware() const;
  // module, event, count, pJ rows, with a header row.
  static constexpr const char* csv_header = "module,event,count,energy_pj\n";
  std::string csv() const;
  // The difference between the sum of the modules and the whole, in one line; empty if there is none.
  std::string imbalance() const;

 private:
  EnergyCounts counts() const;
  // What all SMs that are observed have leaked by these coefficients; 0 unless energy.leakage.
  double leakage_pj(const EnergyCoefficients& coefficients) const;

  EnergyCoefficients coefficients_;
  std::vector<std::pair<std::string, EnergyCoefficients>> shipped_;  // by every shipped table
  bool issue_logic_, matrix_, leakage_;
  HardwareProcess process_;
  Chip chip_;
  double period_ns_;
  std::function<Cycle()> cycles_;
  Inventory hardware_;  // of an SM
  unsigned sms_ = 0;
  std::deque<RegisterPathMonitor> monitors_;
};

// Attaches monitors to every SM, by the GPU's own parameters. The GPU keeps them, and its host reads their
// energy. Throws ConfigError.
std::shared_ptr<PowerMonitors> attach_monitors(Gpu& gpu);
// Attaches monitors to one SM that is no part of a GPU; they must outlive its simulation.
std::unique_ptr<PowerMonitors> attach_monitors(StreamingMultiprocessor& sm,
                                               const PlatformParameters& platform);

}  // namespace subcore
