// ExecutionUnit: one pipeline of a sub-core. The unit accepts an instruction every initiation interval of its
// class or shape. The result goes to write-back when the latency has passed. The unit stalls when its result
// latches are full.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>

#include "subcore/modules/execution_unit/execution_parameters.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/operand_check.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class ExecutionUnit final : public TickingModule {
  struct Running {
    Cycle stamp = 0;  // last execution cycle
    Instruction* instruction = nullptr;
  };

  // Members that every tick reads lie next to those of the base class, because the state of an SM fills more
  // than its share of a first-level cache.
  PayloadEventQueue<Running> pipeline_;
  // True: a finished instruction could not leave. The value is kept with its cycle, so that accept() and
  // tick() of one cycle may come in either order.
  bool blocked_before_ = false, blocked_ = false;
  Cycle blocked_stamp_ = 0;   // blocked_ holds from here on, blocked_before_ until here
  Cycle owed_stamp_ = never;  // an instruction was accepted, and its credit is not given yet
  Cycle owed_earliest_ = 0;
  OperandCheck& check_;
  Counter instructions_{counter_list_, "instructions", "instructions", "instructions executed"};
  ExecutionUnitKind kind_;
  ExecutionParameters timing_;

 public:
  InPort<DispatchTransfer> unit_socket;
  OutPort<ResultTransfer> result_socket;

  // An instruction that is dispatched in t executes from t+1 on and can be written back in t+1+latency.
  ExecutionUnit(const sc_core::sc_module_name& name, ExecutionUnitKind kind,
                const ExecutionParameters& timing, unsigned result_latches, OperandCheck& check);

  Cycle tick(Cycle now) override;

  std::vector<Signal> signals() override;
  bool drained() const override { return pipeline_.empty(); }
  void report_waiting(std::ostream& out) const override;

 private:
  void accept(unsigned, DispatchTransfer& t);
  void set_blocked(bool blocked, Cycle stamp);
  void result_free(unsigned, ResultTransfer& t) {
    if (blocked_) wake(t.stamp);
  }
};

}  // namespace subcore
