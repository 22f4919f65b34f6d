#include <array>
#include <string>
#include <utility>

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

void check_private(const SubCoreParameters& s, Checker& c) {
  c.require(s.collector.count >= s.warp_slots, "sub_core.collector.count",
            {"sub_core.collector.allocation", "sub_core.warp_slots"},
            text(s.collector.count) + " collectors cannot give each of " + text(s.warp_slots) +
                " warps (sub_core.warp_slots) a private one; expected sub_core.collector.count of at least " +
                text(s.warp_slots));
}

void check_bypassing(const SubCoreParameters& s, Checker& c) {
  const CollectorParameters& col = s.collector;
  c.require(col.allocation == AllocationKind::private_, "sub_core.collector.allocation",
            {"sub_core.collector.kind"},
            "sub_core.collector.allocation " + quoted(name_of(col.allocation)) +
                " lets warps share bypassing collectors, but each belongs to one warp; expected private");
  check_private(s, c);
  c.require(
      col.entries >= col.window, "sub_core.collector.entries",
      {"sub_core.collector.window", "sub_core.collector.kind"},
      text(col.entries) + " entries cannot keep one operand for each of " + text(col.window) +
          " instructions (sub_core.collector.window); expected sub_core.collector.entries of at least " +
          text(col.window));
}

void check_collector(const SubCoreParameters& s, Checker& c) {
  const CollectorParameters& col = s.collector;
  const std::string scheme = "sub_core.collector.allocation " + quoted(name_of(col.allocation));
  if (col.kind == CollectorKind::boc) {
    check_bypassing(s, c);
    return;
  }
  c.require(col.branch != BranchHandling::flush_on_taken, "sub_core.collector.branch",
            {"sub_core.collector.kind"},
            "'flush_on_taken' ends a window, but sub_core.collector.kind " + quoted(name_of(col.kind)) +
                " has none; expected sub_core.collector.kind boc, or branch ignore or wait");
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
  if (col.allocation == AllocationKind::private_) check_private(s, c);
  if (col.kind == CollectorKind::ccu)
    // With every entry locked by the instruction's sources, a result would find no victim.
    c.require(col.entries > col.slots, "sub_core.collector.entries",
              {"sub_core.collector.slots", "sub_core.collector.kind"},
              text(col.entries) + " entries leave none unlocked beside " + text(col.slots) +
                  " sources (sub_core.collector.slots); expected sub_core.collector.entries of at least " +
                  text(col.slots + 1));
}

// Where a warp has several instructions in collectors, a younger one's write can overtake an older one's
// read. Collectors that cache keep what went wrong for later readers: always an error. Plain ones (baseline)
// keep nothing, and simulators without a guard exist to compare with: there the check of operand versions
// tells. One collector per warp, held until dispatch (Malekeh), orders reads and writes by itself; SOCGPU's
// matrix has a rule of its own.
void check_war_guard(const SubCoreParameters& s, Checker& c) {
  if (s.scheduler.war_guard != WarGuard::off || s.scheduler.issue == IssueKind::socgpu) return;
  const CollectorParameters& col = s.collector;
  c.require(col.kind != CollectorKind::boc || col.in_flight == InFlight::one, "sub_core.scheduler.war_guard",
            {"sub_core.collector.kind", "sub_core.collector.in_flight", "sub_core.scheduler.issue"},
            "'off' lets a younger write overtake an older instruction that waits in the same window "
            "(sub_core.collector.kind boc); expected operand_collection or write_back, or "
            "sub_core.collector.in_flight 1");
  c.require(col.allocation != AllocationKind::own_or_lru || col.count == 1, "sub_core.scheduler.war_guard",
            {"sub_core.collector.allocation", "sub_core.collector.count", "sub_core.scheduler.issue"},
            "'off' lets a younger write overtake a read of the warp's other collector "
            "(sub_core.collector.allocation own_or_lru); expected operand_collection or write_back");
}

