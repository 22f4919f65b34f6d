// The result of one platform on one trace, in the form that scripts read: the keys of the JSON object are
// stable.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/model/sampling/sample.h"

namespace subcore {

// Values by name, in an order of their own.
template <class T>
using ByName = std::vector<std::pair<std::string, T>>;
// The value of that name; nothing if the name is not there.
template <class T>
std::optional<T> value_of(const ByName<T>& values, const std::string& name) {
  for (const auto& [n, value] : values)
    if (n == name) return value;
  return std::nullopt;
}

// Every key of a result is a line of the table in result_columns.h.

// The result of one kernel; members whose name RunResult has, too, add up to the run's.
struct KernelResult {
  std::string name;
  std::uint64_t cycles = 0;
  std::uint64_t ctas = 0;
  std::uint64_t ctas_at_once = 0;  // the most that the SMs had at one time
  std::uint64_t instructions_traced = 0;
  std::uint64_t instructions_retired = 0;
  std::uint64_t source_operands = 0;
  std::uint64_t cache_read_hits = 0;
  std::uint64_t bank_reads = 0;
  std::uint64_t bank_writes = 0;
  std::uint64_t cache_writes = 0;
  std::uint64_t prefetches = 0;
  double energy_total_pj = 0;
  ByName<std::uint64_t> own{};  // columns that the user has added, if the platform has what they sum
};

// The result of a run: the object of results.json, with its keys for names (docs/results.md).
struct RunResult {
  std::string platform, machine, trace;
  // The register system: the platform's name without the machine and what `swept` says. Nothing of a run that
  // another program has made.
  std::optional<std::string> system{};
  // Parameters that a sweep or a variation has set for this run: values by key; else empty, and no key.
  ByName<std::string> swept{};
  std::uint64_t cycles = 0;
  std::uint64_t instructions_retired = 0;
  double ipc = 0;
  // The IPC over the cycles in which schedulers had a warp, as if every scheduler always had one. Nothing if
  // none ever had one.
  std::optional<double> ipc_busy;
  std::uint64_t source_operands = 0;
  std::uint64_t cache_read_hits = 0;
  double read_hit_ratio = 0;
  std::uint64_t bank_reads = 0;
  std::uint64_t bank_writes = 0;
  std::uint64_t cache_writes = 0;
  std::uint64_t bank_read_wait_cycles = 0;
  std::uint64_t prefetches = 0;  // bank reads that no instruction had asked for (LTRF)
  std::uint64_t schedulers = 0;
  // The cycles of the issue schedulers, by state; summed over schedulers: `cycles` of each.
  ByName<std::uint64_t> scheduler_cycles;
  // The issue schedulers' cycles by cause (model/stall/stall_cause.h); a state's causes sum to its cycles.
  ByName<std::uint64_t> stall_cycles;
  std::uint64_t operand_storage_bytes = 0;  // per SM: collector buffers and register caches
  // Bits that the sub-cores of an SM store, by part ("caching_collector.cache_table"), and in all.
  ByName<double> storage_bits;
  double storage_bits_total = 0;
  // Area and leakage of an SM's sub-cores by part, by the platform's energy table, and in all. No parts where
  // the table says nothing of them.
  ByName<double> area_mm2, leakage_mw;
  double area_total_mm2 = 0, leakage_total_mw = 0;
  std::optional<double> area_normalised;  // against the first platform on the same trace
  // Area beyond that platform's, as a share of its registers ("bank.registers").
  std::optional<double> area_overhead;
  // The share of the chip's area that the sub-cores of all SMs take, where the machine says what chip it is,
  // and how much more than the first platform's on the same trace.
  std::optional<double> chip_area_ratio, chip_area_overhead;
  // Energy by event kind, in the order of the table; empty when nothing counted energy events.
  ByName<double> energy_pj;
  double energy_total_pj = 0;               // key `total` of energy_pj
  std::optional<double> energy_normalised;  // against the first platform on the same trace
  std::optional<double> ipc_normalised;
  // The cost of the same events by each shipped table, by its name; empty like energy_pj.
  ByName<double> energy_by_preset_pj;
  // energy_by_preset_pj against the first platform's on the same trace, by table; empty without such a run.
  ByName<double> energy_by_preset_normalised;
  std::uint64_t operands_checked = 0;
  std::uint64_t stale_operands = 0;
  std::uint64_t instructions_traced = 0;
  std::uint64_t kernels = 0;
  std::uint64_t ctas = 0;
  std::vector<KernelResult> per_kernel;  // in the order of the trace
  // How often a kernel's CTAs fill the SMs: the mean over kernels, weighted by cycles. Nothing without a CTA.
  std::optional<double> waves;
  // The mean of the adaptive STHLD over intervals, or the fixed one; nothing if nobody looks at it.
  std::optional<double> sthld_mean;
  // The hit ratio of the caches; nothing without such a cache, or when nothing was asked of it.
  std::optional<double> l1_hit_ratio, l2_hit_ratio;
  // Cycles in which caches and DRAM queues kept a request waiting, by level and cause; summed over the
  // modules of a level. Empty without such levels.
  ByName<double> memory_stall_cycles;
  // Each of them as a share of its modules' cycles.
  ByName<double> memory_stall_ratios;
  // The share of their cycles in which L1s, L2 slices and DRAM queues kept a request waiting. Nothing without
  // such levels.
  std::optional<double> l1_stall_ratio, l2_stall_ratio, dram_stall_ratio;
  // Counts without simulation (program/analysis/static_count.h), by name; else empty, and no key.
  ByName<double> counts;
  std::map<std::string, std::uint64_t> unknown_opcodes;
  std::vector<std::string> notes;
  std::vector<std::string> cautions;  // names (cautions.h)
  std::uint64_t seed = 0;
  std::uint64_t start_cycle = 0;
  // With --seeds: the number of this run among those of its platform on its trace. Run 0 is the platform's
  // own; all others have its name in member_of.
  std::uint64_t member = 0;
  std::optional<std::string> member_of;
  // Of a sampled run: what was simulated and what was left out. All counts above are then of what was
  // simulated; ipc, read_hit_ratio and ratios to the first platform are estimates of the whole.
  std::optional<Sample> sample{};
  // Of a sampled run, intervals of the ratios to the first platform: "ipc_normalised_low" and its like; else
  // empty, and no key.
  ByName<double> sample_intervals{};
  ByName<double> spread;        // member 0's spread over all members (spread.h)
  double wall_seconds = 0;      // the one key left out of identity checks
  ByName<std::uint64_t> own{};  // columns as in KernelResult
};

// One JSON object, indented. With `compact`, on one line (a message between processes).
std::string to_json(const RunResult& result, bool compact = false);
// A list of such objects.
std::string to_json(const std::vector<RunResult>& results);
// Throws std::runtime_error (one line) when the text is no result: every key is there and of its kind, counts
// are whole numbers from 0.
RunResult run_result_from_json(const std::string& text);
// Reads a result that another version of the program may have saved, all but per_kernel. The names of keys
// that it lacks, and that later versions have added, are added to `missing`.
RunResult saved_run_result_from_json(const std::string& text, std::string& missing);
// Reads a list of results, as run_result_from_json() does one.
std::vector<RunResult> run_results_from_json(const std::string& text);

// The first sum that does not add up in the result of a whole run, on one line; empty if there is none: all
// instructions of the trace retired, every operand was found in a cache or read from a bank, the schedulers'
// states cover every cycle, the energies of all events make up the total, and the kernels the run.
std::string imbalance(const RunResult& result);

// The value of ipc_busy, from the rest of the result.
std::optional<double> ipc_busy(const RunResult& result);
// The value of waves, from the rest of the result.
std::optional<double> waves(const RunResult& result);

// Makes the result one of a sampled run, of which `sample` tells all: ratios become estimates of the whole,
// and notes say what was left out.
void take_sample(RunResult& result, Sample sample);

// Fills the values normalised against the result of the first result's platform on the same trace, with the
// same seed and start where there are several. They stay empty where that result is missing or zero, and
// energies also where none was counted.
void normalise(std::vector<RunResult>& results);

// Adds a note to every result whose energy is below that of the first platform on the same trace by one
// shipped table and above it by another, each by more than half a per cent: the tables then do not agree on a
// result. Removes such notes of an earlier comparison.
void note_disagreeing_presets(std::vector<RunResult>& results);

// Terminal table, one block per trace, and one of averages when every platform ran several traces. At most
// `limit` columns of a terminal wide: then without the columns that are for wide tables only or that there is
// no room for, and long names are shortened (text_width.h). 0 = as wide as it is.
std::string comparison_table(const std::vector<RunResult>& results, std::size_t limit = 0);

// Table for the terminal, like comparison_table(): of sampled runs the share that was simulated, and the
// intervals of ratios. Empty if no run is a sample.
std::string sample_table(const std::vector<RunResult>& results, std::size_t limit = 0);

// One interval of a run: a line of intervals.csv.
struct IntervalRow {
  std::uint64_t cycle = 0;  // first cycle after the interval
  std::uint64_t instructions = 0;
  double ipc = 0;
  std::uint64_t source_operands = 0;
  std::uint64_t cache_read_hits = 0;
  double read_hit_ratio = 0;
  std::uint32_t sthld = 0;
  unsigned state = 0;  // the STHLD machine's state; 0 = none
  double energy_pj = 0;
};

// The rows of intervals.csv, with a line of headings.
std::string intervals_csv(const std::vector<IntervalRow>& rows);

}  // namespace subcore
