// The parameters of a platform file. Each parameter is declared once, in describe(): key, member (whose
// initialiser is the default), range, unit and one line of help. The YAML reader, `--set`, `subcore
// parameters` and the resolved configuration are visitors of these declarations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "subcore/base/config_error.h"
#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/passes/pass_options.h"
#include "subcore/model/policy/cta_room.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/policy/sthld/sthld_parameters.h"
#include "subcore/model/trace/trace.h"
#include "subcore/modules/arbiter/register_file_parameters.h"
#include "subcore/modules/conductor/tick_order.h"
#include "subcore/modules/copy_engine/copy_engine_parameters.h"
#include "subcore/modules/dispatch_scheduler/dispatch_parameters.h"
#include "subcore/modules/execution_unit/execution_parameters.h"
#include "subcore/modules/issue_scheduler/scheduler_parameters.h"
#include "subcore/modules/load_store_unit/load_store_parameters.h"
#include "subcore/modules/operand_path/collector_parameters.h"
#include "subcore/modules/warpgroup_unit/warpgroup_parameters.h"
#include "subcore/platforms/memory/memory_choice.h"

namespace subcore {

// The parameters of the GPU (gpu.*). An H100 takes 1.06 cycles for a CTA: an empty kernel of 65,536 CTAs
// takes 73,720 cycles, and one of 1,024 CTAs 5,055 (sarchlab/mgpusim, H100_raw.csv). Accel-Sim hands out one
// CTA per SM a cycle, and its kernels take 5,000 cycles to launch (gpgpu_kernel_launch_latency of its tested
// configurations).
struct GpuParameters {
  std::uint32_t sms = 1;
  std::uint32_t kernel_launch_cycles = 0;
  std::uint64_t start_cycle = 0;
  CtaDispatch cta_dispatch = CtaDispatch::gpu;
  double die_mm2 = 0, sram_cell_um2 = 0;
  void describe(ParameterVisitor& v) {
    v.field("sms", sms, {1, 1024}, "SMs", "streaming multiprocessors; CTAs are handed to them round robin");
    v.field("kernel_launch_cycles", kernel_launch_cycles, {0, 1000000000}, "cycles",
            "time from the end of the previous kernel, or from the start of the run, to the first CTA of a "
            "kernel");
    v.field("start_cycle", start_cycle, {0, 1000000000}, "cycles",
            "cycle in which the first kernel may start; results do not count earlier cycles. A result that "
            "changes with the start cycle is not a property of the platform");
    v.choice("cta_dispatch", cta_dispatch,
             "CTAs that start in a cycle: one on the whole GPU (gpu), or one on each SM that has room (sm)");
    v.field("die_mm2", die_mm2, {0.0, 10000.0}, "mm2",
            "area of the chip, of which results state shares; 0 = not known");
    v.field("sram_cell_um2", sram_cell_um2, {0.0, 10.0}, "um2",
            "area of a memory cell in the chip's process; needed with gpu.die_mm2; 0 = not known");
  }
};

// The parameters of an SM (sm.*).
struct MultiprocessorParameters {
  std::uint32_t sub_cores = 4;
  std::uint32_t warp_slots = 32;
  std::uint32_t cta_slots = 16;
  std::uint32_t registers = 65536;
  std::uint32_t shared_memory_kilobytes = 64;
  void describe(ParameterVisitor& v) {
    v.field("sub_cores", sub_cores, {1, 64}, "sub-cores", "sub-cores per SM");
    v.field("warp_slots", warp_slots, {1, 4096}, "warps",
            "warps resident at once; if sub_core.warp_slots is a number, the sum over all sub-cores");
    v.field("cta_slots", cta_slots, {1, 256}, "CTAs", "CTAs resident at once");
    v.field("registers", registers, {32, 16777216}, "registers", "32-bit registers per SM");
    v.field("shared_memory_kilobytes", shared_memory_kilobytes, {0, 4096}, "KB", "shared memory per SM");
  }
};

// The parameters of a sub-core (sub_core.*).
struct SubCoreParameters {
  std::uint32_t warp_slots = 8;
  SchedulerParameters scheduler;
  CollectorParameters collector;
  OperandCacheParameters operand_cache;
  DispatchParameters dispatch;
  RegisterFileParameters register_file;
  ExecutionParameters execution;
  WarpgroupParameters warpgroup;
  // Entries of the operand cache, of all warps that may be active. 0: there is no cache.
  std::uint64_t operand_cache_entries() const {
    return operand_cache.kind->entries_of_all(warps_with_cache(), operand_cache.entries);
  }
  // Warps that have a part of the operand cache at a time.
  std::uint32_t warps_with_cache() const {
    const std::uint32_t active = scheduler.two_level.active_warps;
    return active != 0 ? active : warp_slots;
  }

