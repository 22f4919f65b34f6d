#include "subcore/modules/operand_path/collector_choice.h"

#include "subcore/modules/arbiter/arbiter.h"
#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"

namespace subcore {

std::unique_ptr<Arbiter> CollectorChoice::make_arbiter(const RegisterFileParameters& file,
                                                       const ArbiterPorts& ports, const BankMap& map,
                                                       std::unique_ptr<ResultSteering> steering,
                                                       bool whole_writes) const {
  return std::make_unique<Arbiter>("arbiter", file, ports, map, std::move(steering), whole_writes);
}

std::unique_ptr<DispatchScheduler> CollectorChoice::make_dispatch(const DispatchParameters& dispatch,
                                                                  unsigned collectors,
                                                                  unsigned load_store_queue) const {
  return std::make_unique<DispatchScheduler>("dispatch_scheduler", dispatch.order, collectors,
                                             load_store_queue);
}

}  // namespace subcore
