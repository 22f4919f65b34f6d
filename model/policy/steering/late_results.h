// Steering to a fixed read window that keeps near results: results that the compiler counts on the window
// keeps by itself, the others come over port D as they are written. All warps have one collector.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/steering/near_filter.h"

namespace subcore {

class LateResults final : public ResultSteering {
 public:
  // `ports`: results a cycle; 0 = unlimited.
  explicit LateResults(std::uint32_t ports) : filter_({true, true, true, ports}, 1) {}

  void update(unsigned, Cycle, const SteeringUpdate&) override {}
  void begin_cycle(Cycle) override { filter_.begin_cycle(); }
  bool steers_at_arrival() const override { return false; }
  unsigned written(const Instruction& i, unsigned destination, std::vector<SteeredResult>& steered) override;

 private:
  WriteFilter filter_;
};

}  // namespace subcore
