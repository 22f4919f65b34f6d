#include <deque>

#include <catch2/catch.hpp>

#include "subcore/model/policy/fixed_window/result_queue.h"
#include "subcore/model/policy/random.h"

namespace result_queue_policy_test {

using namespace subcore;

namespace {

// An instruction of warp `warp` with these results, the first of this version, the next of the next ones.
struct Producer {
  StaticInstruction code;
  Instruction instruction;
  Producer(std::uint32_t warp, std::initializer_list<Register> registers, std::uint32_t version = 1) {
    for (const Register r : registers) code.destinations[code.destination_count++] = r;
    instruction.code = &code;
    instruction.warp_uid = warp;
    instruction.destination_count = code.destination_count;
    for (unsigned d = 0; d < code.destination_count; ++d) instruction.produced[d] = version + d;
  }
  operator const Instruction&() const { return instruction; }
};

// The last result that a consumer takes; 0 if there is none.
std::uint32_t newest(const ResultQueue& queue, std::uint32_t warp, Register r, Cycle read, Cycle execution) {
  std::uint32_t last = 0;
  queue.each(warp, r, read, execution, [&](const RegisterWrite& w) { last = w.version.write; });
  return last;
}

}  // namespace

TEST_CASE("results of an instruction leave together, those of others in the cycles behind") {
  ResultQueue queue(8);
  const Producer wide(1, {4, 5}), other(1, {6}), later(1, {7});
  REQUIRE(queue.has_room(0, 10));
  CHECK(queue.put(wide, 10) == 10);
  CHECK(queue.put(other, 10) == 11);
  CHECK(queue.put(later, 13) == 13);
}

TEST_CASE("a full queue has no room for another result") {
  ResultQueue queue(2);
  const Producer producer(1, {4});
  queue.put(producer, 10);
  REQUIRE(queue.has_room(0, 10));
  queue.put(producer, 10);
  CHECK(!queue.has_room(0, 10));
  CHECK(queue.has_room(0, 11));
  queue.put(producer, 11);
  CHECK(!queue.has_room(0, 11));
}

TEST_CASE("a consumer takes the results that are ready when it executes") {
  ResultQueue queue(8);
  CHECK(newest(queue, 1, 4, 5, 100) == 0);
  queue.put(Producer(1, {3, 4}, 6), 10);
  queue.put(Producer(1, {4}, 8), 14);
  queue.put(Producer(2, {4}, 9), 10);
  CHECK(newest(queue, 1, 4, 5, 9) == 0);
  CHECK(newest(queue, 1, 4, 5, 10) == 7);
  CHECK(newest(queue, 1, 4, 5, 13) == 7);
  CHECK(newest(queue, 1, 4, 5, 14) == 8);
  CHECK(newest(queue, 1, 5, 5, 14) == 0);
}

TEST_CASE("a result that the bank has is no longer taken from the queue") {
  ResultQueue queue(8);
  queue.put(Producer(1, {4}, 7), 10);
  CHECK(newest(queue, 1, 4, 10, 20) == 7);
  CHECK(newest(queue, 1, 4, 11, 20) == 0);
}

// The calendar against a plain queue.
TEST_CASE("the calendar is a queue") {
  Random random(9);
  for (const unsigned entries : {1u, 2u, 8u}) {
    ResultQueue queue(entries);
    std::deque<Cycle> waiting;  // when each is ready; the first leaves in this cycle
    for (Cycle now = 0; now < 5000; ++now) {
      if (!waiting.empty()) waiting.pop_front();
      const Producer producer(1, {4});
      for (unsigned count = random.below(4); count > 0; --count) {
        const bool room = waiting.size() < entries;
        REQUIRE(queue.has_room(now, now) == room);
        if (!room) continue;
        waiting.push_back(now);
        REQUIRE(queue.put(producer, now) == now + waiting.size() - 1);
      }
    }
  }
}

}  // namespace result_queue_policy_test
