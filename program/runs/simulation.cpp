#include "subcore/program/runs/simulation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>

#include "subcore/model/policy/cta_room.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/modules/protocol/report_ids.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/program/runs/gpu_hook.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/wall_guard.h"

namespace subcore {
namespace {

// The keys to raise if a kernel cannot run for lack of room; empty if it cannot run for another reason. The
// module that reports the error knows no keys of a platform file.
std::string keys_to_raise(const PlatformParameters& parameters, const std::filesystem::path& kernel) {
  try {
    const KernelReader reader(kernel, {});
    const KernelHeader& h = reader.header();
    const CtaNeeds needs = cta_needs(h.warps_per_cta(), h.registers_per_thread, h.shared_memory_bytes);
    const CtaRoom::Capacity room = cta_capacity(parameters);
    std::string keys;
    const auto add = [&](bool lacks, const char* key) {
      if (lacks) keys += (keys.empty() ? "" : " and ") + std::string(key);
    };
    add(needs.warps > room.warps, "sub_core.warp_slots");
    add(needs.registers > room.registers, "sm.registers");
    add(needs.shared_memory_bytes > room.shared_memory_bytes, "sm.shared_memory_kilobytes");
    return keys;
  } catch (const TraceError&) {
    return {};
  }
}

}  // namespace

Simulation::Simulation(const PlatformParameters& parameters, const std::optional<WaveformOptions>& waveform,
                       const std::optional<PipelineFileOptions>& pipeline)
    : parameters_(parameters) {
  gpu_ = std::make_unique<Gpu>("gpu", parameters_);
  call_gpu_hook(*gpu_);  // before observers ask which modules there are
  recorder_ = std::make_unique<RunRecorder>("recorder", *gpu_);
  if (waveform) {
    waveform_ = std::make_unique<Waveform>(gpu_->driver.conductor, *waveform);
    waveform_->add(*gpu_);
    waveform_->add(gpu_->name(), "interval", recorder_->signals());
    waveform_->begin();
  }
  if (pipeline) pipeline_ = std::make_unique<PipelineFile>(*gpu_, *pipeline);
}

Simulation::~Simulation() = default;

// Another thread than the simulation's calls this function.
std::string Simulation::lost_report() const {
  const Conductor& conductor = gpu_->driver.conductor;
  const TickingModule* module = conductor.ticking();
  return "platform " + parameters_.name + " on trace " + program_.name + ": no cycle has ended in " +
         std::to_string(parameters_.checks.watchdog_seconds) + " s of wall time (checks.watchdog_seconds): " +
         (module != nullptr ? std::string(module->name()) + " is in its tick of cycle "
                            : std::string("no module is in a tick; the last was of cycle ")) +
         std::to_string(conductor.last_cycle());
}

void Simulation::simulate(const TraceProgram& program, double slice_cycles,
                          const std::function<bool(double)>& go_on,
                          const std::function<void(const std::string&)>& lost) {
  program_ = program;
  gpu_->run(program_);
  const sc_core::sc_time slice = gpu_->period() * slice_cycles;
  // A kernel is profiled within one tick, however long the kernel is. The function that is told of progress
  // may be slow, too.
  std::atomic<bool> telling{false};
  std::uint64_t looks = 0;
  const WallGuard guard(
      lost ? parameters_.checks.watchdog_seconds : 0,
      [&] {
        looks += telling ? 1 : 0;
        return gpu_->driver.conductor.cycles_ended() + LineSource::blocks_read() + looks;
      },
      [&] {
        const std::string report = lost_report();
        close_partial_views(report);
        lost(report);
      });
  try {
    while (!gpu_->finished()) {
      sc_core::sc_start(slice);
      if (!gpu_->finished() && !sc_core::sc_pending_activity()) {
        throw SimulationError(
            with_waiting("nothing is left to do in cycle " + std::to_string(gpu_->driver.conductor.now()) +
                             ", but the trace has not finished; who waits for whom is below",
                         *gpu_));
      }
      telling = true;
      if (!go_on(gpu_->driver.kernel_dispatcher.progress())) return;
      telling = false;
    }
    // Write-backs that no instruction waits for may still be on their way, to the register banks or the DRAM.
    while (!gpu_->leftovers().empty() && sc_core::sc_pending_activity()) sc_core::sc_start(slice);
  } catch (const sc_core::sc_report& report) {
    const std::string_view id = report.get_msg_type();
    if (waveform_ && id == report_id::stale_operand)
      waveform_->close_failed(gpu_->driver.conductor.last_cycle());
    const auto kernel = [&] {
      return program_.kernels[gpu_->driver.kernel_dispatcher.kernels_started() - 1];
    };
    if (id == report_id::trace) {
      const std::string keys = keys_to_raise(parameters_, kernel());
      throw TraceError(report.get_msg() + (keys.empty() ? std::string() : ", or more by raising " + keys));
    }
    // A collector does not know the file of its instruction.
    if (id == report_id::slots) throw TraceError(kernel().string() + ": " + report.get_msg());
    if (std::strstr(report.get_msg(), "std::bad_alloc") != nullptr)
      throw std::bad_alloc();  // SystemC wraps the exception
    throw SimulationError(report.get_msg());
  }
}

Cycle Simulation::look(const TraceProgram& program, PipelineReader& reader, const PipelineWindow& window,
                       const std::function<bool()>& enough,
                       const std::function<void(const std::string&)>& lost) {
  look_ = std::make_unique<PipelineRecorder>(reader, window);
  look_->watch(*gpu_);
  const auto go_on = [&](double) { return !look_->over() && !enough(); };
  simulate(program, 1000.0, go_on, lost);  // short steps, because the reader may want only a few cycles
  const Cycle end = gpu_->finished() ? gpu_->finish_cycle() : gpu_->driver.conductor.now();
  look_->close(end);
  return std::min(end, window.to);
}

Cycle Simulation::close_look() {
  const Cycle end = gpu_->driver.conductor.last_cycle();
  try {
    look_->close(end);
    return end;
  } catch (const std::exception&) {  // no instruction was in the window yet
    return 0;
  }
}

// Drops its own errors, so that they do not hide why the run failed.
void Simulation::close_partial_views(const std::string& reason) {
  try {
    if (waveform_) waveform_->close_partial(reason.substr(0, reason.find('\n')));
  } catch (const std::exception&) {
  }
  try {
    if (pipeline_) pipeline_->close_partial(gpu_->driver.conductor.now());
  } catch (const std::exception&) {
  }
}

std::string Simulation::partial_profile_json_text(const std::string& reason) {
  const RunResult so_far = recorder_->result();
  if (!profiler_ || so_far.cycles == 0) return {};
  RunProfile profile = profiler_->profile(so_far);
  profile.partial = reason.substr(0, reason.find('\n'));
  return to_json(profile);
}

std::string reason_of(const std::exception& e) {
  return dynamic_cast<const std::bad_alloc*>(&e) != nullptr ? "out of memory" : e.what();
}

RunResult Simulation::run(const TraceProgram& program, const std::function<void(double)>& progress,
                          const std::function<void(const std::string&)>& lost) {
  const auto begin = std::chrono::steady_clock::now();
  // Slices serve two purposes: progress can be shown, and the run ends soon when it is asked to.
  constexpr double slice = 2000;
  constexpr unsigned slices_told = 25;
  unsigned slices = 0;
  const auto go_on = [&](double share) {
    throw_if_interrupted();
    if (progress && slices++ % slices_told == 0) progress(share);
    return true;
  };
  try {
    simulate(program, slice, go_on, lost);
  } catch (const std::exception& e) {
    close_partial_views(reason_of(e));
    throw;
  }
  if (waveform_) waveform_->close(gpu_->finish_cycle());
  if (pipeline_) pipeline_->close(gpu_->finish_cycle());
  if (const std::string problem = recorder_->problem(); !problem.empty()) throw SimulationError(problem);
  RunResult r = recorder_->result();
  r.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (profiler_) {
    profile_ = profiler_->profile(r);
    if (const std::string wrong = imbalance(*profile_); !wrong.empty())
      throw SimulationError("the run does not add up: " + wrong);
  }
  return r;
}

}  // namespace subcore
