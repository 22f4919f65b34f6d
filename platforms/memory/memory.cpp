#include "subcore/platforms/memory/memory.h"

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/platforms/memory/external.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"

namespace subcore {

Choices<MemoryChoice>& MemoryChoice::choices() {
  static Choices<MemoryChoice> table =
      Choices<MemoryChoice>()
          .add<SimpleMemoryChoice>("simple", "per SM a tag store, two latencies and a bandwidth")
          .add<HierarchyChoice>("hierarchy", "an L1 per SM, interconnect, L2 slices and DRAM channels")
          .add<ExternalMemoryChoice>("external",
                                     "of the user's own, bound to the SMs' memory sockets in C++");
  return table;
}

void MemoryParameters::describe(ParameterVisitor& v) {
  v.choice("kind", kind, "what stands behind the load/store units");
}

}  // namespace subcore
