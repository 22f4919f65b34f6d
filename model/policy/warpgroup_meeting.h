// The products of warpgroups, in the order in which all warps of a warpgroup have come to them. This class
// decides when their operands may be read from shared memory. The tensor cores of the sub-cores share what is
// read of B, so they begin together.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <array>
#include <vector>

#include "subcore/base/bits.h"
#include "subcore/model/trace/trace.h"

namespace subcore {

class WarpgroupMeeting {
 public:
  // A product, as its instructions: one of each warp.
  struct Product {
    std::array<Instruction*, warpgroup_warps> instructions{};
    unsigned count = 0;
    unsigned began = 0;  // instructions that have begun
  };

  // `operands_ahead` is the most products whose operands have been read, or are being read, before the
  // product begins.
  explicit WarpgroupMeeting(unsigned operands_ahead) : operands_ahead_(operands_ahead) {}

  // A warp has come to a product. A warp's products come in program order.
  void came(Instruction& i) {
    const unsigned warp = i.warp != nullptr ? i.warp->warp : i.warp_slot;
    const unsigned group = warp / warpgroup_warps, member = warp % warpgroup_warps;
    auto p = std::find_if(forming_.begin(), forming_.end(), [&](const Forming& f) {
      return f.cta_slot == i.cta_slot && f.group == group && !bits::has(f.came, member);
    });
    if (p == forming_.end()) p = forming_.insert(p, Forming{i.cta_slot, group, 0, {}});
    bits::add(p->came, member);
    p->product.instructions[p->product.count++] = &i;
    if (p->product.count < warps_of(i, group)) return;
    ready_.push_back(p->product);
    forming_.erase(p);
  }
  // A product's instruction has begun.
  void began(const Instruction& i) {
    const auto p = std::find_if(ahead_.begin(), ahead_.end(), [&](const Product& product) {
      const auto end = product.instructions.begin() + product.count;
      return std::find(product.instructions.begin(), end, &i) != end;
    });
    if (++p->began == p->count) ahead_.erase(p);
  }
  // The next product whose operands may be read, or null.
  const Product* next() const {
    return ready_.empty() || ahead_.size() >= operands_ahead_ ? nullptr : &ready_.front();
  }
  void take() {
    ahead_.push_back(ready_.front());
    ready_.erase(ready_.begin());
  }
  bool empty() const { return forming_.empty() && ready_.empty() && ahead_.empty(); }
  std::size_t waiting() const { return forming_.size(); }

 private:
  struct Forming {
    unsigned cta_slot, group;
    std::uint32_t came;  // a bit for each warp that has come
    Product product;
  };
  // The last warpgroup of a CTA may have fewer than four warps.
  static unsigned warps_of(const Instruction& i, unsigned group) {
    if (i.warp != nullptr && i.warp->warpgroup_warps != 0) return i.warp->warpgroup_warps;
    const unsigned all = i.kernel != nullptr ? i.kernel->warps_per_cta() : warpgroup_warps;
    const unsigned before = group * warpgroup_warps;
    return all > before ? std::min(all - before, warpgroup_warps) : 1;
  }

  unsigned operands_ahead_;
  std::vector<Forming> forming_;  // the oldest first; at most a few of each warpgroup
  std::vector<Product> ready_, ahead_;
};

}  // namespace subcore
