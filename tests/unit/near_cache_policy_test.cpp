#include <array>
#include <deque>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/policy/fixed_window/near_cache.h"
#include "subcore/model/policy/random.h"
#include "tests/unit/made_instruction.h"

namespace near_cache_policy_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// An instruction of a warp that goes on: sources and destinations are near where a bit says so.
struct Made : MadeInstruction {
  Made(const std::vector<Register>& destinations, const std::vector<Register>& sources,
       unsigned near_sources = 0, unsigned near_destinations = 0, std::uint64_t sequence = 0,
       std::uint32_t warp = 1)
      : MadeInstruction(destinations, sources) {
    instruction.source_near = near_sources;
    instruction.destination_near = static_cast<std::uint16_t>(near_destinations);
    instruction.sequence = sequence;
    instruction.warp_uid = warp;
    instruction.followed = true;
  }
  Made& of(ExecutionClass execution) {
    code.execution = execution;
    return *this;
  }
  Made& version(std::uint32_t v) {
    instruction.produced.fill(v);
    return *this;
  }
};

// A result that is alone in its copy.
Version value(std::uint32_t version) {
  return {version, ~0u, 0};
}

WindowCache::Answer ask(NearCache& cache, const Made& m, Cycle execution = 1000, unsigned source = 0) {
  WindowCache::Answers answers;
  cache.look_up(m.instruction, execution, answers);
  return answers[source];
}
// Reads near sources, whose values come at once.
void read(NearCache& cache, const std::vector<Register>& registers, std::uint32_t warp = 1) {
  static std::uint64_t sequence = 1000;
  const Made m({}, registers, ~0u, 0, ++sequence, warp);
  WindowCache::Answers answers;
  cache.look_up(m.instruction, 1000, answers);
  for (unsigned s = 0; s < registers.size(); ++s) cache.fill(NearCache::Filler::of(m.instruction, s), {1});
}
void read_far(NearCache& cache, Register r) {
  ask(cache, Made({}, {r}));
}

}  // namespace

TEST_CASE("a near source waits for its value in the near cache, a far one leaves nothing") {
  NearCache cache(6, 1);
  const Made both({}, {2, 3}, 0b01);
  WindowCache::Answers answers;
  cache.look_up(both.instruction, 6, answers);
  CHECK((!answers[0].hit && answers[0].fills == 1 && answers[0].searches == 1));
  CHECK((!answers[1].hit && answers[1].fills == 0 && answers[1].searches == 1));
  CHECK(cache.holds(1, 2));
  CHECK(!cache.holds(1, 3));
  const auto early = ask(cache, Made({}, {2}, 1, 0, 1));
  CHECK((early.hit && !early.filled && early.fills == 0));
  CHECK(early.filler == NearCache::Filler::of(both.instruction, 0));
  cache.fill(NearCache::Filler::of(both.instruction, 0), {7});
  const auto later = ask(cache, Made({}, {2}, 1, 0, 2));
  CHECK((later.hit && later.filled && later.version.write == 7));
  CHECK(!ask(cache, Made({}, {2}, 0, 0, 3, 2)).hit);  // another warp's
}

TEST_CASE("the near cache gives up what is invalid, then what is far, then what was used longest ago") {
  NearCache cache(3, 1);
  read(cache, {2, 3, 4});
  read_far(cache, 3);
  read(cache, {5});
  CHECK(!cache.holds(1, 3));
  read(cache, {2});
  read(cache, {6});  // 4 was used before 5 and 2
  CHECK(!cache.holds(1, 4));
  CHECK((cache.holds(1, 2) && cache.holds(1, 5) && cache.holds(1, 6)));
  cache.passed(Made({5}, {}).of(ExecutionClass::load_store).instruction, 0);
  read(cache, {7});
  CHECK((cache.holds(1, 2) && cache.holds(1, 6) && cache.holds(1, 7)));
}

