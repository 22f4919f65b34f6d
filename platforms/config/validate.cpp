#include <array>
#include <string>
#include <utility>

#include "subcore/model/parameters/checker.h"
#include "subcore/platforms/config/reader.h"

namespace subcore {
namespace {

// Far above any SM (64 warps). A mistyped size ends here with an error, and not in a run that crawls.
constexpr std::uint64_t max_warps_per_multiprocessor = 1024;

std::string text(std::uint64_t number) {
  return std::to_string(number);
}

void check_collector(const CollectorParameters& col, Checker& c) {
  const std::string allocation = "sub_core.collector.allocation " + in_quotes(col.allocation.word());
  col.kind->check(c);
  c.require(col.branch != BranchHandling::flush_on_taken || col.kind->copies_hits(),
            "sub_core.collector.branch", {"sub_core.collector.kind"},
            "'flush_on_taken' ends a window, but sub_core.collector.kind " + in_quotes(col.kind.word()) +
                " has none; expected sub_core.collector.kind boc, or branch ignore or wait");
  if (!col.allocation->binds_warps())
    // Nobody has proposed to spread a warp's operands over caches at random. Two cached copies of a register
    // would need a rule of coherence.
    c.require(!col.kind->keeps_values(), "sub_core.collector.allocation", {"sub_core.collector.kind"},
              allocation +
                  " spreads a warp over caching collectors at random; expected sub_core.collector.kind "
                  "ocu, or allocation malekeh, private or own_or_lru");
  else
    c.require(col.kind->keeps_values(), "sub_core.collector.allocation", {"sub_core.collector.kind"},
              allocation +
                  " binds warps to caching collectors, but sub_core.collector.kind is ocu; expected kind "
                  "ccu, or allocation any_free");
  col.allocation->check(c);
}

// Some parts count on the order in which registers are read, or on the time. Such parts need a path that
// keeps the order or the time.
void check_reads(const SubCoreParameters& s, Checker& c) {
  const std::string kind = "sub_core.collector.kind " + in_quotes(s.collector.kind.word());
  if (s.collector.kind->reads_in_window()) {
    c.require(s.scheduler.issue->in_order(), "sub_core.scheduler.issue", {"sub_core.collector.kind"},
              kind + " keeps the order in which instructions come; expected issue control_bits or in_order");
    return;
  }
  c.require(!s.scheduler.issue->needs_control_bits(), "sub_core.scheduler.issue", {"sub_core.collector.kind"},
            in_quotes(s.scheduler.issue.word()) + " counts cycles up to execution, but " + kind +
                " takes a different time for each instruction; expected issue in_order or socgpu, or "
                "collector kind fixed_window");
  c.require(!c.is("sub_core.scheduler.war_guard", "queued_reads"), "sub_core.scheduler.war_guard",
            {"sub_core.collector.kind"},
            kind +
                " reads operands in no fixed order; expected operand_collection, write_back or off, or "
                "collector kind fixed_window");
}

// Checks two-level scheduling and the caches that go with it.
void check_operand_cache(const SubCoreParameters& s, Checker& c) {
  const std::string issue = in_quotes(s.scheduler.issue.word());
  c.require(s.scheduler.two_level.active_warps == 0 || s.scheduler.issue->in_order(),
            "sub_core.scheduler.two_level.active_warps", {"sub_core.scheduler.issue"},
            "two-level scheduling demotes a warp by the wait of its next instruction, but "
            "sub_core.scheduler.issue " +
                issue + " has no next instruction; expected 0, or issue in_order");
  if (!s.operand_cache.exists()) return;
  const std::string kind = "sub_core.operand_cache.kind " + in_quotes(s.operand_cache.kind.word());
  c.require(!s.collector.kind->keeps_values(), "sub_core.operand_cache.kind", {"sub_core.collector.kind"},
            kind + " is behind collectors that are caches themselves, sub_core.collector.kind " +
                in_quotes(s.collector.kind.word()) +
                "; expected collector kind ocu, or operand_cache.kind none");
  c.require(s.scheduler.issue->in_order(), "sub_core.operand_cache.kind", {"sub_core.scheduler.issue"},
            kind + " relies on program order; expected sub_core.scheduler.issue in_order, or kind none");
  c.require(!c.is("sub_core.scheduler.war_guard", "off"), "sub_core.scheduler.war_guard",
            {"sub_core.operand_cache.kind"},
            "'off' lets a younger write overtake a read of the banks (" + kind +
                "); expected operand_collection or write_back");
  s.operand_cache.kind->check(c);
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
                text(t.next) + " is not a state; expected 1 to 6");
}

// The listed passes promise that no instruction reads a value again. The passes do not count an instruction
// that is predicated off as a reader.
void check_counting(const PlatformParameters& p, Checker& c) {
  const auto& h = p.passes;
  const std::array<std::pair<bool, const char*>, 4> passes{{{h.write_back, "passes.write_back"},
                                                            {h.dead, "passes.dead"},
                                                            {h.liveness, "passes.liveness"},
                                                            {h.strands, "passes.strands"}}};
  for (const auto& [on, pass] : passes)
    c.require(!on || !p.operands.options.count_predicated_off, "operands.count_predicated_off", {pass},
              std::string("operands.count_predicated_off and ") + pass +
                  ", which counts only what runs, are both on; expected one of them off");
}

void check_chip(const GpuParameters& gpu, Checker& c) {
  c.require((gpu.die_mm2 == 0) == (gpu.sram_cell_um2 == 0), "gpu.sram_cell_um2", {"gpu.die_mm2"},
            "a share of a chip needs the chip's area and the area of a memory cell in its process; expected "
            "both gpu.die_mm2 and gpu.sram_cell_um2, or neither");
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
  PlatformParameters copy = p;
  Checker c(parameter_list(copy));
  check_watchdog(p, c);
  c.require(p.sub_core.warp_slots != 0, "sm.warp_slots", {"sm.sub_cores", "sub_core.warp_slots"},
            text(p.multiprocessor.warp_slots) + " warps have no equal shares for " +
                text(p.multiprocessor.sub_cores) + " sub-cores (sm.sub_cores); expected a multiple of them");
  if (p.sub_core.warp_slots == 0) return c.take();
  check_collector(p.sub_core.collector, c);
  check_reads(p.sub_core, c);
  p.sub_core.scheduler.issue->check(c);
  p.sub_core.scheduler.priority->check(c);
  p.sub_core.scheduler.two_level.promotion->check(c);
  check_operand_cache(p.sub_core, c);
  check_counting(p, c);
  check_chip(p.gpu, c);
  c.require(
      p.sub_core.scheduler.two_level.active_warps == 0 ||
          p.sub_core.scheduler.two_level.demotion == Demotion::long_latency || p.passes.strands,
      "passes.strands", {"sub_core.scheduler.two_level.demotion"},
      "no strand ends without the compiler's strands (sub_core.scheduler.two_level.demotion strand_end); "
      "expected passes.strands true, or demotion long_latency");
  // HMMA.1688.F32 reads 2 + 1 + 4 registers when operands have their exact width.
  const unsigned widest = p.sub_core.execution.widest_instruction();
  c.require(p.operands.options.tensor != TensorOperands::exact || p.sub_core.collector.slots >= widest,
            "operands.tensor", {"sub_core.collector.slots"},
            "'exact' tensor instructions read up to " + text(widest) +
                " registers, more than sub_core.collector.slots " + text(p.sub_core.collector.slots) +
                "; expected sub_core.collector.slots of at least " + text(widest) +
                ", or operands.tensor x2 or named");
  const std::uint64_t warps = std::uint64_t{p.sub_core.warp_slots} * p.multiprocessor.sub_cores;
  c.require(warps <= max_warps_per_multiprocessor, "sub_core.warp_slots", {"sm.sub_cores"},
            text(p.sub_core.warp_slots) + " warp slots in each of " + text(p.multiprocessor.sub_cores) +
                " sub-cores (sm.sub_cores) are " + text(warps) +
                " warps; expected sub_core.warp_slots x sm.sub_cores of at most 1024");
  c.require(p.multiprocessor.warp_slots == warps, "sm.warp_slots", {"sub_core.warp_slots", "sm.sub_cores"},
            text(p.multiprocessor.warp_slots) + " warps are not sub_core.warp_slots " +
                text(p.sub_core.warp_slots) + " in each of " + text(p.multiprocessor.sub_cores) +
                " sub-cores (sm.sub_cores); expected " + text(warps) + ", or sub_core.warp_slots share");
  c.require(p.load_store.shared_banks == 0 || power_of_two(p.load_store.shared_banks),
            "load_store.shared_banks", {},
            text(p.load_store.shared_banks) +
                " banks cannot be chosen by address bits; expected a power of " + "two, or 0");
  c.require(p.load_store.sector_banks == 0 ||
                (power_of_two(p.load_store.sector_banks) && p.load_store.sector_banks >= 4),
            "load_store.sector_banks", {},
            text(p.load_store.sector_banks) + " banks do not hold the 4 sectors of a line side by side; " +
                "expected a power of two of at least 4, or 0");
  p.memory.kind->check(c);
  if (p.sub_core.collector.allocation->waits()) check_sthld(p.sthld, c);
  return c.take();
}

void validate(const PlatformParameters& parameters) {
  const std::vector<Contradiction> found = contradictions(parameters);
  if (!found.empty())
    throw ConfigError("platform " + parameters.name + ": " + found.front().key + ": " +
                      found.front().problem);
}

}  // namespace subcore
