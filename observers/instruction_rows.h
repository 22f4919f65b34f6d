// A row for each static instruction of a run, in which profiles add up. Several launches of a kernel name
// share their rows.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/trace/trace.h"
#include "subcore/modules/protocol/observer.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

using CauseCycles = std::array<std::uint64_t, stall_causes.size()>;

// The cost of one static instruction over all of its warp instructions, in one sub-core or in several.
struct InstructionRow {
  std::string kernel, opcode;
  std::uint64_t pc = 0;
  std::string operands;  // registers and their annotations, "R4 near <- R2 far, R3 far"
  std::uint64_t issues = 0, source_operands = 0, bank_reads = 0, bank_wait_cycles = 0;
  CauseCycles cycles{};  // cycles of the warps whose next instruction this was

  // Cycles in which a warp neither issued nor was ready behind another warp.
  std::uint64_t stalls() const;
  // Adds the cost in another row.
  void add(const InstructionRow& other);
};

class InstructionRows final : public TransferObserver<CtaTransfer> {
 public:
  // A CTA of the running kernel has been sent. The kernel dispatcher is observed.
  void transferred(const CtaTransfer& t) override {
    code_ = t.code;
    kernel_ = t.kernel;
  }
  // The running kernel has ended: its code is gone.
  void kernel_ended();

  // The row of an instruction of the running kernel. For null, the row of cycles and reads that belong to no
  // instruction.
  InstructionRow& row(const Instruction* i) {
    if (i == nullptr) return none_;
    const std::uint32_t n = i->code->index;
    return n < running_.size() && running_[n] != nullptr ? *running_[n] : find(*i);
  }
  const InstructionRow& none() const { return none_; }
  // Rows in the order in which they were first seen.
  const std::deque<InstructionRow>& rows() const { return rows_; }

 private:
  InstructionRow& find(const Instruction& i);

  const CodeTable* code_ = nullptr;
  const KernelHeader* kernel_ = nullptr;
  std::vector<InstructionRow*> running_;  // by index in the running kernel's code
  std::deque<InstructionRow> rows_;
  std::map<std::tuple<std::string, std::uint64_t, std::string>, InstructionRow*> by_name_;
  InstructionRow none_;
};

}  // namespace subcore