TEST_CASE("a source that is in the near cache is not driven out by another one of its instruction") {
  NearCache cache(2, 1);
  read(cache, {2, 3});
  const Made both({}, {4, 2}, 0b11);
  WindowCache::Answers answers;
  cache.look_up(both.instruction, 6, answers);
  CHECK(answers[1].hit);
  CHECK((cache.holds(1, 4) && cache.holds(1, 2)));
}

TEST_CASE("a result is in the near cache for who executes when it is ready, and takes the older value away") {
  NearCache cache(6, 1);
  read(cache, {2});
  const auto results = cache.passed(Made({2}, {}).version(5).instruction, 10);
  CHECK((results.updated == 1 && results.entered == 0 && results.dropped == 0));
  const auto early = ask(cache, Made({}, {2}, 1), 9);
  CHECK((!early.hit && early.fills == 0));  // nor is a value kept that it gets from elsewhere
  const auto there = ask(cache, Made({}, {2}, 1), 10);
  CHECK((there.hit && there.filled && there.version.write == 5));
}

TEST_CASE("a near result enters the near cache, a far one or one of some lanes does not") {
  NearCache cache(6, 1);
  CHECK(cache.passed(Made({2, 3}, {}, 0, 0b10).version(1).instruction, 10).entered == 0b10);
  CHECK((!cache.holds(1, 2) && cache.holds(1, 3)));
  Made partial({4}, {}, 0, 1);
  partial.instruction.mask = 1;
  CHECK(cache.passed(partial.instruction, 10).entered == 0);
  CHECK(!cache.holds(1, 4));
  read(cache, {4});
  CHECK(cache.passed(partial.version(9).instruction, 10).dropped ==
        1);  // the result of its other lanes may still come
  CHECK(!cache.holds(1, 4));
}

// Before a result of some lanes is ready, the banks lack its lanes. The near cache must not keep such a
// value.
TEST_CASE("a source that is read before a result of some lanes is ready leaves nothing in the near cache") {
  NearCache cache(6, 1);
  const auto pass_some_lanes = [&](Register r, Cycle ready, std::uint32_t warp) {
    Made m({r}, {}, 0, 0, 0, warp);
    m.instruction.mask = 1;
    cache.passed(m.instruction, ready);
  };
  pass_some_lanes(4, 10, 1);
  pass_some_lanes(5, 12, 1);
  pass_some_lanes(4, 11, 2);
  CHECK(ask(cache, Made({}, {4}, 1), 9).fills == 0);
  CHECK(ask(cache, Made({}, {5}, 1), 11).fills == 0);
  CHECK(ask(cache, Made({}, {4}, 1, 0, 0, 2), 10).fills == 0);
  CHECK(ask(cache, Made({}, {6}, 1), 9).fills == 1);   // another register
  CHECK(ask(cache, Made({}, {4}, 1), 10).fills == 1);  // the result is ready
}

TEST_CASE("what comes for a source does not go into its instruction's own result") {
  NearCache cache(6, 1);
  const Made both({2}, {3}, 1, 1);
  ask(cache, both);
  cache.passed(Made({2}, {3}, 1, 1).version(9).instruction, 10);
  cache.fill(NearCache::Filler::of(both.instruction, 0), {4});
  CHECK(ask(cache, Made({}, {2})).version.write == 9);
  CHECK(ask(cache, Made({}, {3})).version.write == 4);
}

TEST_CASE("a result that comes at its own time takes the older value away when it is issued") {
  for (const ExecutionClass c : {ExecutionClass::load_store, ExecutionClass::double_, ExecutionClass::special,
                                 ExecutionClass::tensor_f32, ExecutionClass::texture}) {
    NearCache cache(6, 1);
    const Made first({}, {2}, 1);
    ask(cache, first);
    CHECK(cache.passed(Made({2}, {}, 0, 1).of(c).instruction, 10).dropped == 1);
    CHECK(!cache.holds(1, 2));
    cache.fill(NearCache::Filler::of(first.instruction, 0), {1});  // comes too late
    CHECK(!ask(cache, Made({}, {2})).hit);
  }
}

