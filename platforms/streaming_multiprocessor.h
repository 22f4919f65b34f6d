// StreamingMultiprocessor: sub-cores, the shared load/store unit, the copy engine if there is one, the CTA
// dispatcher and the control port, under one conductor. Three sockets are open to the outside.
#pragma once

#include <memory>

#include "subcore/model/policy/cta_room.h"
#include "subcore/modules/control_registers/control_registers.h"
#include "subcore/modules/copy_engine/copy_engine.h"
#include "subcore/modules/cta_dispatcher/cta_dispatcher.h"
#include "subcore/modules/load_store_unit/load_store_unit.h"
#include "subcore/platforms/sub_core.h"

namespace subcore {

// The room that CTAs have in one SM.
CtaRoom::Capacity cta_capacity(const PlatformParameters& parameters);

class StreamingMultiprocessor : public sc_core::sc_module {
 public:
  // `index`: the SM's number in the GPU. `hooks`: modules of the user's own inside the sub-cores. The
  // simulation's time resolution must divide the clock period. With sthld.mode adaptive, a controller
  // (SthldController, or the user's own) must be bound to control_socket. If none is bound at the end of
  // elaboration, that is an error with id "/subcore/sthld".
  StreamingMultiprocessor(const sc_core::sc_module_name& name, unsigned index,
                          const PlatformParameters& parameters, const SubCoreHooks& hooks = {});

  // The three sockets: cta_dispatcher.cta_socket, load_store.memory_socket and control.control_socket.
  InPort<CtaTransfer>& cta_socket() { return cta_dispatcher.cta_socket; }
  InitiatorSocket<>& memory_socket() { return load_store.memory_socket; }
  auto& control_socket() { return control.control_socket; }

  std::vector<Module*> modules();  // the modules outside the sub-cores
  // Registers a group for each module in `group`, and for each sub-core a group with its modules.
  void register_statistics(StatisticsGroup& group);
  // Names of modules that are not empty, and of counters that do not balance. Empty: everything that was sent
  // has arrived.
  std::vector<std::string> leftovers();
  // Writes which module waits for what, one line each.
  void report_waiting(std::ostream& out);
  // Ends the run. The module that sends the CTAs calls: the last CTA has finished in cycle `end`, in which
  // the schedulers' counts of cycles are to end.
  void end_run(Cycle end);
  std::uint64_t instructions_retired() const;
  // Whether an error has been reported (modules/protocol/failure.h). From then on nothing happens in this SM.
  bool failed() const { return conductor.failed(); }
  const OperandCheck& check() const { return check_; }

 private:
  void end_of_elaboration() override;
  void bind_copy_engine();

  OperandCheck check_;
  bool sthld_is_adaptive_;
  CounterSum source_operands_, cache_read_hits_;  // for the control registers, if a controller reads them

 public:
  Conductor conductor;
  sc_core::sc_vector<SubCore> sub_cores;
  LoadStoreUnit load_store;
  std::unique_ptr<CopyEngine> copy_engine;  // null on machines without bulk copies
  CtaDispatcher cta_dispatcher;
  ControlRegisters control;
};

}  // namespace subcore
