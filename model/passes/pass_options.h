// Options of the compiler passes that run over a kernel before it starts.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/isa/issue_distance.h"
#include "subcore/model/passes/reuse.h"

namespace subcore {

// The energy of one register access in pJ, by which strand allocation weighs its savings. Only ratios matter.
// The defaults are a 32 KB bank and the smallest buffer in the energy table.
struct StrandEnergy {
  double mrf_read = 24.7, mrf_write = 37.9;
  double orf_read = 5.8, orf_write = 6.0;
  double lrf_read = 5.8, lrf_write = 6.0;
};

// The source of StaticInstruction::reuse_mask.
enum class ReuseFlags : std::uint8_t {
  traced,     // from the trace or its sidecar; a kernel without flags has none
  automatic,  // traced flags, but synthetic ones in a kernel without flags
  synthetic,  // from the next instruction's operands, whatever the trace says
};

constexpr std::array<std::string_view, 3> names(ReuseFlags) {
  return {"traced", "automatic", "synthetic"};
}

// The source of StaticInstruction::control.
enum class ControlBitsSource : std::uint8_t {
  sidecar,    // from the sidecar; a kernel without a sidecar has none
  automatic,  // from the sidecar, but synthetic in a kernel without one
  synthetic,  // from the control flow that the trace shows, whatever a sidecar says
};

constexpr std::array<std::string_view, 3> names(ControlBitsSource) {
  return {"sidecar", "automatic", "synthetic"};
}

// BOW's write-back hints for a destination that some warp wrote under a partial mask.
enum class PartialWriteBack : std::uint8_t {
  both,      // always to the window and the banks
  covering,  // like any other destination, unless a lane that it left out was read later
};

constexpr std::array<std::string_view, 2> names(PartialWriteBack) {
  return {"both", "covering"};
}

// The kinds of bits that a compiler gives the hardware about its code. If the compiler has not given such
// bits, a pass over the trace makes them.
enum class CompilerBits : std::uint8_t { control_bits, reuse_flags, near_bits };

constexpr std::array<std::string_view, 3> names(CompilerBits) {
  return {"control bits", "reuse flags", "near bits"};
}
// The count of kinds of compiler bits.
inline constexpr std::size_t compiler_bits_count = names(CompilerBits{}).size();

struct PassOptions {
  NearBitOptions near_bits;
  ReuseFlags reuse_flags = ReuseFlags::traced;
  ControlBitsSource control_bits = ControlBitsSource::sidecar;
  bool needs_control_bits = false;  // an instruction without control bits is an error
  // The binary version of code for this machine's timing; 0 = any. Control bits of code of another version
  // are an error.
  std::uint32_t binary_version = known_architectures[0];
  bool write_back = false;              // to_window, to_banks
  std::uint32_t write_back_window = 3;  // instructions: BOW's IW
  PartialWriteBack write_back_partial = PartialWriteBack::both;
  bool window_ends_at_taken_branch = false;  // the BOC is flushed at taken branches
  bool dead = false;                         // last_use, needs_banks
  bool liveness = false;                     // live_in
  bool strands = false;                      // strand_start and the operand levels
  std::uint32_t orf_entries = 3;             // per warp
  std::uint32_t lrf_entries = 1;             // per warp
  StrandEnergy strand_energy{};
  bool intervals = false;                 // interval, working_set
  std::uint32_t interval_registers = 16;  // N
  UnitOptions units{};                    // how instructions run, if the platform has an architecture's units

  bool synthesises_control_bits(bool has_sidecar) const {
    return control_bits == ControlBitsSource::synthetic ||
           (control_bits == ControlBitsSource::automatic && !has_sidecar);
  }
  // Whether instructions issue by the control bits of the sidecar.
  bool takes_control_bits(bool has_sidecar) const {
    return needs_control_bits && has_sidecar && !synthesises_control_bits(has_sidecar);
  }
  // Whether some pass looks at the whole kernel before it starts, so that its file is read twice.
  bool needs_profile(bool has_sidecar) const {
    return write_back || dead || liveness || strands || intervals || reuse_flags != ReuseFlags::traced ||
           synthesises_control_bits(has_sidecar);
  }
};

}  // namespace subcore
