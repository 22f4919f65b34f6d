#include "subcore/model/policy/steering/near_filter.h"

#include <algorithm>

#include "subcore/base/bits.h"

namespace subcore {

// An update can meet an older one only when the older one is due, which is taken over first.
void NearFilter::update(unsigned collector, Cycle stamp, const SteeringUpdate& update) {
  Collector& c = collectors_[collector];
  if (bits::has(announced_, collector) && c.stamp < stamp) take_over(collector);
  c.next = {update.issued, update.warp_uid, true};
  c.stamp = stamp;
  bits::add(announced_, collector);
}

void NearFilter::take_over(unsigned collector) {
  collectors_[collector].now = collectors_[collector].next;
  bits::remove(announced_, collector);
}

void NearFilter::begin_cycle(Cycle now) {
  for (const unsigned c : bits::each(announced_)) {
    if (collectors_[c].stamp <= now) take_over(c);
  }
  filter_.begin_cycle();
}

unsigned NearFilter::written(const Instruction& i, unsigned destination,
                             std::vector<SteeredResult>& steered) {
  // A warp may hold several collectors (own_or_lru); results belong in the one it used last.
  Cycle newest = 0;
  std::uint64_t held = 0;
  for (unsigned c = 0; c < collectors_.size(); ++c) {
    const Holder& h = collectors_[c].now;
    if (!h.holds || h.warp_uid != i.warp_uid) continue;
    bits::add(held, c);
    newest = std::max(newest, h.issued);
  }
  const bool near = i.destination_is_near(destination);
  unsigned kept_out = 0;
  for (const unsigned c : bits::each(held)) {
    const PortDAction action = filter_.decide(c, near, collectors_[c].now.issued == newest);
    if (action != PortDAction::write) ++kept_out;
    if (action == PortDAction::none) continue;
    steered.push_back(
        {destination, c, action == PortDAction::invalidate, near, i.is_partial(destination) ? i.mask : ~0u});
  }
  return kept_out;
}

}  // namespace subcore
