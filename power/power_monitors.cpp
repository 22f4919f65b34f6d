#include "subcore/power/power_monitors.h"

#include "subcore/base/formatted.h"
#include "subcore/model/parameters/data_files.h"

namespace subcore {

PowerMonitors::PowerMonitors(const PlatformParameters& platform)
    : coefficients_(energy_coefficients(platform)),
      issue_logic_(platform.energy.issue_logic),
      matrix_(!platform.sub_core.scheduler.issue->in_order()),
      leakage_(platform.energy.leakage),
      process_{platform.energy.node_nm, platform.energy.voltage},
      chip_{platform.gpu.die_mm2, platform.gpu.sram_cell_um2, platform.gpu.sms},
      period_ns_(platform.clock_period_ns) {
  for (const std::string& preset : shipped_names("power/tables")) {
    const bool is_own = preset == platform.energy.preset;
    shipped_.emplace_back(preset, is_own ? coefficients_ : energy_coefficients(platform, preset));
  }
}

void PowerMonitors::attach(StreamingMultiprocessor& sm) {
  for (SubCore& s : sm.sub_cores)
    monitors_.emplace_back(std::string(sm.basename()) + "." + s.basename(), s, issue_logic_, matrix_);
  if (++sms_ != 1) return;
  add_hardware(sm, hardware_);
  if (!cycles_) cycles_ = [&sm] { return sm.conductor.now(); };
}

Hardware PowerMonitors::hardware() const {
  Hardware all;
  all.parts = hardware_.parts();
  all.storage_bits = static_cast<double>(stored_bits(all.parts));
  double in_process_of_table = 0;
  for (const HardwarePart& p : all.parts) {
    const HardwareCost& cost = all.costs.emplace_back(cost_of(p, coefficients_.hardware, process_));
    all.area_mm2 += cost.area_mm2;
    all.leakage_mw += cost.leakage_mw;
    in_process_of_table += cost_of(p, coefficients_.hardware, {}).area_mm2;
    if (!cost.known && !coefficients_.hardware.empty())
      all.notes.push_back("area of " + p.name + ": not in table " + coefficients_.preset + ", counted as 0");
  }
  all.chip_share = share_of_chip(in_process_of_table, coefficients_.hardware, chip_);
  return all;
}

double PowerMonitors::leakage_pj(const EnergyCoefficients& coefficients) const {
  if (!leakage_ || sms_ == 0) return 0;
  double mw = 0;
  for (const HardwarePart& p : hardware_.parts())
    mw += cost_of(p, coefficients.hardware, process_).leakage_mw;
  return mw * sms_ * static_cast<double>(cycles_()) * period_ns_;  // mW x ns = pJ
}

EnergyCounts PowerMonitors::counts() const {
  EnergyCounts sum;
  for (const RegisterPathMonitor& m : monitors_) {
    const EnergyCounts c = m.counts();
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += c[e];
  }
  return sum;
}

Energy PowerMonitors::energy() const {
  Energy all;
  const EnergyCounts n = counts();
  const EnergyEvents& events = EnergyEvents::table();
  for (std::size_t e = 0; e < n.size(); ++e)
    all.by_event_pj.emplace_back(events[e].name, static_cast<double>(n[e]) * coefficients_.pj[e]);
  const double leaked = leakage_pj(coefficients_);
  if (leakage_) all.by_event_pj.emplace_back("leakage", leaked);
  all.total_pj = subcore::total_pj(coefficients_, n) + leaked;
  for (const auto& [preset, coefficients] : shipped_)
    all.by_preset_pj.emplace_back(preset, subcore::total_pj(coefficients, n) + leakage_pj(coefficients));
  // A note on a user's event is given only if the event happened, because other platforms do not know the
  // event.
  for (const EnergyCoefficients::Note& note : coefficients_.scaled)
    if (note.event < energy_event_count || n[note.event] != 0)
      all.notes.push_back("energy coefficient " + note.text);
  for (const EnergyCoefficients::Note& note : coefficients_.unknown)
    if (n[note.event] != 0) all.notes.push_back("energy coefficient " + note.text);
  return all;
}

std::string PowerMonitors::csv() const {
  std::string text = csv_header;
  for (const RegisterPathMonitor& m : monitors_) {
    for (const auto& [module, n] : m.by_module()) {
      for (std::size_t e = 0; e < n.size(); ++e) {
        if (n[e] == 0) continue;
        text += module + "," + EnergyEvents::table()[e].name + ',' + std::to_string(n[e]) +
                formatted(",%.3f\n", static_cast<double>(n[e]) * coefficients_.pj[e]);
      }
    }
  }
  if (leakage_ && sms_ != 0)
    text += "all,leakage," + std::to_string(cycles_()) + formatted(",%.3f\n", leakage_pj(coefficients_));
  return text;
}

std::string PowerMonitors::imbalance() const {
  EnergyCounts sum;
  for (const RegisterPathMonitor& m : monitors_)
    for (const auto& row : m.by_module())
      for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += row.second[e];
  const EnergyCounts all = counts();
  for (std::size_t e = 0; e < sum.size(); ++e)
    if (sum[e] != all[e])
      return std::to_string(sum[e]) + " energy events " + EnergyEvents::table()[e].name +
             " of all modules; expected " + std::to_string(all[e]) + ", as of the run";
  return "";
}

std::shared_ptr<PowerMonitors> attach_monitors(Gpu& gpu) {
  auto power = std::make_shared<PowerMonitors>(gpu.parameters());
  power->count_cycles([&gpu] { return gpu.cycles_run(); });
  for (auto& sm : gpu.sms) power->attach(sm);
  if (gpu.sthld_controller) power->share(*gpu.sthld_controller);
  gpu.keep(power);
  gpu.driver.launch_registers.energy_from([p = power.get()] { return p->total_pj(); });
  return power;
}

std::unique_ptr<PowerMonitors> attach_monitors(StreamingMultiprocessor& sm,
                                               const PlatformParameters& platform) {
  auto power = std::make_unique<PowerMonitors>(platform);
  power->attach(sm);
  return power;
}

}  // namespace subcore
