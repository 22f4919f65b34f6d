// The result of one platform on one trace, in the form that scripts read. The keys of the JSON object are
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

// Values by name, in the order in which they were added.
template <class T>
using ByName = std::vector<std::pair<std::string, T>>;
// The value of that name; nothing if the name is not there.
template <class T>
std::optional<T> value_of(const ByName<T>& values, const std::string& name) {
  for (const auto& [n, value] : values)
    if (n == name) return value;
  return std::nullopt;
}

// Every key of a result has a line in the table in result_columns.h.

// The result of one kernel. Members that RunResult also has add up to the run's.
struct KernelResult {
  std::string name;
  std::uint64_t cycles = 0;
  std::uint64_t ctas = 0;
  std::uint64_t ctas_at_once = 0;  // the most CTAs on the SMs at one time
  std::uint64_t instructions_traced = 0;
  std::uint64_t instructions_retired = 0;
  std::uint64_t source_operands = 0;
  std::uint64_t cache_read_hits = 0;
  std::uint64_t bank_reads = 0;
  std::uint64_t bank_writes = 0;
  std::uint64_t cache_writes = 0;
  std::uint64_t prefetches = 0;
  double energy_total_pj = 0;
  ByName<std::uint64_t> own{};  // users' columns whose counters the platform has
};

// The result of a run: the object in results.json. Members have the names of its keys (docs/results.md).
struct RunResult {
  std::string platform, machine, trace;
  // The register system: the platform's name without the machine and without the parameters in `swept`.
  // Nothing for a run that another program has made.
  std::optional<std::string> system{};
  // Values by key of the parameters that a sweep or a variation has set for this run. If empty, there is no
  // key.
  ByName<std::string> swept{};
  std::uint64_t cycles = 0;
  std::uint64_t instructions_retired = 0;
  double ipc = 0;
  // The IPC over the cycles in which schedulers had a warp, as if every scheduler always had one. Nothing if
  // no scheduler ever had a warp.
  std::optional<double> ipc_busy;
  std::uint64_t source_operands = 0;
  std::uint64_t cache_read_hits = 0;
  double read_hit_ratio = 0;
  std::uint64_t bank_reads = 0;
  std::uint64_t bank_writes = 0;
  std::uint64_t cache_writes = 0;
  std::uint64_t bank_read_wait_cycles = 0;
  std::uint64_t prefetches = 0;  // bank reads for which no instruction had asked (LTRF)
  std::uint64_t schedulers = 0;
  // The cycles of the issue schedulers, by state. These cycles add up to `cycles` for each scheduler.
  ByName<std::uint64_t> scheduler_cycles;
  // The issue schedulers' cycles by cause (model/stall/stall_cause.h). The causes of a state add up to its
  // cycles.
  ByName<std::uint64_t> stall_cycles;
  std::uint64_t operand_storage_bytes = 0;  // per SM: collector buffers and register caches
  // The bits that the sub-cores of an SM store, by part ("caching_collector.cache_table"), and in all.
  ByName<double> storage_bits;
  double storage_bits_total = 0;
  // Area and leakage of an SM's sub-cores by the platform's energy table, by part and in all. There are no
  // parts if the table does not have them.
  ByName<double> area_mm2, leakage_mw;
  double area_total_mm2 = 0, leakage_total_mw = 0;
  std::optional<double> area_normalised;  // against the first platform on the same trace
  // The area beyond that platform's, as a share of its registers ("bank.registers").
  std::optional<double> area_overhead;
  // The share of the chip's area that the sub-cores of all SMs take, if the machine names its chip. The
  // overhead is the difference to the first platform on the same trace.
  std::optional<double> chip_area_ratio, chip_area_overhead;
  // Energy by event kind, in the order of the table. Empty if no monitor counted energy events.
  ByName<double> energy_pj;
  double energy_total_pj = 0;               // key `total` of energy_pj
  std::optional<double> energy_normalised;  // against the first platform on the same trace
  std::optional<double> ipc_normalised;
  // The cost of the same events by each shipped table, by the table's name. Empty if energy_pj is.
  ByName<double> energy_by_preset_pj;
  // energy_by_preset_pj relative to the first platform's on the same trace, by table. Empty without such a
  // run.
  ByName<double> energy_by_preset_normalised;
  std::uint64_t operands_checked = 0;
  std::uint64_t stale_operands = 0;
  std::uint64_t instructions_traced = 0;
  std::uint64_t kernels = 0;
  std::uint64_t ctas = 0;
  std::vector<KernelResult> per_kernel;  // in the order of the trace
  // How often a kernel's CTAs fill the SMs: the mean over kernels, weighted by cycles. Nothing without a CTA.
  std::optional<double> waves;
  // The mean of the adaptive STHLD over intervals, or the fixed STHLD. Nothing if no module uses STHLD.
  std::optional<double> sthld_mean;
  // The hit ratio of the caches. Nothing without such a cache, or if the cache had no request.
  std::optional<double> l1_hit_ratio, l2_hit_ratio;
  // Cycles in which caches and DRAM queues kept a request waiting, by level and cause, summed over the
  // modules of a level. Empty without such levels.
  ByName<double> memory_stall_cycles;
  // Each such sum as a share of its modules' cycles.
  ByName<double> memory_stall_ratios;
  // The share of their cycles in which L1s, L2 slices and DRAM queues kept a request waiting. Nothing without
  // such levels.
  std::optional<double> l1_stall_ratio, l2_stall_ratio, dram_stall_ratio;
  // Counts without simulation (program/analysis/static_count.h), by name. If empty, there is no key.
  ByName<double> counts;
  std::map<std::string, std::uint64_t> unknown_opcodes;
  std::vector<std::string> notes;
  std::vector<std::string> cautions;  // names (cautions.h)
  std::uint64_t seed = 0;
  std::uint64_t start_cycle = 0;
  // With --seeds: the number of this run among the runs of its platform on its trace. Run 0 is the platform's
  // own run. The other runs have the platform's name in member_of.
  std::uint64_t member = 0;
  std::optional<std::string> member_of;
  // For a sampled run: its simulated part and its left-out part. The counts above are then of the simulated
  // part. ipc, read_hit_ratio and ratios to the first platform are estimates of the whole.
  std::optional<Sample> sample{};
  // For a sampled run: intervals of the ratios to the first platform, "ipc_normalised_low" and so on. If
  // empty, there is no key.
  ByName<double> sample_intervals{};
  ByName<double> spread;        // member 0's spread over all members (spread.h)
  double wall_seconds = 0;      // left out of identity checks
  ByName<std::uint64_t> own{};  // columns as in KernelResult
};

