// MemoryChoice: the kinds of memory that a platform file may name (memory.kind).
#pragma once

#include <cstdint>
#include <memory>

#include "subcore/model/parameters/choice.h"
#include "subcore/modules/conductor/tick_order.h"

namespace subcore {

class Memory;

// The settings of the GPU that a memory has to know.
struct MemorySite {
  unsigned sms = 1;
  double clock_period_ns = 1.0;
  TickOrder tick_order = TickOrder::pipeline;
  std::uint64_t seed = 1;
};

class MemoryChoice : public Choice {
 public:
  // Makes a memory, whose modules belong to the module under construction.
  virtual std::unique_ptr<Memory> make(const MemorySite& site) const = 0;
  // Whether the memory is complete, so that the user has nothing to bind.
  virtual bool is_complete() const { return true; }
  static Choices<MemoryChoice>& choices();
};

// The choice of memory (memory.*).
struct MemoryParameters {
  Chosen<MemoryChoice> kind{"simple"};
  void describe(ParameterVisitor& v);
};

}  // namespace subcore
