// RegisterBank: one single-ported bank. A granted read goes on to the crossbar inside the callback, with the
// read latency added to its stamp. The bank stores, per warp slot and register, the version of the data
// instead of the data. A result of some lanes is merged with the version that is there.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/trace/program_order.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class RegisterBank : public Module {
 public:
  InPort<OperandTransfer> bank_socket;
  OutPort<OperandTransfer> data_socket;

  // `read_latency`: cycles beyond the cycle of the grant. `words`: the operands that the bank has room for.
  RegisterBank(const sc_core::sc_module_name& name, unsigned warp_slots, unsigned read_latency,
               std::uint32_t words = 0)
      : Module(name),
        bank_socket("bank_socket"),
        data_socket("data_socket"),
        warp_slots_(warp_slots),
        read_latency_(read_latency),
        words_(words) {
    bank_socket.on_receive<&RegisterBank::access>(this);
  }

  std::uint64_t reads() const { return reads_; }
  void inventory(Inventory& list) const override {
    list.add("registers", HardwareKind::data, words_, operand_bits);
  }

 private:
  void access(unsigned, OperandTransfer& t) {
    Version& stored = version_of(t);
    if (t.writes()) {
      stored = t.kind == OperandTransfer::Kind::partial_result
                   ? merged(stored, t.version, t.instruction->mask, t.instruction->place())
                   : t.version;
      ++writes_;
      return;
    }
    ++reads_;
    t.kind = OperandTransfer::Kind::operand;
    t.version = stored;
    t.stamp += read_latency_;
    data_socket.send(t);
  }

  Version& version_of(const OperandTransfer& t) {
    if (t.reg >= registers_) grow(t.reg);
    return versions_[t.reg * warp_slots_ + t.warp_slot];
  }
  // Makes room for a register only when it is used: a GPU has thousands of banks, and kernels use few
  // registers.
  void grow(Register reg) {
    registers_ = (reg / 16u + 1) * 16;
    versions_.resize(std::size_t{registers_} * warp_slots_);
  }

  std::vector<Version> versions_;  // by register, then warp slot
  unsigned registers_ = 0;         // registers that there is room for
  unsigned warp_slots_, read_latency_, words_;
  Counter reads_{counter_list_, "reads", "operands", "1024-bit reads"};
  Counter writes_{counter_list_, "writes", "operands", "1024-bit writes"};
};

}  // namespace subcore
