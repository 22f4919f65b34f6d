#include "power/energy_model.h"

#include <algorithm>
#include <filesystem>

#include "model/config/data_files.h"
#include "model/config/platform.h"
#include "power/energy_table.h"

namespace subcore {
namespace {

EnergySize size_of(const SubCoreParameters& s, EnergyVariable by) {
  const CollectorParameters& c = s.collector;
  switch (by) {
    case EnergyVariable::bank_kilobytes:
      return {1, s.register_file.bank_kilobytes};
    case EnergyVariable::entries:
      return {1, static_cast<double>(c.kind == CollectorKind::ocu ? c.slots : c.entries)};
    case EnergyVariable::collectors:
    case EnergyVariable::write_crossbar:  // results arrive over one bus and fan out
      return {1, static_cast<double>(c.count)};
    case EnergyVariable::read_crossbar:
      return {static_cast<double>(s.register_file.banks), static_cast<double>(c.count)};
    case EnergyVariable::cache_entries:
      return {1, static_cast<double>(s.operand_cache.entries_in_all(s.scheduler.two_level, s.warp_slots))};
    case EnergyVariable::cache_ways:
      return {1, static_cast<double>(s.operand_cache.kind == OperandCacheKind::register_cache
                                         ? s.operand_cache.register_cache().ways_or_entries()
                                         : s.operand_cache.entries)};
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
  if (!only.empty() && std::find(only.begin(), only.end(), s.collector.kind) == only.end()) return 0;
  const EnergyQuantity::Value v = quantity.at(size_of(s, quantity.by));
  if (!v.scaled.empty()) scaled.push_back(name + ": " + v.scaled);
  return v.value;
}

// Of the events of the issue stage: instructions are ordered by a matrix or by scoreboards.
bool has_part(EnergyEvent e, const PlatformParameters& p) {
  if (!p.energy.issue_logic) return false;
  const bool matrix = p.sub_core.scheduler.issue == IssueKind::socgpu;
  switch (e) {
    case EnergyEvent::dep_wr:
    case EnergyEvent::dep_rd:
    case EnergyEvent::dep_clr:
      return matrix;
    case EnergyEvent::scoreboard:
      return !matrix;
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
  constexpr auto words = names(EnergyEvent{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool of_issue = i >= first_issue_event;
    const bool of_cache = !of_issue && i >= static_cast<std::size_t>(EnergyEvent::cache_rd);
    if (of_cache && s.operand_cache.kind == OperandCacheKind::none) continue;
    if (of_issue && !has_part(static_cast<EnergyEvent>(i), platform)) continue;
    c.pj[i] = value_for(table.events[i], s, std::string(words[i]), c.scaled);
  }
  // Neither its size nor its ports are stated anywhere, and it may decide the sign of the result.
  if (s.operand_cache.kind != OperandCacheKind::none)
    c[EnergyEvent::cache_out] += s.operand_cache.transfer_energy_pj;
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
