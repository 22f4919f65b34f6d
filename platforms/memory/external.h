// memory.kind external: memory of the user's own, bound to the memory_socket of each SM after the Gpu is
// made.
#pragma once

#include "subcore/platforms/memory/memory.h"

namespace subcore {

class ExternalMemoryChoice final : public MemoryChoice {
 public:
  std::unique_ptr<Memory> make(const MemorySite& site) const override;
  bool is_complete() const override { return false; }
};

}  // namespace subcore
