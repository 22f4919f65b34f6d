#include "subcore/observers/operand_profile.h"

namespace subcore {

void OperandProfile::Issues::transferred(const IssueTransfer& t) {
  const Instruction& i = *t.instruction;
  InstructionRow& row = profile.rows_.row(&i);
  ++row.issues;
  row.source_operands += i.source_count;
  if (profile.duplicates_ && touches_operands(*i.code, i.mask))
    row.source_operands += i.code->duplicate_sources;
}

void OperandProfile::Reads::transferred(const OperandTransfer& t) {
  profile.reader(t).bank_wait_cycles -= t.stamp;
  profile.banks_[profile.map_.bank(t.reg, t.warp_slot)].read_wait_cycles -= t.stamp;
}

void OperandProfile::WriteBacks::transferred(const OperandTransfer& t) {
  profile.banks_[profile.map_.bank(t.reg, t.warp_slot)].write_wait_cycles -= t.stamp;
}

void OperandProfile::Accesses::transferred(const OperandTransfer& t) {
  const Cycle now = t.stamp - 1;
  if (!t.write) {
    InstructionRow& row = profile.reader(t);
    ++row.bank_reads;
    row.bank_wait_cycles += now;
    ++bank.reads;
    bank.read_wait_cycles += now;
    return;
  }
  ++bank.writes;
  // A value that a cache gives back belongs to no instruction.
  bank.write_wait_cycles += t.instruction == nullptr ? now : now - profile.arrived_.at(t.instruction);
}

}  // namespace subcore
