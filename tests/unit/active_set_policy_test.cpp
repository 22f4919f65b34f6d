// The set of active warps: by example, and against a reference that keeps one state per warp.
#include <algorithm>
#include <array>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/promotion/active_set.h"
#include "subcore/model/policy/random.h"

namespace active_set_policy_test {

using namespace subcore;

namespace {

std::unique_ptr<Promotion> promotion(const char* word) {
  return Chosen<PromotionChoice>(word)->make();
}

}  // namespace

TEST_CASE("an active warp that stalls or ends makes room when it has left") {
  ActiveSet set(2, promotion("eligible_fifo"), false);
  ActiveSet::Change c = set.step(0b1111, 0, 0b1111);
  CHECK(c.promoted == 0b0011);
  CHECK(set.active() == 0);  // entering: not before their registers are there
  CHECK(set.pending() == 0b1100);
  set.registers_moved(0);
  CHECK(set.active() == 0b0001);
  set.registers_moved(1);
  CHECK(set.active() == 0b0011);

  c = set.step(0b1111, 0b0001, 0b1111);
  CHECK(c.demoted == 0b0001);
  CHECK(c.promoted == 0);  // the demoted warp keeps its place
  CHECK(set.active() == 0b0010);
  c = set.step(0b1111, 0b0001, 0b1111);
  CHECK((c.demoted | c.promoted) == 0);
  set.registers_moved(0);
  CHECK(set.active() == 0b0010);
  c = set.step(0b1111, 0b0001, 0b1111);
  CHECK(c.promoted == 0b0100);
  CHECK(set.pending() == 0b1001);
  set.registers_moved(2);

  c = set.step(0b1101, 0, 0b1101);  // warp 1 has ended
  CHECK(c.demoted == 0b0010);
  set.registers_moved(1);
  c = set.step(0b1101, 0, 0b1101);
  CHECK(c.promoted == 0b1000);  // pending for longer than warp 0
  CHECK(set.pending() == 0b0001);
}

TEST_CASE("eligible promotion passes over warps that cannot go on, blind promotion does not") {
  ActiveSet eligible(1, promotion("eligible_fifo"), true), blind(1, promotion("blind_fifo"), true);
  for (ActiveSet* s : {&eligible, &blind}) {
    CHECK(s->step(0b0001, 0, 0b0001).promoted == 0b0001);
    CHECK(s->step(0b0111, 0, 0b0111).promoted == 0);
  }
  // Warp 0 stalls; of the pending ones 1 is stalled, too.
  CHECK(eligible.step(0b0111, 0b0011, 0b0111).promoted == 0b0100);
  CHECK(eligible.active() == 0b0100);
  CHECK(blind.step(0b0111, 0b0011, 0b0111).promoted == 0b0010);
  const ActiveSet::Change next = blind.step(0b0111, 0b0011, 0b0111);  // and out again
  CHECK(next.demoted == 0b0010);
  CHECK(next.promoted == 0b0100);
  CHECK(blind.pending() == 0b0011);
}

TEST_CASE("a warp without a known instruction is not promoted, and holds a blind queue up") {
  ActiveSet eligible(1, promotion("eligible_fifo"), true), blind(1, promotion("blind_fifo"), true);
  CHECK(eligible.step(0b0011, 0, 0b0010).promoted == 0b0010);
  CHECK(blind.step(0b0011, 0, 0b0010).promoted == 0);
  CHECK(blind.step(0b0011, 0, 0b0011).promoted == 0b0001);
}

TEST_CASE("with fewer warps than places all are active") {
  for (const char* p : {"eligible_fifo", "blind_fifo"}) {
    ActiveSet set(8, promotion(p), true);
    CHECK(set.step(0, 0, 0).promoted == 0);
    CHECK(set.step(0b101, 0, 0b101).promoted == 0b101);
    CHECK(set.active() == 0b101);
    CHECK(set.pending() == 0);
    CHECK_FALSE(set.idle());
    CHECK(set.step(0, 0, 0).demoted == 0b101);
    CHECK(set.active() == 0);
    CHECK(set.step(0, 0, 0).promoted == 0);
    CHECK(set.idle());
  }
}

TEST_CASE("instant places are free in the same cycle, and the one who left goes to the end of the queue") {
  ActiveSet set(1, promotion("eligible_fifo"), true);
  set.step(0b0011, 0, 0b0011);
  CHECK(set.active() == 0b0001);
  const ActiveSet::Change c = set.step(0b0111, 0b0001, 0b0111);
  CHECK(c.demoted == 0b0001);
  CHECK(c.promoted == 0b0010);
  CHECK(set.active() == 0b0010);
  CHECK(set.step(0b0111, 0b0010, 0b0111).promoted == 0b0001);  // slots that became pending together: by slot
  CHECK(set.step(0b0111, 0b0001, 0b0111).promoted == 0b0100);
}

TEST_CASE("a warp that waits for other registers keeps its place and may not issue") {
  ActiveSet set(1, promotion("eligible_fifo"), false);
  set.step(0b0011, 0, 0b0011);
  set.registers_moved(0);
  set.fetch_again(0);
  CHECK(set.active() == 0);
  CHECK(set.pending() == 0b0010);
  CHECK(set.step(0b0011, 0b0001, 0b0011).demoted == 0);  // only an active warp can be demoted
  CHECK(set.step(0b0011, 0, 0b0011).promoted == 0);
  CHECK_FALSE(set.idle());
  set.registers_moved(0);
  CHECK(set.active() == 0b0001);
}

namespace {

// One state per warp, and the time since which it has been pending.
class Reference {
 public:
  enum class State { none, pending, entering, active, leaving };

