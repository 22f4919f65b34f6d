// Watchdog: ends a run that makes no progress, with a report of which module waits for what.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>

#include "subcore/modules/protocol/module.h"

namespace subcore {

class Watchdog final : public TickingModule {
 public:
  // `progress` returns a number that grows whenever something is achieved. `report` writes what every module
  // waits for.
  Watchdog(const sc_core::sc_module_name& name, Cycle patience, std::function<std::uint64_t()> progress,
           std::function<bool()> finished, std::function<void(std::ostream&)> report);
  // If a run makes no progress for `patience` cycles, ends it by an error with id "/subcore/watchdog": one
  // line, and then the report.
  Cycle tick(Cycle now) override;
  // Says that the watched model has got more to do and begins with it in cycle `now` or later.
  void resume(Cycle now);
  // Says that the model has finished: the watchdog looks no more. Only from within a pass of this module's
  // conductor.
  void rest() { sleep(); }

 private:
  Cycle patience_;
  std::function<std::uint64_t()> progress_;
  std::function<bool()> finished_;
  std::function<void(std::ostream&)> report_;
  std::uint64_t seen_ = ~std::uint64_t{0};
  Cycle next_ = 0;
};

}  // namespace subcore
