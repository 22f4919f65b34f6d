// RunRecorder: results of a GPU in a simulation of one's own: everything that the program writes of a run,
// and how far it has got.
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

// `line`, and below it a table of who waits for whom.
std::string with_waiting(const std::string& line, Gpu& gpu);

// A GPU has a recorder of its own. The recorder may be destroyed before its GPU, or after it: then there is
// nothing more to ask it, and what is asked throws std::logic_error.
class RunRecorder : public sc_core::sc_module {
 public:
  // With energy.monitors, monitors are attached. Columns of one's own are added to result_columns() before
  // (model/statistics/result_columns.h). Throws ConfigError for an energy table.
  RunRecorder(const sc_core::sc_module_name& name, Gpu& gpu);
  ~RunRecorder() override;

  // The result of all runs since time 0, up to now. Its cycles include those between runs, but not those
  // before gpu.start_cycle. A kernel that has not ended is not among per_kernel.
  RunResult result() const;
  // After a run of a program with parts, all of whose kernels the sample has: fills in what was simulated of
  // each, and its measured waves.
  void fill(Sample& sample) const;
  // The result as the program writes it (--json). In it, only wall_seconds depends on the machine.
  std::string json() const;
  // Once all runs have finished: what is left over somewhere, or does not add up, in a line, for the former
  // with who waits for whom below. Empty if all is well.
  std::string problem() const;

  // Texts of the files of a results folder.
  std::string statistics_json_text() const;
  std::string statistics_csv_text() const;
  std::string intervals_csv_text() const;
  std::string power_csv_text() const;

  // Null with energy.monitors false.
  const PowerMonitors* power() const;
  // Signals of the last interval, for a waveform.
  std::vector<Signal> signals() const;

  // How far a simulation has come.
  struct Progress {
    double share;  // the share of the current run's kernel files read, 0..1
    std::uint64_t instructions;
    Cycle cycle;
  };
  Progress progress() const;
  // While a run is under way, calls `f` every `cycles` of it, where no module is in the middle of a cycle.
  void on_progress(Cycle cycles, std::function<void(const Progress&)> f);

 private:
  struct State;
  void start_of_simulation() override;
  State& state() const;
  std::shared_ptr<std::unique_ptr<State>> state_;  // the GPU has it, too, and empties it at its end
};

}  // namespace subcore
