#include "scenarios/simulation.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <new>
#include <sstream>

#include "model/trace/line_source.h"
#include "modules/conductor/between_cycles.h"
#include "platforms/config/storage.h"
#include "scenarios/wall_guard.h"

namespace subcore {

// Samples the totals between two cycles, every interval: rows of intervals.csv.
class Simulation::IntervalRecorder : public sc_core::sc_module {
 public:
  IntervalRecorder(const sc_core::sc_module_name& name, Simulation& simulation)
      : sc_module(name),
        simulation_(simulation),
        retired_(sum("instructions_retired")),
        source_operands_(sum("source_operands")),
        cache_read_hits_(sum("cache_read_hits")),
        between_cycles_(simulation.parameters_.interval_cycles, simulation.gpu_->period()),
        process_("sample", between_cycles_.event(), [this] { sample(); }) {}
  // The last, shorter interval.
  void close(Cycle end) {
    if (end > last_.cycle) add(end);
  }
  const std::vector<IntervalRow>& rows() const { return rows_; }
  // What the last interval that has ended was like.
  std::vector<Signal> signals() const {
    const auto last = [this](double IntervalRow::*value) {
      return [this, value](Cycle) { return rows_.empty() ? 0.0 : rows_.back().*value; };
    };
    SignalList list("interval_");
    list.key([this](Cycle) { return rows_.size(); })
        .real("ipc", last(&IntervalRow::ipc))
        .real("hits", last(&IntervalRow::read_hit_ratio));
    if (simulation_.parameters_.energy.monitors) list.real("power", [this](Cycle) { return power(); });
    return list;
  }

 private:
  CounterSum sum(const char* column) const {
    return result_columns().find(column)->sum(simulation_.statistics_);
  }
  void start_of_simulation() override { between_cycles_.start(); }
  void sample() {
    if (simulation_.gpu_->finished() || !between_cycles_.due()) return;
    add(last_.cycle + simulation_.parameters_.interval_cycles);
  }
  // In mW: pJ per ns.
  double power() const {
    return rows_.empty() ? 0.0
                         : rows_.back().energy_pj / (simulation_.parameters_.interval_cycles *
                                                     simulation_.parameters_.clock_period_ns);
  }
  void add(Cycle cycle) {
    const Gpu& gpu = *simulation_.gpu_;
    IntervalRow now;
    now.cycle = cycle;
    now.instructions = retired_.value();
    now.source_operands = source_operands_.value();
    now.cache_read_hits = cache_read_hits_.value();
    now.energy_pj = simulation_.energy_pj();
    IntervalRow row = now;
    row.instructions -= last_.instructions;
    row.source_operands -= last_.source_operands;
    row.cache_read_hits -= last_.cache_read_hits;
    row.energy_pj -= last_.energy_pj;
    row.ipc = static_cast<double>(row.instructions) / static_cast<double>(cycle - last_.cycle);
    row.read_hit_ratio = row.source_operands == 0 ? 0.0
                                                  : static_cast<double>(row.cache_read_hits) /
                                                        static_cast<double>(row.source_operands);
    row.sthld = gpu.sthld_controller ? gpu.sthld_controller->machine().sthld() : gpu.parameters().sthld.value;
    row.state = gpu.sthld_controller ? gpu.sthld_controller->machine().state() : 0;
    rows_.push_back(row);
    last_ = now;
  }

