#include "subcore/platforms/config/storage.h"

namespace subcore {

std::uint64_t operand_cache_entries(const SubCoreParameters& s) {
  const std::uint32_t active = s.scheduler.two_level.active_warps;
  return s.operand_cache.kind->entries_of_all(active != 0 ? active : s.warp_slots, s.operand_cache.entries);
}

std::uint64_t operand_storage_bytes(const PlatformParameters& p) {
  constexpr std::uint64_t operand_bytes = 128;
  const SubCoreParameters& s = p.sub_core;
  return p.multiprocessor.sub_cores * operand_bytes *
         (s.collector.count * (std::uint64_t{s.collector.operands()} + s.collector.kind->other_operands()) +
          operand_cache_entries(s));
}

}  // namespace subcore
