#include "subcore/model/policy/replacement/near_aware.h"

namespace subcore {

unsigned NearAware::victim(const ReplacementView& view) {
  const std::uint64_t far = view.unlocked & ~view.near;
  return far != 0 ? random_.pick(far) : least_recently_used(view);
}

}  // namespace subcore
