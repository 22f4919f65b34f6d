// Credits: how many transfers a sender may still send, or how many entries of a buffer are free. A credit
// that comes back with a stamp can be used from that cycle on.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/modules/protocol/cycle.h"

namespace subcore {

class Credits {
 public:
  explicit Credits(std::uint32_t count = 0) : count_(static_cast<std::int32_t>(count)) {}

  // How many credits can be used in `now`; negative if more have been taken.
  std::int32_t available(Cycle now) {
    if (returned_ != 0 && stamp_ <= now) count_returned();
    return count_;
  }
  bool ready(Cycle now) { return available(now) > 0; }
  // Cycle at which ready() turns true by itself; `never`: only a credit that is still to come can help.
  Cycle ready_at(Cycle now) { return ready(now) ? now : returned_ != 0 ? stamp_ : never; }
  // Whether there is any credit, now or when the last one that came back counts.
  bool any() const { return count_ + returned_ > 0; }
  // Takes a credit. Precondition: ready(cycle of sending), except for transfers that cannot be made to wait.
  void take() { --count_; }
  void give_back(Cycle stamp) {
    // All credits of one cycle carry one stamp, so a single pending counter is enough: an older one is due.
    if (returned_ != 0 && stamp_ < stamp) count_returned();
    ++returned_;
    stamp_ = stamp;
  }

 private:
  void count_returned() {
    count_ += returned_;
    returned_ = 0;
  }
  std::int32_t count_;
  std::int32_t returned_ = 0;
  Cycle stamp_ = 0;
};

}  // namespace subcore
