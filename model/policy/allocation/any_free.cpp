#include "model/policy/allocation/any_free.h"

#include "model/bits.h"

namespace subcore {

Allocation AnyFree::choose(std::uint32_t, unsigned, const std::vector<CollectorView>& collectors) {
  std::uint64_t free = 0;
  for (std::size_t c = 0; c < collectors.size(); ++c) {
    if (collectors[c].free) bits::add(free, c);
  }
  if (free == 0) return {};
  return {static_cast<int>(random_.pick(free)), false};
}

}  // namespace subcore
