// An instruction as the register-cache study sees it: raw registers in the order of the trace line, only MMA
// operands expanded (as RFC-sim does). Not the normalised view of model/isa, which drops duplicates and
// positions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/model/trace/sidecar.h"

namespace subcore {

// One line of a trace, not yet interpreted.
struct StudyLine {
  std::uint64_t pc = 0;
  unsigned pc_digits = 0;
  std::uint32_t mask = 0;
  std::uint32_t warp = 0;      // in its thread block
  bool first_of_warp = false;  // the warp's stream begins here
  std::string opcode;
  std::vector<std::uint8_t> destinations, sources;
  unsigned address_words = 0;  // words such as 0x7f00 behind the registers; RFC-sim takes them for operands
  int reuse = -1;              // mask of a `reuse=`, -1 = none
  std::uint64_t number = 0;    // the line's number in its file
};

// A register that an instruction names.
struct StudyOperand {
  // Use of the register by the instruction; an address is a source, too.
  enum class Kind : std::uint8_t { source, destination, address };
  Kind kind = Kind::source;
  std::uint16_t reg = 0;       // 0..258; of an address its position
  std::uint16_t position = 0;  // decides a source's set
  bool flagged = false;        // reuse flag
};

// An instruction as the study counts it.
struct StudyInstruction {
  std::uint32_t mask = 0;
  std::vector<StudyOperand> operands;  // sources, then destinations
};

// Collector slots of a static instruction's listed sources, where a sidecar tells them.
struct StudySlots {
  static constexpr std::uint8_t unknown = SidecarOperand::no_slot;
  SourceSlots of_source;  // by position in the trace's list; 0, 1, 2 = A, B, C
  std::uint8_t at(std::size_t position) const {
    return position < of_source.size() ? of_source[position] : unknown;
  }
};

// RFC-sim's view of a line.
enum class RfcsimLine : std::uint8_t {
  instruction,
  skipped,      // the line's PC has not exactly four digits
  ends_kernel,  // the line has several destinations: nothing of the kernel is read after it
};
// Fills `out` when it is an instruction; flag k of `flags` is tested for the source at position k. Throws
// std::domain_error where RFC-sim ends itself: an MMA with fewer than four operands.
RfcsimLine rfcsim_view(const StudyLine& line, std::uint8_t flags, StudyInstruction& out);

// The mended view: RZ left out, a source's slot in place of its position where that is known.
void corrected_view(const StudyLine& line, std::uint8_t flags, const StudySlots* slots,
                    StudyInstruction& out);

}  // namespace subcore
