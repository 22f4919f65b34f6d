// A row for every static instruction of a run: what profiles sum up by. Kernels of one name that are launched
// several times share their rows.
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

// Cost of one static instruction over all of its warp instructions, in a sub-core or summed over them.
struct InstructionRow {
  std::string kernel, opcode;
  std::uint64_t pc = 0;
  std::string operands;  // registers and their annotations, "R4 near <- R2 far, R3 far"
  std::uint64_t issues = 0, source_operands = 0, bank_reads = 0, bank_wait_cycles = 0;
  CauseCycles cycles{};  // cycles of warps whose next instruction it was

  // Cycles of warps that neither issued nor were ready behind another warp.
  std::uint64_t stalls() const;
  // Adds the cost of another instruction.
  void add(const InstructionRow& other);
};

class InstructionRows final : public TransferObserver<CtaTransfer> {
 public:
  // A CTA of the running kernel: observes the kernel dispatcher.
  void transferred(const CtaTransfer& t) override {
    code_ = t.code;
    kernel_ = t.kernel;
  }
  // The running kernel has ended: its code is gone.
  void kernel_ended();

  // The row of an instruction of the running kernel; null: the row of what belongs to no instruction.
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
