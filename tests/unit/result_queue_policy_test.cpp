#include <algorithm>
#include <deque>
#include <vector>

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

TEST_CASE(
    "results leave in the order in which they become ready, and one of four registers takes two cycles") {
  ResultQueue queue(8);
  const Producer slow(1, {4}, 6), wide(1, {8, 9, 10, 11}, 20);
  CHECK(queue.put(slow, 20) == 20);
  CHECK(queue.put(wide, 19, 2) == 20);  // and pushes the other one back
  CHECK(newest(queue, 1, 4, 21, 30) == 6);
  CHECK(newest(queue, 1, 4, 22, 30) == 0);
  CHECK(newest(queue, 1, 11, 20, 30) == 23);
  CHECK(newest(queue, 1, 11, 21, 30) == 0);
}

TEST_CASE("of results that become ready in one cycle that of the unit with the lower number leaves first") {
  ResultQueue queue(8);
  Producer tensor(1, {4}, 6), integer(1, {5}, 7);
  tensor.code.execution = ExecutionClass::tensor_f16;
  CHECK(queue.put(tensor, 20) == 20);
  CHECK(queue.put(integer, 20) == 20);
  CHECK(newest(queue, 1, 4, 21, 30) == 6);
  CHECK(newest(queue, 1, 5, 21, 30) == 0);
}

// Random results that are known long before they are ready, compared with a queue that goes cycle by cycle.
TEST_CASE("results leave as those of a queue that takes them when they are ready") {
  Random random(4);
  for (unsigned round = 0; round < 200; ++round) {
    struct Known {
      Cycle ready, left;
      unsigned cycles;
      std::uint32_t version;
    };
    ResultQueue queue(1000);
    std::vector<Known> known;
    for (std::uint32_t n = 0; n < 12; ++n) {
      known.push_back({10 + random.below(14), 0, 1 + random.below(2), n + 1});
      queue.put(Producer(n + 1, {4}, n + 1), known.back().ready, known.back().cycles);
    }
    std::stable_sort(known.begin(), known.end(),
                     [](const Known& a, const Known& b) { return a.ready < b.ready; });
    Cycle now = 0;
    for (Known& k : known) {
      now = std::max(now + 1, k.ready) + k.cycles - 1;
      k.left = now;
    }
    for (const Known& k : known) {
      CHECK(newest(queue, k.version, 4, k.left, 1000) == k.version);
      CHECK(newest(queue, k.version, 4, k.left + 1, 1000) == 0);
    }
  }
}

// Results that are put when they are ready, compared with a plain queue.
TEST_CASE("the results that are ready at once make a queue") {
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
