#include "subcore/power/power_monitors.h"

#include "subcore/base/formatted.h"
#include "subcore/model/parameters/data_files.h"

namespace subcore {

PowerMonitors::PowerMonitors(const PlatformParameters& platform)
    : coefficients_(energy_coefficients(platform)),
      issue_logic_(platform.energy.issue_logic),
      matrix_(!platform.sub_core.scheduler.issue->in_order()) {
  for (const std::string& preset : shipped_names("power/tables")) {
    const bool is_own = preset == platform.energy.preset;
    shipped_.emplace_back(preset, is_own ? coefficients_ : energy_coefficients(platform, preset));
  }
}

void PowerMonitors::attach(StreamingMultiprocessor& sm) {
  for (SubCore& s : sm.sub_cores)
    monitors_.emplace_back(std::string(sm.basename()) + "." + s.basename(), s, issue_logic_, matrix_);
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
  all.total_pj = subcore::total_pj(coefficients_, n);
  for (const auto& [preset, coefficients] : shipped_)
    all.by_preset_pj.emplace_back(preset, subcore::total_pj(coefficients, n));
  // A note on a user's event is given only where that happens: other platforms need not know what it is.
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
  for (auto& sm : gpu.sms) power->attach(sm);
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
