// The cost of the operands of one sub-core's instructions, by static instruction and by bank. The profile
// counts the operands that were looked for and those that came from the banks, and sums up how long reads and
// writes waited at the banks.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <deque>
#include <unordered_map>
#include <vector>

#include "subcore/model/policy/bank_map.h"
#include "subcore/observers/instruction_rows.h"

namespace subcore {

// Accesses to one bank (reads and writes), and how long they waited for it (cycles, summed).
struct BankRow {
  std::uint64_t reads = 0, read_wait_cycles = 0, writes = 0, write_wait_cycles = 0;
  void add(const BankRow& other);
};

// A wait is the difference of two cycles. The profile adds each cycle to the sum when it sees that cycle, so
// sums are meaningless, and may be negative, while a run lasts.
class OperandProfile {
  // Counts the operands that an instruction looks for.
  void count_operands(const IssueTransfer& t);
  // A read's wait for its bank begins when the read is asked for. A write-back's wait begins when a collector
  // or an operand cache gives the value back.
  void begin_read(const OperandTransfer& t);
  void begin_write_back(const OperandTransfer& t);
  // Notes when a result reaches the arbiter. The note lasts until the instruction has retired.
  void note_arrival(const ResultTransfer& t) { arrived_[t.instruction] = t.stamp; }
  void forget_arrival(const RetireTransfer& t) { arrived_.erase(t.instruction); }

 public:
  // `duplicates`: a source register that an instruction names twice counts twice.
  OperandProfile(InstructionRows& rows, const BankMap& map, bool duplicates)
      : rows_(rows), map_(map), duplicates_(duplicates), banks_(map.banks()) {
    for (BankRow& row : banks_) accesses.emplace_back(*this, row);
  }

  OperandProfile(const OperandProfile&) = delete;
  OperandProfile& operator=(const OperandProfile&) = delete;

  // Passes the transfers of a port on to a function of the profile.
  template <class Payload, void (OperandProfile::*tell)(const Payload&)>
  struct Tap final : TransferObserver<Payload> {
    explicit Tap(OperandProfile& p) : profile(p) {}
    void transferred(const Payload& t) override { (profile.*tell)(t); }
    OperandProfile& profile;
  };
  // A bank serves a read or a write, whose wait then ends.
  struct Accesses final : TransferObserver<OperandTransfer> {
    Accesses(OperandProfile& p, BankRow& b) : profile(p), bank(b) {}
    void transferred(const OperandTransfer& t) override;
    OperandProfile& profile;
    BankRow& bank;
  };

  Tap<IssueTransfer, &OperandProfile::count_operands> issues{*this};  // on the ports to the collectors
  Tap<OperandTransfer, &OperandProfile::begin_read> asked{*this};     // on all ports for reads to the arbiter
  Tap<ResultTransfer, &OperandProfile::note_arrival> arrived{*this};  // on all ports for results to it
  Tap<RetireTransfer, &OperandProfile::forget_arrival> retired{*this};  // on the arbiter's retire_socket
  Tap<OperandTransfer, &OperandProfile::begin_write_back> given_back{*this};  // for write-backs to it
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
