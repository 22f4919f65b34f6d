// Barriers in shared memory: examples, and random ones against a count by hand.
#include <map>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/cta_mbarriers.h"
#include "subcore/model/policy/random.h"

namespace cta_mbarriers_policy_test {

using namespace subcore;

namespace {

using Warps = std::vector<unsigned>;

// The barriers of a CTA, and the warps that they have let go in the last call.
struct Bench {
  CtaMbarriers all;
  Warps arrive(std::uint32_t at, std::uint32_t threads, std::int64_t bytes = 0, bool drops = false) {
    Warps gone;
    all.arrive(at, CtaMbarriers::Arrival{threads, bytes, drops}, [&](unsigned w) { gone.push_back(w); });
    return gone;
  }
  Warps arrive_somehow(std::uint32_t at) {
    Warps gone;
    all.arrive(at, std::nullopt, [&](unsigned w) { gone.push_back(w); });
    return gone;
  }
  Warps end_copy(std::uint32_t number, std::uint64_t bytes) {
    Warps gone;
    all.end_copy(number, bytes, [&](unsigned w) { gone.push_back(w); });
    return gone;
  }
  Warps ask(std::uint32_t at, std::optional<bool> parity, unsigned warp) {
    Warps gone;
    all.ask(at, parity, warp, [&](unsigned w) { gone.push_back(w); });
    return gone;
  }
  Warps give_up() {
    Warps gone;
    const unsigned waited = all.give_up([&](unsigned w) { gone.push_back(w); });
    CHECK(waited == gone.size());
    return gone;
  }
};

}  // namespace

TEST_CASE("mbarrier: a phase is complete when its threads have arrived, and the next one begins") {
  Bench b;
  b.all.init(0x40, 2, false);
  CHECK(b.ask(0x40, true, 7) == Warps{7});  // the phase before the first counts as complete
  CHECK(b.ask(0x40, false, 3).empty());
  CHECK(b.ask(0x40, false, 5).empty());
  CHECK(b.all.waiting() == 2);
  CHECK(b.arrive(0x40, 1).empty());
  CHECK(b.arrive(0x40, 1) == Warps{3, 5});
  CHECK(b.ask(0x40, false, 3) == Warps{3});
  CHECK(b.ask(0x40, true, 3).empty());
  CHECK(b.arrive(0x40, 2) == Warps{3});
}

TEST_CASE("mbarrier: a phase waits for the bytes that it expects, in any order") {
  Bench b;
  b.all.init(0x40, 1, false);
  CHECK(b.ask(0x40, false, 1).empty());
  b.all.begin_copy(0, 0x40);
  b.all.begin_copy(1, 0x40);
  CHECK(b.end_copy(1, 512).empty());  // before any warp expects it
  CHECK(b.arrive(0x40, 1, 1536).empty());
  CHECK(b.all.copies() == 1);
  CHECK(b.end_copy(0, 1024) == Warps{1});
  // Bytes that are expected without an arrival, and that a thread says have come.
  CHECK(b.ask(0x40, true, 1).empty());
  CHECK(b.arrive(0x40, 0, 64).empty());
  CHECK(b.arrive(0x40, 1).empty());
  CHECK(b.arrive(0x40, 0, -64) == Warps{1});
}

TEST_CASE("mbarrier: threads that drop out are not waited for later") {
  Bench b;
  b.all.init(0x40, 3, false);
  CHECK(b.ask(0x40, false, 1).empty());
  b.arrive(0x40, 1, 0, true);
  CHECK(b.arrive(0x40, 2) == Warps{1});
  CHECK(b.ask(0x40, true, 1).empty());
  CHECK(b.arrive(0x40, 1).empty());  // the first of two
  CHECK(b.arrive(0x40, 1) == Warps{1});
}

TEST_CASE("mbarrier: a barrier of an unknown address counts nothing") {
  Bench b;
  b.all.init(CtaMbarriers::unknown, 2, false);
  CHECK(b.ask(CtaMbarriers::unknown, false, 1) == Warps{1});  // no copy has begun
}

TEST_CASE("mbarrier: the first phase may be that of the other parity") {
  Bench b;
  b.all.init(0x40, 1, true);
  CHECK(b.ask(0x40, false, 1) == Warps{1});
  CHECK(b.ask(0x40, true, 1).empty());
  CHECK(b.arrive(0x40, 1) == Warps{1});
}

TEST_CASE("mbarrier: where a trace does not tell, a wait is for the copies that have begun before") {
  Bench b;
  CHECK(b.ask(0x40, false, 1) == Warps{1});  // nothing has begun
  b.all.begin_copy(0, 0x40);
  b.all.begin_copy(1, 0x80);
  CHECK(b.ask(0x40, false, 1).empty());                  // has no count
  CHECK(b.ask(CtaMbarriers::unknown, true, 2).empty());  // has no address: for all
  b.all.begin_copy(2, 0x40);
  CHECK(b.end_copy(0, 16) == Warps{1});
  CHECK(b.end_copy(1, 16) == Warps{2});
  b.all.init(0x80, 4, false);
  CHECK(b.ask(0x80, std::nullopt, 3) == Warps{3});  // no parity, and no copy of its own
  b.all.begin_copy(3, 0x80);
  CHECK(b.ask(0x80, std::nullopt, 3).empty());
  CHECK(b.end_copy(3, 16) == Warps{3});
  // An arrival whose count is not told leaves nothing to count.
  CHECK(b.ask(0x80, false, 4).empty());
  CHECK(b.arrive_somehow(0x80) == Warps{4});
  b.all.init(0xc0, std::nullopt, false);
  CHECK(b.ask(0xc0, false, 5) == Warps{5});
}

TEST_CASE("mbarrier: who gives up counts the phase as complete") {
  Bench b;
  b.all.init(0x40, 3, false);
  b.arrive(0x40, 1);
  CHECK(b.ask(0x40, false, 1).empty());
  CHECK(b.ask(0x40, false, 2).empty());
  CHECK(b.give_up() == Warps{1, 2});
  CHECK(b.all.waiting() == 0);
  CHECK(b.ask(0x40, false, 1) == Warps{1});
  CHECK(b.ask(0x40, true, 1).empty());
  CHECK(b.arrive(0x40, 3) == Warps{1});
}

// The reference keeps every event of a phase and counts them anew each time.
TEST_CASE("mbarrier: random barriers do what a count by hand says") {
  Random random(5);
  for (unsigned round = 0; round < 300; ++round) {
    Bench b;
    struct Hand {
      std::uint32_t threads = 0;
      std::vector<std::uint32_t> arrived;
      std::vector<std::int64_t> bytes;
      unsigned phases = 0;
      bool is_complete() const {
        std::uint64_t all = 0;
        std::int64_t left = 0;
        for (const std::uint32_t n : arrived) all += n;
        for (const std::int64_t n : bytes) left += n;
        return all == threads && left == 0;
      }
      std::uint32_t left() const {
        std::uint32_t n = threads;
        for (const std::uint32_t a : arrived) n -= a;
        return n;
      }
    };
    std::map<std::uint32_t, Hand> hands;
    for (std::uint32_t at = 0; at < 3; ++at) {
      hands[at].threads = 1 + random.below(4);
      b.all.init(at, hands[at].threads, false);
    }
    struct Copy {
      std::uint32_t number, at;
      std::int64_t bytes;
    };
    std::vector<Copy> copies;
    std::map<unsigned, std::pair<std::uint32_t, bool>> waiting;
    std::uint32_t next = 0;
    for (unsigned step = 0; step < 200; ++step) {
      const std::uint32_t at = random.below(3);
      Hand& h = hands[at];
      Warps gone;
      const auto kind = random.below(4);
      std::uint32_t changed = at;
      if (kind == 0 && h.left() != 0) {
        const std::uint32_t threads = 1 + random.below(h.left());
        h.arrived.push_back(threads);
        gone = b.arrive(at, threads);
      } else if (kind == 1 && h.left() > 1) {
        const std::int64_t bytes = 16 * (1 + random.below(4));
        h.bytes.push_back(bytes);
        gone = b.arrive(at, 0, bytes);
        copies.push_back({next, at, bytes});
        b.all.begin_copy(next++, at);
      } else if (kind == 2 && !copies.empty()) {
        const auto n = random.below(static_cast<unsigned>(copies.size()));
        const Copy c = copies[n];
        copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(n));
        changed = c.at;
        hands[changed].bytes.push_back(-c.bytes);
        gone = b.end_copy(c.number, static_cast<std::uint64_t>(c.bytes));
      } else if (kind == 3 && waiting.size() < 6) {
        unsigned warp = 0;
        while (waiting.count(warp) != 0) ++warp;
        waiting[warp] = {at, random.below(2) != 0};
        gone = b.ask(at, waiting[warp].second, warp);
      }
      Hand& c = hands[changed];
      if (c.is_complete()) {
        ++c.phases;
        c.arrived.clear();
        c.bytes.clear();
      }
      std::set<unsigned> expected;
      for (const auto& [warp, w] : waiting)
        if ((hands[w.first].phases % 2 != 0) != w.second) expected.insert(warp);
      CHECK(std::set<unsigned>(gone.begin(), gone.end()) == expected);
      for (const unsigned w : expected) waiting.erase(w);
      CHECK(b.all.waiting() == waiting.size());
    }
  }
}

}  // namespace cta_mbarriers_policy_test
