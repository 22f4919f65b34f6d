// The contents that a register cache shows in waveforms.
#pragma once

#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/operand_cache_policy.h"

namespace subcore::test {

// The registers that the cache has of the warp in this slot. Checks that all of them are dirty, or none.
inline std::vector<Register> kept_registers(const OperandCachePolicy& cache, unsigned warp_slot,
                                            bool are_dirty = false) {
  std::vector<OperandCachePolicy::Kept> list;
  cache.contents(warp_slot, list);
  std::vector<Register> registers;
  for (const auto& k : list) {
    CHECK(k.dirty == are_dirty);
    registers.push_back(k.reg);
  }
  return registers;
}

}  // namespace subcore::test
