// The model's proof that operands are right (docs/accuracy.md): every operand that reaches a
// unit carries the version of the copy that was read; program order says which version it has to be.
#pragma once

#include <cstdint>

#include <systemc>

#include "model/bits.h"
#include "model/isa/instruction.h"

namespace subcore {

class OperandCheck {
 public:
  explicit OperandCheck(bool enabled) : enabled_(enabled) {}

  // At the input of `unit`. Counts, and reports the first stale operand of an instruction as an error with id
  // "/subcore/stale_operand". What its warp has not written may hold anything that was there before, but
  // nothing newer than program order allows.
  void check(const sc_core::sc_module& unit, const Instruction& i, Cycle cycle) {
    if (!enabled_) return;
    checked_ += i.source_count;
    for (unsigned s = 0; s < i.source_count; ++s) {
      const SourceOperand& o = i.operands[s];
      if (o.collected == o.expected) continue;
      const bool older_will_do = bits::has(i.unwritten, s) && o.collected < o.expected;
      if (!older_will_do) {
        ++stale_;
        report(unit, i, s, cycle);
      }
    }
  }
  const std::uint64_t& checked() const { return checked_; }
  const std::uint64_t& stale() const { return stale_; }

 private:
  static void report(const sc_core::sc_module& unit, const Instruction& i, unsigned s, Cycle cycle);

  bool enabled_;
  std::uint64_t checked_ = 0, stale_ = 0;
};

}  // namespace subcore
