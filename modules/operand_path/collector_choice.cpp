#include "subcore/modules/operand_path/collector_choice.h"

#include "subcore/modules/arbiter/arbiter.h"

namespace subcore {

std::unique_ptr<Arbiter> CollectorChoice::make_arbiter(const RegisterFileParameters& file,
                                                       const ArbiterPorts& ports, const BankMap& map,
                                                       std::unique_ptr<ResultSteering> steering,
                                                       bool whole_writes) const {
  return std::make_unique<Arbiter>("arbiter", file, ports, map, std::move(steering), whole_writes);
}

}  // namespace subcore
