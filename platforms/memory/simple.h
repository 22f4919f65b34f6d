// memory.kind simple: one simple memory per SM, which stands for the L1 and everything behind it. The memory
// keeps its tags from kernel to kernel.
#pragma once

#include "subcore/modules/memory/simple_memory.h"
#include "subcore/platforms/memory/memory.h"

namespace subcore {

class SimpleMemoryChoice final : public MemoryChoice {
 public:
  SimpleMemoryParameters parameters;

  void describe(ParameterVisitor& v) override { parameters.describe(v); }
  void check(Checker& c) const override;
  std::unique_ptr<Memory> make(const MemorySite& site) const override;
};

// A memory of fixed latency for each SM.
class SimpleMemories final : public Memory {
 public:
  SimpleMemories(const SimpleMemoryParameters& parameters, const MemorySite& site);

  tlm::tlm_target_socket<>* memory_socket(unsigned sm) override { return &memories[sm].memory_socket; }
  std::vector<Module*> modules() override;

  sc_core::sc_vector<SimpleMemory> memories;  // a memory per SM
};

}  // namespace subcore
