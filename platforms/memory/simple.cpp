#include "subcore/platforms/memory/simple.h"

#include "subcore/model/parameters/checker.h"

namespace subcore {

SimpleMemories::SimpleMemories(const SimpleMemoryParameters& parameters, const MemorySite& site)
    : memories("memory", site.sms, [&](const char* n, std::size_t) {
        return new SimpleMemory(n, parameters, clock_period(site.clock_period_ns));
      }) {}

std::vector<Module*> SimpleMemories::modules() {
  std::vector<Module*> all;
  for (auto& m : memories) all.push_back(&m);
  return all;
}

std::unique_ptr<Memory> SimpleMemoryChoice::make(const MemorySite& site) const {
  return std::make_unique<SimpleMemories>(parameters, site);
}

void SimpleMemoryChoice::check(Checker& c) const {
  const SimpleMemoryParameters& m = parameters;
  const bool line_fits = power_of_two(m.line_bytes);
  c.require(line_fits && m.line_bytes % 32 == 0, "memory.line_bytes", {},
            std::to_string(m.line_bytes) +
                " is not a line size; expected a power of two and a multiple of 32 (a sector)");
  if (!line_fits || m.ways == 0) return;
  const std::uint64_t set_bytes = std::uint64_t{m.line_bytes} * m.ways;
  c.require(std::uint64_t{m.cache_kilobytes} * 1024 % set_bytes == 0, "memory.cache_kilobytes",
            {"memory.line_bytes", "memory.ways"},
            std::to_string(m.cache_kilobytes) + " KB is not a whole number of sets; expected a multiple of " +
                "memory.line_bytes x memory.ways = " + std::to_string(set_bytes) + " bytes, or 0");
}

}  // namespace subcore
