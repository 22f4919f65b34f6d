// One platform, and then one trace that runs on it: the smallest program around the model. SystemC elaborates
// once per process, so there is one Simulation per process; one that has not begun can be forked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "subcore/observers/pipeline_file.h"
#include "subcore/observers/profiler.h"
#include "subcore/observers/run_recorder.h"
#include "subcore/observers/waveform.h"
#include "subcore/platforms/gpu.h"

namespace subcore {

// A run that ended wrongly: a stale operand, something left in a queue, sums that do not add up, no progress.
// what() is one line that says so, for some of them followed by a table of who waits for whom.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The failure in words, for what is kept of the run.
std::string reason_of(const std::exception& failure);

class Simulation {
 public:
  explicit Simulation(const PlatformParameters& parameters,
                      const std::optional<WaveformOptions>& waveform = {},
                      const std::optional<PipelineFileOptions>& pipeline = {});
  ~Simulation();

  // The GPU, for more observers, which come before run().
  Gpu& gpu() { return *gpu_; }
  // Called before run(), which will then make a profile.
  void observe_profile() { profiler_.emplace(*gpu_); }

  // Runs to the end of the trace. If that fails, waveform and pipeline view are closed up to there.
  // `progress` is called now and then with the share done, 0..1. Throws SimulationError, TraceError or
  // ConfigError. `lost`, if given, is called from another thread, with what is to be said, when the run has
  // been stuck for checks.watchdog_seconds and cannot be made to throw.
  RunResult run(const TraceProgram& program, const std::function<void(double)>& progress = {},
                const std::function<void(const std::string&)>& lost = {});

  // Instead of run(), of which it throws what is thrown before the end: tells `reader` of the lives of
  // instructions until it has `enough`, or the trace has ended. Returns the last cycle.
  Cycle look(const TraceProgram& program, PipelineReader& reader, const PipelineWindow& window,
             const std::function<bool()>& enough, const std::function<void(const std::string&)>& lost = {});

  // After look() has thrown: ends what the reader is told there. Returns the last cycle; 0 if there was none.
  Cycle close_look();

  // After run(): files for the results folder, of the whole run and of its profile.
  const RunRecorder& recorder() const { return *recorder_; }
  std::string profile_json_text() const { return to_json(*profile_); }
  // After run() has thrown: the profile up to the failure; empty if no cycle had passed.
  std::string partial_profile_json_text(const std::string& reason);

 private:
  // Simulates up to the end of the trace in steps of `slice` cycles, which the model does not see. Before
  // each, go_on(share done) may end it.
  void simulate(const TraceProgram& program, double slice, const std::function<bool(double)>& go_on,
                const std::function<void(const std::string&)>& lost);
  std::string lost_report() const;
  void close_partial_views(const std::string& reason);

  PlatformParameters parameters_;
  TraceProgram program_;
  std::unique_ptr<Gpu> gpu_;
  std::unique_ptr<RunRecorder> recorder_;
  std::unique_ptr<Waveform> waveform_;
  std::unique_ptr<PipelineFile> pipeline_;
  std::unique_ptr<PipelineRecorder> look_;
  std::optional<Profiler> profiler_;
  std::optional<RunProfile> profile_;
};

}  // namespace subcore
