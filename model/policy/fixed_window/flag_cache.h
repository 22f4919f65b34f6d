// The reuse cache of a fixed read window: an operand stays where the compiler's reuse flag says so.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/fixed_window/window_cache.h"

namespace subcore {

class FlagCache final : public WindowCache {
 public:
  explicit FlagCache(const ReuseCacheParameters& p) : cache_(p) {}

  void look_up(const Instruction& i, Cycle execution, Answers& answers) override;
  void fill(const Filler& filler, const Version& version) override { cache_.fill(filler, version); }
  Results passed(const Instruction& i, Cycle) override {
    cache_.passed(i);
    return {};
  }

 private:
  ReuseCache cache_;
};

}  // namespace subcore
