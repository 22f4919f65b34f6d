#include "model/policy/operand_cache_policy.h"

#include "model/config/operand_cache_parameters.h"
#include "model/policy/interval_partition.h"
#include "model/policy/operand_levels.h"
#include "model/policy/register_file_cache.h"
#include "model/policy/warp_register_cache.h"

namespace subcore {

std::unique_ptr<OperandCachePolicy> make_operand_cache_policy(const OperandCacheParameters& p,
                                                              unsigned warp_slots) {
  switch (p.kind) {
    case OperandCacheKind::rfc:
      return std::make_unique<RegisterFileCache>(warp_slots, p.entries, p.partial_write, p.overwrite);
    case OperandCacheKind::software_rfc:
      return std::make_unique<OperandLevels>(warp_slots, p.entries, p.lrf_entries, p.partial_write);
    case OperandCacheKind::ltrf:
      return std::make_unique<IntervalPartition>(warp_slots, p.live_only, p.partial_write);
    case OperandCacheKind::register_cache:
      return std::make_unique<WarpRegisterCache>(warp_slots, p.register_cache(), p.partial_write);
    case OperandCacheKind::none:
      break;
  }
  return nullptr;
}

}  // namespace subcore
