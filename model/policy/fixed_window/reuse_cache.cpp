#include "subcore/model/policy/fixed_window/reuse_cache.h"

namespace subcore {

void ReuseCacheParameters::describe(ParameterVisitor& v) {
  v.field("reuse_slots", slots, {3, 4}, "slots", "operand slots that have an entry for each bank");
  v.field("reuse_banks", banks, {1, 64}, "banks", "entries of a slot, to which registers belong in turn");
  v.field("memory_evicts", memory_evicts,
          "an instruction that does not look into the cache takes away what is in its slots, too");
}

}  // namespace subcore
