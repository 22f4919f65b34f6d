#include "subcore/platforms/memory/external.h"

namespace subcore {
namespace {

class ExternalMemory final : public Memory {
 public:
  tlm::tlm_target_socket<>* memory_socket(unsigned) override { return nullptr; }
  std::vector<Module*> modules() override { return {}; }
};

}  // namespace

std::unique_ptr<Memory> ExternalMemoryChoice::make(const MemorySite&) const {
  return std::make_unique<ExternalMemory>();
}

}  // namespace subcore
