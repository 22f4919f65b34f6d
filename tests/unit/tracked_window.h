// A bypass window that remembers for which results it keeps a slot, as the arbiter would hear of it.
#pragma once

#include <map>

#include "subcore/model/policy/bypass_window.h"

namespace subcore::test {

class TrackedWindow : public BypassWindow {
 public:
  using BypassWindow::BypassWindow;
  const WindowLookup& insert(Instruction& i) {
    const WindowLookup& found = BypassWindow::insert(i);
    held_[&i] = found.reserved;
    release();
    return found;
  }
  void flush() {
    BypassWindow::flush();
    release();
  }
  bool holds_slot(const Instruction& i, unsigned d) const {
    const auto held = held_.find(&i);
    return held != held_.end() && (held->second >> d & 1u) != 0;
  }

 private:
  void release() {
    for (const Release& r : released()) held_[r.producer] &= ~(1u << r.destination);
  }
  std::map<const Instruction*, unsigned> held_;
};

}  // namespace subcore::test
