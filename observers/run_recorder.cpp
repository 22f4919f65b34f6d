#include "subcore/observers/run_recorder.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "subcore/base/spelling.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/model/statistics/statistics.h"
#include "subcore/observers/interval_recorder.h"
#include "subcore/observers/kernel_recorder.h"
#include "subcore/observers/wave_recorder.h"

namespace subcore {

std::string with_waiting(const std::string& line, Gpu& gpu) {
  std::ostringstream text;
  text << line << '\n';
  gpu.report_waiting(text);
  return text.str();
}

struct RunRecorder::State {
  using Clock = std::chrono::steady_clock;

  explicit State(Gpu& g);
  double energy_pj() const { return power ? power->total_pj() : 0; }
  KernelResult totals() const;
  SampleAmounts amounts() const;
  void begin_run();
  RunResult result() const;
  void count_schedulers(RunResult& r) const;
  void register_result();
  void count_memory_stalls(RunResult& r) const;
  Progress progress() const;

  Gpu& gpu;
  std::shared_ptr<PowerMonitors> power;
  StatisticsGroup statistics{"root"};
  ColumnSums sums;
  std::optional<IntervalRecorder> intervals;
  std::optional<KernelRecorder> kernels;
  std::optional<WaveRecorder> sampled;
  std::deque<RunTimer> timers;  // timers of progress
  std::vector<std::string> traces, notes;
  Clock::time_point begin = Clock::now();
  std::optional<Clock::time_point> end;
};

RunRecorder::State::State(Gpu& g) : gpu(g) {
  gpu.register_statistics(statistics);
  sums = ColumnSums(statistics);
  if (gpu.parameters().energy.monitors) power = attach_monitors(gpu);
  intervals.emplace("intervals", gpu, statistics,
                    power ? [this] { return power->total_pj(); } : std::function<double()>());
  kernels.emplace("kernels", gpu.driver, [this] { return totals(); });
  sampled.emplace("waves", gpu.driver, [this] { return amounts(); });
  gpu.driver.on_run([this] { begin_run(); });
  gpu.driver.on_finish([this] { end = Clock::now(); });
  if (!gpu.finished()) begin_run();
  register_result();
}

// Registers the run's cautions, and the statistics of the whole run that are no sums of counters.
void RunRecorder::State::register_result() {
  StatisticsGroup& g = statistics.group("result");
  const auto add = [&](const std::string& name, const char* unit, const std::string& meaning,
                       std::function<double(const RunResult&)> value) {
    g.derived(name, unit, meaning, [this, value = std::move(value)] { return value(result()); });
  };
  add("ipc", "instructions per cycle", "of the whole GPU", [](const RunResult& r) { return r.ipc; });
  add("ipc_busy", "instructions per cycle", "IPC over the cycles in which schedulers had a warp",
      [](const RunResult& r) { return r.ipc_busy.value_or(0); });
  add("waves", "waves",
      "number of times that a kernel's CTAs fill the SMs: the mean over kernels, weighted by cycles",
      [](const RunResult& r) { return r.waves.value_or(0); });
  for (const CautionLine& line : caution_lines)
    if (!is_of_comparison(line.caution))
      add("caution_" + std::string(line.name), "", "1: " + std::string(line.words),
          [&line](const RunResult& r) {
            const std::vector<Caution> all = cautions_of_run(r);
            return std::find(all.begin(), all.end(), line.caution) == all.end() ? 0.0 : 1.0;
          });
}

// "control bits of some kernels and near bits were made from the trace, not by a compiler", or an empty text.
std::string made_up_bits(const KernelDispatcher& dispatcher) {
  std::vector<std::string> words;
  const auto& kernels = dispatcher.made_up_bits();
  for (std::size_t n = 0; n < compiler_bits_count; ++n)
    if (kernels[n] != 0)
      words.push_back(std::string(names(CompilerBits{})[n]) +
                      (kernels[n] < dispatcher.kernels_started() ? " of some kernels" : ""));
  return words.empty() ? "" : listed(words, " and ") + " were made from the trace, not by a compiler";
}

KernelResult RunRecorder::State::totals() const {
  KernelResult t;
  sums.read(t);
  t.energy_total_pj = energy_pj();
  return t;
}

SampleAmounts RunRecorder::State::amounts() const {
  KernelResult t;
  sums.read(t);
  SampleAmounts a;
  a.instructions = static_cast<double>(t.instructions_retired);
  a.source_operands = static_cast<double>(t.source_operands);
  a.cache_read_hits = static_cast<double>(t.cache_read_hits);
  if (!power) return a;
  Energy energy = power->energy();
  a.energy_pj = energy.total_pj;
  a.energy_by_preset_pj = std::move(energy.by_preset_pj);
  return a;
}

// A trace may be run several times.
void RunRecorder::State::begin_run() {
  const auto add = [](std::vector<std::string>& to, const std::string& text) {
    if (std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
  };
  end.reset();
  const TraceProgram& program = gpu.driver.kernel_dispatcher.program();
  add(traces, program.name);
  if (!program.selection.empty()) add(notes, "only " + program.selection);
  for (const std::string& c : program.skipped_commands) add(notes, "kernelslist.g: skipped command " + c);
}

void RunRecorder::State::count_schedulers(RunResult& r) const {
  for (const auto& s : issue_states) r.scheduler_cycles.emplace_back(s.name, 0);
  for (std::size_t n = 0; n < scheduler_cause_count; ++n)
    r.stall_cycles.emplace_back(stall_causes[n].name, 0);
  for (const auto& sm : gpu.sms) {
    r.operands_checked += sm.check().checked();
    r.stale_operands += sm.check().stale();
    for (const auto& s : sm.sub_cores) {
      ++r.schedulers;
      const auto& spent = s.scheduler.counters().cycles.by_state;
      for (std::size_t n = 0; n < spent.size(); ++n) r.scheduler_cycles[n].second += spent[n];
      for (std::size_t n = 0; n < scheduler_cause_count; ++n)
        r.stall_cycles[n].second += s.scheduler.counters().cycles.with(stall_causes[n].cause);
    }
  }
}

void RunRecorder::State::count_memory_stalls(RunResult& r) const {
  const Memory::Stalls stalls = gpu.memory->stalls();
  const auto share = [&](const std::string& level, std::uint64_t queues) -> std::optional<double> {
    if (queues == 0 || r.cycles == 0) return std::nullopt;
    std::uint64_t sum = 0;
    const double all = static_cast<double>(r.cycles) * static_cast<double>(queues);
    for (const auto& [cause, cycles] : stalls.cycles) {
      if (cause.compare(0, level.size(), level) != 0) continue;
      r.memory_stall_cycles.emplace_back(cause, static_cast<double>(cycles));
      r.memory_stall_ratios.emplace_back(cause, static_cast<double>(cycles) / all);
      sum += cycles;
    }
    return static_cast<double>(sum) / all;
  };
  r.l1_stall_ratio = share("l1_", stalls.l1s);
  r.l2_stall_ratio = share("l2_", stalls.l2_slices);
  r.dram_stall_ratio = share("dram_", stalls.dram_queues);
}

RunResult RunRecorder::State::result() const {
  const PlatformParameters& p = gpu.parameters();
  const KernelDispatcher& dispatcher = gpu.driver.kernel_dispatcher;
  RunResult r;
  sums.read(r);
  r.platform = p.name;
  r.machine = p.machine;
  r.system = p.system();
  for (const std::string& t : traces) r.trace += (r.trace.empty() ? "" : "+") + t;
  const Cycle start = dispatcher.start_cycle();
  r.cycles = gpu.cycles_run();
  r.instructions_traced = dispatcher.instructions_sent();
  r.kernels = dispatcher.kernels_started();
  r.ctas = dispatcher.ctas_sent();
  r.per_kernel = kernels->kernels();
  r.ipc = r.cycles == 0 ? 0.0 : static_cast<double>(r.instructions_retired) / static_cast<double>(r.cycles);
  count_schedulers(r);
  r.ipc_busy = ipc_busy(r);
  r.waves = waves(r);
  if (gpu.sthld_controller)
    r.sthld_mean = gpu.sthld_controller->sthld_mean();
  else if (p.sub_core.collector.allocation->waits())
    r.sthld_mean = p.sthld.value;
  r.l1_hit_ratio = gpu.memory->l1_hit_ratio();
  r.l2_hit_ratio = gpu.memory->l2_hit_ratio();
  count_memory_stalls(r);
  r.operand_storage_bytes = p.operand_storage_bytes();
  r.read_hit_ratio = r.source_operands == 0
                         ? 0.0
                         : static_cast<double>(r.cache_read_hits) / static_cast<double>(r.source_operands);
  if (power) {
    Energy energy = power->energy();
    r.energy_pj = std::move(energy.by_event_pj);
    r.energy_total_pj = energy.total_pj;
    r.energy_by_preset_pj = std::move(energy.by_preset_pj);
    r.notes = std::move(energy.notes);
    Hardware hardware = power->hardware();
    for (std::size_t n = 0; n < hardware.parts.size(); ++n) {
      const HardwarePart& part = hardware.parts[n];
      if (part.kind != HardwareKind::crosspoint)
        r.storage_bits.emplace_back(part.name, static_cast<double>(part.all_bits()));
      if (!hardware.costs[n].known) continue;
      r.area_mm2.emplace_back(part.name, hardware.costs[n].area_mm2);
      r.leakage_mw.emplace_back(part.name, hardware.costs[n].leakage_mw);
    }
    r.storage_bits_total = hardware.storage_bits;
    r.area_total_mm2 = hardware.area_mm2;
    r.leakage_total_mw = hardware.leakage_mw;
    r.chip_area_ratio = hardware.chip_share;
    r.notes.insert(r.notes.end(), hardware.notes.begin(), hardware.notes.end());
  }
  // A check of versions cannot find such hits: each version is right, but some lanes are missing.
  if (const std::uint64_t incomplete_hits = statistics.sum("incomplete_hits"); incomplete_hits != 0)
    r.notes.push_back("partial_write ignore: " + std::to_string(incomplete_hits) + " of " +
                      std::to_string(r.cache_read_hits) + " hits lacked some of the lanes that were read");
  if (const std::uint64_t incomplete = value_of(r.own, "incomplete_mbarriers").value_or(0); incomplete != 0)
    r.notes.push_back(std::to_string(incomplete) + " of " +
                      std::to_string(value_of(r.own, "mbarrier_waits").value_or(0)) +
                      " waits at mbarriers were ended: every warp of the CTA waited, and no line of the "
                      "trace completes the phase");
  if (const std::string made_up = made_up_bits(dispatcher); !made_up.empty()) r.notes.push_back(made_up);
  const unsigned code = dispatcher.binary_version(), units = p.sub_core.execution.units().architecture;
  if (code != 0 && architecture_of(code) != architecture_of(units))
    r.notes.push_back("code of binary version " + std::to_string(code) + " on units of " +
                      (units == 0 ? "Turing or older" : "sm_" + std::to_string(units)));
  r.unknown_opcodes = dispatcher.unknown_opcodes();
  r.notes.insert(r.notes.end(), notes.begin(), notes.end());
  if (p.passes.near_bits.asks_order())
    r.notes.emplace_back("near bits are the limit for the order of issue of a first run with trained bits");
  if (p.passes.near_bits.knows_the_future()) r.cautions.emplace_back(line_of(Caution::limit).name);
  take_own_cautions(r);
  r.seed = p.seed;
  r.start_cycle = start;
  r.wall_seconds = std::chrono::duration<double>(end.value_or(Clock::now()) - begin).count();
  return r;
}

RunRecorder::Progress RunRecorder::State::progress() const {
  return {gpu.driver.kernel_dispatcher.progress(), gpu.instructions_retired(), gpu.driver.conductor.now()};
}

RunRecorder::RunRecorder(const sc_core::sc_module_name& name, Gpu& gpu)
    : sc_module(name), state_(std::make_shared<std::unique_ptr<State>>(std::make_unique<State>(gpu))) {
  gpu.keep(state_, [s = state_.get()] { s->reset(); });
}

RunRecorder::~RunRecorder() = default;

RunRecorder::State& RunRecorder::state() const {
  if (!*state_) throw std::logic_error(std::string(name()) + ": its GPU has been destroyed");
  return **state_;
}

void RunRecorder::start_of_simulation() {
  if (!*state_) return;
  state().begin = State::Clock::now();
  for (RunTimer& t : state().timers) t.start();
}

RunResult RunRecorder::result() const {
  return state().result();
}

void RunRecorder::fill(Sample& sample) const {
  const std::vector<WaveRecorder::Kernel> kernels = state().sampled->kernels();
  if (kernels.size() != sample.kernels.size())
    throw std::logic_error(std::string(name()) + ": " + std::to_string(kernels.size()) +
                           " kernels have run; expected the sample's " +
                           std::to_string(sample.kernels.size()));
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    SampledKernel& to = sample.kernels[k];
    to.simulated = kernels[k].all;
    const auto& waves = kernels[k].waves;
    to.waves.assign(
        waves.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(to.warm_up_waves, waves.size())),
        waves.end());
  }
}

