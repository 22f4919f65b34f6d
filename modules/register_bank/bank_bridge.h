// BankBridge: takes the place of a RegisterBank and keeps the registers in a memory of the user's, over the
// TLM-2.0 base protocol. Register r of warp slot w is the 128 bytes at (w x registers per warp + r) x 128.
// The bridge writes the operand's version there eight times (four words of 4 bytes each time, in host order)
// and reads it back from there. So the check of every operand proves the memory. A result of some lanes is
// written with what the other lanes had. The memory must read as zero before the first write.
//
// The memory decides when a read is delivered. If the memory answers at once with n annotated, the read comes
// n cycles after its grant (as from a RegisterBank of read_latency n - 1; at least one). Otherwise the read
// comes the cycle after its response. Reads and writes of one register keep their order: a write waits for
// the answers to all earlier transfers, and a read for the answers to earlier writes.
#pragma once

#include <deque>
#include <vector>

#include <tlm>

#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/memory/at_initiator.h"
#include "subcore/modules/memory/memory_transaction.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

class BankBridge : public TickingModule, protected tlm::tlm_bw_transport_if<> {
 public:
  static constexpr unsigned registers_per_warp = 256;
  static constexpr unsigned operand_bytes = 128;

  InPort<OperandTransfer> bank_socket;
  OutPort<OperandTransfer> data_socket;
  InitiatorSocket<> memory_socket;

  BankBridge(const sc_core::sc_module_name& name, const Conductor& conductor);
  ~BankBridge() override;

  Cycle tick(Cycle now) override;

  std::uint64_t reads() const { return reads_; }
  bool drained() const override { return queue_.empty() && under_way_ == 0; }
  void report_waiting(std::ostream& out) const override;

 private:
  class Transaction;
  // A transfer that counts as answered from cycle `until` on.
  struct Busy {
    std::uint64_t address;
    bool write;
    Cycle until;
  };

  void access(unsigned, OperandTransfer& t);
  bool may_send(const OperandTransfer& t, Cycle now);
  Cycle blocked_until(const OperandTransfer& t) const;
  void send(const OperandTransfer& t, Cycle now);
  void answered(Transaction& t, Cycle at);
  tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::deque<OperandTransfer> queue_;  // transfers that are not sent
  std::vector<Version> written_;       // by register: the version after all writes that came
  std::vector<Busy> busy_;
  std::uint64_t under_way_ = 0;
  PayloadPool<Transaction> pool_;
  AtInitiator target_;
  Counter reads_{counter_list_, "reads", "operands", "1024-bit reads"};
  Counter writes_{counter_list_, "writes", "operands", "1024-bit writes"};
};

}  // namespace subcore
