// The model's table of operand widths, which replaces missing sidecars, compared with the tracer's table.
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "random_encoding.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/tracer/files/cubin.h"
#include "subcore/tracer/files/trace_writer.h"

namespace operand_width_test {

using namespace subcore::tracer;

struct Listed {
  std::vector<subcore::Register> numbers;
  std::vector<unsigned> widths;
  void add(const RegisterUse& use) {
    numbers.push_back(use.number);
    widths.push_back(use.width);
  }
};

// The model's view of an operand, beside the tracer's; empty if both agree.
std::string difference_of(const Instruction& i) {
  const auto info = subcore::opcode_info(i.opcode);
  if (!info) return "no opcode of the model's";
  Listed sources, results;
  for (const RegisterUse& use : i.registers)
    if (!use.is_uniform) (use.is_destination ? results : sources).add(use);
  const auto widths =
      subcore::operand_widths(i.opcode, *info, info->accesses_memory() ? traced_bytes(i) : 0,
                              sources.numbers.data(), static_cast<unsigned>(sources.numbers.size()));
  std::string difference;
  const auto compare = [&](const Listed& listed, const auto& of_model, const char* what) {
    for (std::size_t n = 0; n < listed.widths.size(); ++n)
      if (listed.numbers[n] != zero_register && listed.widths[n] != of_model[n])
        difference += std::string(what) + " " + std::to_string(n) + ": " + std::to_string(listed.widths[n]) +
                      " of the tracer's, " + std::to_string(of_model[n]) + " of the model's; ";
  };
  compare(results, widths.destination, "result");
  compare(sources, widths.source, "source");
  return difference;
}

// Whether a compiler makes such an instruction, of all that have the bits of a row.
bool is_made(const Instruction& i) {
  const unsigned to = i.field(Field::to), from = i.field(Field::from);
  const auto is = [&](const char* name) { return subcore::is_named(i.opcode, name); };
  if (is("HMMA") || is("IMMA") || is("DMMA")) return i.form == 1;  // of registers alone
  if (is("F2F")) return to != 0 && from != 0;                      // not of floats of 8 bits
  if (is("FRND")) return to == from;
  return true;
}

// Whether an opcode and the registers of a line tell how wide the registers are. An address of one register
// beside uniform ones ([R2.U32+UR4]) does not tell it. Nor does IMAD.WIDE if one of its operands is no
// register.
bool is_told(const Instruction& i) {
  const auto info = subcore::opcode_info(i.opcode);
  const bool has_address = info && (info->accesses_memory() || subcore::is_named(i.opcode, "QSPC")) &&
                           info->space != subcore::MemorySpace::constant;
  const bool is_wide_space = i.address.space == Space::global || i.address.space == Space::generic;
  if (subcore::has_modifier(i.opcode, "CAS") || subcore::has_modifier(i.opcode, "CAST"))
    if (i.address.has_uniform)
      return false;  // in place of the address is a value, or Pascal's pair of values
  if (has_address && is_wide_space) return i.address.is_wide;
  if (subcore::is_named(i.opcode, "IMAD") && !i.registers.empty() && i.opcode.size() > 4)
    return i.operands[1].kind == Operand::Kind::vector && i.operands[2].kind == Operand::Kind::vector;
  return true;
}

TEST_CASE("The model's widths of operands are those of the tracer's rows, in every form") {
  std::mt19937_64 random(5);
  std::map<std::string, std::string> differences;
  std::set<const InstructionRow*> compared;
  for (const InstructionRow& row : instruction_table())
    for (const unsigned architecture : known_architectures)
      for (unsigned n = 0; n < 200 && architecture >= row.since && architecture <= row.until; ++n) {
        const auto [low, high] = tracer_test::random_encoding(row, random);
        const Instruction i = decode(instruction_table(), architecture, low, high, 0x100);
        if (!is_made(i) || !is_told(i)) continue;
        compared.insert(&row);
        if (const std::string difference = difference_of(i); !difference.empty())
          differences[row.name] = i.text + " " + difference;
      }
  for (const auto& [row, difference] : differences) UNSCOPED_INFO(row + ": " + difference);
  REQUIRE(differences.empty());
  for (const InstructionRow& row : instruction_table()) {
    CAPTURE(row.name);
    REQUIRE(compared.count(&row) == 1);
  }
}

}  // namespace operand_width_test