// One JSON object, indented. With `compact` it is on one line (a message between processes).
std::string to_json(const RunResult& result, bool compact = false);
// A list of such objects.
std::string to_json(const std::vector<RunResult>& results);
// Throws std::runtime_error (one line) if the text is no result. In a result, every key is there and has its
// form, and counts are whole numbers from 0.
RunResult run_result_from_json(const std::string& text);
// Reads a result, without per_kernel, that another version of the program may have saved. Keys that the text
// lacks because later versions have added them are appended to `missing`.
RunResult saved_run_result_from_json(const std::string& text, std::string& missing);
// Reads a list of results, each as run_result_from_json() does.
std::vector<RunResult> run_results_from_json(const std::string& text);

// One line about the first sum that does not add up in the result of a whole run, or an empty text. The sums
// are:
// * all instructions of the trace retired;
// * every operand was found in a cache or read from a bank;
// * the schedulers' states cover every cycle;
// * the energies of all events make up the total;
// * the kernels make up the run.
std::string imbalance(const RunResult& result);

// The value of ipc_busy, from the rest of the result.
std::optional<double> ipc_busy(const RunResult& result);
// The value of waves, from the rest of the result.
std::optional<double> waves(const RunResult& result);

// Makes the result one of a sampled run, which `sample` describes. Ratios become estimates of the whole, and
// notes say what was left out.
void take_sample(RunResult& result, Sample sample);

// Fills the values that are normalised against the first result's platform on the same trace, with the same
// seed and start if there are several. The values stay empty if that result is missing or zero. Energies stay
// empty, too, if none was counted.
void normalise(std::vector<RunResult>& results);

// Adds a note to every result on which the shipped tables disagree. By one table its energy is below that of
// the first platform on the same trace, and by another above, each by more than half a per cent. Removes such
// notes of an earlier comparison.
void note_disagreeing_presets(std::vector<RunResult>& results);

// The terminal table, with one block per trace, and a block of averages if every platform ran several traces.
// The table is at most `limit` columns of a terminal wide. Columns for wide tables and columns without room
// are then left out, and long names are shortened (text_width.h). `limit` 0 = no limit.
std::string comparison_table(const std::vector<RunResult>& results, std::size_t limit = 0);

// A table for the terminal, like comparison_table(): for sampled runs, the share that was simulated and the
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
