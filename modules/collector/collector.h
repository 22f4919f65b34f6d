// What every kind of operand collector shows to the sub-core around it: port R towards the issue scheduler,
// reads, port S, and the way out to dispatch. Kinds that keep results have port D; kinds that keep values
// which the banks do not have yet write them back later.
//
// Behind the operand slots of each instruction is a latch, in which a complete instruction waits for
// dispatch. It moves there in the first cycle in which its operands are there and the latch is free. Both are
// known in the cycle before, so the collector announces then that it can take another instruction in that
// very cycle, and the order of ticks cannot be seen.
#pragma once

#include <algorithm>

#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"

namespace subcore {

class Collector : public TickingModule {
 public:
  InPort<IssueTransfer> issue_socket;  // port R
  OutPort<OperandTransfer> read_socket;
  InPort<OperandTransfer> source_socket;  // port S
  OutPort<DispatchTransfer> dispatch_socket;

  explicit Collector(const sc_core::sc_module_name& name)
      : TickingModule(name),
        issue_socket("issue_socket"),
        read_socket("read_socket"),
        source_socket("source_socket"),
        dispatch_socket("dispatch_socket") {}

  virtual InPort<DestinationTransfer>* port_d() { return nullptr; }
  virtual OutPort<OperandTransfer>* write_back_port() { return nullptr; }

  // Operands after normalisation; of these, found in a cache; results written into a cache.
  virtual std::uint64_t source_operands() const = 0;
  virtual std::uint64_t cache_read_hits() const { return 0; }
  virtual std::uint64_t cache_writes() const { return 0; }
  // Operands found although some of the lanes that were read are not there (partial_write: ignore).
  virtual std::uint64_t incomplete_hits() const { return 0; }

 protected:
  // Whether an instruction whose operands are there from `complete` on can move into a latch that is free
  // from `free` on (`never`: occupied). To be asked when either is news and in the collector's tick; true
  // once, in the cycle before it moves, and `complete` is then the cycle in which it does.
  bool moves(Cycle& complete, Cycle free) {
    if (free == never) return false;
    complete = std::max(complete, free);
    if (begun(complete - 1)) return true;
    wake(complete - 1);  // a bank may announce an operand long before it is there
    return false;
  }
};

// Reports an instruction with more source operands than slots as an error with id "/subcore/slots".
void check_slots(const sc_core::sc_module& collector, const Instruction& i, unsigned slots);

// A collector's line in the watchdog's report; `missing`: operands that have not come.
void report_collecting(std::ostream& out, const sc_core::sc_module& collector, const Instruction& i,
                       unsigned missing);

}  // namespace subcore
