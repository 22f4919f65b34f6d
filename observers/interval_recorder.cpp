#include "subcore/observers/interval_recorder.h"

#include <algorithm>

#include "subcore/model/statistics/result_columns.h"

namespace subcore {

IntervalRecorder::IntervalRecorder(const sc_core::sc_module_name& name, Gpu& gpu,
                                   const StatisticsGroup& statistics, std::function<double()> energy_pj)
    : sc_module(name),
      gpu_(gpu),
      interval_(gpu.parameters().interval_cycles),
      retired_(result_columns().find("instructions_retired")->sum(statistics)),
      source_operands_(result_columns().find("source_operands")->sum(statistics)),
      cache_read_hits_(result_columns().find("cache_read_hits")->sum(statistics)),
      energy_pj_(std::move(energy_pj)),
      timer_("sample", gpu, interval_, [this] { add(last_.cycle + interval_); }) {
  last_.cycle = start_cycle();
  gpu.driver.on_run([this] { begin_run(); });
}

Cycle IntervalRecorder::start_cycle() const {
  return gpu_.driver.kernel_dispatcher.start_cycle();
}

void IntervalRecorder::begin_run() {
  if (sc_core::sc_get_status() < sc_core::SC_START_OF_SIMULATION) return;
  if (gpu_.finish_cycle() > last_.cycle) add(gpu_.finish_cycle());
  last_.cycle = std::max(gpu_.driver.conductor.now(), start_cycle());
}

IntervalRow IntervalRecorder::totals(Cycle cycle) const {
  IntervalRow now;
  now.cycle = cycle;
  now.instructions = retired_.value();
  now.source_operands = source_operands_.value();
  now.cache_read_hits = cache_read_hits_.value();
  if (energy_pj_) now.energy_pj = energy_pj_();
  return now;
}

IntervalRow IntervalRecorder::row_to(Cycle cycle) const {
  IntervalRow row = totals(cycle);
  row.instructions -= last_.instructions;
  row.source_operands -= last_.source_operands;
  row.cache_read_hits -= last_.cache_read_hits;
  row.energy_pj -= last_.energy_pj;
  row.cycle -= start_cycle();
  row.ipc = static_cast<double>(row.instructions) / static_cast<double>(cycle - last_.cycle);
  row.read_hit_ratio = row.source_operands == 0 ? 0.0
                                                : static_cast<double>(row.cache_read_hits) /
                                                      static_cast<double>(row.source_operands);
  const auto& controller = gpu_.sthld_controller;
  row.sthld = controller ? controller->machine().sthld() : gpu_.parameters().sthld.value;
  row.state = controller ? controller->machine().state() : 0;
  return row;
}

void IntervalRecorder::add(Cycle cycle) {
  rows_.push_back(row_to(cycle));
  last_ = totals(cycle);
}

std::vector<IntervalRow> IntervalRecorder::rows() const {
  std::vector<IntervalRow> rows = rows_;
  // The last, shorter interval.
  if (gpu_.finished() && gpu_.finish_cycle() > last_.cycle) rows.push_back(row_to(gpu_.finish_cycle()));
  return rows;
}

// Power in mW: pJ per ns.
double IntervalRecorder::power() const {
  return rows_.empty() ? 0.0
                       : rows_.back().energy_pj /
                             (gpu_.parameters().interval_cycles * gpu_.parameters().clock_period_ns);
}

std::vector<Signal> IntervalRecorder::signals() const {
  const auto last = [this](double IntervalRow::*value) {
    return [this, value](Cycle) { return rows_.empty() ? 0.0 : rows_.back().*value; };
  };
  SignalList list("interval_");
  list.key([this](Cycle) { return rows_.size(); }).real("ipc", last(&IntervalRow::ipc));
  const SubCoreParameters& sub_core = gpu_.parameters().sub_core;
  if (sub_core.collector.kind->searches_tags() || sub_core.operand_cache.exists())
    list.real("hits", last(&IntervalRow::read_hit_ratio));
  if (energy_pj_) list.real("power", [this](Cycle) { return power(); });
  return list;
}

}  // namespace subcore
