#include "model/config/storage.h"

namespace subcore {

std::uint64_t operand_storage_bytes(const PlatformParameters& p) {
  constexpr std::uint64_t operand_bytes = 128;
  const SubCoreParameters& s = p.sub_core;
  const std::uint64_t each = s.collector.kind == CollectorKind::ocu ? s.collector.slots : s.collector.entries;
  return p.multiprocessor.sub_cores * operand_bytes *
         (s.collector.count * each + s.operand_cache.entries_in_all(s.scheduler.two_level, s.warp_slots));
}

}  // namespace subcore
