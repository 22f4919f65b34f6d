// The table's rows: each can be decoded on each architecture that it is for.
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "random_encoding.h"
#include "subcore/tracer/files/cubin.h"
#include "subcore/tracer/machine/decoder.h"

namespace instruction_table_test {

using namespace subcore::tracer;
using tracer_test::random_encoding;

TEST_CASE("Random instructions of every row are decoded, with all operands in their text") {
  std::mt19937_64 random(7);
  std::set<const InstructionRow*> decoded;
  for (const InstructionRow& row : instruction_table())
    for (const unsigned architecture : known_architectures)
      for (unsigned n = 0; n < 20 && architecture >= row.since && architecture <= row.until; ++n) {
        const auto [low, high] = random_encoding(row, random);
        const Instruction i = decode(instruction_table(), architecture, low, high, 0x100);
        REQUIRE(i.row != nullptr);
        decoded.insert(i.row);
        REQUIRE(i.text.find(i.opcode) != std::string::npos);
        REQUIRE(i.text.substr(i.text.size() - 2) == " ;");
        for (const RegisterUse& use : i.registers)
          if (!use.is_uniform && use.number != zero_register)
            REQUIRE(i.text.find("R" + std::to_string(use.number)) != std::string::npos);
      }
  // If a row is never found, it stands behind a row that takes all of its instructions.
  for (const InstructionRow& row : instruction_table()) {
    CAPTURE(row.name);
    REQUIRE(decoded.count(&row) == 1);
  }
}

TEST_CASE("An instruction that no row is for is decoded as unknown") {
  const Instruction i = decode(instruction_table(), 75, 0x0000000000003fff, 0, 0);
  REQUIRE(i.row == nullptr);
  REQUIRE(i.text == "@P3 UNK_0xfff ;");
}

TEST_CASE("Instructions of later architectures are unknown of earlier ones") {
  const auto known = [](unsigned architecture) {
    return decode(instruction_table(), architecture, 0x00000000000079af, 0x000e220000000000, 0).row !=
           nullptr;
  };
  REQUIRE_FALSE(known(75));  // LDGDEPBAR
  REQUIRE(known(80));
}

}  // namespace instruction_table_test