// A value that only the window needs is never written back: compiler and collector must mean the same window.
void check_write_back_hints(const PlatformParameters& p, Checker& c) {
  const CollectorParameters& col = p.sub_core.collector;
  if (!p.hints.write_back || col.kind != CollectorKind::boc) return;
  c.require(p.hints.write_back_window <= col.window, "hints.write_back_window", {"sub_core.collector.window"},
            text(p.hints.write_back_window) + " instructions are more than the collector keeps, " +
                text(col.window) + " (sub_core.collector.window); expected at most " + text(col.window));
  c.require(col.branch != BranchHandling::flush_on_taken || p.hints.window_ends_at_taken_branch,
            "hints.window_ends_at_taken_branch", {"sub_core.collector.branch"},
            "the compiler does not know that windows end at taken branches (sub_core.collector.branch "
            "flush_on_taken); expected true");
}

// Two-level scheduling and the caches that live with it.
void check_operand_cache(const PlatformParameters& p, Checker& c) {
  const SubCoreParameters& s = p.sub_core;
  const OperandCacheParameters& cache = s.operand_cache;
  const std::string kind = "sub_core.operand_cache.kind " + quoted(name_of(cache.kind));
  const TwoLevelParameters& two_level = s.scheduler.two_level;
  c.require(two_level.active_warps == 0 || s.scheduler.issue == IssueKind::in_order,
            "sub_core.scheduler.two_level.active_warps", {"sub_core.scheduler.issue"},
            "a warp is demoted by what its next instruction waits for, but sub_core.scheduler.issue " +
                quoted(name_of(s.scheduler.issue)) +
                " has no next instruction; expected 0, or issue in_order");
  if (cache.kind == OperandCacheKind::none) return;
  c.require(
      s.collector.kind == CollectorKind::ocu, "sub_core.operand_cache.kind", {"sub_core.collector.kind"},
      kind + " stands behind collectors that cache themselves, sub_core.collector.kind " +
          quoted(name_of(s.collector.kind)) + "; expected collector kind ocu, or operand_cache.kind none");
  c.require(s.scheduler.issue == IssueKind::in_order, "sub_core.operand_cache.kind",
            {"sub_core.scheduler.issue"},
            kind + " relies on program order; expected sub_core.scheduler.issue in_order, or kind none");
  c.require(s.scheduler.war_guard != WarGuard::off, "sub_core.scheduler.war_guard",
            {"sub_core.operand_cache.kind"},
            "'off' lets a younger write overtake a read of the banks (" + kind +
                "); expected operand_collection or write_back");
  if (cache.kind == OperandCacheKind::register_cache) {
    const std::string problem = problem_of(cache.register_cache());
    c.require(problem.empty(), "sub_core.operand_cache.ways", {"sub_core.operand_cache.entries"}, problem);
    c.require(
        cache.allocation != RegisterCacheAllocation::look_ahead, "sub_core.operand_cache.allocation", {},
        "'look_ahead' needs instructions that have not been fetched; expected read, write, read_write or "
        "compiler_aided (subcore cache-study has look_ahead)");
    c.require(two_level.active_warps == 0, "sub_core.scheduler.two_level.active_warps",
              {"sub_core.operand_cache.kind"},
              text(two_level.active_warps) + " of the warps would share what " + kind +
                  " has for every warp; expected 0");
    return;
  }
  c.require(two_level.active_warps != 0, "sub_core.scheduler.two_level.active_warps",
            {"sub_core.operand_cache.kind"},
            kind + " belongs to active warps, but 0 means that there is no second level; expected 1 to 64");
  if (cache.kind == OperandCacheKind::software_rfc) {
    c.require(p.hints.strands, "hints.strands", {"sub_core.operand_cache.kind"},
              kind + " keeps what the compiler has planned; expected hints.strands true");
    c.require(p.hints.orf_entries == cache.entries && p.hints.lrf_entries == cache.lrf_entries,
              "sub_core.operand_cache.entries",
              {"sub_core.operand_cache.lrf_entries", "hints.orf_entries", "hints.lrf_entries"},
              "the compiler plans with " + text(p.hints.orf_entries) + " ORF and " +
                  text(p.hints.lrf_entries) +
                  " LRF entries (hints.orf_entries, hints.lrf_entries), the cache has " +
                  text(cache.entries) + " and " + text(cache.lrf_entries) + "; expected the same numbers");
    c.require(two_level.demotion == Demotion::strand_end, "sub_core.scheduler.two_level.demotion",
              {"sub_core.operand_cache.kind"},
              "a warp that leaves inside a strand loses what " + kind + " holds; expected strand_end");
  }
  if (cache.kind == OperandCacheKind::ltrf) {
    c.require(p.hints.intervals, "hints.intervals", {"sub_core.operand_cache.kind"},
              kind + " fetches the registers of an interval; expected hints.intervals true");
    c.require(p.hints.interval_registers <= cache.entries, "sub_core.operand_cache.entries",
              {"hints.interval_registers"},
              text(cache.entries) + " entries do not hold an interval of " +
                  text(p.hints.interval_registers) +
                  " registers (hints.interval_registers); expected at least that many");
    c.require(
        !cache.live_only || p.hints.liveness, "hints.liveness", {"sub_core.operand_cache.live_only"},
        "sub_core.operand_cache.live_only asks for the compiler's liveness; expected hints.liveness true");
  }
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
    for (const SthldTransition& t : {state.small, state.large, state.expired})
      c.require(t.next >= 1 && t.next <= sthld_states, "sthld.table", {},
                text(t.next) + " is no state; expected 1 to 6");
}

