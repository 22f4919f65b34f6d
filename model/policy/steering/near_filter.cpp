#include "subcore/model/policy/steering/near_filter.h"

#include <algorithm>

#include "subcore/base/bits.h"

namespace subcore {

// News can meet older news only when the older is due: the older is taken over first.
void NearFilter::news(unsigned collector, Cycle stamp, const SteeringNews& news) {
  Place& p = holders_[collector];
  if (bits::has(has_news_, collector) && p.stamp < stamp) take_over(collector);
  p.next = {news.issued, news.warp_uid, news.holds};
  p.stamp = stamp;
  bits::add(has_news_, collector);
}

void NearFilter::take_over(unsigned collector) {
  holders_[collector].now = holders_[collector].next;
  bits::remove(has_news_, collector);
}

void NearFilter::begin_cycle(Cycle now) {
  for (const unsigned c : bits::each(has_news_)) {
    if (holders_[c].stamp <= now) take_over(c);
  }
  filter_.begin_cycle();
}

unsigned NearFilter::written(const Instruction& i, unsigned destination,
                             std::vector<SteeredResult>& steered) {
  // A warp may hold several collectors (own_or_lru); results belong in the one it used last.
  Cycle newest = 0;
  std::uint64_t held = 0;
  for (unsigned c = 0; c < holders_.size(); ++c) {
    const Holder& h = holders_[c].now;
    if (!h.holds || h.warp_uid != i.warp_uid) continue;
    bits::add(held, c);
    newest = std::max(newest, h.issued);
  }
  const bool near = i.destination_is_near(destination);
  unsigned kept_out = 0;
  for (const unsigned c : bits::each(held)) {
    const PortDAction action = filter_.decide(c, near, holders_[c].now.issued == newest);
    if (action != PortDAction::write) ++kept_out;
    if (action == PortDAction::none) continue;
    steered.push_back(
        {destination, c, action == PortDAction::invalidate, near, i.is_partial(destination) ? i.mask : ~0u});
  }
  return kept_out;
}

}  // namespace subcore