  // Registers that the store of near operands has, at least 1. The store is an operand cache, or the
  // collectors. `shared`: for all warps together, else for each warp.
  std::uint32_t near_entries(bool shared) const {
    if (operand_cache.exists()) {
      const std::uint64_t share = operand_cache_entries() / (shared ? 1 : std::max(1u, warps_with_cache()));
      return std::max(1u, static_cast<std::uint32_t>(share));
    }
    const bool in_collectors = collector.kind->keeps_values() && !collector.kind->reads_in_window();
    return (in_collectors ? collector.entries : 8) * (shared ? collector.count : 1);
  }

  void describe(ParameterVisitor& v) {
    v.field_or_word("warp_slots", warp_slots, "share", {1, 64}, "warps",
                    "warp slots per sub-core; share: an equal share of the SM's warp slots (sm.warp_slots)");
    v.group("scheduler", scheduler);
    v.group("collector", collector);
    v.group("operand_cache", operand_cache);
    v.only_if(!collector.kind->reads_in_window(),
              "a sub_core.collector.kind whose instructions wait to be chosen (not fixed_window)",
              [&] { v.group("dispatch", dispatch); });
    v.group("register_file", register_file);
    v.group("execution", execution);
    v.only_if(execution.has_warpgroup_products(), "sub_core.execution.architecture sm_90",
              [&] { v.group("warpgroup", warpgroup); });
  }
};

// The parameters of the compiler passes (passes.*).
struct PassParameters : PassOptions {
  std::string near_file;

