// An instruction as the register-cache study sees it: raw registers in the order of the trace line. Only MMA
// operands are expanded, as in RFC-sim. The view differs from the normalised one of model/isa, which drops
// duplicates and positions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "subcore/model/trace/sidecar.h"

namespace subcore {

// One line of a trace before it is interpreted.
struct StudyLine {
  std::uint64_t pc = 0;
  unsigned pc_digits = 0;
  std::uint32_t mask = 0;
  std::uint32_t warp = 0;      // number in its thread block
  bool first_of_warp = false;  // the warp's stream begins here
  std::string opcode;
  std::vector<std::uint8_t> destinations, sources;
  // Words such as 0x7f00 behind the registers. RFC-sim takes them for operands.
  unsigned address_words = 0;
  int reuse = -1;            // mask of `reuse=`; -1: the line has none
  std::uint64_t number = 0;  // the line's number in its file
};

// A register that an instruction names.
struct StudyOperand {
  // How the instruction uses the register. An address is a source, too.
  enum class Kind : std::uint8_t { source, destination, address };
  Kind kind = Kind::source;
  std::uint16_t reg = 0;       // 0 to 258; of an address, its position
  std::uint16_t position = 0;  // chooses the set of a source
  bool flagged = false;        // reuse flag
};

// An instruction as the study counts it.
struct StudyInstruction {
  std::uint32_t mask = 0;
  std::vector<StudyOperand> operands;  // sources, then destinations
};

// Collector slots of a static instruction's listed sources, if a sidecar names them.
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
  skipped,      // the line's PC does not have exactly four digits
  ends_kernel,  // a line with several destinations, after which nothing of the kernel is read
};
// Fills `out` if the line is an instruction. Flag k of `flags` is tested for the source at position k. Throws
// std::domain_error where RFC-sim would end: at an MMA with fewer than four operands.
RfcsimLine rfcsim_view(const StudyLine& line, std::uint8_t flags, StudyInstruction& out);

// Fills `out` with the corrected view. RZ is left out, and a source's slot replaces its position if the slot
// is known.
void corrected_view(const StudyLine& line, std::uint8_t flags, const StudySlots* slots,
                    StudyInstruction& out);

}  // namespace subcore
