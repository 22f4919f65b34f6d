#include "subcore/model/policy/steering/window.h"

#include <algorithm>

#include "subcore/base/bits.h"

namespace subcore {

void WindowSteering::update(unsigned collector, Cycle stamp, const SteeringUpdate& update) {
  std::vector<Reserved>& all = reserved_[update.producer->warp_slot];
  if (update.kind == SteeringUpdate::Kind::reserved) {
    all.push_back({update.producer, 0, static_cast<std::uint8_t>(collector), update.destinations, 0});
    return;
  }
  const auto r =
      std::find_if(all.begin(), all.end(), [&](const Reserved& x) { return x.producer == update.producer; });
  if (r == all.end()) return;  // the result has come meanwhile
  if (r->release != stamp) {
    r->destinations = static_cast<std::uint8_t>(r->destinations & ~r->released);
    r->released = 0;
    r->release = stamp;
  }
  r->released = static_cast<std::uint8_t>(r->released | update.destinations);
}

std::uint32_t WindowSteering::arrived(const Instruction& i, Cycle now, std::vector<SteeredResult>& steered) {
  std::vector<Reserved>& all = reserved_[i.warp_slot];
  const auto r = std::find_if(all.begin(), all.end(), [&](const Reserved& x) { return x.producer == &i; });
  if (r == all.end()) return 0;
  const std::uint32_t taken = r->destinations & ~(r->release <= now ? std::uint32_t{r->released} : 0u);
  const bool partial = options_.partial_safe && !i.is_whole();
  for (const unsigned d : bits::each(taken))
    steered.push_back({d, r->collector, false, false, partial ? i.mask : ~0u});
  *r = all.back();
  all.pop_back();
  return options_.write_back && !partial ? taken : 0;
}

}  // namespace subcore