  void describe(ParameterVisitor& v) {
    v.choice(
        "near_bits", near_bits.source,
        "source of near bits. none: every operand is far. threshold: reuse distances of some warps. static, "
        "trained: what a store would "
        "keep, on a path through the code or on some warps. file: a file. oracle, shared_oracle: for each "
        "dynamic operand, what a store of each warp, or one that warps share, would keep; shared_oracle "
        "takes the order of issue of a first run. precise: the distance of each dynamic operand");
    v.only_if(near_bits.source == NearBitsSource::of_file, "passes.near_bits file", [&] {
      v.file("near_file", near_file,
             "file that annotate --json has written, usually from another input of the same kernels");
    });
    const bool has_distance =
        near_bits.source == NearBitsSource::threshold || near_bits.source == NearBitsSource::precise;
    v.only_if(has_distance, "passes.near_bits threshold or precise", [&] {
      v.field("rthld", near_bits.threshold, {0, 100000}, "instructions",
              "RTHLD: farthest distance that counts as near");
    });
    v.only_if(near_bits.asks_store(), "passes.near_bits static, trained, oracle or shared_oracle", [&] {
      v.field_or_word("near_entries", near_bits.store.entries, "store", {1, 256}, "registers",
                      "entries of the store that the bits are made for. store: as many as the platform's "
                      "store has for each warp, an equal part of a pool, and 8 in a fixed_window. With "
                      "shared_oracle, entries for all warps of a sub-core");
      v.field("near_sources", near_bits.store.takes_all_sources,
              "every source enters the store, as in a caching collector; false: only sources that are read "
              "again soon enter");
    });
    v.only_if(near_bits.source == NearBitsSource::of_code, "passes.near_bits static", [&] {
      v.field("near_loops", near_bits.loops, {1, 64}, "times",
              "number of times that the path through the code follows each loop");
    });
    v.only_if(near_bits.asks_warps(), "passes.near_bits threshold or trained", [&] {
      v.field("profile_warps", near_bits.profile_warps, {1, 1000000}, "warps",
              "warps profiled per kernel, at least");
      v.field("profile_fraction", near_bits.profile_fraction, {0.0, 1.0}, "",
              "share of a kernel's warps profiled, at least");
    });
    v.choice("reuse_flags", reuse_flags,
             "hardware reuse flags: as traced; traced if the kernel has them, else synthetic; or always "
             "synthetic");
    v.choice("control_bits", control_bits,
             "stall counts and barriers: from the sidecar; from the sidecar if the kernel has one, else "
             "synthetic; or always synthetic");
    v.field("binary_version", binary_version, {0, 1000}, "",
            "binary version of the code whose control bits fit this machine's times; control bits of other "
            "code are refused; 0 = any");
    v.field("write_back", write_back, "BOW's write-back hints: results to window, banks or both");
    v.only_if(write_back, "passes.write_back true", [&] {
      v.field("write_back_window", write_back_window, {1, 1000}, "instructions",
              "IW: length of the window that the write-back hints are made for");
      v.choice("write_back_partial", write_back_partial,
               "write-back hints of results under a partial mask: always both, or from their reads if the "
               "mask covers those reads");
      v.field("window_ends_at_taken_branch", window_ends_at_taken_branch,
              "make write-back hints for a window that a taken branch flushes");
    });
    v.field("dead", dead,
            "RFC's dead bits, which say that a source's value is never read again; and which results the "
            "banks need all the same");
    v.field("liveness", liveness, "LTRF+'s live registers before each instruction");
    v.field("strands", strands, "strands and the operand levels of software RFC");
    v.only_if(strands, "passes.strands true", [&] {
      v.field("orf_entries", orf_entries, {0, 64}, "entries",
              "operand register file entries per warp that strands are allocated to");
      v.field("lrf_entries", lrf_entries, {0, 64}, "entries",
              "last result file entries per warp that strands are allocated to");
      v.field("mrf_read", strand_energy.mrf_read, {0.0, 1000000.0}, "pJ",
              "weight of a bank read in strand allocation; only ratios of the weights matter");
      v.field("mrf_write", strand_energy.mrf_write, {0.0, 1000000.0}, "pJ", "weight of a bank write");
      v.field("orf_read", strand_energy.orf_read, {0.0, 1000000.0}, "pJ", "weight of an ORF read");
      v.field("orf_write", strand_energy.orf_write, {0.0, 1000000.0}, "pJ", "weight of an ORF write");
      v.field("lrf_read", strand_energy.lrf_read, {0.0, 1000000.0}, "pJ", "weight of an LRF read");
      v.field("lrf_write", strand_energy.lrf_write, {0.0, 1000000.0}, "pJ", "weight of an LRF write");
    });
    v.field("intervals", intervals, "LTRF's register intervals and their working sets");
    v.only_if(intervals, "passes.intervals true", [&] {
      v.field("interval_registers", interval_registers, {1, 256}, "registers",
              "N: most registers of an interval");
    });
  }
};

// The parameters that decide which registers count as operands (operands.*).
struct OperandParameters {
  OperandOptions options;
  void describe(ParameterVisitor& v) {
    v.choice(
        "tensor", options.tensor,
        "registers per tensor operand: two (x2), as many as it has (exact), or only the named one (named)");
    v.field("count_rz", options.count_rz, "RZ counts as an operand");
    v.field("count_predicated_off", options.count_predicated_off,
            "instructions that are predicated off in every lane read and write their registers");
    v.field("use_sidecar", options.use_sidecar, "take the exact widths of operands from .sass sidecars");
    v.field("predicates", options.predicates,
            "scoreboard and dependence matrix also order instructions by predicates, as far as a .sass "
            "sidecar or the trace names them, and by uniform registers that the trace names");
    v.choice("shuffles", options.shuffles, "unit that executes exchanges between lanes (SHFL)");
  }
};

// The checks that each run makes (checks.*).
struct CheckParameters {
  bool operand_versions = true;
  std::uint64_t watchdog_cycles = 200000;
  std::uint32_t watchdog_seconds = 120;
  void describe(ParameterVisitor& v) {
    v.field("operand_versions", operand_versions,
            "compare every collected operand with the value that program order demands");
    v.field("watchdog_cycles", watchdog_cycles, {1000, 1000000000000}, "cycles",
            "a run ends with an error after this many cycles without progress");
    v.field("watchdog_seconds", watchdog_seconds, {0, 1000000}, "s",
            "a run of the program ends with an error after this wall time in which no cycle ends and no "
            "trace is read; 0 = never");
  }
};

// The parameters of the energy count (energy.*).
struct EnergyParameters {
  std::string preset = "cacti22";
  bool monitors = true;
  double crossbar_factor = 1.0;
  bool issue_logic = false;
  bool leakage = false;
  double node_nm = 0, voltage = 0;
  void describe(ParameterVisitor& v) {
    v.file("preset", preset, "energy table: a name in power/tables, or a path to a YAML file");
    v.field("monitors", monitors, "count energy events on the sockets");
    v.only_if(monitors, "energy.monitors true", [&] {
      v.field("crossbar_factor", crossbar_factor, {0.0, 1000.0}, "",
              "factor on the table's energies of crossbars (xbar_rd, xbar_wr, cache_path, cache_out), "
              "because wires are the table's least certain numbers");
      v.field("issue_logic", issue_logic,
              "also charge instruction buffers, and the dependence matrix or the scoreboards");
      v.field("leakage", leakage, "also charge the leakage of all parts over the time of the run");
      v.field("node_nm", node_nm, {0.0, 1000.0}, "nm",
              "process that area and leakage are scaled to; 0 = the process of the energy table");
      v.field("voltage", voltage, {0.0, 10.0}, "V",
              "voltage that leakage is scaled to; 0 = the voltage of the energy table");
    });
  }
};

// A whole platform, from its YAML file and the files that it extends.
struct PlatformParameters {
  // The options of the compiler passes, with the options that follow from the scheduler, and the near bits of
  // a file. Throws ConfigError for a file that has no near bits.
  PassOptions pass_options() const {
    PassOptions options = passes;
    options.needs_control_bits = sub_core.scheduler.issue->needs_control_bits();
    options.units = sub_core.execution.units();
    if (passes.near_bits.source == NearBitsSource::of_file) options.near_bits.file = near_bits_file();
    if (options.units.architecture != 0) options.binary_version = options.units.architecture;
    return options;
  }
  std::shared_ptr<const NearBitsFile> near_bits_file() const {
    try {
      return std::make_shared<NearBitsFile>(passes.near_file);
    } catch (const std::exception& e) {
      throw ConfigError(std::string("passes.near_file: ") + e.what());
    }
  }
  // The register system: the platform's name without the machine at its beginning.
  std::string system() const {
    const std::string on = machine + '/';
    return name.substr(name.compare(0, on.size(), on) == 0 ? on.size() : 0);
  }
  bool sthld_is_adaptive() const {
    return sub_core.collector.allocation->waits() && sthld.mode == SthldMode::adaptive;
  }
  // Bytes of operand storage per SM, at 128 bytes per warp operand, without tags and state. A plain
  // collector's slots count, a caching or bypassing collector's entries, and the entries of an operand cache
  // for all warps that may be active.
  std::uint64_t operand_storage_bytes() const {
    constexpr std::uint64_t operand_bytes = 128;
    const CollectorParameters& c = sub_core.collector;
    return multiprocessor.sub_cores * operand_bytes *
           (c.count * std::uint64_t{c.operands()} + c.kind->other_operands().of(c.count) +
            sub_core.operand_cache_entries());
  }

