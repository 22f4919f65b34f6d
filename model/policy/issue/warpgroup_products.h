// Matrix products of one warp's warpgroup (wgmma) that are under way. A product (HGMMA) issues and goes on by
// itself. A product belongs to the group that the next product with a commit flag ends. WARPGROUP.DEPBAR
// waits until at most a given number of groups are incomplete. Without commit flags in a trace,
// WARPGROUP.DEPBAR takes all products that are in no group as one group. WARPGROUP.ARRIVE waits until older
// results of fixed latency are in the banks. For other results the compiler has counters, and hardware has a
// scoreboard.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// An instruction's part in a warpgroup's products. An instruction without an active lane has none.
inline WarpgroupStep warpgroup_step(const Instruction& i) {
  return i.mask == 0 ? WarpgroupStep::none : i.code->warpgroup;
}

class WarpgroupProducts {
 public:
  // `limit` is the most products of the warp under way; 0 = the machine makes none.
  explicit WarpgroupProducts(unsigned limit) : limit_(limit) {}

  // An instruction of the warp issues, in program order.
  void issue(const Instruction& i) {
    if (limit_ == 0) return;
    if (has_fixed_result(i)) ++fixed_results_;
    const WarpgroupStep step = warpgroup_step(i);
    if (step == WarpgroupStep::product) {
      products_.push_back({i.sequence, ended_, i.code->accumulators, true});
      if (i.code->ends_group) ++ended_;
    }
    if (step == WarpgroupStep::wait) ended_ = ended_by_wait();
  }
  // The instruction's sources have been read.
  void collected(const Instruction& i) {
    if (limit_ == 0 || !i.is_product()) return;
    const auto p = find(i);
    if (p != products_.end()) p->collecting = false;
  }
  // An instruction of the warp has retired. A product retires when its accumulators are written.
  void retired(const Instruction& i) {
    if (limit_ == 0) return;
    if (has_fixed_result(i)) --fixed_results_;
    if (i.is_product()) products_.erase(find(i));
  }
  // Whether the instruction waits for products under way, beside all other hazards: for groups, for room for
  // another product, or until results are in the banks.
  bool hold(const Instruction& i) const {
    if (limit_ == 0) return false;
    switch (warpgroup_step(i)) {
      case WarpgroupStep::product:
        return products_.size() >= limit_;
      case WarpgroupStep::arrive:
        return fixed_results_ != 0;
      case WarpgroupStep::wait:
        return !products_.empty() && ended_by_wait() > products_.front().group + i.code->open_groups;
      default:
        return false;
    }
  }
  // Whether the instruction reads or writes an accumulator of a product under way. Products on the same
  // accumulators follow one another once the older product has read its sources.
  bool touches(const Instruction& i) const {
    if (products_.empty()) return false;
    if (i.is_product() && products_.back().collecting) return true;
    return std::any_of(products_.begin(), products_.end(), [&](const Product& p) { return meets(i, p); });
  }
  bool clear() const { return products_.empty(); }

 private:
  struct Product {
    std::uint64_t sequence = 0;
    std::uint64_t group = 0;  // number of its group
    Accumulators accumulators;
    bool collecting = false;  // sources are still to be read
  };
  using Products = std::vector<Product>;  // few machines make any

  static bool has_fixed_result(const Instruction& i) {
    return i.destination_count != 0 && has_fixed_latency(*i.code);
  }
  static bool meets(const Instruction& i, const Product& p) {
    for (unsigned s = 0; s < i.source_count; ++s)
      if (p.accumulators.has(i.source(s))) return true;
    for (unsigned d = 0; d < i.destination_count; ++d)
      if (p.accumulators.has(i.destination(d))) return true;
    return i.is_product() && i.code->accumulators.meets(p.accumulators) &&
           !i.code->accumulators.same_registers(p.accumulators);
  }
  Products::iterator find(const Instruction& i) {
    return std::find_if(products_.begin(), products_.end(),
                        [&](const Product& p) { return p.sequence == i.sequence; });
  }
  // The number of groups that are ended once an instruction waits.
  std::uint64_t ended_by_wait() const {
    const bool open = !products_.empty() && products_.back().group == ended_;
    return ended_ + (open ? 1 : 0);
  }

  Products products_;  // under way, the oldest first
  unsigned limit_;
  unsigned fixed_results_ = 0;  // results of fixed latency under way
  std::uint64_t ended_ = 0;     // ended groups of the warp slot
};

}  // namespace subcore
