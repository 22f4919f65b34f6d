#include "subcore/model/policy/allocation/allocation.h"

#include "subcore/model/policy/allocation/any_free.h"
#include "subcore/model/policy/allocation/malekeh.h"
#include "subcore/model/policy/allocation/own_or_lru.h"
#include "subcore/model/policy/allocation/private.h"

namespace subcore {

Choices<AllocationChoice>& AllocationChoice::choices() {
  static Choices<AllocationChoice> table =
      Choices<AllocationChoice>()
          .add<AnyFreeChoice>("any_free", "any free collector, at random")
          .add<MalekehAllocationChoice>("malekeh",
                                        "the warp's own, else one without near values, else as "
                                        "STHLD allows (malekeh Fig. 6)")
          .add<PrivateChoice>("private", "one collector per warp slot")
          .add<OwnOrLruChoice>("own_or_lru", "the warp's own if it is free, else the least recently used");
  return table;
}

}  // namespace subcore
