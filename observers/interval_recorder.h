// IntervalRecorder: records the work of a GPU interval by interval, for the rows of intervals.csv.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/observers/run_timer.h"

namespace subcore {

// Samples the totals every interval_cycles of the platform, between two cycles. An interval also ends with a
// run. Counts between that end and the next run belong to the interval that ended.
class IntervalRecorder : public sc_core::sc_module {
 public:
  // `statistics` are the GPU's. `energy_pj` gives the energy so far, and is empty if no monitor counts it.
  IntervalRecorder(const sc_core::sc_module_name& name, Gpu& gpu, const StatisticsGroup& statistics,
                   std::function<double()> energy_pj);

  // The intervals that have ended.
  std::vector<IntervalRow> rows() const;
  // Signals of the last interval that has ended.
  std::vector<Signal> signals() const;

 private:
  void start_of_simulation() override { timer_.start(); }
  void begin_run();
  Cycle start_cycle() const;
  double power() const;
  IntervalRow row_to(Cycle cycle) const;
  IntervalRow totals(Cycle cycle) const;
  void add(Cycle cycle);

  Gpu& gpu_;
  Cycle interval_;
  CounterSum retired_, source_operands_, cache_read_hits_;
  std::function<double()> energy_pj_;
  IntervalRow last_;  // running totals; `cycle` counts from time 0
  std::vector<IntervalRow> rows_;
  RunTimer timer_;
};

}  // namespace subcore
