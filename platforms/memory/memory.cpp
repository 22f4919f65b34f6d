#include "subcore/platforms/memory/memory.h"

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"

namespace subcore {
namespace {

class ExternalMemory final : public Memory {
 public:
  tlm::tlm_target_socket<>* memory_socket(unsigned) override { return nullptr; }
  std::vector<Module*> modules() override { return {}; }
};

// memory.kind external: the memory is bound to the memory_socket of each SM after the Gpu is made.
class ExternalMemoryChoice final : public MemoryChoice {
 public:
  std::unique_ptr<Memory> make(const MemorySite&) const override {
    return std::make_unique<ExternalMemory>();
  }
  bool is_complete() const override { return false; }
};

}  // namespace

Choices<MemoryChoice>& MemoryChoice::choices() {
  static Choices<MemoryChoice> table =
      Choices<MemoryChoice>()
          .add<SimpleMemoryChoice>("simple", "a tag store, two latencies and a bandwidth for each SM")
          .add<HierarchyChoice>("hierarchy", "an L1 per SM, interconnect, L2 slices and DRAM channels")
          .add<ExternalMemoryChoice>("external",
                                     "a user's own memory, bound to the SMs' memory sockets in C++");
  return table;
}

void MemoryParameters::describe(ParameterVisitor& v) {
  v.choice("kind", kind, "memory behind the load/store units");
}

}  // namespace subcore
