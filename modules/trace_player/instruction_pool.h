// Instructions that are made once and used again and again, those given back last first: few cache lines for
// what a sub-core has in flight.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

class InstructionPool {
 public:
  // Grows to the most that are ever in flight, then never again.
  Instruction& take() {
    if (spare_.empty()) grow();
    Instruction& i = *spare_.back();
    spare_.pop_back();
    return i;
  }
  void give_back(Instruction& i) { spare_.push_back(&i); }

 private:
  void grow() {
    constexpr std::size_t block = 32;
    blocks_.push_back(std::make_unique<Instruction[]>(block));
    for (std::size_t n = block; n-- > 0;) spare_.push_back(&blocks_.back()[n]);
  }
  std::vector<std::unique_ptr<Instruction[]>> blocks_;
  std::vector<Instruction*> spare_;
};

}  // namespace subcore
