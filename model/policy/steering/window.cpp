#include "subcore/model/policy/steering/window.h"

#include <algorithm>

#include "subcore/base/bits.h"

namespace subcore {

void WindowSteering::news(unsigned collector, Cycle stamp, const SteeringNews& news) {
  std::vector<Places>& kept = kept_[news.producer->warp_slot];
  if (news.reserved != 0) {
    kept.push_back({news.producer, 0, static_cast<std::uint8_t>(collector), news.reserved, 0});
    return;
  }
  const auto p =
      std::find_if(kept.begin(), kept.end(), [&](const Places& k) { return k.producer == news.producer; });
  if (p == kept.end()) return;  // the result has come meanwhile
  if (p->leave != stamp) {
    p->held = static_cast<std::uint8_t>(p->held & ~p->leaving);
    p->leaving = 0;
    p->leave = stamp;
  }
  p->leaving = static_cast<std::uint8_t>(p->leaving | news.released);
}

std::uint32_t WindowSteering::arrived(const Instruction& i, Cycle now, std::vector<SteeredResult>& steered) {
  std::vector<Places>& kept = kept_[i.warp_slot];
  const auto p = std::find_if(kept.begin(), kept.end(), [&](const Places& k) { return k.producer == &i; });
  if (p == kept.end()) return 0;
  const std::uint32_t held = p->held & ~(p->leave <= now ? std::uint32_t{p->leaving} : 0u);
  const bool partial = options_.partial_safe && !i.is_whole();
  for (const unsigned d : bits::each(held))
    steered.push_back({d, p->collector, false, false, partial ? i.mask : ~0u});
  *p = kept.back();
  kept.pop_back();
  return options_.write_back && !partial ? held : 0;
}

}  // namespace subcore
