// Collector: the base class of every kind of operand collector. A collector is an operand path that asks the
// banks for an instruction's operands and waits for them. A bank may announce an operand long before the
// operand is there, so the operand that is announced last need not be the last to come.
//
// Behind the operand slots of each instruction is a latch, in which a complete instruction waits for
// dispatch. The instruction moves to the latch in the first cycle in which its operands are there and the
// latch is free. The collector knows both in the cycle before. The collector announces then that it can take
// another instruction in the cycle of the move, so the order of ticks cannot be seen. If the operands are
// there but the latch is still occupied, the collector says so, too (IssueTransfer::Kind::complete).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>

#include "subcore/base/bits.h"
#include "subcore/modules/operand_path/operand_path.h"

namespace subcore {

// Times of instructions in a collector, by step (BOW, Fig. 12) and by unit (BOW, Fig. 4). The times count
// from the cycle after issue until a unit takes the instruction, summed over instructions.
struct CollectionTimes {
  CounterList& list;
  Counter all{list, "collection_cycles", "cycles",
              "cycles of instructions from issue to dispatch, summed over instructions"};
  Counter operands{list, "collection_operands_cycles", "cycles",
                   "collection cycles until all operands were there"};
  Counter latch{
      list, "collection_latch_cycles", "cycles",
      "collection cycles with all operands, but behind another instruction that waited for its unit"};
  Counter dispatch{list, "collection_dispatch_cycles", "cycles",
                   "collection cycles from readiness for dispatch until a unit took the instruction"};
  Counter memory{list, "collection_memory_cycles", "cycles",
                 "collection cycles of instructions of the load/store unit"};
  Counter other{list, "collection_other_cycles", "cycles", "collection cycles of all other instructions"};

  // The instruction could leave from `moved` on and has left as of `stamp`.
  void left(const Instruction& i, Cycle moved, Cycle stamp) {
    const Cycle waited = stamp - 1 - moved;
    dispatch += waited;
    spent(i, waited);
  }
  void spent(const Instruction& i, Cycle cycles) {
    all += cycles;
    (i.code->execution == ExecutionClass::load_store ? memory : other) += cycles;
  }
};

class Collector : public OperandPath {
 public:
  using OperandPath::OperandPath;

 protected:
  // Asks the banks for the set of sources in `wanted`, from `stamp` on.
  void ask(Instruction& i, std::uint32_t wanted, Cycle stamp) {
    OperandTransfer read;
    read.stamp = stamp;
    read.instruction = &i;
    read.warp_slot = i.warp_slot;
    read.collector = index_;
    for (const unsigned s : bits::each(wanted)) {
      read.slot = static_cast<std::uint8_t>(s);
      read.reg = i.source(s);
      read_socket.send(read);
    }
  }
  // Whether an instruction can move into its latch. Its operands are there from `complete` on, and the latch
  // is free from `free` on (`never`: occupied). Collectors ask when either cycle becomes known, and in their
  // ticks. The answer is true once, in the cycle before the instruction moves; `complete` is then the cycle
  // of the move.
  bool moves(Cycle& complete, Cycle free) {
    if (free == never) return false;
    complete = std::max(complete, free);
    if (begun(complete - 1)) return true;
    wake(complete - 1);  // a bank may announce an operand long before it is there
    return false;
  }

  // Tells the scheduler that all operands of `i`, which blocks other instructions, are there as of `stamp`.
  void tell_complete(Instruction& i, Cycle stamp) {
    IssueTransfer t{stamp, &i, IssueTransfer::Kind::complete};
    issue_socket.status(t);
  }
  // Tells the arbiter over port D what it steers results by, as of `stamp`.
  void tell_steering(InPort<DestinationTransfer>& port_d, Cycle stamp, const SteeringUpdate& update) {
    DestinationTransfer t;
    t.stamp = stamp;
    t.update = update;
    t.collector = index_;
    t.kind = DestinationTransfer::Kind::steering;
    port_d.status(t);
  }
};

// Base class of collectors that collect one instruction at a time.
class SingleCollector : public Collector {
 public:
  using Collector::Collector;
  bool drained() const override { return instruction_ == nullptr; }
  void report_waiting(std::ostream& out) const override {
    if (instruction_ != nullptr) report_collecting(out, *instruction_, missing_);
  }

 protected:
  // Begins to collect an instruction. `missing` of its operands must come from the banks; the others may be
  // used from `stamp` on.
  void begin(Instruction& i, unsigned missing, Cycle stamp) {
    instruction_ = &i;
    missing_ = missing;
    begun_ = complete_ = stamp;
    told_complete_ = false;
  }
  void came(Cycle stamp) {
    complete_ = std::max(complete_, stamp);
    if (--missing_ == 0) times_.operands += complete_ - begun_;
  }
  // The instruction `i` has left the latch, which is free as of `stamp`.
  void latch_left(const Instruction& i, Cycle stamp) {
    times_.left(i, moved_, stamp);
    latch_free_ = stamp;
  }
  // Whether the instruction moves into the latch. The answer is true once, in the cycle before the move.
  bool moves_on() {
    if (instruction_ == nullptr || missing_ != 0) return false;
    if (latch_free_ != never) {
      const Cycle complete = complete_;
      const bool moving = moves(complete_, latch_free_);
      times_.latch += complete_ - complete;
      return moving;
    }
    if (!told_complete_) tell_complete(*instruction_, complete_);
    told_complete_ = true;
    return false;
  }
  // Moves the instruction, and tells the scheduler `status`. Not inlined, because most calls of the callers
  // end before this one.
  [[gnu::noinline]] void move_on(const CollectorStatus& status) {
    DispatchTransfer d{complete_, instruction_};
    IssueTransfer left{complete_, instruction_, IssueTransfer::Kind::left, status};
    times_.spent(*instruction_, complete_ - begun_);
    moved_ = complete_;
    instruction_ = nullptr;
    latch_free_ = never;
    dispatch_socket.send(d);
    issue_socket.credit(left);
  }
  // Signals of the instruction that is being collected. All collectors of this class have these signals.
  SignalList collecting_signals() const {
    SignalList list(signal_prefix());
    list.key([this](Cycle) { return SignalList::identity(instruction_) * 32 + missing_; })
        .instruction("", [this](Cycle) -> const Instruction* { return instruction_; })
        .number("missing", 5,
                [this](Cycle) { return instruction_ != nullptr ? std::uint64_t{missing_} : Signal::x; });
    return list;
  }

  Instruction* instruction_ = nullptr;
  unsigned missing_ = 0;
  Cycle complete_ = 0;           // first cycle in which every operand that has come may be used
  Cycle latch_free_ = 0;         // first cycle in which the latch is free; `never`: it waits for dispatch
  Cycle begun_ = 0, moved_ = 0;  // first cycles of the instruction here, and of the instruction in the latch
  bool told_complete_ = false;
  CollectionTimes times_{counter_list_};
};

}  // namespace subcore