  Reference(unsigned size, bool blind, bool instant) : size_(size), blind_(blind), instant_(instant) {}

  ActiveSet::Change step(WarpMask present, WarpMask stalled, WarpMask known) {
    ++now_;
    ActiveSet::Change change;
    for (unsigned s = 0; s < 64; ++s) {
      if (state[s] == State::active && (has(stalled, s) || !has(present, s))) {
        change.demoted |= WarpMask{1} << s;
        state[s] = instant_ ? State::none : State::leaving;
      }
      if (state[s] == State::pending && !has(present, s)) state[s] = State::none;
      if (state[s] == State::none && has(present, s)) {
        state[s] = State::pending;
        since_[s] = now_;
      }
    }
    while (places() < size_) {
      int first = -1;
      for (int s = 63; s >= 0; --s) {
        const auto n = static_cast<unsigned>(s);
        if (state[n] != State::pending || (!blind_ && (!has(known, n) || has(stalled, n)))) continue;
        if (first < 0 || since_[n] <= since_[static_cast<unsigned>(first)]) first = s;
      }
      if (first < 0 || !has(known, static_cast<unsigned>(first))) break;
      state[static_cast<unsigned>(first)] = instant_ ? State::active : State::entering;
      change.promoted |= WarpMask{1} << first;
    }
    return change;
  }
  void registers_moved(unsigned s) { state[s] = state[s] == State::entering ? State::active : State::none; }

  WarpMask in(State wanted) const {
    WarpMask mask = 0;
    for (unsigned s = 0; s < 64; ++s) mask |= WarpMask{state[s] == wanted} << s;
    return mask;
  }
  unsigned places() const {
    return static_cast<unsigned>(std::count_if(state.begin(), state.end(), [](State s) {
      return s == State::entering || s == State::active || s == State::leaving;
    }));
  }
  std::array<State, 64> state{};

 private:
  static bool has(WarpMask mask, unsigned s) { return (mask >> s & 1u) != 0; }
  unsigned size_;
  bool blind_, instant_;
  std::uint64_t now_ = 0;
  std::array<std::uint64_t, 64> since_{};
};

}  // namespace

TEST_CASE("an active set agrees with a naive one") {
  using State = Reference::State;
  std::uint64_t promotions = 0, demotions = 0, full = 0, again = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const unsigned warps = 1 + random.below(64), size = 1 + random.below(9);
    const bool blind = random.below(2) == 1;
    const bool instant = random.below(2) == 0;
    ActiveSet set(size, promotion(blind ? "blind_fifo" : "eligible_fifo"), instant);
    Reference reference(size, blind, instant);
    const WarpMask all = warps == 64 ? ~WarpMask{0} : (WarpMask{1} << warps) - 1;
    WarpMask present = 0;
    INFO("seed " << seed);
    for (unsigned n = 0; n < 200; ++n) {
      if (random.below(4) == 0) present ^= random.next() & random.next() & all;
      const WarpMask stalled = random.next() & random.next() & present;
      const WarpMask known = (random.next() | random.next()) & present;
      const ActiveSet::Change change = set.step(present, stalled, known);
      const ActiveSet::Change expected = reference.step(present, stalled, known);
      REQUIRE(change.demoted == expected.demoted);
      REQUIRE(change.promoted == expected.promoted);
      for (unsigned s = 0; s < warps; ++s) {
        const State state = reference.state[s];
        if ((state == State::entering || state == State::leaving) && random.below(3) == 0) {
          set.registers_moved(s);
          reference.registers_moved(s);
        } else if (state == State::active && !instant && random.below(16) == 0) {
          set.fetch_again(s);
          reference.state[s] = State::entering;
          ++again;
        }
      }
      REQUIRE(set.active() == reference.in(State::active));
      REQUIRE(set.pending() == reference.in(State::pending));
      REQUIRE(set.idle() == (reference.places() == 0 && reference.in(State::pending) == 0));
      REQUIRE(reference.places() <= size);
      promotions += bits::count(change.promoted);
      demotions += bits::count(change.demoted);
      full += reference.places() == size && reference.in(State::pending) != 0;
    }
  }
  CHECK(promotions > 10000);
  CHECK(demotions > 10000);
  CHECK(full > 5000);
  CHECK(again > 300);
}

}  // namespace active_set_policy_test
