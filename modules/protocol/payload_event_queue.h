// A queue of items that arrive now and count from a later cycle on, which is their member `stamp`. Items are
// taken in the order of their stamps. Items of one stamp are taken in the order of the members that are named
// as ties, for example the number of the port that an item came through. If these are equal, too, the order
// of arrival counts. Senders tick in any order within a cycle, and ties make sure that this order cannot be
// seen.
//   PayloadEventQueue<Result, &Result::source> results_;
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <tuple>

#include "subcore/modules/protocol/cycle.h"
#include "subcore/modules/protocol/ring.h"

namespace subcore {

template <class T, auto... ties>
class PayloadEventQueue {
 public:
  // Puts an item in, at almost no cost if it is the last to be taken, as it mostly is.
  void put(const T& item) {
    const bool is_last = items_.empty() || !before(item, items_.back());
    items_.push_back(item);
    if (!is_last) move_forward(item);
  }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  // The n-th item in the order in which they are taken.
  const T& operator[](std::size_t n) const { return items_[n]; }
  const T& front() const { return items_.front(); }
  // due(): whether the first item may be used in `now`. next(): from which cycle on it may be used, `never`
  // if there is none.
  bool due(Cycle now) const { return !items_.empty() && items_.front().stamp <= now; }
  Cycle next() const { return items_.empty() ? never : items_.front().stamp; }
  void pop() { items_.pop_front(); }
  // Calls see(item) for every item that is due. No item leaves.
  template <class See>
  void each_due(Cycle now, See see) const {
    for (std::size_t n = 0; n < items_.size() && items_[n].stamp <= now; ++n) see(items_[n]);
  }

  // Calls use(item) for every item that is due. The item has left by then, so use() may put in other items.
  template <class Use>
  void take(Cycle now, Use use) {
    while (due(now)) {
      const T item = items_.front();
      items_.pop_front();
      use(item);
    }
  }
  // Calls use(item) for every item that is due. If use() returns false, the item stays, as use() has left it,
  // and is taken before all items that come later. Items that use() puts in must be for a later cycle.
  template <class Use>
  void take_if(Cycle now, Use use) {
    for (std::size_t n = 0; n < items_.size() && items_[n].stamp <= now;) {
      T item = items_[n];
      if (use(item)) {
        for (std::size_t stays = n; stays > 0; --stays) items_[stays] = items_[stays - 1];
        items_.pop_front();
      } else {
        items_[n++] = item;
      }
    }
  }

 private:
  // Moves the last item, which is `item`, to its place in the order.
  void move_forward(const T& item) {
    std::size_t n = items_.size() - 1;
    for (; n > 0 && before(item, items_[n - 1]); --n) items_[n] = items_[n - 1];
    items_[n] = item;
  }
  static bool before(const T& a, const T& b) {
    return a.stamp != b.stamp ? a.stamp < b.stamp : std::tie(a.*ties...) < std::tie(b.*ties...);
  }
  Ring<T> items_;
};

}  // namespace subcore
