#include "model/policy/allocation.h"

namespace subcore {
namespace {

constexpr std::uint64_t bit(std::size_t i) {
  return std::uint64_t{1} << i;
}

class AnyFree final : public AllocationPolicy {
 public:
  explicit AnyFree(std::uint64_t seed) : random_(seed) {}
  Allocation choose(std::uint32_t, unsigned, const std::vector<CollectorView>& collectors) override {
    std::uint64_t free = 0;
    for (std::size_t c = 0; c < collectors.size(); ++c) {
      if (collectors[c].free) free |= bit(c);
    }
    if (free == 0) return {};
    return {static_cast<int>(random_.pick(free)), false};
  }

 private:
  Random random_;
};

class Malekeh final : public AllocationPolicy {
 public:
  explicit Malekeh(std::uint64_t seed) : random_(seed) {}
  // At most one increment a cycle, seen from the next cycle on, however many warps met case 7.
  void begin_cycle() override {
    if (waited_) ++counter_;
    waited_ = false;
  }
  Allocation choose(std::uint32_t warp_uid, unsigned, const std::vector<CollectorView>& collectors) override {
    std::uint64_t free = 0, far = 0;
    for (std::size_t c = 0; c < collectors.size(); ++c) {
      const CollectorView& v = collectors[c];
      if (v.holds && v.warp_uid == warp_uid) {
        return v.free ? Allocation{static_cast<int>(c), false}  // 3: its own
                      : Allocation{};                           // 4: never two per warp
      }
      if (v.free) {
        free |= bit(c);
        if (!v.has_near) far |= bit(c);
      }
    }
    if (free == 0) return {};                                           // 6
    if (far != 0) return {static_cast<int>(random_.pick(far)), false};  // 5
    if (counter_ < sthld_) {                                            // 7 and 8
      waited_ = true;
      return {-1, true};
    }
    counter_ = 0;  // 9: give up a near value
    waited_ = false;
    return {static_cast<int>(random_.pick(free)), false};
  }
  void set_sthld(std::uint32_t sthld) override { sthld_ = sthld; }
  std::uint32_t waiting_counter() const override { return counter_; }

 private:
  Random random_;
  std::uint32_t sthld_ = 0;
  std::uint32_t counter_ = 0;
  bool waited_ = false;
};

class Private final : public AllocationPolicy {
  Allocation choose(std::uint32_t, unsigned warp_slot,
                    const std::vector<CollectorView>& collectors) override {
    return {collectors[warp_slot].free ? static_cast<int>(warp_slot) : -1, false};
  }
};

class OwnOrLru final : public AllocationPolicy {
  Allocation choose(std::uint32_t warp_uid, unsigned, const std::vector<CollectorView>& collectors) override {
    int best = -1;
    for (std::size_t c = 0; c < collectors.size(); ++c) {
      const CollectorView& v = collectors[c];
      if (!v.free) continue;
      const bool own = v.holds && v.warp_uid == warp_uid;
      if (own) return {static_cast<int>(c), false};
      if (best < 0 || v.last_use < collectors[static_cast<std::size_t>(best)].last_use)
        best = static_cast<int>(c);
    }
    return {best, false};
  }
};

}  // namespace

std::unique_ptr<AllocationPolicy> make_allocation(AllocationKind kind, std::uint64_t seed) {
  switch (kind) {
    case AllocationKind::malekeh:
      return std::make_unique<Malekeh>(seed);
    case AllocationKind::private_:
      return std::make_unique<Private>();
    case AllocationKind::own_or_lru:
      return std::make_unique<OwnOrLru>();
    case AllocationKind::any_free:
      break;
  }
  return std::make_unique<AnyFree>(seed);
}

}  // namespace subcore
