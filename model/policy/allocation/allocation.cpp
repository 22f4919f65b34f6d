#include "subcore/model/policy/allocation/allocation.h"

#include <array>
#include <string_view>

#include "subcore/model/parameters/checker.h"
#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/random.h"

namespace subcore {
namespace {

// Chooses any free collector, uniformly at random: the baseline's operand collector units.
class AnyFree final : public AllocationPolicy {
 public:
  explicit AnyFree(std::uint64_t seed) : random_(seed) {}
  Allocation choose(std::uint32_t, unsigned, const CollectorViews& collectors) override {
    if (collectors.free == 0) return {};
    return {static_cast<int>(random_.pick(collectors.free)), false};
  }

 private:
  Random random_;
};

class AnyFreeChoice final : public AllocationChoice {
 public:
  std::unique_ptr<AllocationPolicy> make(std::uint64_t seed) const override {
    return std::make_unique<AnyFree>(seed);
  }
  bool binds_warps() const override { return false; }
};

// The quantity whose threshold STHLD is: the cycles that warps have waited, or the age of a collector's
// values.
enum class WaitsBy : std::uint8_t { counter, age };
constexpr std::array<std::string_view, 2> names(WaitsBy) {
  return {"counter", "age"};
}

// Malekeh's collector allocation with its waiting mechanism (section IV-B2, Fig. 6).
class MalekehAllocation final : public AllocationPolicy {
 public:
  MalekehAllocation(std::uint64_t seed, WaitsBy waits_by) : random_(seed), waits_by_(waits_by) {}
  // The waiting counter grows by at most one per cycle, however many warps met case 7. The new value counts
  // from the next cycle on.
  void begin_cycle() override {
    if (waited_) ++counter_;
    waited_ = false;
    ++cycle_;
  }
  // The numbers are the cases of Fig. 6.
  Allocation choose(std::uint32_t warp_uid, unsigned, const CollectorViews& collectors) override {
    const std::uint64_t free = collectors.free, far = free & ~collectors.near;
    for (const unsigned c : bits::each(collectors.held)) {
      if (collectors.each[c].warp_uid != warp_uid) continue;
      return bits::has(free, c) ? take(c)        // 3: its own
                                : Allocation{};  // 4: never two per warp
    }
    if (free == 0) return {};                      // 6
    if (far != 0) return take(random_.pick(far));  // 5
    return waits_by_ == WaitsBy::age ? oldest(free) : waited(free);
  }
  void set_sthld(std::uint32_t sthld) override { sthld_ = sthld; }
  std::uint32_t waiting_counter() const override { return counter_; }
  // STHLD and the waiting counter; or STHLD and the cycles since each of two collectors was taken. Every
  // number is at most 255, the usual sthld.maximum.
  void inventory(Inventory& list) const override {
    list.add("waiting_threshold", HardwareKind::state, waits_by_ == WaitsBy::age ? 3 : 2, 8);
  }

 private:
  Allocation take(unsigned collector) {
    last_[collector] = cycle_;
    return {static_cast<int>(collector), false};
  }
  Allocation waited(std::uint64_t free) {
    if (counter_ < sthld_) {  // 7 and 8
      waited_ = true;
      return {-1, true};
    }
    counter_ = 0;  // 9: give up a near value
    waited_ = false;
    return take(random_.pick(free));
  }
  // In place of cases 7 to 9: takes the collector whose warp has stayed away longest, if that is long enough.
  Allocation oldest(std::uint64_t free) {
    unsigned best = bits::lowest(free);
    for (const unsigned c : bits::each(free))
      if (last_[c] < last_[best]) best = c;
    return cycle_ - last_[best] < sthld_ ? Allocation{-1, true} : take(best);
  }

  Random random_;
  WaitsBy waits_by_;
  std::uint32_t sthld_ = 0;
  std::uint32_t counter_ = 0;
  bool waited_ = false;
  std::uint64_t cycle_ = 0;               // counts cycles in which a warp asked for a collector
  std::array<std::uint64_t, 64> last_{};  // by collector: when it was last taken
};

class MalekehAllocationChoice final : public AllocationChoice {
 public:
  WaitsBy waits_by = WaitsBy::counter;