TEST_CASE(
    "a result that comes at its own time enters the near cache if it is near, or outdates what is there") {
  NearCache cache(6, 1);
  CHECK(cache.arrived({1, 2, value(5), true, false, false}).entered == 1);
  const auto found = ask(cache, Made({}, {2}, 1), 0);
  CHECK((found.hit && found.filled && found.version.write == 5));
  CHECK(cache.arrived({1, 2, value(6), true, false, false}).updated == 1);
  CHECK(ask(cache, Made({}, {2}, 1)).version.write == 6);
  CHECK(cache.arrived({1, 2, value(7), false, false, true}).dropped == 1);
  CHECK(!cache.holds(1, 2));
  CHECK(cache.arrived({1, 2, value(7), false, false, true}).dropped == 0);
  CHECK(cache.arrived({1, 2, value(8), true, true, false}).entered == 0);  // some lanes only
  CHECK(!cache.holds(1, 2));
}

TEST_CASE("what waits in a queue finds values in the near cache, and leaves none") {
  NearCache cache(6, 1);
  CHECK(ask(cache, Made({}, {2}, 1).of(ExecutionClass::double_)).fills == 0);
  CHECK(!cache.holds(1, 2));
  read(cache, {2});
  CHECK(ask(cache, Made({}, {2}, 1).of(ExecutionClass::double_)).hit);
}

TEST_CASE("nothing of a warp is left in the near cache behind its last instruction") {
  NearCache cache(6, 1);
  read(cache, {2, 3}, 1);
  read(cache, {2}, 2);
  Made last({}, {});
  last.instruction.followed = false;
  cache.passed(last.instruction, 10);
  CHECK((!cache.holds(1, 2) && !cache.holds(1, 3) && cache.holds(2, 2)));
}

TEST_CASE("the near cache knows which of its results were read") {
  NearCache cache(2, 1);
  cache.passed(Made({2, 3}, {}, 0, 0b11).instruction, 10);
  ask(cache, Made({}, {2}, 1), 9);  // the reader does not find it
  CHECK(cache.result_use()->unread() == 2);
  ask(cache, Made({}, {2}, 1), 10);
  ask(cache, Made({}, {2}, 1), 10);
  cache.passed(Made({3}, {}, 0, 1).instruction, 20);
  CHECK(cache.result_use()->use().used == 1);
  CHECK(cache.result_use()->use().unused == 1);
  CHECK(cache.result_use()->unread() == 1);
}

namespace {

// Warps that write and read a few registers in any order, and the values of program order for each read.
// Every result has a version of its own, so that no other result can be taken for it.
class Reference {
 public:
  Reference(unsigned entries, std::uint64_t seed) : random_(seed), cache_(entries, seed) {}
  unsigned hits = 0, early = 0, ended = 0;

  void step() {
    ++now_;
    deliver();
    const unsigned w = random_.below(2);
    switch (random_.below(16)) {
      case 0:
        return end(w);
      case 1:
      case 2:
        return comes_later(w);
      case 3:
      case 4:
      case 5:
      case 6:
        return counted(w);
      case 7:
        return read_early(w);
      default:
        return read(w);
    }
  }

 private:
  struct Value {
    std::uint32_t version = 0;
    Cycle ready = 0;          // from then on the bank or a bypass has the value
    bool on_its_way = false;  // the value comes at its own time
  };
  struct Fill {
    NearCache::Filler filler;
    std::uint32_t version;
  };

