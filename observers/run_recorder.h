// RunRecorder: gives a simulation of a user's own everything that the program writes about a run, and its
// progress.
//
//   subcore::RunRecorder recorder("recorder", gpu);   // before the simulation starts
//   gpu.run(trace);                                   // or a host launches kernels
//   sc_start();
//   if (const std::string p = recorder.problem(); !p.empty()) ...
//   std::ofstream("results.json") << recorder.json();
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "subcore/model/sampling/sample.h"
#include "subcore/model/statistics/results.h"
#include "subcore/platforms/gpu.h"
#include "subcore/power/power_monitors.h"

namespace subcore {

// `line`, followed by a table of which part waits for which.
std::string with_waiting(const std::string& line, Gpu& gpu);

// Each GPU has its own recorder. The recorder may be destroyed before or after its GPU. Once the GPU is gone,
// every question to the recorder throws std::logic_error.
class RunRecorder : public sc_core::sc_module {
 public:
  // With energy.monitors, attaches monitors. A user's own columns must be added to result_columns() before
  // (model/statistics/result_columns.h). Throws ConfigError for an energy table.
  RunRecorder(const sc_core::sc_module_name& name, Gpu& gpu);
  ~RunRecorder() override;

  // The result of all runs since time 0, up to now. Its cycles include those between runs, but not those
  // before gpu.start_cycle. per_kernel has only kernels that have ended.
  RunResult result() const;
  // To be called after a run of a program with parts. `sample` has all kernels of the program. Fills in how
  // much of each kernel was simulated, and its measured waves.
  void fill(Sample& sample) const;
  // The result as the program writes it (--json). Only wall_seconds in it depends on the machine.
  std::string json() const;
  // To be called when all runs have finished: a line that says what is left in a queue or does not add up, or
  // an empty text. Below a line about leftovers stands a table of which part waits for which.
  std::string problem() const;

  // Texts for the files of a results folder.
  std::string statistics_json_text() const;
  std::string statistics_csv_text() const;
  std::string intervals_csv_text() const;
  std::string power_csv_text() const;

  // Null if energy.monitors is false.
  const PowerMonitors* power() const;
  // Signals of the last interval, for a waveform.
  std::vector<Signal> signals() const;

  // The progress of a simulation.
  struct Progress {
    double share;  // share of the current run's kernel files that has been read, 0..1
    std::uint64_t instructions;
    Cycle cycle;
  };
  Progress progress() const;
  // While a run is under way, calls `f` every `cycles` cycles, at a time when no module is in the middle of a
  // cycle.
  void on_progress(Cycle cycles, std::function<void(const Progress&)> f);

 private:
  struct State;
  void start_of_simulation() override;
  State& state() const;
  std::shared_ptr<std::unique_ptr<State>> state_;  // shared with the GPU, which empties it at its own end
};

}  // namespace subcore