  std::string name = "unnamed";
  std::string description;
  std::string machine = "unnamed";
  std::uint64_t seed = 1;
  double clock_period_ns = 1.0;
  TickOrder tick_order = TickOrder::pipeline;
  std::uint32_t interval_cycles = 10000;
  GpuParameters gpu;
  MultiprocessorParameters multiprocessor;
  SubCoreParameters sub_core;
  LoadStoreParameters load_store;
  CopyEngineParameters copy_engine;
  MemoryParameters memory;
  SthldParameters sthld;
  PassParameters passes;
  OperandParameters operands;
  CheckParameters checks;
  EnergyParameters energy;
  void describe(ParameterVisitor& v) {
    v.field("name", name, "platform name in reports");
    v.field("description", description, "one line about the platform");
    v.field("machine", machine, "name of the GPU in reports");
    v.field("seed", seed, {0, 9007199254740991}, "", "seed of every random choice");
    v.field("clock_period_ns", clock_period_ns, {0.001, 1000000.0}, "ns", "core clock period");
    v.choice("tick_order", tick_order,
             "order in which modules are ticked inside a cycle; results do not depend on the order");
    v.field("interval_cycles", interval_cycles, {1, 1000000000}, "cycles",
            "length of a row of intervals.csv");
    v.group("gpu", gpu);
    v.group("sm", multiprocessor);
    v.group("sub_core", sub_core);
    v.group("load_store", load_store);
    v.only_if(sub_core.execution.has_bulk_copies(), "sub_core.execution.architecture sm_90 or sm_120",
              [&] { v.group("copy_engine", copy_engine); });
    v.group("memory", memory);
    v.only_if(sub_core.collector.allocation->waits(), "sub_core.collector.allocation malekeh",
              [&] { v.group("sthld", sthld); });
    v.group("passes", passes);
    v.group("operands", operands);
    v.group("checks", checks);
    v.group("energy", energy);
  }
};

// The parameters of a platform whose files say nothing about sizes. A default PlatformParameters in C++ gives
// sub-cores a number of warp slots instead.
inline PlatformParameters defaults_of_files() {
  PlatformParameters p;
  p.sub_core.warp_slots = 0;  // the word "share"
  return p;
}

}  // namespace subcore
