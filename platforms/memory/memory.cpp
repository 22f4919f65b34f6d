#include "platforms/memory/memory.h"

#include "model/parameters/parameter_list.h"
#include "platforms/memory/external.h"
#include "platforms/memory/hierarchy.h"
#include "platforms/memory/simple.h"

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
