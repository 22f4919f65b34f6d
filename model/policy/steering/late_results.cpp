#include "subcore/model/policy/steering/late_results.h"

namespace subcore {

// A result that is kept out outdates a copy, too: one that an older result left which was still on its way
// when this one's instruction was issued. A result of some lanes never makes a copy, not even if it is the
// register's first: the other path may have written its own lanes meanwhile.
unsigned LateResults::written(const Instruction& i, unsigned destination,
                              std::vector<SteeredResult>& steered) {
  if (has_counted_result(i.code->execution)) return 0;
  const bool near = i.destination_is_near(destination);
  const bool enters = filter_.decide(0, near, true) == PortDAction::write;
  steered.push_back({destination, 0, !enters, near, i.is_whole() ? ~0u : i.mask});
  return enters ? 0 : 1;
}

}  // namespace subcore
