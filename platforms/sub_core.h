// SubCore: one sub-core of an SM, with all its modules and the sockets between them (docs/design.md).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>

#include "subcore/modules/arbiter/arbiter.h"
#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/crossbar/crossbar.h"
#include "subcore/modules/dispatch_scheduler/dispatch_scheduler.h"
#include "subcore/modules/execution_unit/execution_unit.h"
#include "subcore/modules/issue_scheduler/issue_scheduler.h"
#include "subcore/modules/operand_cache/operand_cache.h"
#include "subcore/modules/operand_path/operand_path.h"
#include "subcore/modules/register_bank/register_bank.h"
#include "subcore/modules/trace_player/trace_player.h"
#include "subcore/modules/warpgroup_unit/warpgroup_unit.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/sub_core_hooks.h"

namespace subcore {

// Sockets open to the outside: trace_player.launch_socket, scheduler.barrier_socket, scheduler.sthld_socket,
// dispatch.unit_socket[load/store] and result_socket(load/store).
class SubCore : public sc_core::sc_module {
 public:
  // `index`: the sub-core's number in the SM. `sm_seed` makes the random choices of this SM its own.
  // `conductor` goes to the hooks.
  SubCore(const sc_core::sc_module_name& name, unsigned index, const PlatformParameters& parameters,
          std::uint64_t sm_seed, OperandCheck& check, const Conductor& conductor,
          const SubCoreHooks& hooks = {});

  // Adds the modules in pipeline order, from the end: write-back first, fetch last.
  void add_to(Conductor& conductor);
  // All modules, for statistics, waveforms and the checks at the end of a run.
  std::vector<Module*> modules();

  // The port to which unit `u` sends its results.
  InPort<ResultTransfer>& result_socket(unsigned u) {
    return operand_cache ? operand_cache->result_socket[u] : arbiter.result_socket[u];
  }

  TracePlayer trace_player;
  IssueScheduler scheduler;
  const std::unique_ptr<CollectorFactory> collector_factory;  // owns what the collectors share
  sc_core::sc_vector<OperandPath> collectors;                 // the kind that sub_core.collector.kind names
  std::unique_ptr<OperandCache> operand_cache;                // null if sub_core.operand_cache.kind is none

 private:
  const std::unique_ptr<Arbiter> arbiter_;

 public:
  Arbiter& arbiter;                        // made by the kind of collector
  sc_core::sc_vector<RegisterBank> banks;  // empty if a hook makes them
  Crossbar crossbar;

 private:
  const std::unique_ptr<DispatchScheduler> dispatch_;

 public:
  DispatchScheduler& dispatch;                    // made by the kind of collector
  sc_core::sc_vector<ExecutionUnit> units;        // by ExecutionUnitKind, without the load/store unit
  std::unique_ptr<WarpgroupUnit> warpgroup_unit;  // behind the tensor core; null if that makes no products

  std::vector<std::unique_ptr<Module>> hooked;  // modules that the hooks made

 private:
  void bind_collectors(unsigned index, const Conductor& conductor, const SubCoreHooks& hooks);
  void bind_operand_cache();
  void bind_warpgroup_unit();
  void keep(std::unique_ptr<Module> module) {
    if (module) hooked.push_back(std::move(module));
  }
};

}  // namespace subcore