  Simulation& simulation_;
  CounterSum retired_, source_operands_, cache_read_hits_;
  BetweenCycles between_cycles_;
  MethodProcess process_;
  IntervalRow last_;  // running totals
  std::vector<IntervalRow> rows_;
};

Simulation::Simulation(const PlatformParameters& parameters, const TraceProgram& program,
                       const std::optional<WaveformOptions>& waveform,
                       const std::optional<PipelineFileOptions>& pipeline)
    : parameters_(parameters), program_(program) {
  gpu_ = std::make_unique<Gpu>("gpu", parameters_);
  gpu_->run(program_);
  gpu_->register_statistics(statistics_);
  sums_ = ColumnSums(statistics_);
  if (parameters_.energy.monitors) power_ = attach_monitors(*gpu_);
  intervals_ = std::make_unique<IntervalRecorder>("intervals", *this);
  kernels_ = std::make_unique<KernelRecorder>("kernels", gpu_->driver, [this] { return totals(); });
  if (waveform) {
    waveform_ = std::make_unique<Waveform>(gpu_->driver.conductor, *waveform);
    waveform_->add(*gpu_);
    waveform_->add(gpu_->name(), "interval", intervals_->signals());
    waveform_->begin();
  }
  if (pipeline) pipeline_ = std::make_unique<PipelineFile>(*gpu_, *pipeline);
}

Simulation::~Simulation() = default;

// For another thread than the simulation's.
std::string Simulation::lost_report() const {
  const Conductor& conductor = gpu_->driver.conductor;
  const TickingModule* module = conductor.ticking();
  return "platform " + parameters_.name + " on trace " + program_.name + ": no cycle has ended in " +
         std::to_string(parameters_.checks.watchdog_seconds) + " s of wall time (checks.watchdog_seconds): " +
         (module != nullptr ? std::string(module->name()) + " is in its tick of cycle "
                            : std::string("no module is in a tick; the last was of cycle ")) +
         std::to_string(conductor.last_cycle());
}

void Simulation::simulate(double slice_cycles, const std::function<bool(double)>& go_on,
                          const std::function<void(const std::string&)>& lost) {
  const sc_core::sc_time slice = gpu_->period() * slice_cycles;
  // A kernel is profiled within one tick, however long it is. Who is told of progress may take his time, too.
  std::atomic<bool> telling{false};
  std::uint64_t looks = 0;
  const WallGuard guard(
      lost ? parameters_.checks.watchdog_seconds : 0,
      [&] {
        looks += telling ? 1 : 0;
        return gpu_->driver.conductor.cycles_ended() + LineSource::blocks_read() + looks;
      },
      [&] { lost(lost_report()); });
  try {
    while (!gpu_->finished()) {
      sc_core::sc_start(slice);
      if (!gpu_->finished() && !sc_core::sc_pending_activity()) {
        throw SimulationError(with_report("nothing is left to happen in cycle " +
                                          std::to_string(gpu_->driver.conductor.now()) +
                                          ", but the trace has not finished; who waits for whom is below"));
      }
      telling = true;
      if (!go_on(gpu_->driver.kernel_dispatcher.progress())) return;
      telling = false;
    }
    // Write-backs that nobody waits for may still be on their way, to the register banks or the DRAM.
    while (!gpu_->leftovers().empty() && sc_core::sc_pending_activity()) sc_core::sc_start(slice);
  } catch (const sc_core::sc_report& report) {
    const std::string kind = report.get_msg_type();
    if (waveform_ && kind == "/subcore/stale_operand")
      waveform_->close_failed(gpu_->driver.conductor.last_cycle());
    if (kind == "/subcore/trace") throw TraceError(report.get_msg());
    // A collector does not know which file its instruction came from.
    if (kind == "/subcore/slots") {
      const auto& file = program_.kernels[gpu_->driver.kernel_dispatcher.kernels_started() - 1];
      throw TraceError(file.string() + ": " + report.get_msg());
    }
    if (std::strstr(report.get_msg(), "std::bad_alloc") != nullptr)
      throw std::bad_alloc();  // SystemC wraps it
    throw SimulationError(report.get_msg());
  }
}

Cycle Simulation::look(PipelineReader& reader, const PipelineWindow& window,
                       const std::function<bool()>& enough,
                       const std::function<void(const std::string&)>& lost) {
  look_ = std::make_unique<PipelineRecorder>(reader, window);
  look_->watch(*gpu_);
  const auto go_on = [&](double) { return !look_->over() && !enough(); };
  simulate(1000.0, go_on, lost);  // short steps: it may take no more than a few
  const Cycle end = gpu_->finished() ? gpu_->finish_cycle() : gpu_->driver.conductor.now();
  look_->close(end);
  return std::min(end, window.to);
}

RunResult Simulation::run(const std::function<void(double)>& progress,
                          const std::function<void(const std::string&)>& lost) {
  const auto begin = std::chrono::steady_clock::now();
  // Slices only so that progress can be shown.
  simulate(
      50000.0,
      [&](double share) {
        if (progress) progress(share);
        return true;
      },
      lost);
  intervals_->close(gpu_->finish_cycle());
  if (waveform_) waveform_->close(gpu_->finish_cycle());
  if (pipeline_) pipeline_->close(gpu_->finish_cycle());
  const std::vector<std::string> left = gpu_->leftovers();
  if (!left.empty()) {
    std::string names;
    for (const std::string& l : left) names += "\n" + l + ": something is left over";
    throw SimulationError(with_report("the run ended in cycle " + std::to_string(gpu_->finish_cycle()) +
                                      " with something left over in " + std::to_string(left.size()) +
                                      " modules; what they wait for is below" + names));
  }
  wall_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  RunResult r = result();
  std::string wrong = imbalance(r);
  if (wrong.empty() && power_) wrong = power_->imbalance();
  if (wrong.empty() && profiler_) {
    profile_ = profiler_->profile(r);
    wrong = imbalance(*profile_);
  }
  if (!wrong.empty()) throw SimulationError("the run does not add up: " + wrong);
  return r;
}

// One line for everybody, then the table for whoever looks for the cause.
std::string Simulation::with_report(const std::string& line) {
  std::ostringstream text;
  text << line << '\n';
  gpu_->report_waiting(text);
  return text.str();
}

KernelResult Simulation::totals() const {
  KernelResult t;
  sums_.read(t);
  t.energy_total_pj = energy_pj();
  return t;
}

RunResult Simulation::result() const {
  RunResult r;
  sums_.read(r);
  r.platform = parameters_.name;
  r.trace = program_.name;
  r.cycles = gpu_->finish_cycle();
  r.instructions_traced = gpu_->driver.kernel_dispatcher.instructions_sent();
  r.kernels = gpu_->driver.kernel_dispatcher.kernels_started();
  r.ctas = gpu_->driver.kernel_dispatcher.ctas_sent();
  r.per_kernel = kernels_->close();
  r.ipc = r.cycles == 0 ? 0.0 : static_cast<double>(r.instructions_retired) / static_cast<double>(r.cycles);
  for (const auto& state : IssueScheduler::states) r.scheduler_cycles.emplace_back(state.name, 0);
  for (std::size_t n = 0; n < scheduler_cause_count; ++n)
    r.stall_cycles.emplace_back(stall_causes[n].name, 0);
  for (const auto& sm : gpu_->sms) {
    r.operands_checked += sm.check().checked();
    r.stale_operands += sm.check().stale();
    for (const auto& s : sm.sub_cores) {
      ++r.schedulers;
      const auto& spent = s.scheduler.counters().cycles;
      for (std::size_t n = 0; n < spent.size(); ++n) r.scheduler_cycles[n].second += spent[n];
      for (std::size_t n = 0; n < scheduler_cause_count; ++n)
        r.stall_cycles[n].second += s.scheduler.counters().cycles_with(stall_causes[n].cause);
    }
  }
  if (gpu_->sthld_controller)
    r.sthld_mean = gpu_->sthld_controller->sthld_mean();
  else if (parameters_.sub_core.collector.allocation->waits())
    r.sthld_mean = parameters_.sthld.value;
  r.l1_hit_ratio = gpu_->memory->l1_hit_ratio();
  r.l2_hit_ratio = gpu_->memory->l2_hit_ratio();
  r.operand_storage_bytes = operand_storage_bytes(parameters_);
  r.read_hit_ratio = r.source_operands == 0
                         ? 0.0
                         : static_cast<double>(r.cache_read_hits) / static_cast<double>(r.source_operands);
  if (power_) {
    Energy energy = power_->energy();
    r.energy_pj = std::move(energy.by_event_pj);
    r.energy_total_pj = energy.total_pj;
    r.energy_by_preset_pj = std::move(energy.by_preset_pj);
    r.notes = std::move(energy.notes);
  }
  // Versions cannot show this: each is right, but not of every lane.
  if (const std::uint64_t incomplete_hits = statistics_.sum("incomplete_hits"); incomplete_hits != 0)
    r.notes.push_back("partial_write ignore: " + std::to_string(incomplete_hits) + " of " +
                      std::to_string(r.cache_read_hits) + " hits without all the lanes that were read");
  r.unknown_opcodes = gpu_->driver.kernel_dispatcher.unknown_opcodes();
  if (!program_.selection.empty()) r.notes.push_back("only " + program_.selection);
  for (const std::string& c : program_.skipped_commands)
    r.notes.push_back("kernelslist.g: skipped command " + c);
  r.seed = parameters_.seed;
  r.wall_seconds = wall_seconds_;
  return r;
}

std::string Simulation::statistics_json_text() {
  return statistics_json(statistics_);
}
std::string Simulation::statistics_csv_text() {
  return statistics_csv(statistics_);
}
std::string Simulation::intervals_csv_text() const {
  return intervals_csv(intervals_->rows());
}
std::string Simulation::power_csv_text() const {
  return power_ ? power_->csv() : PowerMonitors::csv_header;
}

}  // namespace subcore
