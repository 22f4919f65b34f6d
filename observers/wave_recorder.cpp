#include "subcore/observers/wave_recorder.h"

namespace subcore {

WaveRecorder::WaveRecorder(const sc_core::sc_module_name& name, TraceDriver& driver,
                           std::function<SampleAmounts()> totals)
    : sc_module(name),
      driver_(driver),
      totals_(std::move(totals)),
      between_cycles_(1, driver.conductor.period()),
      process_("read", between_cycles_.event(), [this] { read(); }) {
  start_.cycles = static_cast<double>(driver.kernel_dispatcher.start_cycle());
  driver_.kernel_dispatcher.on_wave([this] { happened(Event::wave_sent); });
  driver_.kernel_dispatcher.on_kernel_end([this](const std::string&) {
    if (!driver_.kernel_dispatcher.program().parts.empty()) happened(Event::kernel_ended);
  });
}

void WaveRecorder::happened(Event event) {
  events_.emplace_back(event, driver_.conductor.now());
  between_cycles_.start();
}

void WaveRecorder::read() {
  if (!between_cycles_.due()) return;
  between_cycles_.stop();
  SampleAmounts now = totals_();
  for (const auto& [event, cycle] : events_) {
    now.cycles = static_cast<double>(cycle);
    if (event == Event::wave_sent) {
      if (wave_start_) waves_.push_back(now - *wave_start_);
      wave_start_ = now;
    } else {
      kernels_.push_back({now - start_, std::move(waves_)});
      waves_.clear();
      start_ = now;
      wave_start_.reset();
    }
  }
  events_.clear();
}

// As in KernelRecorder, the last kernel gets everything that is counted after its end.
std::vector<WaveRecorder::Kernel> WaveRecorder::kernels() const {
  std::vector<Kernel> all = kernels_;
  if (all.empty() || !driver_.finished()) return all;
  SampleAmounts now = totals_();
  now.cycles = start_.cycles;
  all.back().all = all.back().all + (now - start_);
  return all;
}

}  // namespace subcore
