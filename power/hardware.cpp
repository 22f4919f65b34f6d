#include "subcore/power/hardware.h"

#include <string>

namespace subcore {
namespace {

// The name without its number: "caching_collector" for "caching_collector_1".
std::string kind_of(const Module& module) {
  std::string name = module.basename();
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last != std::string::npos && last + 1 != name.size() && name[last] == '_') name.erase(last);
  return name;
}

}  // namespace

void add_hardware(const Module& module, Inventory& all) {
  Inventory own;
  module.inventory(own);
  for (const HardwarePart& p : own.parts())
    all.add(kind_of(module) + '.' + p.name, p.kind, p.words, p.bits, p.ports);
}

void add_hardware(StreamingMultiprocessor& sm, Inventory& all) {
  for (SubCore& s : sm.sub_cores)
    for (const Module* m : s.modules()) add_hardware(*m, all);
}

std::uint64_t stored_bits(const std::vector<HardwarePart>& parts) {
  std::uint64_t sum = 0;
  for (const HardwarePart& p : parts)
    if (p.kind != HardwareKind::crosspoint) sum += p.all_bits();
  return sum;
}

}  // namespace subcore
