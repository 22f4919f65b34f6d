// The bank that holds a warp register: (register + warp) mod banks.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// The number that shifts a warp's banks against those of other warps: the warp's slot in the sub-core, its
// slot in the SM, or none.
enum class BankWarpId : std::uint8_t { subcore_local, sm, none };

constexpr std::array<std::string_view, 3> names(BankWarpId) {
  return {"subcore_local", "sm", "none"};
}

class BankMap {
 public:
  // `warp_slot` counts the slots of this sub-core. The SM-wide number is slot x sub_cores + sub_core, because
  // warps are dealt round-robin. With `sm`, all warps of a sub-core may therefore share a parity.
  BankMap(std::uint32_t banks, BankWarpId warp_id, std::uint32_t sub_core, std::uint32_t sub_cores)
      : banks_(banks),
        mask_((banks & (banks - 1)) == 0 ? banks - 1 : 0),
        factor_(warp_id == BankWarpId::none ? 0
                : warp_id == BankWarpId::sm ? sub_cores
                                            : 1),
        offset_(warp_id == BankWarpId::sm ? sub_core : 0) {}

  std::uint32_t bank(Register reg, std::uint32_t warp_slot) const {
    const std::uint32_t sum = reg + warp_slot * factor_ + offset_;
    return mask_ != 0 || banks_ == 1 ? sum & mask_ : sum % banks_;  // a division costs more than the rest
  }
  std::uint32_t banks() const { return banks_; }

 private:
  std::uint32_t banks_, mask_, factor_, offset_;
};

}  // namespace subcore
