// The hardware of a module, as far as area and leakage go: its stores bit by bit, and its crossbars. A module
// declares its hardware (Module::inventory()), as it declares the accesses of its stores that cost energy
// (AccessPort). power/README.md says what each module declares, and what is left out.
//   void inventory(Inventory& list) const override {
//     list.add("victims", HardwareKind::data, victim_entries_, operand_bits);
//     list.add("victim_tags", HardwareKind::tag, victim_entries_, register_bits);
//   }
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// Kinds of hardware. A bit of each kind has its own area and leakage.
enum class HardwareKind : std::uint8_t {
  data,        // words that are read and written by address
  tag,         // words that are searched for; each bit has a comparator
  state,       // bits that are read or changed all at once: valid, locked, order of use, counters
  crosspoint,  // switches between the inputs and the outputs of a crossbar
};
constexpr std::array<std::string_view, 4> names(HardwareKind) {
  return {"data", "tag", "state", "crosspoint"};
}

// The width of a warp operand, in bits.
inline constexpr std::uint32_t operand_bits = 1024;
// The width of a register number, in bits.
inline constexpr std::uint32_t register_bits = 8;
// The width of a warp's number in its SM, in bits.
inline constexpr std::uint32_t warp_bits = 6;
// The width of a number below `n`, in bits; 0 for n = 1.
constexpr std::uint32_t width_of(std::uint64_t n) {
  std::uint32_t width = 0;
  while ((std::uint64_t{1} << width) < n) ++width;
  return width;
}

// A part of a module: words of some bits each.
struct HardwarePart {
  std::string name;  // within the module: "cache_table_tags"
  HardwareKind kind = HardwareKind::data;
  std::uint64_t words = 0;  // for a crossbar: inputs x outputs
  std::uint32_t bits = 0;   // per word
  std::uint32_t ports = 1;  // words that are read or written at once; for tags, also searches
  std::uint64_t all_bits() const { return words * bits; }
};

class Inventory {
 public:
  // Adds a part, unless it has no bits. If there is a part of that name, adds words to it.
  void add(const std::string& name, HardwareKind kind, std::uint64_t words, std::uint32_t bits,
           std::uint32_t ports = 1) {
    if (words == 0 || bits == 0) return;
    for (HardwarePart& p : parts_) {
      if (p.name != name || p.kind != kind || p.bits != bits || p.ports != ports) continue;
      p.words += words;
      return;
    }
    parts_.push_back({name, kind, words, bits, ports});
  }
  // The parts in the order in which they were first added.
  const std::vector<HardwarePart>& parts() const { return parts_; }

 private:
  std::vector<HardwarePart> parts_;
};

}  // namespace subcore