  void describe(ParameterVisitor& v) override {
    v.choice("waits_by", waits_by,
             "number that is compared with STHLD. counter: the cycles that warps have waited (the paper). "
             "age: the cycles since the warp of the oldest collector last used it");
  }
  std::unique_ptr<AllocationPolicy> make(std::uint64_t seed) const override {
    return std::make_unique<MalekehAllocation>(seed, waits_by);
  }
  bool waits() const override { return true; }
};

// Each warp slot has the collector with its own number.
class Private final : public AllocationPolicy {
 public:
  Allocation choose(std::uint32_t, unsigned warp_slot, const CollectorViews& collectors) override {
    return {bits::has(collectors.free, warp_slot) ? static_cast<int>(warp_slot) : -1, false};
  }
};

class PrivateChoice final : public AllocationChoice {
 public:
  void check(Checker& c) const override {
    const std::uint64_t collectors = c.whole("sub_core.collector.count"),
                        warps = c.whole("sub_core.warp_slots");
    c.require(collectors >= warps, "sub_core.collector.count",
              {"sub_core.collector.allocation", "sub_core.warp_slots"},
              std::to_string(collectors) + " collectors cannot give each of " + std::to_string(warps) +
                  " warps (sub_core.warp_slots) a private collector; expected sub_core.collector.count of at "
                  "least " +
                  std::to_string(warps));
  }
  std::unique_ptr<AllocationPolicy> make(std::uint64_t) const override { return std::make_unique<Private>(); }
};

// Chooses the warp's own collector if it is free, else the free collector that was used longest ago.
// Malekeh's section VI calls this the traditional register cache.
class OwnOrLru final : public AllocationPolicy {
 public:
  Allocation choose(std::uint32_t warp_uid, unsigned, const CollectorViews& collectors) override {
    if (collectors.free == 0) return {};
    unsigned best = bits::lowest(collectors.free);
    for (const unsigned c : bits::each(collectors.free)) {
      const CollectorViews::View& v = collectors.each[c];
      if (bits::has(collectors.held, c) && v.warp_uid == warp_uid) return {static_cast<int>(c), false};
      if (v.last_use < collectors.each[best].last_use) best = c;
    }
    return {static_cast<int>(best), false};
  }
};

class OwnOrLruChoice final : public AllocationChoice {
 public:
  // A warp may have instructions in two caching collectors. The younger one's write can then overtake the
  // older one's read, and the cache would keep a wrong value for later readers. SOCGPU's matrix orders the
  // two itself.
  void check(Checker& c) const override {
    if (!c.is("sub_core.scheduler.issue", "in_order") || !c.is("sub_core.scheduler.war_guard", "off")) return;
    c.require(c.whole("sub_core.collector.count") == 1, "sub_core.scheduler.war_guard",
              {"sub_core.collector.allocation", "sub_core.collector.count", "sub_core.scheduler.issue"},
              "'off' lets a younger write overtake a read of the warp's other collector "
              "(sub_core.collector.allocation own_or_lru); expected operand_collection or write_back");
  }
  std::unique_ptr<AllocationPolicy> make(std::uint64_t) const override {
    return std::make_unique<OwnOrLru>();
  }
  bool shares() const override { return true; }
};

}  // namespace

Choices<AllocationChoice>& AllocationChoice::choices() {
  static Choices<AllocationChoice> table =
      Choices<AllocationChoice>()
          .add<AnyFreeChoice>("any_free", "any free collector, at random")
          .add<MalekehAllocationChoice>("malekeh",
                                        "the warp's own collector, else one without near values, else one "
                                        "that STHLD allows (malekeh Fig. 6)")
          .add<PrivateChoice>("private", "one collector per warp slot")
          .add<OwnOrLruChoice>("own_or_lru",
                               "the warp's own collector if it is free, else the least recently used one");
  return table;
}

}  // namespace subcore
