// Credits of a sender: how many transfers it may still send. One that comes back with a stamp can be used
// from that cycle on.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <cstdint>

#include "subcore/modules/protocol/cycle.h"

namespace subcore {

class Credits {
 public:
  explicit Credits(std::uint32_t count = 0) : count_(count) {}

  bool ready(Cycle now) {
    if (returned_ != 0 && stamp_ <= now) settle();
    return count_ > 0;
  }
  // Cycle at which ready() turns true without further news; `never` when only a credit to come can help.
  Cycle ready_at(Cycle now) { return ready(now) ? now : returned_ != 0 ? stamp_ : never; }
  // Precondition: ready(cycle of sending).
  void take() { --count_; }
  void give_back(Cycle stamp) {
    // All credits of one cycle carry one stamp, so a single pending counter is enough: an older one is due.
    if (returned_ != 0 && stamp_ < stamp) settle();
    ++returned_;
    stamp_ = stamp;
  }

 private:
  void settle() {
    count_ += returned_;
    returned_ = 0;
  }
  std::uint32_t count_;
  std::uint32_t returned_ = 0;
  Cycle stamp_ = 0;
};

}  // namespace subcore
