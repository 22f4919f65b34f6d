#include "subcore/model/policy/allocation/any_free.h"

namespace subcore {

Allocation AnyFree::choose(std::uint32_t, unsigned, const CollectorViews& collectors) {
  if (collectors.free == 0) return {};
  return {static_cast<int>(random_.pick(collectors.free)), false};
}

}  // namespace subcore
