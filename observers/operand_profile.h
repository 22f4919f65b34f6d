// Cost of the operands of one sub-core's instructions: how many were looked for, how many came from the
// banks, and how long reads and writes waited there; by static instruction and by bank.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <unordered_map>
#include <vector>

#include "subcore/model/policy/bank_map.h"
#include "subcore/observers/instruction_rows.h"

namespace subcore {

// Reads and writes of one bank (accesses), and how long they waited for it (cycles, summed).
struct BankRow {
  std::uint64_t reads = 0, read_wait_cycles = 0, writes = 0, write_wait_cycles = 0;
  void add(const BankRow& other);
};

// Waits are sums of differences, of which both ends are added where they are seen: while a run lasts they
// mean nothing, and may be less than nothing.
class OperandProfile {
  // Counts the operands that an instruction looks for.
  void count_operands(const IssueTransfer& t);
  // A read is asked for, or a collector or an operand cache gives a value back: its wait for its bank begins.
  void begin_read(const OperandTransfer& t);
  void begin_write_back(const OperandTransfer& t);
  // Notes when a result reaches the arbiter, until its instruction is done.
  void note_arrival(const ResultTransfer& t) { arrived_[t.instruction] = t.stamp; }
  void forget_arrival(const RetireTransfer& t) { arrived_.erase(t.instruction); }

 public:
  // `duplicates`: source registers that an instruction names again are operands, too.
  OperandProfile(InstructionRows& rows, const BankMap& map, bool duplicates)
      : rows_(rows), map_(map), duplicates_(duplicates), banks_(map.banks()) {
    for (BankRow& row : banks_) accesses.emplace_back(*this, row);
  }

  OperandProfile(const OperandProfile&) = delete;
  OperandProfile& operator=(const OperandProfile&) = delete;

  // Tells the profile of what goes over a port.
  template <class Payload, void (OperandProfile::*tell)(const Payload&)>
  struct Tap final : TransferObserver<Payload> {
    explicit Tap(OperandProfile& p) : profile(p) {}
    void transferred(const Payload& t) override { (profile.*tell)(t); }
    OperandProfile& profile;
  };
  // A bank serves a read or a write: its wait ends.
  struct Accesses final : TransferObserver<OperandTransfer> {
    Accesses(OperandProfile& p, BankRow& b) : profile(p), bank(b) {}
    void transferred(const OperandTransfer& t) override;
    OperandProfile& profile;
    BankRow& bank;
  };

  Tap<IssueTransfer, &OperandProfile::count_operands> issues{*this};  // on the ports to the collectors
  Tap<OperandTransfer, &OperandProfile::begin_read> asked{*this};     // on all that send reads to the arbiter
  Tap<ResultTransfer, &OperandProfile::note_arrival> arrived{*this};  // on all that send results to it
  Tap<RetireTransfer, &OperandProfile::forget_arrival> retired{*this};  // on the arbiter's retire_socket
  Tap<OperandTransfer, &OperandProfile::begin_write_back> given_back{*this};  // those of write-backs
  std::deque<Accesses> accesses;                                              // on the port to each bank

  const std::vector<BankRow>& banks() const { return banks_; }

 private:
  InstructionRow& reader(const OperandTransfer& t) {
    return rows_.row(t.kind != OperandTransfer::Kind::prefetch ? t.instruction : nullptr);
  }

  InstructionRows& rows_;
  BankMap map_;
  bool duplicates_;
  std::vector<BankRow> banks_;
  std::unordered_map<const Instruction*, Cycle> arrived_;  // results that have not retired
};

}  // namespace subcore
