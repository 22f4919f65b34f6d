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
  // A result that is kept out outdates a copy, too: one that an older result left which was still on its way
  // when this one's instruction was issued. A result of some lanes never makes a copy, not even if it is the
  // register's first: the other path may have written its own lanes meanwhile.
  unsigned written(const Instruction& i, unsigned destination, std::vector<SteeredResult>& steered) override {
    if (has_counted_result(i.code->execution)) return 0;
    const bool near = i.destination_is_near(destination);
    const bool enters = filter_.decide(0, near, true) == PortDAction::write;
    steered.push_back({destination, 0, !enters, near, i.is_whole() ? ~0u : i.mask});
    return enters ? 0 : 1;
  }

 private:
  WriteFilter filter_;
};

}  // namespace subcore
