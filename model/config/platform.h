// Everything a platform file can say. Each parameter is declared once, in describe(): key, member (whose
// initialiser is the default), range, unit and one line of help. The YAML reader, `--set`, `subcore
// parameters` and the resolved configuration are visitors of the same declarations.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/config/memory_parameters.h"
#include "model/config/parameter.h"
#include "model/hints/hint_options.h"
#include "model/isa/execution_class.h"
#include "model/policy/dependence_matrix.h"
#include "model/policy/kinds.h"
#include "model/policy/register_cache.h"
#include "model/policy/sthld_machine.h"
#include "model/trace/trace.h"

namespace subcore {

struct TwoLevelParameters {
  std::uint32_t active_warps = 0;
  Demotion demotion = Demotion::long_latency;
  Promotion promotion = Promotion::eligible_fifo;
  PendingReady pending_ready = PendingReady::collector_free;
  template <class V>
  void describe(V& v) {
    v.field("active_warps", active_warps, {0, 64}, "warps",
            "two-level scheduling: warps per scheduler that may issue; 0 = all");
    v.choice(
        "demotion", demotion,
        "an active warp becomes pending when it waits for a long-latency result, or at the end of a strand "
        "with one outstanding");
    v.choice("promotion", promotion,
             "which pending warp becomes active: the first that can go on, or simply the first");
    v.choice(
        "pending_ready", pending_ready,
        "what makes a pending warp ready in the count of Malekeh's Fig. 10, state 2: no hazard, or also a "
        "free collector");
  }
};

struct SocgpuParameters {
  DependenceOptions options;
  template <class V>
  void describe(V& v) {
    v.choice(
        "stop_release", options.stop_release,
        "what follows a branch waits until it is written back (the matrix taken literally) or has issued");
    v.choice("war_release", options.war_release,
             "a write waits until an older read is written back (literally) or its operands are collected");
    v.choice("memory_release", options.memory_release,
             "a store, or a load behind a store, waits until the older access is written back (literally) or "
             "on its way into the load/store unit, which keeps order");
    v.choice(
        "r6", options.r6,
        "a branch, barrier or exit waits until all older instructions are written back or have issued; a "
        "barrier always waits for stores and shared accesses to be performed");
    v.field(
        "r8", options.r8,
        "barriers and exits wait for older instructions, which the paper does not say (off: what is stored "
        "before a barrier may be performed after it)");
  }
};

struct SchedulerParameters {
  WarpPriorityKind priority = WarpPriorityKind::gto;
  std::uint32_t instruction_buffer = 2;
  AllocationFailure alloc_fail = AllocationFailure::next_warp;
  WarGuard war_guard = WarGuard::operand_collection;
  std::uint32_t war_max_uses = 9999;
  TwoLevelParameters two_level;
  std::uint32_t fetch_width = 1;
  FetchRedirect fetch_redirect = FetchRedirect::perfect;
  IssueKind issue = IssueKind::in_order;
  SocgpuParameters socgpu;
  template <class V>
  void describe(V& v) {
    v.choice("priority", priority, "warp priority: which ready warp issues first");
    v.field("instruction_buffer", instruction_buffer, {1, 64}, "instructions",
            "instruction buffer entries per warp");
    v.choice("alloc_fail", alloc_fail,
             "when the chosen warp gets no collector: try the next warp, or stall the cycle");
    v.choice("war_guard", war_guard,
             "when a pending register read stops blocking a younger write (SOCGPU's WAR scoreboard)");
    v.field("war_max_uses", war_max_uses, {1, 65535}, "reads",
            "pending reads of one register at which issue blocks");
    v.group("two_level", two_level);
    v.field("fetch_width", fetch_width, {1, 16}, "instructions/cycle", "fetched per warp");
    v.choice(
        "fetch_redirect", fetch_redirect,
        "behind an instruction that changes the flow of control, fetching goes on at once (perfect), when "
        "it has issued, or when it is written back");
    v.choice("issue", issue,
             "a warp issues in order by a scoreboard, or out of order by a dependence matrix (socgpu)");
    v.group("socgpu", socgpu);
  }
};

struct CollectorParameters {
  CollectorKind kind = CollectorKind::ocu;
  std::uint32_t count = 2;
  std::uint32_t slots = 6;
  std::uint32_t entries = 8;
  AllocationKind allocation = AllocationKind::any_free;
  ReplacementKind replacement = ReplacementKind::near_aware;
  bool cache_results = true;
  bool near_filter = true;
  std::uint32_t result_ports = 1;
  bool stale_invalidate = true;
  PartialWrite partial_write = PartialWrite::safe;
  WritePolicy write_policy = WritePolicy::write_through;
  std::uint32_t window = 3;
  InFlight in_flight = InFlight::window;
  BranchHandling branch = BranchHandling::ignore;
  bool dup_source_is_hit = false;
  template <class V>
  void describe(V& v) {
    v.choice("kind", kind,
             "operand collector unit (ocu), caching collector unit (ccu) or bypassing collector (boc)");
    v.field("count", count, {1, 64}, "collectors", "collectors per sub-core");
    v.field("slots", slots, {1, 16}, "operands",
            "source operand slots of a collector (the operand collector table)");
    v.field("entries", entries, {1, 64}, "entries",
            "operands in the cache table of a caching collector, or in the window of a bypassing one");
    v.choice("allocation", allocation, "which collector a warp's instruction goes to");
    v.choice("replacement", replacement, "victim among the unlocked cache table entries");
    v.field("cache_results", cache_results, "results may enter the cache table through port D");
    v.field("near_filter", near_filter, "only results with near reuse enter the cache table");
    v.field("result_ports", result_ports, {0, 16}, "results/cycle",
            "port D width per collector; 0 = unlimited");
    v.field("stale_invalidate", stale_invalidate,
            "a filtered or dropped result invalidates its old copy (off = wrong results)");
    v.choice("partial_write", partial_write,
             "results of partly active warps: merge only (safe), or allocate like full ones (ignore)");
    v.choice("write_policy", write_policy,
             "bypassing collectors: results go to the banks at once, or when they leave the window");
    v.field("window", window, {1, 32}, "instructions",
            "IW: a bypassing collector keeps a value for this many instructions after its last use");
    v.choice("in_flight", in_flight,
             "instructions that a bypassing collector collects at once: as many as its window, or 1");
    v.choice("branch", branch,
             "after a branch: go on, issue nothing more of the warp until it has retired, or begin a new "
             "bypassing window when it was taken");
    v.field("dup_source_is_hit", dup_source_is_hit,
            "count the second occurrence of a source register as a hit");
  }
};

struct OperandCacheParameters {
  OperandCacheKind kind = OperandCacheKind::none;
  std::uint32_t entries = 6;
  std::uint32_t lrf_entries = 1;
  std::uint32_t hit_latency = 1;
  bool live_only = false;
  std::uint32_t prefetch_port = 0;
  double transfer_energy_pj = 0;
  std::uint32_t ways = 2;
  RegisterCacheAllocation allocation = RegisterCacheAllocation::compiler_aided;
  DestinationMap destination_map = DestinationMap::interleaved;
  RegisterCacheReplacement replacement = RegisterCacheReplacement::fifo;
  RegisterCacheWrite write = RegisterCacheWrite::write_back;
  PartialWrite partial_write = PartialWrite::safe;
  // Of a sub-core: of every warp that may be active.
  std::uint32_t entries_in_all(const TwoLevelParameters& two_level, std::uint32_t warp_slots) const {
    if (kind == OperandCacheKind::none) return 0;
    const std::uint32_t warps = two_level.active_warps != 0 ? two_level.active_warps : warp_slots;
    return warps * (entries + (kind == OperandCacheKind::software_rfc ? lrf_entries : 0));
  }
  RegisterCacheParameters register_cache() const {
    RegisterCacheParameters p;
    p.entries = entries;
    p.ways = ways;
    p.allocation = allocation;
    p.map = destination_map;
    p.replacement = replacement;
    p.write = write;
    return p;
  }
  template <class V>
  void describe(V& v) {
    v.choice("kind", kind, "register cache between collectors and banks");
    v.field("entries", entries, {1, 64}, "entries",
            "entries per active warp: of the cache, of the operand register file (software_rfc), of the "
            "partition (ltrf)");
    v.field("lrf_entries", lrf_entries, {0, 8}, "entries",
            "entries of the last-result file per active warp (software_rfc)");
    v.field("hit_latency", hit_latency, {0, 16}, "cycles",
            "from issue until the collector has the operand; an uncontested bank takes 1");
    v.field("live_only", live_only,
            "neither fetch nor write back registers that nobody will read (ltrf; LTRF+)");
    v.field("prefetch_port", prefetch_port, {0, 64}, "operands/cycle",
            "width of the prefetch crossbar; 0 = one operand per bank (ltrf)");
    v.field("transfer_energy_pj", transfer_energy_pj, {0.0, 10000.0}, "pJ",
            "energy of an operand's way from the cache to a collector, on top of the table's");
    v.field("ways", ways, {0, 64}, "ways", "associativity; 0 = full (register_cache)");
    v.choice(
        "allocation", allocation,
        "which operands enter: sources that miss, destinations, both, or destinations and sources with the "
        "compiler's reuse flag; look_ahead is for cache-study only (register_cache)");
    v.choice("destination_map", destination_map, "set of a destination register (register_cache)");
    v.choice("replacement", replacement, "victim in a set (register_cache)");
    v.choice("write", write, "results stay in the cache, or go to the banks as well (register_cache)");
    v.choice("partial_write", partial_write,
             "results of partly active warps: merge only (safe), or allocate like full ones (ignore)");
  }
};

struct DispatchParameters {
  DispatchOrder order = DispatchOrder::oldest;
  template <class V>
  void describe(V& v) {
    v.choice("order", order,
             "which complete collector dispatches: the longest complete one, or each in turn");
  }
};

struct RegisterFileParameters {
  std::uint32_t banks = 2;
  double bank_kilobytes = 32;
  BankWarpId bank_warp_id = BankWarpId::subcore_local;
  std::uint32_t read_latency = 0;
  std::uint32_t collector_port_limit = 1;
  std::uint32_t steps_per_cycle = 1;
  std::uint32_t result_latches = 2;
  template <class V>
  void describe(V& v) {
    v.field("banks", banks, {1, 64}, "banks", "single-ported register banks per sub-core");
    v.field("bank_kilobytes", bank_kilobytes, {1, 4096}, "KB", "size of a bank (energy only)");
    v.choice("bank_warp_id", bank_warp_id, "warp number in the bank map (register + warp) mod banks");
    v.field("read_latency", read_latency, {0, 1000}, "cycles", "extra cycles from grant to delivery");
    v.field("collector_port_limit", collector_port_limit, {0, 64}, "operands/cycle",
            "port S width per collector; 0 = unlimited");
    v.field("steps_per_cycle", steps_per_cycle, {1, 4}, "steps", "register file steps per core cycle");
    v.field("result_latches", result_latches, {1, 16}, "results",
            "results a unit may hold while its banks are busy");
  }
};

struct UnitTiming {
  std::uint32_t latency = 4;
  std::uint32_t initiation_interval = 2;
  template <class V>
  void describe(V& v) {
    v.field("latency", latency, {1, 10000}, "cycles", "from first execution cycle to write-back");
    v.field("initiation_interval", initiation_interval, {1, 10000}, "cycles",
            "between two instructions of the unit");
  }
};

// systems.md section 1, column `papers`.
struct ExecutionParameters {
  UnitTiming integer{4, 2}, single{4, 2}, half{4, 1}, double_{8, 4}, special{20, 8};
  UnitTiming tensor_f16{8, 4}, tensor_f32{8, 4}, tensor_int{8, 4};
  UnitTiming branch{4, 4}, texture{200, 4}, uniform{4, 2};
  template <class V>
  void describe(V& v) {
    v.group("int", integer);
    v.group("sp", single);
    v.group("half", half);
    v.group("dp", double_);
    v.group("sfu", special);
    v.group("tensor_f16", tensor_f16);
    v.group("tensor_f32", tensor_f32);
    v.group("tensor_int", tensor_int);
    v.group("branch", branch);
    v.group("texture", texture);
    v.group("uniform", uniform);
  }
  const UnitTiming& of(ExecutionClass c) const;  // load_store has no entry: std::logic_error
};

struct SubCoreParameters {
  std::uint32_t warp_slots = 8;
  SchedulerParameters scheduler;
  CollectorParameters collector;
  OperandCacheParameters operand_cache;
  DispatchParameters dispatch;
  RegisterFileParameters register_file;
  ExecutionParameters execution;
  template <class V>
  void describe(V& v) {
    v.field("warp_slots", warp_slots, {1, 64}, "warps", "warp slots per sub-core");
    v.group("scheduler", scheduler);
    v.group("collector", collector);
    v.group("operand_cache", operand_cache);
    v.group("dispatch", dispatch);
    v.group("register_file", register_file);
    v.group("execution", execution);
  }
};

struct LoadStoreParameters {
  std::uint32_t queue = 8;
  std::uint32_t initiation_interval = 1;
  std::uint32_t shared_latency = 20;
  std::uint32_t shared_banks = 32;
  std::uint32_t constant_latency = 20;
  std::uint32_t transactions_per_cycle = 1;
  std::uint32_t outstanding = 256;
  bool explicit_end_resp = false;
  bool byte_enables = true;
  template <class V>
  void describe(V& v) {
    v.field("queue", queue, {1, 1024}, "instructions", "instructions waiting in the unit per sub-core");
    v.field("initiation_interval", initiation_interval, {1, 1000}, "cycles",
            "between two instructions entering the unit");
    v.field("shared_latency", shared_latency, {1, 10000}, "cycles", "shared memory access without conflicts");
    v.field("shared_banks", shared_banks, {0, 64}, "banks",
            "4-byte banks of shared memory, a power of two; 0 = no conflicts");
    v.field("constant_latency", constant_latency, {1, 10000}, "cycles", "constant cache access");
    v.field("transactions_per_cycle", transactions_per_cycle, {1, 64}, "requests/cycle",
            "requests sent to memory_socket per cycle");
    v.field("outstanding", outstanding, {1, 65536}, "requests", "memory requests in flight");
    v.field("explicit_end_resp", explicit_end_resp,
            "answer BEGIN_RESP with an END_RESP call in the next cycle instead of TLM_COMPLETED");
    v.field("byte_enables", byte_enables,
            "stores that write a part of their sectors say which bytes; false: for targets without byte "
            "enables");
  }
};

struct GpuParameters {
  std::uint32_t sms = 1;
  template <class V>
  void describe(V& v) {
    v.field("sms", sms, {1, 1024}, "SMs", "streaming multiprocessors; CTAs are handed to them round robin");
  }
};

struct MultiprocessorParameters {
  std::uint32_t sub_cores = 4;
  std::uint32_t cta_slots = 16;
  std::uint32_t registers = 65536;
  std::uint32_t shared_memory_kilobytes = 64;
  template <class V>
  void describe(V& v) {
    v.field("sub_cores", sub_cores, {1, 64}, "sub-cores", "sub-cores per SM");
    v.field("cta_slots", cta_slots, {1, 256}, "CTAs", "CTAs resident at once");
    v.field("registers", registers, {32, 16777216}, "registers", "32-bit registers per SM");
    v.field("shared_memory_kilobytes", shared_memory_kilobytes, {0, 4096}, "KB", "shared memory per SM");
  }
};

struct SthldParameters {
  SthldMode mode = SthldMode::fixed;
  std::uint32_t value = 0;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 255;
  std::uint32_t step = 1;
  std::uint32_t interval = 10000;
  double threshold = 0.02;
  SthldTable table = default_sthld_table();
  template <class V>
  void describe(V& v) {
    v.choice("mode", mode, "STHLD fixed, or set at run time by the six-state machine");
    v.field("value", value, {0, 65535}, "cycles", "STHLD when fixed, its first value when adaptive");
    v.field("minimum", minimum, {0, 65535}, "cycles", "lower bound of the adaptive STHLD");
    v.field("maximum", maximum, {0, 65535}, "cycles", "upper bound of the adaptive STHLD");
    v.field("step", step, {1, 65535}, "cycles", "step d of the machine");
    v.field("interval", interval, {1, 1000000000}, "cycles", "between two decisions");
    v.field("threshold", threshold, {0.0, 1.0}, "", "relative IPC change from which a change is large");
    v.table("table", table,
            "the six-state machine (malekeh section IV-B3): per state, next state and step for a small and a "
            "large change");
  }
};

struct HintParameters : HintOptions {
  template <class V>
  void describe(V& v) {
    v.choice("mode", reuse.mode,
             "reuse bits: none, profiled per static operand, or each operand's precise distance");
    v.field("rthld", reuse.threshold, {0, 100000}, "instructions",
            "RTHLD: farthest distance that counts as near");
    v.field("profile_warps", reuse.profile_warps, {1, 1000000}, "warps",
            "warps profiled per kernel, at least");
    v.field("profile_fraction", reuse.profile_fraction, {0.0, 1.0}, "",
            "share of a kernel's warps profiled, at least");
    v.choice("reuse_flags", reuse_flags,
             "hardware reuse flags: as traced, synthetic where a kernel has none, or synthetic");
    v.field("write_back", write_back, "BOW's write-back hints: results to window, banks or both");
    v.field("write_back_window", write_back_window, {1, 1000}, "instructions",
            "IW: the window the write-back hints are made for");
    v.choice("write_back_partial", write_back_partial,
             "hints of results under a partial mask: both, or by their reads if those are covered");
    v.field("window_ends_at_taken_branch", window_ends_at_taken_branch,
            "write-back hints for a window that is flushed by a taken branch");
    v.field("dead", dead, "RFC's dead bits: a source's value is never read again");
    v.field("liveness", liveness, "LTRF+'s live registers before each instruction");
    v.field("strands", strands, "strands and the operand levels of software RFC");
    v.field("orf_entries", orf_entries, {0, 64}, "entries",
            "operand register file entries per warp that strands are allocated to");
    v.field("lrf_entries", lrf_entries, {0, 64}, "entries",
            "last result file entries per warp that strands are allocated to");
    v.field("mrf_read", strand_energy.mrf_read, {0.0, 1000000.0}, "pJ",
            "bank read, as strand allocation weighs it; only ratios matter");
    v.field("mrf_write", strand_energy.mrf_write, {0.0, 1000000.0}, "pJ", "bank write, likewise");
    v.field("orf_read", strand_energy.orf_read, {0.0, 1000000.0}, "pJ", "ORF read, likewise");
    v.field("orf_write", strand_energy.orf_write, {0.0, 1000000.0}, "pJ", "ORF write, likewise");
    v.field("lrf_read", strand_energy.lrf_read, {0.0, 1000000.0}, "pJ", "LRF read, likewise");
    v.field("lrf_write", strand_energy.lrf_write, {0.0, 1000000.0}, "pJ", "LRF write, likewise");
    v.field("intervals", intervals, "LTRF's register intervals and their working sets");
    v.field("interval_registers", interval_registers, {1, 256}, "registers",
            "N: registers of an interval, at most");
  }
};

struct OperandParameters {
  OperandOptions options;
  template <class V>
  void describe(V& v) {
    v.choice("tensor", options.tensor,
             "registers per tensor operand: two each, exact, or the named one only");
    v.field("count_rz", options.count_rz, "RZ counts as an operand");
    v.field("use_sidecar", options.use_sidecar, "take exact operand widths from .sass sidecars");
  }
};

struct CheckParameters {
  bool operand_versions = true;
  std::uint64_t watchdog_cycles = 200000;
  template <class V>
  void describe(V& v) {
    v.field("operand_versions", operand_versions,
            "compare every collected operand with what program order demands");
    v.field("watchdog_cycles", watchdog_cycles, {1000, 1000000000000}, "cycles",
            "cycles without progress that end a run");
  }
};

struct EnergyParameters {
  std::string preset = "cacti22";
  bool monitors = true;
  template <class V>
  void describe(V& v) {
    v.field("preset", preset, "energy table: a name in power/tables, or a path to a YAML file");
    v.field("monitors", monitors, "count energy events on the sockets");
  }
};

struct PlatformParameters {
  std::string name = "unnamed";
  std::string description;
  std::uint64_t seed = 1;
  double clock_period_ns = 1.0;
  TickOrder tick_order = TickOrder::pipeline;
  std::uint32_t interval_cycles = 10000;
  GpuParameters gpu;
  MultiprocessorParameters multiprocessor;
  SubCoreParameters sub_core;
  LoadStoreParameters load_store;
  MemoryParameters memory;
  SthldParameters sthld;
  HintParameters hints;
  OperandParameters operands;
  CheckParameters checks;
  EnergyParameters energy;
  template <class V>
  void describe(V& v) {
    v.field("name", name, "platform name in reports");
    v.field("description", description, "one line about the platform");
    v.field("seed", seed, {0, 9007199254740991}, "", "seed of every random choice");
    v.field("clock_period_ns", clock_period_ns, {0.001, 1000000.0}, "ns", "core clock period");
    v.choice("tick_order", tick_order, "order of modules inside a cycle; results do not depend on it");
    v.field("interval_cycles", interval_cycles, {1, 1000000000}, "cycles",
            "length of a row of intervals.csv");
    v.group("gpu", gpu);
    v.group("sm", multiprocessor);
    v.group("sub_core", sub_core);
    v.group("load_store", load_store);
    v.group("memory", memory);
    v.group("sthld", sthld);
    v.group("hints", hints);
    v.group("operands", operands);
    v.group("checks", checks);
    v.group("energy", energy);
  }
};

}  // namespace subcore
