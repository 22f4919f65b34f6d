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
};

// Waits are sums of differences, of which both ends are added where they are seen: while a run lasts they
// mean nothing, and may be less than nothing.
class OperandProfile {
 public:
  // `duplicates`: source registers that an instruction names again are operands, too.
  OperandProfile(InstructionRows& rows, const BankMap& map, bool duplicates)
      : issues(*this),
        asked(*this),
        arrived(*this),
        retired(*this),
        given_back(*this),
        rows_(rows),
        map_(map),
        duplicates_(duplicates),
        banks_(map.banks()) {
    for (BankRow& row : banks_) accesses.emplace_back(*this, row);
  }

  OperandProfile(const OperandProfile&) = delete;
  OperandProfile& operator=(const OperandProfile&) = delete;

  // Counts the operands that an instruction looks for.
  struct Issues final : TransferObserver<IssueTransfer> {
    explicit Issues(OperandProfile& p) : profile(p) {}
    void transferred(const IssueTransfer& t) override;
    OperandProfile& profile;
  };
  // A read is asked for: its wait begins.
  struct Reads final : TransferObserver<OperandTransfer> {
    explicit Reads(OperandProfile& p) : profile(p) {}
    void transferred(const OperandTransfer& t) override;
    OperandProfile& profile;
  };
  // Notes when a result reaches the arbiter.
  struct Results final : TransferObserver<ResultTransfer> {
    explicit Results(OperandProfile& p) : profile(p) {}
    void transferred(const ResultTransfer& t) override { profile.arrived_[t.instruction] = t.stamp; }
    OperandProfile& profile;
  };
  // Forgets results of instructions that are done.
  struct Retirements final : TransferObserver<RetireTransfer> {
    explicit Retirements(OperandProfile& p) : profile(p) {}
    void transferred(const RetireTransfer& t) override { profile.arrived_.erase(t.instruction); }
    OperandProfile& profile;
  };
  // A value that a collector or an operand cache gives back begins to wait for its bank.
  struct WriteBacks final : TransferObserver<OperandTransfer> {
    explicit WriteBacks(OperandProfile& p) : profile(p) {}
    void transferred(const OperandTransfer& t) override;
    OperandProfile& profile;
  };
  // A bank serves a read or a write: its wait ends.
  struct Accesses final : TransferObserver<OperandTransfer> {
    Accesses(OperandProfile& p, BankRow& b) : profile(p), bank(b) {}
    void transferred(const OperandTransfer& t) override;
    OperandProfile& profile;
    BankRow& bank;
  };

  Issues issues;                  // on the ports to the collectors
  Reads asked;                    // on all ports that send reads to the arbiter
  Results arrived;                // on all ports that send results to the arbiter
  Retirements retired;            // on the arbiter's retire_socket
  WriteBacks given_back;          // on all ports that send write-backs to the arbiter
  std::deque<Accesses> accesses;  // on the port to each bank

  const std::vector<BankRow>& banks() const { return banks_; }

 private:
  InstructionRow& reader(const OperandTransfer& t) {
    return rows_.row(t.kind == OperandTransfer::Kind::read ? t.instruction : nullptr);
  }

  InstructionRows& rows_;
  BankMap map_;
  bool duplicates_;
  std::vector<BankRow> banks_;
  std::unordered_map<const Instruction*, Cycle> arrived_;  // results that have not retired
};

}  // namespace subcore
