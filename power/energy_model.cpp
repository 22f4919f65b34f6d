#include "power/energy_model.h"

#include <algorithm>
#include <filesystem>

#include "model/parameters/data_files.h"
#include "platforms/config/storage.h"
#include "power/energy_table.h"

namespace subcore {
namespace {

EnergySize size_of(const SubCoreParameters& s, EnergyVariable by) {
  const CollectorParameters& c = s.collector;
  switch (by) {
    case EnergyVariable::bank_kilobytes:
      return {1, s.register_file.bank_kilobytes};
    case EnergyVariable::entries:
      return {1, static_cast<double>(c.operands())};
    case EnergyVariable::collectors:
    case EnergyVariable::write_crossbar:  // results arrive over one bus and fan out
      return {1, static_cast<double>(c.count)};
    case EnergyVariable::read_crossbar:
      return {static_cast<double>(s.register_file.banks), static_cast<double>(c.count)};
    case EnergyVariable::cache_entries:
      return {1, static_cast<double>(operand_cache_entries(s))};
    case EnergyVariable::cache_ways:
      return {1, static_cast<double>(s.operand_cache.kind->entries_searched(s.operand_cache.entries))};
    case EnergyVariable::buffer_entries:
      return {1, static_cast<double>(s.scheduler.instruction_buffer)};
    case EnergyVariable::nothing:
      break;
  }
  return {};
}

// The quantity's value for this sub-core; how it was scaled goes to `scaled`.
double value_for(const EnergyQuantity& quantity, const SubCoreParameters& s, const std::string& name,
                 std::vector<std::string>& scaled) {
  const auto& only = quantity.only;
  if (!only.empty() && std::find(only.begin(), only.end(), s.collector.kind.word()) == only.end()) return 0;
  const EnergyQuantity::Value v = quantity.at(size_of(s, quantity.by));
  if (!v.scaled.empty()) scaled.push_back(name + ": " + v.scaled);
  return v.value;
}

// A platform without the part that an event belongs to has no such event.
bool has_part(EnergyEvent e, const PlatformParameters& p) {
  switch (owner_of(e)) {
    case EnergyOwner::operand_cache:
      return p.sub_core.operand_cache.exists();
    case EnergyOwner::issue_logic: {
      if (!p.energy.issue_logic) return false;
      // Instructions are ordered by scoreboards, or by a matrix.
      const bool in_order = p.sub_core.scheduler.issue->in_order();
      if (e == EnergyEvent::scoreboard) return in_order;
      const bool of_matrix =
          e == EnergyEvent::dep_wr || e == EnergyEvent::dep_rd || e == EnergyEvent::dep_clr;
      return !of_matrix || !in_order;
    }
    default:
      return true;
  }
}

std::filesystem::path table_file(const std::string& preset) {
  try {
    return find_data("power/tables", preset);
  } catch (const ConfigError& e) {
    throw ConfigError(std::string("energy.preset: ") + e.what());
  }
}

}  // namespace

EnergyCoefficients energy_coefficients(const PlatformParameters& platform) {
  return energy_coefficients(platform, platform.energy.preset);
}

EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset) {
  const EnergyTable table = read_energy_table(table_file(preset));
  const SubCoreParameters& s = platform.sub_core;
  EnergyCoefficients c;
  c.preset = table.preset;
  c.source = table.source;
  for (const EnergyEventLine& line : energy_events) {
    if (!has_part(line.event, platform)) continue;
    const auto i = static_cast<std::size_t>(line.event);
    c.pj[i] = value_for(table.events[i], s, std::string(line.name), c.scaled);
  }
  // Neither its size nor its ports are stated anywhere, and it may decide the sign of the result.
  if (s.operand_cache.exists()) c[EnergyEvent::cache_out] += s.operand_cache.transfer_energy_pj;
  // All that is wires across the sub-core, which every table knows least about.
  for (const EnergyEvent e :
       {EnergyEvent::xbar_rd, EnergyEvent::xbar_wr, EnergyEvent::cache_path, EnergyEvent::cache_out})
    c[e] *= platform.energy.crossbar_factor;
  c.leakage_mw = s.register_file.banks * value_for(table.bank_leakage, s, "bank", c.leakage_scaled) +
                 value_for(table.crossbar_leakage, s, "crossbar", c.leakage_scaled) +
                 s.collector.count * value_for(table.buffer_leakage, s, "buffer", c.leakage_scaled);
  return c;
}

double total_pj(const EnergyCoefficients& coefficients, const EnergyCounts& counts) {
  double total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    total += coefficients.pj[i] * static_cast<double>(counts[i]);
  return total;
}

}  // namespace subcore
