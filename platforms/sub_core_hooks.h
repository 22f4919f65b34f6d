// Hooks that put a user's own modules into a sub-core. A hook is called, while the sub-core is being put
// together, in place of what it would do there itself. One for a path binds the two ports it is given,
// directly or through modules of its own. A module that it returns belongs to the sub-core from then on: it
// is ticked if it is a TickingModule, and takes part in statistics, end-of-run checks and the watchdog's
// report. It may also return nothing and keep its modules elsewhere.
#pragma once

#include <functional>
#include <memory>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/operand_path/collector_choice.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

// The place of a module that the user makes.
struct SubCoreSite {
  const Conductor& conductor;  // the SM's conductor, for the current cycle and the clock period
  unsigned sub_core;           // in the SM
  unsigned index;              // the number of the collector or bank in the sub-core
};

struct SubCoreHooks {
  // A collector, else (or for a null) one of the platform's kind. By `new` and with this name; it belongs to
  // the sub-core, which binds it. Which results come to it, and whether it has port D, is still the kind's.
  std::function<OperandPath*(const SubCoreSite&, const char* name, const CollectorParameters&,
                             const CollectorSite&)>
      collector;
  // The path of complete instructions, with a credit backward for each; else the two are bound to each other.
  // A bypassing collector may have several under way, any other one.
  std::function<std::unique_ptr<Module>(const SubCoreSite&, OutPort<DispatchTransfer>& collector,
                                        InPort<DispatchTransfer>& dispatch_scheduler)>
      dispatch_path;
  // A register bank, else a RegisterBank. A read answers on the crossbar's port, then or later; its stamp is
  // the first cycle in which the operand may be used. modules/register_bank/bank_bridge.h is one.
  std::function<std::unique_ptr<Module>(const SubCoreSite&, OutPort<OperandTransfer>& arbiter,
                                        InPort<OperandTransfer>& crossbar)>
      register_bank;
};

}  // namespace subcore
