// Dispatch where nothing has to be chosen: each unit takes the instruction that has waited longest for it,
// whatever others take in that cycle.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"

namespace subcore {

class PerUnitDispatch final : public DispatchScheduler {
 public:
  using DispatchScheduler::DispatchScheduler;
  Cycle tick(Cycle now) override;
};

}  // namespace subcore
