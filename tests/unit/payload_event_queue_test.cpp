#include "subcore/modules/protocol/payload_event_queue.h"

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

namespace payload_event_queue_test {

using namespace subcore;

namespace {

struct Item {
  Cycle stamp = 0;
  unsigned kind = 0, port = 0;
  unsigned number = 0;  // in order of arrival
};
using ByPort = PayloadEventQueue<Item, &Item::kind, &Item::port>;

std::vector<unsigned> take(ByPort& queue, Cycle now) {
  std::vector<unsigned> numbers;
  queue.take(now, [&](const Item& i) { numbers.push_back(i.number); });
  return numbers;
}

// A queue that sorts everything at each look.
class Reference {
 public:
  void put(const Item& i) { items_.push_back(i); }
  std::size_t size() const { return items_.size(); }
  Cycle next() {
    sort();
    return items_.empty() ? never : items_[0].stamp;
  }
  // Takes the items that are due and that `leaves` holds for.
  template <class Leaves>
  std::vector<unsigned> take_if(Cycle now, Leaves leaves) {
    sort();
    std::vector<unsigned> numbers;
    std::vector<Item> left;
    for (const Item& i : items_) {
      const bool goes = i.stamp <= now && leaves(i);
      if (goes) numbers.push_back(i.number);
      if (!goes) left.push_back(i);
    }
    items_ = left;
    return numbers;
  }

 private:
  void sort() {
    std::stable_sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      return std::tuple(a.stamp, a.kind, a.port) < std::tuple(b.stamp, b.kind, b.port);
    });
  }
  std::vector<Item> items_;
};

}  // namespace

TEST_CASE("payload event queue: what is due is taken by stamp, then by its ties, then as it came") {
  ByPort queue;
  CHECK(queue.next() == never);
  CHECK_FALSE(queue.due(never - 1));
  queue.put({7, 0, 1, 0});
  queue.put({5, 1, 0, 1});
  queue.put({5, 0, 2, 2});
  queue.put({5, 0, 1, 3});
  queue.put({5, 0, 2, 4});  // number 2 again, but later
  CHECK(queue.next() == 5);
  CHECK_FALSE(queue.due(4));
  CHECK(take(queue, 4).empty());
  CHECK(queue.size() == 5);
  CHECK(take(queue, 6) == std::vector<unsigned>{3, 2, 4, 1});
  CHECK(queue.size() == 1);
  CHECK(queue.front().number == 0);
  CHECK(take(queue, 7) == std::vector<unsigned>{0});
  CHECK(queue.empty());
}

TEST_CASE("payload event queue: the order in which senders tick cannot be seen") {
  std::vector<Item> sent{{3, 0, 0, 0}, {3, 0, 1, 1}, {3, 0, 2, 2}, {4, 0, 0, 3}, {4, 0, 1, 4}};
  const std::vector<unsigned> expected{0, 1, 2, 3, 4};
  do {
    ByPort queue;
    for (const Item& i : sent) queue.put(i);
    REQUIRE(take(queue, 4) == expected);
  } while (std::next_permutation(sent.begin(), sent.end(),
                                 [](const Item& a, const Item& b) { return a.number < b.number; }));
}

TEST_CASE("payload event queue: without ties it is a queue that sorts by stamp") {
  PayloadEventQueue<Item> queue;
  for (const unsigned n : {0u, 1u, 2u, 3u}) queue.put({n == 0 ? 9u : 8u, 0, 4 - n, n});
  std::vector<unsigned> numbers;
  for (; queue.due(9); queue.pop()) numbers.push_back(queue.front().number);
  CHECK(numbers == std::vector<unsigned>{1, 2, 3, 0});
}

TEST_CASE("payload event queue: what stays is taken first next time, as it was left") {
  ByPort queue;
  for (const unsigned n : {0u, 1u, 2u, 3u}) queue.put({5, 0, n, n});
  queue.put({6, 0, 0, 4});
  std::vector<unsigned> seen;
  queue.take_if(5, [&](Item& i) {
    seen.push_back(i.number);
    i.number += 10;
    return i.port % 2 == 0;
  });
  CHECK(seen == std::vector<unsigned>{0, 1, 2, 3});
  seen.clear();
  for (unsigned times = 0; times < 2; ++times)
    queue.each_due(5, [&](const Item& i) { seen.push_back(i.number); });
  CHECK(seen == std::vector<unsigned>{11, 13, 11, 13});
  CHECK(take(queue, 6) == std::vector<unsigned>{11, 13, 4});
}

TEST_CASE("payload event queue: more may come in while things are taken") {
  ByPort queue;
  queue.put({1, 0, 0, 0});
  queue.put({1, 0, 1, 1});
  std::vector<unsigned> seen;
  queue.take(1, [&](const Item& i) {  // more than there was room for
    seen.push_back(i.number);
    if (i.number == 0)
      for (unsigned n = 2; n < 22; ++n) queue.put({2, 0, 0, n});
  });
  CHECK(seen == std::vector<unsigned>{0, 1});
  CHECK(queue.size() == 20);
  queue.take_if(2, [&](const Item& i) {
    queue.put({3, 0, 0, i.number + 100});
    return i.number % 2 == 0;
  });
  CHECK(queue.size() == 10 + 20);
  CHECK(take(queue, 2) == std::vector<unsigned>{3, 5, 7, 9, 11, 13, 15, 17, 19, 21});
  CHECK(take(queue, 3).size() == 20);
}

TEST_CASE("payload event queue: takes what sorting everything each time takes") {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (unsigned run = 0; run < 50; ++run) {
    ByPort queue;
    Reference reference;
    unsigned number = 0;
    const unsigned most = 1 + below(20), delay = 1 + below(12);
    for (Cycle now = 0; now < 200; ++now) {
      for (unsigned n = below(most); n > 0; --n) {
        const Item i{now + 1 + below(delay), below(2), below(4), number++};
        queue.put(i);
        reference.put(i);
      }
      REQUIRE(queue.next() == reference.next());
      REQUIRE(queue.due(now) == (reference.next() <= now));
      std::vector<unsigned> taken;
      const unsigned keep = below(3);  // 0: nothing stays
      const auto leaves = [&](const Item& i) { return keep == 0 || i.number % 3 != keep; };
      if (keep == 0) {
        taken = take(queue, now);
      } else {
        queue.take_if(now, [&](const Item& i) {
          if (leaves(i)) taken.push_back(i.number);
          return leaves(i);
        });
      }
      REQUIRE(taken == reference.take_if(now, leaves));
      REQUIRE(queue.size() == reference.size());
    }
  }
}

}  // namespace payload_event_queue_test
