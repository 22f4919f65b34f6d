#include <string>

#include "model/config/reader.h"

namespace subcore {
namespace {

// Far above any SM (64 warps): a mistyped size should fail here, not as a run that crawls.
constexpr std::uint64_t max_warps_per_multiprocessor = 1024;

class Checker {
 public:
  void require(bool holds, const char* key, std::vector<std::string> others, const std::string& problem) {
    if (!holds) found_.push_back({key, std::move(others), problem});
  }
  std::vector<Contradiction> take() { return std::move(found_); }

 private:
  std::vector<Contradiction> found_;
};

std::string text(std::uint64_t number) {
  return std::to_string(number);
}
std::string quoted(std::string_view word) {
  return "'" + std::string(word) + "'";
}

void check_collector(const SubCoreParameters& s, Checker& c) {
  const CollectorParameters& col = s.collector;
  const std::string scheme = "sub_core.collector.allocation " + quoted(name_of(col.allocation));
  if (col.allocation == AllocationKind::any_free)
    // A warp whose operands are spread over caches at random is no scheme anybody proposed, and two cached
    // copies of a register would need a coherence rule.
    c.require(col.kind == CollectorKind::ocu, "sub_core.collector.allocation", {"sub_core.collector.kind"},
              scheme +
                  " spreads a warp over caching collectors at random; expected sub_core.collector.kind "
                  "ocu, or allocation malekeh, private or own_or_lru");
  else
    c.require(col.kind == CollectorKind::ccu, "sub_core.collector.allocation", {"sub_core.collector.kind"},
              scheme +
                  " binds warps to caching collectors, but sub_core.collector.kind is ocu; expected kind "
                  "ccu, or allocation any_free");
  if (col.allocation == AllocationKind::private_)
    c.require(
        col.count >= s.warp_slots, "sub_core.collector.count",
        {"sub_core.collector.allocation", "sub_core.warp_slots"},
        text(col.count) + " collectors cannot give each of " + text(s.warp_slots) +
            " warps (sub_core.warp_slots) a private one; expected sub_core.collector.count of at least " +
            text(s.warp_slots));
  if (col.kind == CollectorKind::ccu)
    // With every entry locked by the instruction's sources, a result would find no victim.
    c.require(col.entries > col.slots, "sub_core.collector.entries",
              {"sub_core.collector.slots", "sub_core.collector.kind"},
              text(col.entries) + " entries leave none unlocked beside " + text(col.slots) +
                  " sources (sub_core.collector.slots); expected sub_core.collector.entries of at least " +
                  text(col.slots + 1));
}

void check_issue(const SchedulerParameters& s, Checker& c) {
  if (s.issue != IssueKind::socgpu) return;
  c.require(s.instruction_buffer >= 2, "sub_core.scheduler.instruction_buffer", {"sub_core.scheduler.issue"},
            "nothing can be issued out of order from an instruction buffer of " + text(s.instruction_buffer) +
                " (sub_core.scheduler.issue socgpu); expected at least 2");
  c.require(s.war_guard == WarGuard::off, "sub_core.scheduler.war_guard", {"sub_core.scheduler.issue"},
            quoted(name_of(s.war_guard)) +
                " belongs to the scoreboard, which sub_core.scheduler.issue socgpu replaces by a matrix; "
                "expected war_guard off (see sub_core.scheduler.socgpu.war_release)");
}

void check_sthld(const SthldParameters& s, Checker& c) {
  if (s.mode == SthldMode::adaptive) {
    c.require(s.minimum <= s.maximum, "sthld.minimum", {"sthld.maximum", "sthld.mode"},
              text(s.minimum) + " is above sthld.maximum " + text(s.maximum) +
                  "; expected sthld.minimum of at most " + text(s.maximum));
    if (s.minimum <= s.maximum)
      c.require(s.minimum <= s.value && s.value <= s.maximum, "sthld.value",
                {"sthld.minimum", "sthld.maximum", "sthld.mode"},
                "the first value " + text(s.value) + " is outside sthld.minimum to sthld.maximum; expected " +
                    text(s.minimum) + " to " + text(s.maximum));
  }
  for (const SthldState& state : s.table)
    for (const SthldTransition& t : {state.small, state.large})
      c.require(t.next >= 1 && t.next <= sthld_states, "sthld.table", {},
                text(t.next) + " is no state; expected 1 to 6");
}

bool power_of_two(std::uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

// Sets are found by address bits.
void check_cache(const char* key, const char* ways_key, std::uint64_t bytes, std::uint32_t ways,
                 const std::string& what, std::vector<std::string> others, Checker& c) {
  constexpr std::uint64_t line_bytes = 128;
  const std::uint64_t set_bytes = line_bytes * ways;
  others.emplace_back(ways_key);
  c.require(ways != 0 && bytes % set_bytes == 0 && power_of_two(bytes / set_bytes), key, std::move(others),
            what + " in sets of " + text(ways) + " lines (" + ways_key + ") of 128 bytes are " +
                "no power of two of sets; expected a power of two times " + text(set_bytes) + " bytes");
}

void check_hierarchy(const MemoryParameters& m, Checker& c) {
  check_cache("memory.l1.kilobytes", "memory.l1.ways", std::uint64_t{m.l1.kilobytes} * 1024, m.l1.ways,
              text(m.l1.kilobytes) + " KB", {}, c);
  c.require(power_of_two(m.l2.slices), "memory.l2.slices", {},
            text(m.l2.slices) + " slices cannot be chosen by address bits; expected a power of two");
  if (!power_of_two(m.l2.slices)) return;
  check_cache("memory.l2.kilobytes", "memory.l2.ways", std::uint64_t{m.l2.kilobytes} * 1024 / m.l2.slices,
              m.l2.ways, text(m.l2.kilobytes) + " KB over " + text(m.l2.slices) + " slices",
              {"memory.l2.slices"}, c);
  c.require(m.dram.channels != 0 && m.l2.slices % m.dram.channels == 0, "memory.dram.channels",
            {"memory.l2.slices"},
            text(m.dram.channels) + " channels do not divide memory.l2.slices " + text(m.l2.slices) +
                "; expected a divisor of it");
}

void check_memory(const MemoryParameters& m, Checker& c) {
  if (m.kind == MemoryKind::hierarchy) check_hierarchy(m, c);
  const bool line_fits = power_of_two(m.line_bytes);
  c.require(line_fits && m.line_bytes % 32 == 0, "memory.line_bytes", {},
            text(m.line_bytes) + " is no line size; expected a power of two and a multiple of 32 (a sector)");
  if (!line_fits || m.line_bytes == 0 || m.ways == 0) return;
  const std::uint64_t set_bytes = std::uint64_t{m.line_bytes} * m.ways;
  c.require(std::uint64_t{m.cache_kilobytes} * 1024 % set_bytes == 0, "memory.cache_kilobytes",
            {"memory.line_bytes", "memory.ways"},
            text(m.cache_kilobytes) + " KB is no whole number of sets; expected a multiple of " +
                "memory.line_bytes x memory.ways = " + text(set_bytes) + " bytes, or 0");
}

}  // namespace

std::vector<Contradiction> contradictions(const PlatformParameters& p) {
  Checker c;
  check_collector(p.sub_core, c);
  check_issue(p.sub_core.scheduler, c);
  // HMMA.1688.F32 reads 2 + 1 + 4 registers when operands have their exact width (systems.md section 0).
  c.require(p.operands.options.tensor != TensorOperands::exact || p.sub_core.collector.slots >= 7,
            "operands.tensor", {"sub_core.collector.slots"},
            "'exact' tensor instructions read up to 7 registers, more than sub_core.collector.slots " +
                text(p.sub_core.collector.slots) +
                "; expected sub_core.collector.slots of at least 7, or operands.tensor x2 or named");
  const std::uint64_t warps = std::uint64_t{p.sub_core.warp_slots} * p.multiprocessor.sub_cores;
  c.require(warps <= max_warps_per_multiprocessor, "sub_core.warp_slots", {"sm.sub_cores"},
            text(p.sub_core.warp_slots) + " warp slots in each of " + text(p.multiprocessor.sub_cores) +
                " sub-cores (sm.sub_cores) are " + text(warps) +
                " warps; expected sub_core.warp_slots x sm.sub_cores of at most 1024");
  c.require(p.load_store.shared_banks == 0 || power_of_two(p.load_store.shared_banks),
            "load_store.shared_banks", {},
            text(p.load_store.shared_banks) +
                " banks cannot be chosen by address bits; expected a power of " + "two, or 0");
  check_memory(p.memory, c);
  check_sthld(p.sthld, c);
  return c.take();
}

void validate(const PlatformParameters& parameters) {
  const std::vector<Contradiction> found = contradictions(parameters);
  if (!found.empty())
    throw ConfigError("platform " + parameters.name + ": " + found.front().key + ": " +
                      found.front().problem);
}

}  // namespace subcore
