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

std::filesystem::path table_file(const std::string& preset) {
  try {
    return find_data("power/tables", preset);
  } catch (const ConfigError& e) {
    throw ConfigError(std::string("energy.preset: ") + e.what());
  }
}

}  // namespace

EnergyCoefficients energy_coefficients(const PlatformParameters& platform) {
  const EnergyTable table = read_energy_table(table_file(platform.energy.preset));
  const SubCoreParameters& s = platform.sub_core;
  EnergyCoefficients c;
  c.preset = table.preset;
  c.source = table.source;
  constexpr auto words = names(EnergyEvent{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool of_cache = i >= static_cast<std::size_t>(EnergyEvent::cache_rd);
    if (of_cache && s.operand_cache.kind == OperandCacheKind::none) continue;
    c.pj[i] = value_for(table.events[i], s, std::string(words[i]), c.scaled);
  }
  // Neither its size nor its ports are stated anywhere, and it may decide the sign of the result.
  if (s.operand_cache.kind != OperandCacheKind::none)
    c[EnergyEvent::cache_out] += s.operand_cache.transfer_energy_pj;
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
