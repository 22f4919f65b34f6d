// The write filter on port D: which results enter the collector that holds their warp (Malekeh, section
// IV-A2). All results go to the banks as well. With write-back, which is not the paper's, only two kinds go
// to the banks: results that do not enter, and results that the banks need all the same
// (Annotation::needs_banks).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/passes/annotation.h"
#include "subcore/model/policy/steering/result_steering.h"

namespace subcore {

// The effect of a result at the collector of its warp: none, the result is written there, or it outdates the
// copy there.
enum class PortDAction : std::uint8_t { none, write, invalidate };

// Decides which results enter a caching collector, and how many per cycle.
class WriteFilter {
 public:
  // Options of one sub-core's collectors.
  struct Options {
    bool cache_results = true;     // results may enter
    bool near_filter = true;       // far results may not enter
    bool stale_invalidate = true;  // a result that does not enter outdates a copy
    std::uint32_t ports = 1;       // results per collector and cycle; 0 = unlimited
  };
  WriteFilter(const Options& options, unsigned collectors) : options_(options), used_(collectors, 0) {}

  void begin_cycle() {
    for (const unsigned c : bits::each(touched_)) used_[c] = 0;
    touched_ = 0;
  }
  // Decides on a result for a warp that collector `c` holds, in write-back order. `newest`: the warp last
  // issued to `c`. An older collector of the same warp never takes results.
  PortDAction decide(unsigned c, bool near, bool newest) {
    const bool wanted = options_.cache_results && newest && (near || !options_.near_filter);
    if (wanted && (options_.ports == 0 || used_[c] < options_.ports)) {
      ++used_[c];
      bits::add(touched_, c);
      return PortDAction::write;
    }
    return options_.stale_invalidate ? PortDAction::invalidate : PortDAction::none;
  }

 private:
  Options options_;
  boost::container::small_vector<std::uint32_t, 4> used_;
  std::uint64_t touched_ = 0;  // collectors whose used_ is not 0
};

class NearFilter final : public ResultSteering {
 public:
  NearFilter(const WriteFilter::Options& options, unsigned collectors, bool writes_back = false)
      : filter_(options, collectors), collectors_(collectors), writes_back_(writes_back) {}

  // An update can meet an older update only when the older one is due. The older one is then taken over
  // first.
  void update(unsigned collector, Cycle stamp, const SteeringUpdate& update) override {
    Collector& c = collectors_[collector];
    if (bits::has(announced_, collector) && c.stamp < stamp) take_over(collector);
    c.next = {update.issued, update.warp_uid, true};
    c.stamp = stamp;
    bits::add(announced_, collector);
  }
  void begin_cycle(Cycle now) override {
    for (const unsigned c : bits::each(announced_)) {
      if (collectors_[c].stamp <= now) take_over(c);
    }
    filter_.begin_cycle();
  }
  bool steers_at_arrival() const override { return writes_back_; }
  std::uint32_t arrived(const Instruction& i, Cycle, std::vector<SteeredResult>& steered) override {
    std::uint32_t kept = 0;
    kept_out_ = 0;
    for (unsigned d = 0; d < i.destination_count; ++d) {
      const std::size_t before = steered.size();
      kept_out_ += written(i, d, steered);
      const bool needed = i.code->annotation == nullptr || bits::has(i.code->annotation->needs_banks, d);
      for (std::size_t s = before; s < steered.size(); ++s) {
        steered[s].only_copy = !steered[s].invalidate && !needed;
        bits::set(kept, d, steered[s].only_copy);
      }
    }
    return kept;
  }
  unsigned kept_out() const override { return kept_out_; }
  unsigned written(const Instruction& i, unsigned destination, std::vector<SteeredResult>& steered) override {
    // A warp may hold several collectors (own_or_lru). Results belong in the collector that it used last.
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
      steered.push_back({destination, c, action == PortDAction::invalidate, near, false,
                         i.is_partial(destination) ? i.mask : ~0u});
    }
    return kept_out;
  }
  std::uint64_t holders(std::uint32_t warp_uid) const override {
    std::uint64_t held = 0;
    for (unsigned c = 0; c < collectors_.size(); ++c)
      if (collectors_[c].now.holds && collectors_[c].now.warp_uid == warp_uid) bits::add(held, c);
    return held;
  }

 private:
  struct Holder {  // a collector's holder, as SteeringUpdate has it
    Cycle issued = 0;
    std::uint32_t warp_uid = 0;
    bool holds = false;
  };
  struct Collector {
    Holder now, next;
    Cycle stamp = 0;  // if announced_, the cycle from which `next` counts
  };
  void take_over(unsigned collector) {
    collectors_[collector].now = collectors_[collector].next;
    bits::remove(announced_, collector);
  }

  WriteFilter filter_;
  boost::container::small_vector<Collector, 4> collectors_;
  std::uint64_t announced_ = 0;  // collectors whose `next` does not count yet
  bool writes_back_;
  unsigned kept_out_ = 0;
};

// Steering to a fixed read window that keeps near results. The window itself keeps results on whose latency
// the compiler counts. Other results come over port D as they are written. All warps have the same collector.
class LateResults final : public ResultSteering {
 public:
  // `ports` is the number of results per cycle; 0 = unlimited.
  explicit LateResults(std::uint32_t ports) : filter_({true, true, true, ports}, 1) {}

  void update(unsigned, Cycle, const SteeringUpdate&) override {}
  void begin_cycle(Cycle) override { filter_.begin_cycle(); }
  bool steers_at_arrival() const override { return false; }
  // A result that is kept out may also outdate a copy of an older result, if that result was still on its way
  // when this instruction issued. A result of some lanes never makes a copy, even as the register's first
  // result, because the other path may have written its own lanes meanwhile.
  unsigned written(const Instruction& i, unsigned destination, std::vector<SteeredResult>& steered) override {
    if (has_counted_result(*i.code)) return 0;
    const bool near = i.destination_is_near(destination);
    const bool enters = filter_.decide(0, near, true) == PortDAction::write;
    steered.push_back({destination, 0, !enters, near, false, i.is_whole() ? ~0u : i.mask});
    return enters ? 0 : 1;
  }
  std::uint64_t holders(std::uint32_t) const override { return 1; }

 private:
  WriteFilter filter_;
};

}  // namespace subcore
