// Room for CTAs in one SM: warp slots, registers, shared memory and CTA slots.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace subcore {

// The resources of an SM that a CTA takes while it runs.
struct CtaNeeds {
  std::uint32_t warps = 0;
  std::uint32_t registers = 0;  // 32-bit registers of the whole CTA
  std::uint32_t shared_memory_bytes = 0;
};

class CtaRoom {
 public:
  // The resources of an SM.
  struct Capacity {
    std::uint32_t cta_slots, warps, registers, shared_memory_bytes;
  };
  explicit CtaRoom(const Capacity& capacity) : free_(capacity) {}

  bool fits(const CtaNeeds& n) const {
    return free_.cta_slots >= 1 && free_.warps >= n.warps && free_.registers >= n.registers &&
           free_.shared_memory_bytes >= n.shared_memory_bytes;
  }
  // The number of CTAs with these needs that fit at once.
  std::uint32_t count(const CtaNeeds& n) const {
    std::uint32_t ctas = free_.cta_slots;
    const auto bound = [&ctas](std::uint32_t has, std::uint32_t needs) {
      if (needs != 0) ctas = std::min(ctas, has / needs);
    };
    bound(free_.warps, n.warps);
    bound(free_.registers, n.registers);
    bound(free_.shared_memory_bytes, n.shared_memory_bytes);
    return ctas;
  }
  void take(const CtaNeeds& n) { change(n, -1); }
  void give_back(const CtaNeeds& n) { change(n, 1); }

 private:
  void change(const CtaNeeds& n, int sign) {
    const auto s = static_cast<std::uint32_t>(sign);  // modular arithmetic: + ~0 is - 1
    free_.cta_slots += s;
    free_.warps += s * n.warps;
    free_.registers += s * n.registers;
    free_.shared_memory_bytes += s * n.shared_memory_bytes;
  }
  Capacity free_;
};

// Registers are given to warps in blocks of 256 (8 per thread), as on Volta and later.
inline CtaNeeds cta_needs(std::uint32_t warps, std::uint32_t registers_per_thread,
                          std::uint32_t shared_memory_bytes) {
  const std::uint32_t per_thread = std::max(8u, (registers_per_thread + 7) / 8 * 8);
  return {warps, warps * per_thread * 32, shared_memory_bytes};
}

// The rate at which SMs get CTAs.

// One CTA per cycle for the whole GPU, or one per cycle for each SM with room.
enum class CtaDispatch : std::uint8_t { gpu, sm };

constexpr std::array<std::string_view, 2> names(CtaDispatch) {
  return {"gpu", "sm"};
}

}  // namespace subcore
