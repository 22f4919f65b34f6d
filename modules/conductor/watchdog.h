// Watchdog: ends a run that makes no progress, with a report of who waits for whom.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <functional>

#include "subcore/modules/protocol/module.h"

namespace subcore {

class Watchdog final : public TickingModule {
 public:
  // `progress` grows whenever something is achieved; `report` writes what every module is waiting for.
  Watchdog(const sc_core::sc_module_name& name, Cycle patience, std::function<std::uint64_t()> progress,
           std::function<bool()> finished, std::function<void(std::ostream&)> report);
  // Ends a run without progress for `patience` cycles by an error with id "/subcore/watchdog", one line and
  // then the report.
  Cycle tick(Cycle now) override;
  // The model that is watched has been given more to do and begins with it in cycle `now` or later.
  void resume(Cycle now);
  // The model has finished: no further looks. Only from within a pass of this module's conductor.
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
