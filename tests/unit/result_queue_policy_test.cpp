#include <deque>

#include <catch2/catch.hpp>

#include "model/policy/fixed_window/result_queue.h"
#include "model/policy/random.h"

using namespace subcore;

TEST_CASE("results leave one a cycle, in the order in which they are ready") {
  ResultQueue queue(8);
  REQUIRE(queue.has_room(0, 10, 3));
  CHECK(queue.put(1, 4, 1, 10) == 10);
  CHECK(queue.put(1, 5, 1, 10) == 11);
  CHECK(queue.put(1, 6, 1, 10) == 12);
  CHECK(queue.put(1, 7, 1, 13) == 13);
}

TEST_CASE("a full queue has no room for another result") {
  ResultQueue queue(2);
  REQUIRE(queue.has_room(0, 10, 2));
  queue.put(1, 4, 1, 10);
  queue.put(1, 5, 1, 10);
  CHECK(!queue.has_room(0, 10, 1));
  CHECK(queue.has_room(0, 11, 1));
  CHECK(!queue.has_room(0, 11, 2));
}

TEST_CASE("a consumer takes the newest result that is ready when it executes") {
  ResultQueue queue(8);
  CHECK(!queue.newest(1, 4, 5, 100));
  queue.put(1, 4, 7, 10);
  queue.put(1, 4, 8, 14);
  queue.put(2, 4, 9, 10);
  CHECK(!queue.newest(1, 4, 5, 9));
  CHECK(queue.newest(1, 4, 5, 10) == 7u);
  CHECK(queue.newest(1, 4, 5, 13) == 7u);
  CHECK(queue.newest(1, 4, 5, 14) == 8u);
  CHECK(!queue.newest(1, 5, 5, 14));
}

TEST_CASE("a result that the bank has is no longer taken from the queue") {
  ResultQueue queue(8);
  queue.put(1, 4, 7, 10);
  CHECK(queue.newest(1, 4, 10, 20) == 7u);
  CHECK(!queue.newest(1, 4, 11, 20));
}

// Against a queue that is one.
TEST_CASE("the calendar is a queue") {
  Random random(9);
  for (const unsigned entries : {1u, 2u, 8u}) {
    ResultQueue queue(entries);
    std::deque<Cycle> waiting;  // when each is ready; the first leaves in this cycle
    for (Cycle now = 0; now < 5000; ++now) {
      if (!waiting.empty()) waiting.pop_front();
      const unsigned count = random.below(4);
      const bool room = count == 0 || waiting.size() + count <= std::max(entries, count);
      REQUIRE(queue.has_room(now, now, count) == room);
      if (!room) continue;
      for (unsigned n = 0; n < count; ++n) {
        waiting.push_back(now);
        REQUIRE(queue.put(1, 4, 1, now) == now + waiting.size() - 1);
      }
    }
  }
}
