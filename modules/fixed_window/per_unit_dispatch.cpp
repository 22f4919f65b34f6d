#include "subcore/modules/fixed_window/per_unit_dispatch.h"

namespace subcore {

Cycle PerUnitDispatch::tick(Cycle now) {
  if (waiting_.empty() || last_dispatch_ == now) return never;
  for (unsigned unit = 0; unit < execution_unit_count; ++unit) {
    std::size_t first = waiting_.size();
    for (std::size_t n = 0; n < waiting_.size(); ++n) {
      const Waiting& w = waiting_[n];
      if (w.unit != unit || w.stamp > now) continue;
      if (first == waiting_.size() || w.stamp < waiting_[first].stamp) first = n;
    }
    if (first == waiting_.size() || !unit_socket[unit].ready(now)) continue;
    const Waiting chosen = waiting_[first];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(first));
    dispatch(chosen, now);
  }
  return next_chance(now);
}

}  // namespace subcore
