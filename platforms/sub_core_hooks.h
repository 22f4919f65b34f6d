// Hooks that put a user's own modules into a sub-core. While a sub-core is put together, it calls a hook in
// place of making a module itself. A hook for a path binds the two ports that it is given, directly or
// through modules of its own.
//
// A module that a hook returns belongs to the sub-core from then on. A TickingModule is ticked. The module
// takes part in statistics, in the checks at the end of a run and in the watchdog's report. A hook may also
// return nothing and keep its modules elsewhere.
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
  unsigned sub_core;           // number of the sub-core in the SM
  unsigned index;              // number of the collector or bank in the sub-core
};

struct SubCoreHooks {
  // Makes a collector with `new` and with this name. The collector belongs to the sub-core, which binds it.
  // Without this hook, or if it returns null, the sub-core makes one of the platform's kind. The kind also
  // decides which results come to the collector, and whether it has port D.
  std::function<OperandPath*(const SubCoreSite&, const char* name, const CollectorParameters&,
                             const CollectorSite&)>
      collector;
  // Binds the path of complete instructions, with a credit backward for each. Without this hook the two ports
  // are bound to each other. A bypassing collector may have several instructions under way, any other
  // collector one.
  std::function<std::unique_ptr<Module>(const SubCoreSite&, OutPort<DispatchTransfer>& collector,
                                        InPort<DispatchTransfer>& dispatch_scheduler)>
      dispatch_path;
  // Makes a register bank, which answers a read on the crossbar's port, then or later. The answer's stamp is
  // the first cycle in which the operand may be used. Without this hook the sub-core makes a RegisterBank.
  // modules/register_bank/bank_bridge.h is such a bank.
  std::function<std::unique_ptr<Module>(const SubCoreSite&, OutPort<OperandTransfer>& arbiter,
                                        InPort<OperandTransfer>& crossbar)>
      register_bank;
};

}  // namespace subcore