std::string RunRecorder::json() const {
  return to_json(result());
}

std::string RunRecorder::problem() const {
  Gpu& gpu = state().gpu;
  if (const std::vector<std::string> left = gpu.leftovers(); !left.empty()) {
    std::string names;
    for (const std::string& l : left) names += "\n" + l + ": work is left over";
    return with_waiting("the run ended in cycle " + std::to_string(gpu.finish_cycle()) +
                            " with work left over in " + std::to_string(left.size()) +
                            " modules; who waits for whom is below" + names,
                        gpu);
  }
  std::string wrong = imbalance(result());
  if (wrong.empty()) wrong = unequal_sum(state().statistics);
  if (wrong.empty() && power() != nullptr) wrong = power()->imbalance();
  return wrong.empty() ? "" : "the run does not add up: " + wrong;
}

std::string RunRecorder::statistics_json_text() const {
  return statistics_json(state().statistics);
}
std::string RunRecorder::statistics_csv_text() const {
  return statistics_csv(state().statistics);
}
std::string RunRecorder::intervals_csv_text() const {
  return intervals_csv(state().intervals->rows());
}
std::string RunRecorder::power_csv_text() const {
  return power() != nullptr ? power()->csv() : PowerMonitors::csv_header;
}
const PowerMonitors* RunRecorder::power() const {
  return state().power.get();
}
std::vector<Signal> RunRecorder::signals() const {
  return state().intervals->signals();
}

RunRecorder::Progress RunRecorder::progress() const {
  return state().progress();
}

void RunRecorder::on_progress(Cycle cycles, std::function<void(const Progress&)> f) {
  State& s = state();
  const std::string process = std::string(basename()) + "_progress_" + std::to_string(s.timers.size());
  s.timers.emplace_back(process.c_str(), s.gpu, cycles, [&s, f = std::move(f)] { f(s.progress()); });
}

}  // namespace subcore
