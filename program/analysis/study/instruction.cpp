#include "subcore/program/analysis/study/instruction.h"

#include <stdexcept>

#include "subcore/base/bits.h"
#include "subcore/model/isa/instruction.h"
#include "subcore/model/isa/opcodes.h"

namespace subcore {
namespace {

using Kind = StudyOperand::Kind;

enum class Matrix : std::uint8_t { none, hmma, imma };

Matrix matrix_of(std::string_view opcode) {
  const std::string_view base = base_of(opcode);
  return base == "HMMA" ? Matrix::hmma : base == "IMMA" ? Matrix::imma : Matrix::none;
}

// Numbers of registers of A, B, C and D, whatever the shape.
struct Widths {
  unsigned source[3], destination;
};
Widths widths_of(Matrix m) {
  return m == Matrix::hmma ? Widths{{2, 1, 4}, 4} : Widths{{1, 1, 2}, 2};
}

bool flag(std::uint8_t flags, std::size_t k) {
  return k < 4 && bits::has(flags, k);
}

StudyOperand operand(Kind kind, unsigned reg, std::size_t position, bool flagged) {
  return {kind, static_cast<std::uint16_t>(reg), static_cast<std::uint16_t>(position), flagged};
}

}  // namespace

RfcsimLine rfcsim_view(const StudyLine& line, std::uint8_t flags, StudyInstruction& out) {
  if (line.pc_digits != 4) return RfcsimLine::skipped;
  if (line.destinations.size() > 1) return RfcsimLine::ends_kernel;
  out.mask = line.mask;
  out.operands.clear();
  std::size_t position = 0;
  for (const std::uint8_t r : line.sources) {
    out.operands.push_back(operand(Kind::source, r, position, flag(flags, position)));
    ++position;
  }
  for (unsigned i = 0; i < line.address_words; ++i, ++position)
    out.operands.push_back(operand(Kind::address, static_cast<unsigned>(position), position, false));
  for (const std::uint8_t r : line.destinations)
    out.operands.push_back(operand(Kind::destination, r, 0, false));

  const Matrix matrix = line.destinations.empty() ? Matrix::none : matrix_of(line.opcode);
  if (matrix == Matrix::none) return RfcsimLine::instruction;
  if (out.operands.size() < 4)
    throw std::domain_error(line.opcode + " with " + std::to_string(out.operands.size()) +
                            " register operands, at which RFC-sim ends; expected A, B, C and D");
  // The first four operands count as A, B, C and D, whatever they are.
  const unsigned base[4] = {out.operands[0].reg, out.operands[1].reg, out.operands[2].reg,
                            out.operands[3].reg};
  const Widths widths = widths_of(matrix);
  out.operands.clear();
  for (unsigned m = 0; m < 3; ++m)
    for (unsigned i = 0; i < widths.source[m]; ++i)
      out.operands.push_back(operand(Kind::source, base[m] + i, m, flag(flags, m)));
  for (unsigned i = 0; i < widths.destination; ++i)
    out.operands.push_back(operand(Kind::destination, base[3] + i, 0, false));
  return RfcsimLine::instruction;
}

void corrected_view(const StudyLine& line, std::uint8_t flags, const StudySlots* slots,
                    StudyInstruction& out) {
  out.mask = line.mask;
  out.operands.clear();
  const Matrix matrix =
      line.sources.size() == 3 && line.destinations.size() == 1 ? matrix_of(line.opcode) : Matrix::none;
  const Widths widths = matrix == Matrix::none ? Widths{{1, 1, 1}, 1} : widths_of(matrix);
  const auto add = [&](Kind kind, unsigned base, unsigned width, std::size_t position, bool flagged) {
    for (unsigned r = base; r < base + width && r < rz; ++r)
      out.operands.push_back(operand(kind, r, position, flagged));
  };
  for (std::size_t i = 0; i < line.sources.size(); ++i) {
    const std::uint8_t slot = slots != nullptr ? slots->at(i) : StudySlots::unknown;
    const std::size_t position = slot != StudySlots::unknown ? slot : i;
    add(Kind::source, line.sources[i], i < 3 ? widths.source[i] : 1, position, flag(flags, position));
  }
  for (const std::uint8_t r : line.destinations) add(Kind::destination, r, widths.destination, 0, false);
}

}  // namespace subcore
