#include "subcore/model/policy/replacement/lru.h"

namespace subcore {

unsigned Lru::victim(const ReplacementView& view) {
  return least_recently_used(view);
}

}  // namespace subcore
