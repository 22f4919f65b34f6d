// One platform, and then one trace that runs on it: the smallest program around the model. SystemC elaborates
// once per process, so there is one Simulation per process. A Simulation that has not begun can be forked.
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

// A run that ended wrongly: by a stale operand, a queue that is not empty, sums that do not add up, or no
// progress. Its `what()` is one line that says so. For some causes a table follows of which module waits for
// what.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The failure in words, for the files that are kept of the run.
std::string reason_of(const std::exception& failure);

class Simulation {
 public:
  explicit Simulation(const PlatformParameters& parameters,
                      const std::optional<WaveformOptions>& waveform = {},
                      const std::optional<PipelineFileOptions>& pipeline = {});
  ~Simulation();

  // The GPU, to which more observers may be attached before run().
  Gpu& gpu() { return *gpu_; }
  // To be called before run(), which then makes a profile.
  void observe_profile() { profiler_.emplace(*gpu_); }

  // Runs to the end of the trace. If the run fails, waveform and pipeline view are closed at the failure.
  // `progress` is called now and then with the share done, 0 to 1. Throws SimulationError, TraceError or
  // ConfigError.
  //
  // The run may be stuck for checks.watchdog_seconds and unable to throw. Then `lost`, if given, is called
  // from another thread, with the text of the error.
  RunResult run(const TraceProgram& program, const std::function<void(double)>& progress = {},
                const std::function<void(const std::string&)>& lost = {});

  // Takes the place of run(), and throws what run() throws before the end. Tells `reader` of the lives of
  // instructions until it has `enough`, or until the trace has ended. Returns the last cycle.
  Cycle look(const TraceProgram& program, PipelineReader& reader, const PipelineWindow& window,
             const std::function<bool()>& enough, const std::function<void(const std::string&)>& lost = {});

  // After look() has thrown: ends what `reader` is told. Returns the last cycle; 0 if there was none.
  Cycle close_look();

  // After run(): the recorder, which has the files of the whole run and of its profile.
  const RunRecorder& recorder() const { return *recorder_; }
  std::string profile_json_text() const { return to_json(*profile_); }
  // After run() has thrown: the profile up to the failure; empty if no cycle had passed.
  std::string partial_profile_json_text(const std::string& reason);

 private:
  // Simulates up to the end of the trace in steps of `slice` cycles, which the model does not see. Before
  // each step, go_on(share done) may end the simulation.
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
