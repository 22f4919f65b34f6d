#include "subcore/platforms/memory/hierarchy.h"

#include <algorithm>

#include "subcore/base/names.h"
#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/carve_out.h"

namespace subcore {
namespace {

std::optional<double> ratio(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const HierarchyParameters& p,
                           const MemorySite& site)
    : sc_module(name),
      conductor("conductor", clock_period(site.clock_period_ns), site.tick_order, site.seed + site.sms),
      // The L1 asks its own conductor only for the cycle, and all conductors of a GPU have one period.
      l1("l1", site.sms, [&](const char* n, std::size_t) { return new L1Cache(n, p, conductor); }),
      interconnect("interconnect", site.sms, p.l2.slices, p.interconnect, conductor, p.l2.slice_index),
      l2("l2", p.l2.slices,
         [&](const char* n, std::size_t) {
           return new L2Slice(n, p.l2, conductor, p.dram.kind == DramKind::external);
         }),
      dram("dram", p.dram.kind == DramKind::external ? 0 : p.dram.channels,
           [&](const char* n, std::size_t) {
             return new DramChannel(n, p.l2.slices / p.dram.channels, p.dram, conductor);
           }),
      host_ports_(p.interconnect.host_ports) {
  for (unsigned i = 0; i < site.sms; ++i) l1[i].interconnect_socket.bind(interconnect.sm_socket[i]);
  for (unsigned s = 0; s < l2.size(); ++s) {
    interconnect.slice_socket[s].bind(l2[s].interconnect_socket);
    if (dram.size() == 0) continue;
    const unsigned per_channel = p.l2.slices / p.dram.channels;
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

Memory::Stalls MemorySystem::stalls() const {
  Stalls s;
  const auto add = [&s](const char* level, const auto& caches) {
    for (const HoldCause cause : {HoldCause::line, HoldCause::queue, HoldCause::mshr, HoldCause::merge,
                                  HoldCause::response, HoldCause::invalidation}) {
      std::uint64_t cycles = 0;
      for (const auto& c : caches) cycles += c.counters().held.of(cause);
      s.cycles.emplace_back(std::string(level) + '_' + std::string(name_of(cause)), cycles);
    }
  };
  add("l1", l1);
  add("l2", l2);
  std::uint64_t dram_cycles = 0;
  for (const auto& d : dram) {
    dram_cycles += d.counters().stall_cycles;
    s.dram_queues += d.slice_socket.size();
  }
  s.cycles.emplace_back("dram_queue", dram_cycles);
  s.l1s = l1.size();
  s.l2_slices = l2.size();
  return s;
}

void MemorySystem::register_statistics(StatisticsGroup& root) {
  StatisticsGroup& g = root.group(basename());
  g.derived("l1_hit_ratio", "", "hits / reads, of all L1s", [this] { return l1_hit_ratio().value_or(0); });
  g.derived("l2_hit_ratio", "", "hits / requests, of all slices",
            [this] { return l2_hit_ratio().value_or(0); });
  Memory::register_statistics(g);
}

bool MemorySystem::drained() {
  const std::vector<Module*> all = modules();
  return std::all_of(all.begin(), all.end(), [](const Module* m) { return m->drained(); });
}

std::unique_ptr<Memory> HierarchyChoice::make(const MemorySite& site) const {
  return std::make_unique<MemorySystem>("memory_system", parameters, site);
}

namespace {

// Checks a cache's size. Address bits choose the set, so the number of sets is a power of two.
void check_cache(const char* key, const char* ways_key, std::uint64_t bytes, std::uint32_t ways,
                 const std::string& what, std::vector<std::string> others, Checker& c) {
  constexpr std::uint64_t line_bytes = 128;
  const std::uint64_t set_bytes = line_bytes * ways;
  others.emplace_back(ways_key);
  c.require(ways != 0 && bytes % set_bytes == 0 && power_of_two(bytes / set_bytes), key, std::move(others),
            what + " in sets of " + std::to_string(ways) + " lines (" + ways_key + ") of 128 bytes are " +
                "not a power of two of sets; expected a power of two times " + std::to_string(set_bytes) +
                " bytes");
}

// A request may need a register for each sector of a line at once.
void check_sectors(const char* mshrs_key, const char* unit_key, std::uint32_t mshrs, MshrUnit unit,
                   Checker& c) {
  c.require(unit == MshrUnit::line || mshrs >= 4, mshrs_key, {unit_key},
            std::to_string(mshrs) + " registers of a sector each (" + unit_key +
                ") do not hold the sectors of a line; expected at least 4");
}

// Shared memory takes ways from every set.
void check_carve_outs(const L1Parameters& l1, Checker& c) {
  const auto carve_outs = carve_outs_of(l1.carve_outs);
  c.require(carve_outs.has_value(), "memory.l1.carve_outs", {},
            "'" + l1.carve_outs +
                "' is not a list of sizes; expected KB in ascending order with a blank between " +
                "two of them, such as 32 64");
  if (!carve_outs || carve_outs->empty() || l1.ways == 0) return;
  c.require(carve_outs->back() < l1.kilobytes, "memory.l1.carve_outs", {"memory.l1.kilobytes"},
            std::to_string(carve_outs->back()) + " KB of " + std::to_string(l1.kilobytes) +
                " (memory.l1.kilobytes) leave no cache; expected a smaller size");
  const std::uint64_t way_bytes = std::uint64_t{l1.kilobytes} * 1024 / l1.ways;
  for (const std::uint32_t k : *carve_outs)
    c.require(std::uint64_t{k} * 1024 % way_bytes == 0, "memory.l1.carve_outs",
              {"memory.l1.kilobytes", "memory.l1.ways"},
              std::to_string(k) +
                  " KB are not a whole number of ways of memory.l1.kilobytes / memory.l1.ways = " +
                  std::to_string(way_bytes) + " bytes; expected a multiple of that");
}

}  // namespace

void HierarchyChoice::check(Checker& c) const {
  const HierarchyParameters& m = parameters;
  check_carve_outs(m.l1, c);
  check_cache("memory.l1.kilobytes", "memory.l1.ways", std::uint64_t{m.l1.kilobytes} * 1024, m.l1.ways,
              std::to_string(m.l1.kilobytes) + " KB", {}, c);
  check_sectors("memory.l1.mshrs", "memory.l1.mshr_unit", m.l1.mshrs, m.l1.mshr_unit, c);
  check_sectors("memory.l2.mshrs", "memory.l2.mshr_unit", m.l2.mshrs, m.l2.mshr_unit, c);
  c.require(m.l1.initiator.requests != RequestShape::single_sectors || m.l1.queue >= 4, "memory.l1.queue",
            {"memory.l1.requests"},
            std::to_string(m.l1.queue) +
                " places do not hold the sectors of a line, which memory.l1.requests single_sectors asks for "
                "one by one; expected at least 4");
  c.require(
      power_of_two(m.l2.slices), "memory.l2.slices", {},
      std::to_string(m.l2.slices) + " slices cannot be chosen by address bits; expected a power of two");
  if (!power_of_two(m.l2.slices)) return;
  check_cache("memory.l2.kilobytes", "memory.l2.ways", std::uint64_t{m.l2.kilobytes} * 1024 / m.l2.slices,
              m.l2.ways,
              std::to_string(m.l2.kilobytes) + " KB over " + std::to_string(m.l2.slices) + " slices",
              {"memory.l2.slices"}, c);
  if (m.dram.kind == DramKind::external) return;
  c.require(m.dram.channels != 0 && m.l2.slices % m.dram.channels == 0, "memory.dram.channels",
            {"memory.l2.slices"},
            std::to_string(m.dram.channels) + " channels do not divide memory.l2.slices " +
                std::to_string(m.l2.slices) + "; expected a divisor of it");
}

}  // namespace subcore
