#include "modules/sthld_controller/sthld_controller.h"

#include "modules/control_registers/control_registers.h"
#include "modules/protocol/failure.h"

namespace subcore {

SthldController::SthldController(const sc_core::sc_module_name& name, unsigned sms, const SthldParameters& p,
                                 sc_core::sc_time cycle)
    : Module(name),
      control_socket("control_socket", sms),
      machine_(p.table, p.limits()),
      interval_(p.interval),
      intervals_(p.intervals),
      cycle_(cycle),
      between_cycles_(p.interval, cycle, 2),
      process_("decide", between_cycles_.event(), [this] { decide(); }) {}

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
  started_ = sc_core::sc_time_stamp().value() / cycle_.value();
  between_cycles_.start();
}

std::uint64_t SthldController::instructions_retired() {
  std::uint64_t sum = 0;
  for (auto& sm : control_socket) sum += sm.read(control_register::instructions_retired);
  return sum;
}

// With intervals of kernels: whether none has ended now. A kernel that has begun since the last call drops
// the interval that was under way, and is met here at the latest when its first interval ends.
bool SthldController::is_within_interval(std::uint64_t instructions) {
  Cycle latest = never;  // the SMs that the last kernel has no CTA for still have an earlier one
  std::uint64_t retired = 0;
  for (auto& sm : control_socket) {
    const Cycle kernel = sm.read(control_register::kernel_cycle);
    if (kernel == never || kernel < started_ || (latest != never && kernel < latest)) continue;
    if (kernel != latest) retired = 0;
    latest = kernel;
    retired += sm.read(control_register::kernel_instructions);
  }
  if (latest == never) return true;
  if (latest == kernel_) return false;
  kernel_ = latest;
  last_instructions_ = instructions - retired;
  if (between_cycles_.is_first_from(kernel_)) return false;
  between_cycles_.start(kernel_);
  return true;
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
  const std::uint64_t instructions = instructions_retired();
  if (intervals_ == SthldIntervals::kernel && is_within_interval(instructions)) return;
  const double ipc = static_cast<double>(instructions - last_instructions_) / interval_;
  last_instructions_ = instructions;
  const std::uint32_t sthld = machine_.interval(ipc);
  for (auto& sm : control_socket) sm.write(control_register::sthld, sthld);
  ++decisions_;
  sthld_sum_ += sthld;
}

void SthldController::register_statistics(StatisticsGroup& g) {
  Module::register_statistics(g);
  g.derived("sthld_mean", "cycles", "mean STHLD set, over intervals", [this] { return sthld_mean(); });
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