  Register pick() { return static_cast<Register>(random_.below(5)); }
  Made made(unsigned w, const std::vector<Register>& d, const std::vector<Register>& s) {
    return {d, s, random_.below(4), random_.below(2), ++sequence_, uid_[w]};
  }
  void deliver() {
    while (!fills_.empty() && random_.below(2) == 0) {
      cache_.fill(fills_.front().filler, {fills_.front().version});
      fills_.pop_front();
    }
    for (unsigned w = 0; w < values_.size(); ++w)
      for (unsigned r = 0; r < values_[w].size(); ++r) {
        Value& v = values_[w][r];
        if (!v.on_its_way || random_.below(4) != 0) continue;
        v.on_its_way = false;
        const bool near = random_.below(2) == 0;
        cache_.arrived({uid_[w], static_cast<Register>(r), value(v.version), near, false, !near});
      }
  }
  void counted(unsigned w) {
    const Register r = pick();
    Value& v = values_[w][r];
    if (v.on_its_way) return;  // the compiler waits
    v = {++version_, std::max(now_ + 4 + random_.below(4), v.ready + 1), false};
    cache_.passed(made(w, {r}, {}).version(v.version).instruction, v.ready);
  }
  void comes_later(unsigned w) {
    const Register r = pick();
    Value& v = values_[w][r];
    if (v.on_its_way) return;
    v = {++version_, 0, true};
    cache_.passed(made(w, {r}, {}).of(ExecutionClass::load_store).version(v.version).instruction, 0);
  }
  // Reads when the compiler lets it: no result is on its way, and all are ready when it executes. Younger
  // instructions come later.
  void read(unsigned w) {
    const std::vector<Register> registers{pick(), static_cast<Register>(5 + random_.below(3))};
    Cycle execution = now_;
    for (const Register r : registers) {
      if (values_[w][r].on_its_way) return;
      execution = std::max(execution, values_[w][r].ready);
    }
    now_ = execution;
    const Made m = made(w, {}, registers);
    WindowCache::Answers answers;
    cache_.look_up(m.instruction, execution, answers);
    for (unsigned s = 0; s < registers.size(); ++s) {
      const std::uint32_t newest = values_[w][registers[s]].version;
      if (answers[s].hit) {
        ++hits;
        REQUIRE(seen(answers[s]) == newest);
      }
      if (answers[s].fills != 0) fills_.push_back({NearCache::Filler::of(m.instruction, s), newest});
    }
  }
  // Reads too early: the read must find neither a value that is not there yet, nor the value from before.
  void read_early(unsigned w) {
    const Register r = pick();
    const Value& v = values_[w][r];
    if (!v.on_its_way && v.ready <= now_) return;
    ++early;
    const Made m({}, {r}, 0, 0, ++sequence_, uid_[w]);
    REQUIRE(!ask(cache_, m, v.on_its_way ? now_ : v.ready - 1).hit);
  }
  void end(unsigned w) {
    if (random_.below(20) != 0) return;
    ++ended;
    Made last({}, {}, 0, 0, ++sequence_, uid_[w]);
    last.instruction.followed = false;
    cache_.passed(last.instruction, now_ + 4);
    for (unsigned r = 0; r < 8; ++r) REQUIRE(!cache_.holds(uid_[w], static_cast<Register>(r)));
    uid_[w] += 2;
    values_[w] = {};
  }
  // The version that was found, or that comes later.
  std::uint32_t seen(const WindowCache::Answer& a) const {
    if (a.filled) return a.version.write;
    for (const Fill& f : fills_)
      if (f.filler == a.filler) return f.version;
    FAIL("a value that is not coming");
    return 0;
  }

  Random random_;
  NearCache cache_;
  Cycle now_ = 0;
  std::uint32_t version_ = 0;
  std::uint64_t sequence_ = 0;
  std::array<std::uint32_t, 2> uid_{1, 2};
  std::array<std::array<Value, 8>, 2> values_{};
  std::deque<Fill> fills_;
};

}  // namespace

TEST_CASE("what is found in the near cache is the newest value in program order, whatever was written") {
  for (const unsigned entries : {1u, 2u, 6u, 8u}) {
    CAPTURE(entries);
    Reference reference(entries, entries);
    for (unsigned n = 0; n < 20000; ++n) reference.step();
    CHECK(reference.hits > 500);
    CHECK(reference.early > 100);
    CHECK(reference.ended > 10);
  }
}

}  // namespace near_cache_policy_test
