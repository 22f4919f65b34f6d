// The model's proof that operands are right (docs/accuracy.md). Every operand that reaches a unit carries the
// version of the copy that was read. The check compares the version with what program order demands of each
// lane.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include <systemc>

#include "subcore/model/isa/instruction.h"
#include "subcore/model/trace/program_order.h"

namespace subcore {

class OperandCheck {
 public:
  explicit OperandCheck(bool enabled) : enabled_(enabled) {}

  // Checks operands at the input of `unit`: counts them, and reports the first stale one of an instruction as
  // an error with id "/subcore/stale_operand". A lane that its warp has not written may hold what was there
  // before the warp. The lane may hold nothing newer than program order allows, and nothing of another
  // register.
  void check(const sc_core::sc_module& unit, const Instruction& i, Cycle cycle) {
    if (!enabled_) return;
    checked_ += i.source_count;
    for (unsigned s = 0; s < i.source_count; ++s) {
      const SourceOperand& o = i.operands[s];
      if (o.collected == Version{o.expected, 0, i.register_id(i.source(s)), 0}) continue;
      if (const std::uint32_t wrong = wrong_lanes(i, s); wrong != 0) {
        ++stale_;
        report(unit, i, {i.source(s), o.expected, o.collected}, wrong, cycle);
      }
    }
  }
  // Checks the n-th accumulator that a warpgroup's product has read, in the same way.
  void check_accumulator(const sc_core::sc_module& unit, const Instruction& i, unsigned n,
                         const Version& found, Cycle cycle) {
    if (!enabled_) return;
    ++checked_;
    const auto r = static_cast<Register>(i.code->accumulators.first + n);
    const std::uint32_t expected = (*i.accumulated)[n] - 1;
    if (found == Version{expected, 0, i.register_id(r), 0}) return;
    if (const std::uint32_t wrong = wrong_lanes(i, r, expected, found); wrong != 0) {
      ++stale_;
      report(unit, i, {r, expected, found}, wrong, cycle);
    }
  }
  const std::uint64_t& checked() const { return checked_; }
  const std::uint64_t& stale() const { return stale_; }

 private:
  // A register that an instruction has read, the write that program order demands, and the copy.
  struct Read {
    Register reg;
    std::uint32_t expected;
    const Version& found;
  };
  static void report(const sc_core::sc_module& unit, const Instruction& i, const Read& read,
                     std::uint32_t wrong, Cycle cycle);

  bool enabled_;
  std::uint64_t checked_ = 0, stale_ = 0;
};

}  // namespace subcore
