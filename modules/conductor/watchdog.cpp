#include "subcore/modules/conductor/watchdog.h"

#include <sstream>

#include "subcore/modules/protocol/failure.h"

namespace subcore {

Watchdog::Watchdog(const sc_core::sc_module_name& name, Cycle patience,
                   std::function<std::uint64_t()> progress, std::function<bool()> finished,
                   std::function<void(std::ostream&)> report)
    : TickingModule(name),
      patience_(patience),
      progress_(std::move(progress)),
      finished_(std::move(finished)),
      report_(std::move(report)) {}

Cycle Watchdog::tick(Cycle now) {
  if (finished_()) return never;
  if (now < next_) return next_;
  const std::uint64_t progress = progress_();
  if (progress == seen_) {
    std::ostringstream text;
    text << "no progress in " << patience_ << " cycles, until cycle " << now
         << "; expected an instruction to retire; who waits for whom is below\n";
    report_(text);
    fail(report_id::watchdog, text.str());
  }
  seen_ = progress;
  next_ = now + patience_;
  return next_;
}

void Watchdog::resume(Cycle now) {
  seen_ = progress_();
  next_ = now + patience_;
  wake(next_);
}

}  // namespace subcore
