#include "subcore/model/statistics/result_columns.h"

#include <algorithm>
#include <stdexcept>

namespace subcore {
namespace {

// Puts columns behind the columns that they name.
template <class Wanted>
std::vector<const ResultColumn*> selection(const std::deque<ResultColumn>& columns, Wanted wanted) {
  std::vector<const ResultColumn*> chosen;
  for (const ResultColumn& c : columns) {
    if (!wanted(c)) continue;
    const auto before = std::find_if(chosen.begin(), chosen.end(), [&](const ResultColumn* other) {
      return !c.after.empty() && other->key == c.after;
    });
    chosen.insert(before == chosen.end() ? before : before + 1, &c);
  }
  return chosen;
}

}  // namespace

CounterSum ResultColumn::sum(const StatisticsGroup& root) const {
  return sum(root.find(statistic));
}

CounterSum ResultColumn::sum(const std::vector<const Statistic*>& counters) const {
  for (const Statistic* s : counters)
    if (s->unit != unit)
      throw std::logic_error("results column '" + key + "' sums " + unit + ", but a counter '" + s->name +
                             "' counts " + std::string(s->unit) +
                             "; expected one unit, or the name of its module before "
                             "that of the counter (arbiter.bank_reads)");
  return CounterSum(counters);
}

ResultColumns::ResultColumns() {
  using R = RunResult;
  using K = KernelResult;
  columns_ = {
      {"name", "", "", "", {}, &K::name},
      {"platform", "platform", "", "", &R::platform},
      {"machine", "machine", "", "", &R::machine, {}, "platform", true},
      {"system", "", "", "", &R::system},
      {"swept", "", "", "", OptionalTexts{&R::swept}},
      {"trace", "", "", "", &R::trace},
      {"cycles", "cycles", "cycles", "", &R::cycles, &K::cycles},
      {"instructions_retired", "", "instructions", "issue_scheduler.retired", &R::instructions_retired,
       &K::instructions_retired},
      {"ipc", "IPC", "instructions per cycle", "", &R::ipc},
      {"ipc_busy", "busy", "instructions per cycle", "", &R::ipc_busy, {}, "ipc_normalised", false, true},
      {"source_operands", "", "operands", "source_operands", &R::source_operands, &K::source_operands},
      {"cache_read_hits", "", "operands", "cache_read_hits", &R::cache_read_hits, &K::cache_read_hits},
      {"read_hit_ratio", "read hits", "%", "", &R::read_hit_ratio},
      {"bank_reads", "bank reads", "operands", "arbiter.bank_reads", &R::bank_reads, &K::bank_reads, "",
       true},
      {"bank_writes", "bank writes", "operands", "arbiter.bank_writes + arbiter.write_backs", &R::bank_writes,
       &K::bank_writes, "", true},
      {"cache_writes", "cache writes", "operands", "cache_writes", &R::cache_writes, &K::cache_writes, "",
       true},
      {"cache_writes_used", "", "operands", "cache_writes_used"},
      {"cache_writes_unused", "", "operands", "cache_writes_unused"},
      {"bank_read_wait_cycles", "", "cycles", "arbiter.bank_read_wait_cycles", &R::bank_read_wait_cycles},
      {"tensor_instructions", "", "instructions", "unit_tensor.instructions"},
      {"prefetches", "", "operands", "operand_cache.prefetches", &R::prefetches, &K::prefetches},
      {"accumulator_reads", "", "operands", "warpgroup_unit.accumulator_reads"},
      {"accumulator_writes", "", "operands", "warpgroup_unit.accumulator_writes"},
      {"bulk_copies", "", "copies", "copy_engine.copies"},
      {"bulk_bytes", "", "bytes", "copy_engine.bytes"},
      {"bulk_requests", "", "requests", "copy_engine.requests"},
      {"mbarrier_waits", "", "waits", "cta_dispatcher.mbarrier_waits"},
      {"incomplete_mbarriers", "", "waits", "cta_dispatcher.incomplete_mbarriers"},
      {"schedulers", "", "", "", &R::schedulers},
      {"scheduler_cycles", "", "cycles", "", &R::scheduler_cycles},
      {"stall_cycles", "", "cycles", "", &R::stall_cycles},
      {"collection_cycles", "", "cycles", "collection_cycles"},
      {"collection_operands_cycles", "", "cycles", "collection_operands_cycles"},
      {"collection_latch_cycles", "", "cycles", "collection_latch_cycles"},
      {"collection_dispatch_cycles", "", "cycles", "collection_dispatch_cycles"},
      {"collection_memory_cycles", "", "cycles", "collection_memory_cycles"},
      {"collection_other_cycles", "", "cycles", "collection_other_cycles"},
      {"execution_memory_cycles", "", "cycles", "execution_memory_cycles"},
      {"execution_other_cycles", "", "cycles", "execution_other_cycles"},
      {"window_cycles", "", "cycles", "window_cycles"},
      {"window_entry_cycles", "", "entry cycles", "window_entry_cycles"},
      {"dependences_raw", "", "dependences", "dependences_raw"},
      {"dependences_war_waw", "", "dependences", "dependences_war_waw"},
      {"dependences_stop", "", "dependences", "dependences_stop"},
      {"dependences_control", "", "dependences", "dependences_control"},
      {"dependences_order", "", "dependences", "dependences_order"},
      {"operand_storage_bytes", "", "bytes", "", &R::operand_storage_bytes},
      {"storage_bits",
       "stored bits",
       "bits",
       "",
       SumMembers{&R::storage_bits, &R::storage_bits_total},
       {},
       "",
       true,
       true},
      {"area_mm2", "area mm2", "mm2", "", SumMembers{&R::area_mm2, &R::area_total_mm2}, {}, "", true, true},
      {"leakage_mw",
       "leaks mW",
       "mW",
       "",
       SumMembers{&R::leakage_mw, &R::leakage_total_mw},
       {},
       "",
       true,
       true},
      {"area_normalised", "", "", "", &R::area_normalised},
      {"area_overhead", "area +", "+%", "", &R::area_overhead, {}, "", false, true},
      {"chip_area_ratio", "of chip", "%", "", &R::chip_area_ratio, {}, "", true, true},
      {"chip_area_overhead", "chip +", "+%", "", &R::chip_area_overhead, {}, "", true, true},
      {"energy_pj", "", "pJ", "", SumMembers{&R::energy_pj, &R::energy_total_pj}},
      {"energy_total_pj", "", "pJ", "", {}, &K::energy_total_pj},
      {"energy_by_preset_pj", "", "pJ", "", &R::energy_by_preset_pj},
      {"energy_normalised", "energy vs first", "", "", &R::energy_normalised},
      {"energy_by_preset_normalised", "", "", "", OptionalMembers{&R::energy_by_preset_normalised}},
      {"ipc_normalised", "vs first", "", "", &R::ipc_normalised, {}, "ipc"},
      {"operands_checked", "", "operands", "", &R::operands_checked},
      {"stale_operands", "", "operands", "", &R::stale_operands},
      {"instructions_traced", "", "instructions", "", &R::instructions_traced, &K::instructions_traced,
       "cycles"},
      {"kernels", "", "kernels", "", &R::kernels},
      {"ctas", "", "CTAs", "", &R::ctas, &K::ctas, "cycles"},
      {"ctas_at_once", "", "CTAs", "", {}, &K::ctas_at_once, "ctas"},
      {"per_kernel", "", "", "", &R::per_kernel},
      {"waves", "", "waves", "", &R::waves},
      {"sthld_mean", "", "cycles", "", &R::sthld_mean},
      {"sthld_decisions", "", "intervals", "sthld_controller.decisions"},
      {"l1_hit_ratio", "L1 hits", "%", "", &R::l1_hit_ratio, {}, "", false, true},
      {"l2_hit_ratio", "", "%", "", &R::l2_hit_ratio},
      {"memory_stall_cycles", "", "cycles", "", OptionalMembers{&R::memory_stall_cycles}},
      {"memory_stall_ratios", "", "", "", OptionalMembers{&R::memory_stall_ratios}},
      {"l1_stall_ratio", "L1 held", "%", "", &R::l1_stall_ratio, {}, "l1_hit_ratio", true, true},
      {"l2_stall_ratio", "L2 held", "%", "", &R::l2_stall_ratio, {}, "l1_stall_ratio", true, true},
      {"dram_stall_ratio", "", "%", "", &R::dram_stall_ratio},
      {"counts", "", "", "", OptionalMembers{&R::counts}},
      {"unknown_opcodes", "", "instructions", "", &R::unknown_opcodes},
      {"notes", "", "", "", &R::notes},
      {"cautions", "!", "", "", &R::cautions, {}, "platform"},
      {"seed", "", "", "", &R::seed},
      {"start_cycle", "", "cycles", "", &R::start_cycle},
      {"member", "", "", "", &R::member},
      {"member_of", "", "", "", &R::member_of},
      {"spread", "", "", "", OptionalMembers{&R::spread}},
      {"sample_intervals", "", "", "", OptionalMembers{&R::sample_intervals}},
      {"sample", "", "", "", &R::sample},
      {"wall_seconds", "", "seconds", "", &R::wall_seconds},
  };
}

ResultColumns& ResultColumns::add(ResultColumn column) {
  if (find(column.key) != nullptr)
    throw std::logic_error("'" + column.key + "' is a column of the results already");
  columns_.push_back(std::move(column));
  return *this;
}

const ResultColumn* ResultColumns::find(const std::string& key) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const ResultColumn& c) { return c.key == key; });
  return found == columns_.end() ? nullptr : &*found;
}

std::vector<const ResultColumn*> ResultColumns::of_kernels() const {
  return selection(columns_, [](const ResultColumn& c) { return c.is_own() || c.of_kernel.index() != 0; });
}

std::vector<const ResultColumn*> ResultColumns::of_table() const {
  return selection(columns_, [](const ResultColumn& c) { return !c.heading.empty(); });
}

ResultColumns& result_columns() {
  static ResultColumns columns;
  return columns;
}

ColumnSums::ColumnSums(const StatisticsGroup& root) {
  std::vector<const ResultColumn*> columns;
  std::vector<std::string> paths;
  for (const ResultColumn& c : result_columns().all()) {
    if (c.statistic.empty()) continue;
    columns.push_back(&c);
    paths.push_back(c.statistic);
  }
  const std::vector<std::vector<const Statistic*>> counters = root.find(paths);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (CounterSum sum = columns[c]->sum(counters[c]); sum.exists())
      sums_.emplace_back(columns[c], std::move(sum));
}

}  // namespace subcore
