// The compiler passes' results for one static instruction, except the near bits that the instruction itself
// carries. A kernel's annotation is computed before the kernel runs. StaticInstruction::annotation is null if
// no pass was asked for. Bit k of a mask is the instruction's k-th normalised source or destination.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <bitset>
#include <cstdint>

#include "subcore/model/isa/instruction.h"

namespace subcore {

using RegisterSet = std::bitset<256>;

// The level at which software RFC keeps a value (MICRO 2011): the register banks, an entry of the operand
// register file, or the last-result file.
enum class OperandLevel : std::uint8_t { mrf, orf, lrf };

// The level and entry that hold one operand of an instruction.
struct OperandPlace {
  OperandLevel level = OperandLevel::mrf;  // sources: the only level that is read
  std::uint8_t entry = 0;                  // in the ORF or LRF
};

struct Annotation {
  // Destinations that always end their register's older value when they are written: the lanes that were left
  // out did not read it again. Nothing has to be merged.
  std::uint8_t ends_older = 0;
  // BOW's two bits per destination (BOW, section IV-B): the value goes to the window, to the banks, or both.
  std::uint8_t to_window = 0xff;
  std::uint8_t to_banks = 0xff;
  // RFC's dead bits (ISCA 2011): no later instruction of the warp reads this source's value.
  SourceSet last_use = 0;
  // Destinations whose value the banks need even if its readers find it elsewhere. Such a value covers only
  // some lanes, or a later result builds on it: a result of some lanes, or a warpgroup's product.
  std::uint8_t needs_banks = 0xff;

  // Software RFC (MICRO 2011):
  bool strand_start = false;  // a strand begins here; the contents of the ORF and LRF are lost
  std::array<OperandPlace, max_sources> read_from{};
  SourceSet keep_source = 0;  // sources that are read from the banks and also put into the ORF entry below
  std::array<std::uint8_t, max_sources> keep_entry{};
  std::array<OperandPlace, max_destinations> write_to{};  // level mrf: only to the banks
  std::uint8_t write_banks = 0xff;                        // destinations that (also) go to the banks

  // LTRF (ASPLOS 2018). Instructions of one interval have the same number and the same working set.
  std::uint32_t interval = 0;
  const RegisterSet* working_set = nullptr;  // the interval's; null if no intervals were formed
  RegisterSet live_in;                       // registers that may be read at or after this instruction
};

}  // namespace subcore