bool power_of_two(std::uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

// These passes promise that nobody reads a value again; what is predicated off does not count as a reader.
void check_counting(const PlatformParameters& p, Checker& c) {
  const auto& h = p.hints;
  const std::array<std::pair<bool, const char*>, 4> passes{{{h.write_back, "hints.write_back"},
                                                            {h.dead, "hints.dead"},
                                                            {h.liveness, "hints.liveness"},
                                                            {h.strands, "hints.strands"}}};
  for (const auto& [on, pass] : passes)
    c.require(!on || !p.operands.options.count_predicated_off, "operands.count_predicated_off", {pass},
              std::string("operands.count_predicated_off and ") + pass +
                  ", which counts only what runs, are both on; expected one of them off");
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

// A warp whose next instruction waits for a unit, and then for its result, makes no progress meanwhile.
void check_watchdog(const PlatformParameters& p, Checker& c) {
  std::uint64_t longest = std::max(p.load_store.shared_latency, p.load_store.constant_latency) +
                          std::uint64_t{p.load_store.initiation_interval};
  for (std::size_t n = 0; n < execution_class_count; ++n) {
    const auto execution = static_cast<ExecutionClass>(n);
    if (execution == ExecutionClass::load_store) continue;
    const UnitTiming& timing = p.sub_core.execution.of(execution);
    longest = std::max(longest, std::uint64_t{timing.latency} + timing.initiation_interval);
  }
  c.require(p.checks.watchdog_cycles >= 2 * longest, "checks.watchdog_cycles", {},
            text(p.checks.watchdog_cycles) + " cycles may pass without progress where an instruction takes " +
                text(longest) + " (latency and initiation interval); expected at least " + text(2 * longest));
}

}  // namespace

std::vector<Contradiction> contradictions(const PlatformParameters& p) {
  Checker c;
  check_watchdog(p, c);
  check_collector(p.sub_core, c);
  check_issue(p.sub_core.scheduler, c);
  check_war_guard(p.sub_core, c);
  check_operand_cache(p, c);
  check_write_back_hints(p, c);
  check_counting(p, c);
  c.require(
      p.sub_core.scheduler.two_level.demotion == Demotion::long_latency || p.hints.strands, "hints.strands",
      {"sub_core.scheduler.two_level.demotion"},
      "no strand ends without the compiler's strands (sub_core.scheduler.two_level.demotion strand_end); "
      "expected hints.strands true, or demotion long_latency");
  // HMMA.1688.F32 reads 2 + 1 + 4 registers when operands have their exact width.
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
  c.require(p.load_store.sector_banks == 0 ||
                (power_of_two(p.load_store.sector_banks) && p.load_store.sector_banks >= 4),
            "load_store.sector_banks", {},
            text(p.load_store.sector_banks) + " banks do not hold the 4 sectors of a line side by side; " +
                "expected a power of two of at least 4, or 0");
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
