// BOW's steering (section IV): a result goes to the collector whose window has an entry reserved for it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/policy/steering/result_steering.h"

namespace subcore {

class WindowSteering final : public ResultSteering {
 public:
  // Options of one sub-core's windows.
  struct Options {
    bool write_back = false;   // a result that enters a window need not be written to the banks
    bool partial_safe = true;  // a result of only some live lanes is written there, too
  };
  explicit WindowSteering(const Options& options, unsigned warp_slots)
      : options_(options), reserved_(warp_slots) {}

  void update(unsigned collector, Cycle stamp, const SteeringUpdate& update) override {
    std::vector<Reserved>& all = reserved_[update.producer->warp_slot];
    if (update.kind == SteeringUpdate::Kind::reserved) {
      all.push_back({update.producer, 0, static_cast<std::uint8_t>(collector), update.destinations, 0});
      return;
    }
    const auto r = std::find_if(all.begin(), all.end(),
                                [&](const Reserved& x) { return x.producer == update.producer; });
    if (r == all.end()) return;  // the result has come meanwhile
    if (r->release != stamp) {
      r->destinations = static_cast<std::uint8_t>(r->destinations & ~r->released);
      r->released = 0;
      r->release = stamp;
    }
    r->released = static_cast<std::uint8_t>(r->released | update.destinations);
  }
  bool steers_at_arrival() const override { return true; }
  std::uint32_t arrived(const Instruction& i, Cycle now, std::vector<SteeredResult>& steered) override {
    std::vector<Reserved>& all = reserved_[i.warp_slot];
    const auto r = std::find_if(all.begin(), all.end(), [&](const Reserved& x) { return x.producer == &i; });
    if (r == all.end()) return 0;
    const std::uint32_t taken = r->destinations & ~(r->release <= now ? std::uint32_t{r->released} : 0u);
    const bool partial = options_.partial_safe && !i.is_whole();
    for (const unsigned d : bits::each(taken))
      steered.push_back(
          {d, r->collector, false, false, options_.write_back && !partial, partial ? i.mask : ~0u});
    *r = all.back();
    all.pop_back();
    return options_.write_back && !partial ? taken : 0;
  }

 private:
  // Entries that are reserved for the results of one instruction. Entries in `released` stay reserved until
  // cycle `release`.
  struct Reserved {
    const Instruction* producer;
    Cycle release;
    std::uint8_t collector, destinations, released;
  };
  Options options_;
  std::vector<std::vector<Reserved>> reserved_;  // by warp slot, for instructions whose results have not come
};

}  // namespace subcore
