#include "subcore/power/energy_events.h"

#include <stdexcept>

namespace subcore {

EnergyEvents& EnergyEvents::table() {
  static EnergyEvents events;
  return events;
}

EnergyEvents::EnergyEvents() {
  for (const EnergyEventLine& line : energy_events) entries_.push_back({std::string(line.name), line.owner});
}

std::size_t EnergyEvents::add(std::string name, EnergyOwner owner) {
  if (find(name)) throw std::logic_error("'" + name + "' is in the table of energy events already");
  entries_.push_back({std::move(name), owner});
  return entries_.size() - 1;
}

std::optional<std::size_t> EnergyEvents::find(std::string_view name) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].name == name) return i;
  return std::nullopt;
}

std::vector<std::string> EnergyEvents::names() const {
  std::vector<std::string> all;
  for (const Entry& e : entries_) all.push_back(e.name);
  return all;
}

}  // namespace subcore
