#include "subcore/observers/instruction_rows.h"

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotation.h"

namespace subcore {
namespace {

const char* near_or_far(unsigned mask, unsigned k) {
  return bits::has(mask, k) ? " near" : " far";
}

std::string operands_of(const StaticInstruction& s) {
  const Annotation* h = s.annotation;
  std::string text = h != nullptr && h->strand_start ? "strand: " : "";
  for (unsigned d = 0; d < s.destination_count; ++d) {
    text += (d == 0 ? "R" : ", R") + std::to_string(s.destinations[d]) + near_or_far(s.destination_near, d);
    if (h != nullptr && !bits::has(h->to_banks, d)) text += " window";
    if (h != nullptr && !bits::has(h->to_window, d)) text += " banks";
  }
  if (s.source_count != 0) text += s.destination_count != 0 ? " <- " : "<- ";
  for (unsigned k = 0; k < s.source_count; ++k) {
    text += (k == 0 ? "R" : ", R") + std::to_string(s.sources[k]) + near_or_far(s.source_near, k);
    if (h != nullptr && bits::has(h->last_use, k)) text += " dead";
  }
  return text;
}

}  // namespace

std::uint64_t InstructionRow::stalls() const {
  std::uint64_t sum = 0;
  for (const StallCauseLine& line : stall_causes)
    if (line.state != IssueState::issued) sum += cycles[static_cast<std::size_t>(line.cause)];
  return sum;
}

void InstructionRow::add(const InstructionRow& other) {
  issues += other.issues;
  source_operands += other.source_operands;
  bank_reads += other.bank_reads;
  bank_wait_cycles += other.bank_wait_cycles;
  for (std::size_t c = 0; c < cycles.size(); ++c) cycles[c] += other.cycles[c];
}

void InstructionRows::kernel_ended() {
  running_.clear();
  code_ = nullptr;
}

InstructionRow& InstructionRows::find(const Instruction& i) {
  const StaticInstruction& s = *i.code;
  const std::string kernel = kernel_ != nullptr ? kernel_->name : "";
  const std::string opcode = code_ != nullptr ? std::string(code_->opcode_name(s)) : "";
  InstructionRow*& known = by_name_[{kernel, s.pc, opcode}];
  if (known == nullptr) {
    known = &rows_.emplace_back();
    known->kernel = kernel;
    known->opcode = opcode;
    known->pc = s.pc;
    known->operands = operands_of(s);
  }
  if (running_.size() <= s.index) running_.resize(s.index + 1, nullptr);
  return *(running_[s.index] = known);
}

}  // namespace subcore
