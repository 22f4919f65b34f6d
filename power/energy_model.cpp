#include "subcore/power/energy_model.h"

#include <algorithm>
#include <filesystem>

#include "subcore/model/parameters/checker.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/power/energy_table.h"

namespace subcore {
namespace {

// The number that the platform's file has under the quantity's key.
double number_of(PlatformParameters platform, const EnergyQuantity& quantity) {
  for (const Parameter& p : parameter_list(platform)) {
    if (p.key != quantity.key || !p.is_number()) continue;
    if (const auto* member = std::get_if<double*>(&p.value)) return **member;
    if (const auto* member = std::get_if<std::uint64_t*>(&p.value)) return static_cast<double>(**member);
    return **std::get_if<std::uint32_t*>(&p.value);
  }
  throw ConfigError(quantity.named_at + ": '" + quantity.key +
                    "' is not a number of a platform; expected the key of a number, or one of " +
                    list_of_energy_variables());
}

EnergySize size_of(const PlatformParameters& platform, const EnergyQuantity& quantity) {
  const SubCoreParameters& s = platform.sub_core;
  const CollectorParameters& c = s.collector;
  switch (quantity.by) {
    case EnergyVariable::bank_kilobytes:
      return {1, s.register_file.bank_kilobytes};
    case EnergyVariable::entries:
      return {1, static_cast<double>(c.operands())};
    case EnergyVariable::collectors:
    case EnergyVariable::write_crossbar:  // results arrive over one bus, which leads to every collector
      return {1, static_cast<double>(c.count)};
    case EnergyVariable::read_crossbar:
      return {static_cast<double>(s.register_file.banks),
              static_cast<double>(c.kind->crossbar_outputs(c.count))};
    case EnergyVariable::cache_entries:
      return {1, static_cast<double>(s.operand_cache_entries())};
    case EnergyVariable::cache_ways:
      return {1, static_cast<double>(s.operand_cache.kind->entries_searched(s.operand_cache.entries))};
    case EnergyVariable::buffer_entries:
      return {1, static_cast<double>(s.scheduler.instruction_buffer)};
    case EnergyVariable::key:
      return {1, number_of(platform, quantity)};
    case EnergyVariable::nothing:
      break;
  }
  return {};
}

// The quantity's value for this platform. `say` receives the words for how the value was scaled.
template <class Say>
double value_for(const EnergyQuantity& quantity, const PlatformParameters& platform, const std::string& name,
                 Say say) {
  const auto& only = quantity.only;
  const std::string& kind = platform.sub_core.collector.kind.word();
  if (!only.empty() && std::find(only.begin(), only.end(), kind) == only.end()) return 0;
  const EnergyQuantity::Value v = quantity.at(size_of(platform, quantity));
  if (!v.scaled.empty()) say(name + ": " + v.scaled);
  return v.value;
}

// Whether the platform has the part to which an event belongs; without the part the event does not happen.
// Only the module that counts a user's event knows whether its part is there.
bool has_part(std::size_t index, const PlatformParameters& p) {
  if (index >= energy_event_count) return true;
  const auto e = static_cast<EnergyEvent>(index);
  const CollectorChoice& collector = *p.sub_core.collector.kind;
  switch (e) {
    case EnergyEvent::xbar_wr:
    case EnergyEvent::tag_wr:
      return collector.keeps_values() ||
             collector.make_steering(p.sub_core.collector, p.sub_core.warp_slots) != nullptr;
    case EnergyEvent::tag_search:
      return collector.searches_tags();
    case EnergyEvent::fwd_rd:
    case EnergyEvent::fwd_wr:
      return collector.copies_values();
    default:
      break;
  }
  switch (owner_of(e)) {
    case EnergyOwner::operand_cache:
      return p.sub_core.operand_cache.exists();
    case EnergyOwner::issue_logic: {
      if (!p.energy.issue_logic) return false;
      // Either scoreboards or a dependence matrix order instructions.
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
  EnergyTables one;
  return energy_coefficients(platform, preset, one);
}

const EnergyTable& EnergyTables::named(const std::string& preset) {
  const auto known = tables_.find(preset);
  return known != tables_.end()
             ? known->second
             : tables_.emplace(preset, read_energy_table(table_file(preset))).first->second;
}

const std::vector<std::string>& EnergyTables::shipped() {
  if (!shipped_) shipped_ = shipped_names("power/tables");
  return *shipped_;
}

EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset,
                                       EnergyTables& tables) {
  const EnergyTable& table = tables.named(preset);
  const SubCoreParameters& s = platform.sub_core;
  EnergyCoefficients c;
  c.preset = table.preset;
  c.source = table.source;
  c.hardware = table.hardware;
  const EnergyEvents& events = EnergyEvents::table();
  for (std::size_t e = 0; e < events.size(); ++e) {
    if (!has_part(e, platform)) continue;
    if (table.events[e]) {
      c.pj[e] = value_for(*table.events[e], platform, events[e].name, [&](std::string text) {
        c.scaled.push_back({e, std::move(text)});
      });
    } else {
      c.unknown.push_back({e, events[e].name + ": not in table " + table.preset + ", charged 0 pJ"});
    }
  }
  // A platform's file may add a cost of the way from the cache to the collectors to the table's.
  if (s.operand_cache.exists()) c[EnergyEvent::cache_out] += s.operand_cache.transfer_energy_pj;
  // These events are wires across the sub-core. Every table is least certain about wires.
  for (const EnergyEvent e :
       {EnergyEvent::xbar_rd, EnergyEvent::xbar_wr, EnergyEvent::cache_path, EnergyEvent::cache_out})
    c[e] *= platform.energy.crossbar_factor;
  return c;
}

double total_pj(const EnergyCoefficients& coefficients, const EnergyCounts& counts) {
  double total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    total += coefficients.pj[i] * static_cast<double>(counts[i]);
  return total;
}

}  // namespace subcore
