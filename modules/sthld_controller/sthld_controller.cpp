#include "subcore/modules/sthld_controller/sthld_controller.h"

#include "subcore/modules/control_registers/control_registers.h"
#include "subcore/modules/protocol/failure.h"

namespace subcore {

SthldController::SthldController(const sc_core::sc_module_name& name, unsigned sms, const SthldParameters& p,
                                 sc_core::sc_time cycle)
    : Module(name),
      control_socket("control_socket", sms),
      machine_(p.table, p.limits()),
      interval_(p.interval),
      intervals_(p.intervals),
      cycle_(cycle),
      kernel_intervals_(p.interval),
      between_cycles_(p.interval, cycle, 2),
      process_("decide", between_cycles_.event(), [this] { decide(); }) {}

// The machine's state, STHLD and its last decrement, the intervals of a hold, the reference IPC, and the
// counters of an interval's cycles and instructions.
void SthldController::inventory(Inventory& list) const {
  list.add("machine", HardwareKind::state, 1, 3 + 8 + 8 + 4 + 32);
  list.add("interval", HardwareKind::state, 2, 32);
}

void SthldController::start_of_simulation() {
  if (running_) between_cycles_.start();
}

void SthldController::stop() {
  running_ = false;
  between_cycles_.stop();
}

void SthldController::start() {
  running_ = true;
  if (sc_core::sc_get_status() < sc_core::SC_START_OF_SIMULATION) return;
  last_instructions_ = instructions_retired();
  kernel_intervals_.begin_run(sc_core::sc_time_stamp().value() / cycle_.value());
  between_cycles_.start();
}

std::uint64_t SthldController::instructions_retired() {
  std::uint64_t sum = 0;
  for (auto& sm : control_socket) sum += sm.read(control_register::instructions_retired);
  return sum;
}

// Instructions of the interval that ends now; nothing if the interval brings no decision.
std::optional<std::uint64_t> SthldController::of_interval() {
  if (intervals_ == SthldIntervals::kernel) return of_kernel_interval();
  const std::uint64_t before = last_instructions_;
  last_instructions_ = instructions_retired();
  return last_instructions_ - before;
}

std::optional<std::uint64_t> SthldController::of_kernel_interval() {
  std::vector<KernelIntervals::Sm> sms;
  for (auto& sm : control_socket)
    sms.push_back({sm.read(control_register::kernel_cycle), sm.read(control_register::kernel_instructions),
                   sm.read(control_register::ctas)});
  const KernelIntervals::Verdict verdict = kernel_intervals_.judge(between_cycles_.next_cycle(), sms);
  if (verdict.recount) between_cycles_.start(*verdict.recount);
  return verdict.instructions;
}

void SthldController::decide() {
  if (!running_ || !between_cycles_.due()) return;
  try {
    decide_now();
  } catch (const Failure&) {
    stop();
  }
}

void SthldController::decide_now() {
  const std::optional<std::uint64_t> instructions = of_interval();
  if (!instructions) return;
  const double ipc = static_cast<double>(*instructions) / interval_;
  const std::uint32_t sthld = machine_.interval(ipc);
  for (auto& sm : control_socket) sm.write(control_register::sthld, sthld);
  ++decisions_;
  sthld_sum_ += sthld;
}

void SthldController::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  g.derived("sthld_mean", "cycles", "mean over intervals of the STHLD that was set",
            [this] { return sthld_mean(); });
}

std::vector<Signal> SthldController::signals() {
  SignalList list;
  list.in("sthld")
      .activity([this](Cycle) -> std::uint64_t { return decisions_; })
      .number("sthld_state", 3, [this](Cycle) { return std::uint64_t{machine_.state()}; })
      .number("sthld_next", 16, [this](Cycle) { return std::uint64_t{machine_.sthld()}; })
      .per_cycle("sthld_decisions", 1, [this](Cycle) -> std::uint64_t { return decisions_; })
      .aside();
  return list;
}

}  // namespace subcore
