#include "subcore/observers/operand_profile.h"

namespace subcore {

void BankRow::add(const BankRow& other) {
  reads += other.reads;
  read_wait_cycles += other.read_wait_cycles;
  writes += other.writes;
  write_wait_cycles += other.write_wait_cycles;
}

void OperandProfile::count_operands(const IssueTransfer& t) {
  const Instruction& i = *t.instruction;
  InstructionRow& row = rows_.row(&i);
  ++row.issues;
  row.source_operands += i.source_count;
  if (duplicates_ && touches_operands(*i.code, i.mask)) row.source_operands += i.code->duplicate_sources;
}

void OperandProfile::begin_read(const OperandTransfer& t) {
  reader(t).bank_wait_cycles -= t.stamp;
  banks_[map_.bank(t.reg, t.warp_slot)].read_wait_cycles -= t.stamp;
}

void OperandProfile::begin_write_back(const OperandTransfer& t) {
  banks_[map_.bank(t.reg, t.warp_slot)].write_wait_cycles -= t.stamp;
}

void OperandProfile::Accesses::transferred(const OperandTransfer& t) {
  const Cycle now = t.stamp - 1;
  if (!t.writes()) {
    InstructionRow& row = profile.reader(t);
    ++row.bank_reads;
    row.bank_wait_cycles += now;
    ++bank.reads;
    bank.read_wait_cycles += now;
    return;
  }
  ++bank.writes;
  // The write of an accumulator began in the same way as a write-back.
  const bool is_write_back = t.kind == OperandTransfer::Kind::write_back || t.instruction->is_product();
  bank.write_wait_cycles += is_write_back ? now : now - profile.arrived_.at(t.instruction);
}

}  // namespace subcore
