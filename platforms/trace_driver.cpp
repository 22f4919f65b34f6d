#include "subcore/platforms/trace_driver.h"

#include <ostream>

#include "subcore/model/statistics/result_columns.h"
#include "subcore/modules/protocol/failure.h"
#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

TraceDriver::TraceDriver(const sc_core::sc_module_name& name, const PlatformParameters& p,
                         std::vector<StreamingMultiprocessor*> sms)
    : sc_module(name),
      conductor("conductor", clock_period(p.clock_period_ns), p.tick_order, p.seed),
      kernel_dispatcher("kernel_dispatcher", static_cast<unsigned>(sms.size()), cta_capacity(p),
                        p.operands.options, p.pass_options(), p.gpu.kernel_launch_cycles, p.gpu.cta_dispatch,
                        1, p.gpu.start_cycle),
      launch_registers(
          "launch_registers",
          {[this] { return kernel_dispatcher.kernels_loaded(); }, [this] { return instructions_retired(); },
           [this] { return source_operands_.value(); }, [this] { return cache_read_hits_.value(); },
           [this] { return !leftovers().empty(); }},
          conductor),
      sms_(std::move(sms)),
      finish_event_("finish_event"),
      watchdog_(
          "watchdog", p.checks.watchdog_cycles + p.gpu.kernel_launch_cycles + p.gpu.start_cycle,
          [this] { return progress(); }, [this] { return finished(); },
          [this](std::ostream& out) { report_waiting(out); }) {
  for (StreamingMultiprocessor* sm : sms_) {
    sm->conductor.on_failure([this] { conductor.stop(); });
    conductor.on_failure([sm] { sm->conductor.stop(); });
  }
  for (unsigned i = 0; i < sms_.size(); ++i) kernel_dispatcher.cta_socket[i].bind(sms_[i]->cta_socket());
  launch_registers.launch_socket.bind(kernel_dispatcher.launch_socket[0]);
  conductor.add(kernel_dispatcher);
  conductor.add(watchdog_);
  kernel_dispatcher.on_run([this] {
    if (sc_core::sc_get_status() >= sc_core::SC_START_OF_SIMULATION) watchdog_.resume(conductor.now());
  });
  kernel_dispatcher.on_finish([this] {
    finish_cycle_ = conductor.now();
    for (StreamingMultiprocessor* sm : sms_) sm->end_run(finish_cycle_);
    watchdog_.rest();
    finish_event_.notify(sc_core::SC_ZERO_TIME);
  });
}

void TraceDriver::run(const TraceProgram& program) {
  if (!failed()) {
    try {
      return kernel_dispatcher.run(program);
    } catch (const Failure&) {  // an on_run function failed
      return conductor.stop();
    }
  }
  SC_REPORT_ERROR(report_id::run, (std::string(name()) + ": run() with " + program.name +
                                   " after an error; expected a model that has not failed()")
                                      .c_str());
}

void TraceDriver::end_of_elaboration() {
  if (!launch_registers.control_socket.is_bound()) return;
  StatisticsGroup all;
  for (StreamingMultiprocessor* sm : sms_) sm->register_statistics(all.group(sm->name()));
  source_operands_ = result_columns().find("source_operands")->sum(all);
  cache_read_hits_ = result_columns().find("cache_read_hits")->sum(all);
}

std::uint64_t TraceDriver::instructions_retired() const {
  std::uint64_t sum = 0;
  for (const StreamingMultiprocessor* sm : sms_) sum += sm->instructions_retired();
  return sum;
}

std::uint64_t TraceDriver::progress() const {
  std::uint64_t sum = instructions_retired() + kernel_dispatcher.ctas_sent();
  for (const StreamingMultiprocessor* sm : sms_) sum += sm->load_store.requests_served();
  for (const Module* m : others_) sum += m->requests_served();
  return sum;
}

std::vector<std::string> TraceDriver::leftovers() {
  std::vector<std::string> left;
  if (failed()) left.emplace_back("failed: the model has reported an error");
  if (!kernel_dispatcher.drained()) left.emplace_back(kernel_dispatcher.name());
  for (StreamingMultiprocessor* sm : sms_) {
    for (std::string& l : sm->leftovers()) left.push_back(std::move(l));
  }
  if (!launch_registers.drained()) left.emplace_back(launch_registers.name());
  for (Module* m : others_) {
    if (!m->drained()) left.emplace_back(m->name());
  }
  if (instructions_retired() != kernel_dispatcher.instructions_sent()) left.emplace_back("retired != traced");
  return left;
}

void TraceDriver::report_waiting(std::ostream& out) {
  kernel_dispatcher.report_waiting(out);
  launch_registers.report_waiting(out);
  for (StreamingMultiprocessor* sm : sms_) sm->report_waiting(out);
  for (Module* m : others_) m->report_waiting(out);
}

}  // namespace subcore
