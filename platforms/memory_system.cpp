#include "platforms/memory_system.h"

namespace subcore {
namespace {

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const PlatformParameters& p, unsigned sms)
    : sc_module(name),
      conductor("conductor", {p.clock_period_ns, sc_core::SC_NS}, p.tick_order, p.seed + sms),
      // All conductors of a GPU have one period, and the L1 asks its own only for the cycle.
      l1("l1", sms, [&](const char* n, std::size_t) { return new L1Cache(n, p.memory, conductor); }),
      interconnect("interconnect", sms, p.memory.l2.slices, p.memory.interconnect, conductor),
      l2("l2", p.memory.l2.slices,
         [&](const char* n, std::size_t) { return new L2Slice(n, p.memory.l2, conductor); }),
      dram("dram", p.memory.dram.channels, [&](const char* n, std::size_t) {
        return new DramChannel(n, p.memory.l2.slices / p.memory.dram.channels, p.memory.dram, conductor);
      }) {
  for (unsigned i = 0; i < sms; ++i) l1[i].interconnect_socket.bind(interconnect.sm_socket[i]);
  const unsigned per_channel = p.memory.l2.slices / p.memory.dram.channels;
  for (unsigned s = 0; s < l2.size(); ++s) {
    interconnect.slice_socket[s].bind(l2[s].interconnect_socket);
    l2[s].dram_socket.bind(dram[s / per_channel].slice_socket[s % per_channel]);
  }
  for (auto& d : dram) conductor.add(d);
  for (auto& s : l2) conductor.add(s);
  conductor.add(interconnect);
}

std::vector<Module*> MemorySystem::modules() {
  std::vector<Module*> all;
  for (auto& c : l1) all.push_back(&c);
  all.push_back(&interconnect);
  for (auto& s : l2) all.push_back(&s);
  for (auto& d : dram) all.push_back(&d);
  return all;
}

std::optional<double> MemorySystem::l1_hit_ratio() const {
  std::uint64_t hits = 0, reads = 0;
  for (const auto& c : l1) {
    hits += c.counters().hits;
    reads += c.counters().reads;
  }
  return ratio(hits, reads);
}

std::optional<double> MemorySystem::l2_hit_ratio() const {
  std::uint64_t hits = 0, all = 0;
  for (const auto& s : l2) {
    hits += s.counters().hits;
    all += s.counters().reads + s.counters().writes + s.counters().atomics;
  }
  return ratio(hits, all);
}

void MemorySystem::register_statistics(StatisticsGroup& g) {
  g.derived("l1_hit_ratio", "", "hits / reads, of all L1s", [this] { return l1_hit_ratio().value_or(0); });
  g.derived("l2_hit_ratio", "", "hits / requests, of all slices",
            [this] { return l2_hit_ratio().value_or(0); });
}

bool MemorySystem::drained() const {
  for (const auto& c : l1) {
    if (!c.drained()) return false;
  }
  for (const auto& s : l2) {
    if (!s.drained()) return false;
  }
  for (const auto& d : dram) {
    if (!d.drained()) return false;
  }
  return interconnect.drained();
}

}  // namespace subcore
