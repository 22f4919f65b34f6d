// Exact operands of a kernel's code, from the `kernel-N.sass` file beside its trace.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// Registers that one operand of an instruction names, from `base` on.
struct SidecarOperand {
  Register base = 0;
  std::uint8_t width = 1;
  std::uint8_t slot = no_slot;  // collector slot: 0, 1, 2, 3 = A, B, C, D
  static constexpr std::uint8_t no_slot = 255;
};

// A sidecar is made and dropped with every kernel, even a short one, so its operands lie in place.
using SidecarOperands = boost::container::small_vector<SidecarOperand, 4>;

// A sidecar's line about one instruction.
struct SidecarEntry {
  SidecarOperands sources, destinations;                  // R registers only
  std::uint64_t uniforms_read = 0, uniforms_written = 0;  // bit per uniform register
  ControlBits control;
  std::uint8_t reuse_mask = 0;
  std::uint8_t predicates_read = 0,
               predicates_written = 0;  // bit per predicate, from the text of the instruction
  std::uint32_t text_at = 0;            // in Sidecar::texts
  std::uint16_t text_length = 0;
  std::uint32_t line = 0;  // line of Sidecar::file, from 1
};

// The slot of each listed source. The sidecar's source at the same place gives it, or else the first source
// with the same register that has no other listed source. Without such a source it is no_slot.
using SourceSlots = boost::container::small_vector<std::uint8_t, max_sources>;
// `told` are the sidecar's sources. `listed` are the registers of the trace's line, `count` in number.
SourceSlots slots_of(const SidecarOperands& told, const Register* listed, std::size_t count);

struct Sidecar {
  boost::container::flat_map<std::uint64_t, SidecarEntry> by_pc;
  std::string texts;  // texts of all instructions
  std::string file;   // empty: the sidecar is in a packed trace
  const SidecarEntry* find(std::uint64_t pc) const {
    const auto it = by_pc.find(pc);
    return it == by_pc.end() ? nullptr : &it->second;
  }
  // The instruction's disassembled text. A text longer than any instruction is cut.
  std::string_view text(const SidecarEntry& entry) const {
    return std::string_view(texts).substr(entry.text_at, entry.text_length);
  }
  // The entry's place, for messages: "kernel-1.sass:4".
  std::string location_of(const SidecarEntry& entry) const {
    return file.empty() ? "the trace's sidecar" : file + ':' + std::to_string(entry.line);
  }
  void keep_text(SidecarEntry& entry, std::string_view text) {
    entry.text_at = static_cast<std::uint32_t>(texts.size());
    entry.text_length = static_cast<std::uint16_t>(std::min<std::size_t>(text.size(), longest_text));
    texts.append(text.substr(0, entry.text_length));
  }
  static constexpr std::size_t longest_text = 1000;
};

// The sidecar file of a trace file, or an empty path. A packed trace has its sidecar inside. Throws
// std::runtime_error if the sidecar's name belongs to something that cannot be read from end to end: a
// folder, a pipe, a link that leads nowhere.
std::filesystem::path find_sidecar(const std::filesystem::path& trace);
// The sidecar of a trace file, or nothing.
std::optional<Sidecar> sidecar_of(const std::filesystem::path& trace);
// Reads kernel-N.sass, plain or compressed as .xz or .gz. Throws TraceError (file, line, what was expected).
Sidecar read_sidecar(const std::filesystem::path& file);

}  // namespace subcore
