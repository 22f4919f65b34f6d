// The conductor: which module is called in which cycle, in which order, and what happens in cycles without
// work.
#include <memory>
#include <set>

#include <catch2/catch.hpp>

#include "tests/module/kit.h"

namespace conductor_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Records the cycles of its ticks. Returns what the plan says for a cycle, or `never`. Any process may wake
// it.
class Sleeper : public TickingModule {
 public:
  using TickingModule::TickingModule;
  std::vector<Cycle> ticks;
  std::map<Cycle, Cycle> plan;
  std::string* order = nullptr;
  void ask(Cycle at) { wake(at); }
  void ask_now() { wake_now(); }
  using TickingModule::sleep;
  Cycle tick(Cycle now) override {
    ticks.push_back(now);
    if (order != nullptr) *order += basename();
    const auto next = plan.find(now);
    return next == plan.end() ? never : next->second;
  }
};

// A sleeper that acts in chosen cycles.
class Asker : public Sleeper {
 public:
  using Sleeper::Sleeper;
  void ask_at(Cycle cycle, std::function<void()> act) { acts_[cycle] = std::move(act); }
  Cycle tick(Cycle now) override {
    if (acts_.count(now) != 0) acts_[now]();
    return Sleeper::tick(now);
  }

 private:
  std::map<Cycle, std::function<void()>> acts_;
};

// A process that does not belong to the conductor.
class Foreign : public sc_core::sc_module {
 public:
  Foreign(const sc_core::sc_module_name& name, double time, std::function<void()> act)
      : sc_module(name), time_(time), act_(std::move(act)) {
    SC_HAS_PROCESS(Foreign);
    SC_METHOD(run);
  }

 private:
  void run() {
    if (first_) {
      first_ = false;
      next_trigger(cycles(time_));
      return;
    }
    act_();
    next_trigger(cycles(1e9));
  }
  bool first_ = true;
  double time_;
  std::function<void()> act_;
};

class Passes : public CycleObserver {
 public:
  std::vector<Cycle> seen;
  bool cycle_done(Cycle cycle) override {
    seen.push_back(cycle);
    return false;
  }
};
class Beats : public BeatObserver {
 public:
  std::vector<Cycle> seen;
  std::set<Cycle> wanted;  // whether or not a module has work
  Cycle beat_done(Cycle cycle) override {
    seen.push_back(cycle);
    const auto next = wanted.upper_bound(cycle);
    return next == wanted.end() ? never : *next;
  }
};
using Cycles = std::vector<Cycle>;

}  // namespace

TEST_CASE("wakes are kept by cycle, near and far, and idle cycles are skipped") {
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Sleeper a("a"), b("b");
  Passes passes;
  conductor.add(a);
  conductor.add(b);
  conductor.observe(passes);
  // Wake-ups lie around the 64 cycles of the ring, and far beyond.
  a.plan = {{0, 62}, {62, 125}, {125, 189}, {189, 254}, {254, 1254}, {1254, 100000}};
  b.plan = {{0, 1254}};
  run_cycles(200000);
  CHECK(a.ticks == Cycles{0, 62, 125, 189, 254, 1254, 100000});
  CHECK(b.ticks == Cycles{0, 1254});
  CHECK(passes.seen == a.ticks);  // and no other cycle had a pass
}

TEST_CASE("several wakes of one module do not shadow each other") {
  Stage stage("stage");
  Sleeper a("a");
  stage.conductor.add(a);
  // Wake-ups in any order, twice for one cycle, in the past, for this cycle (closed: the next), and far.
  stage.script.at(5, [&](Cycle) {
    for (const Cycle c : {500u, 70u, 9u, 7u, 9u, 3u, 5u, 68u, 69u}) a.ask(c);
  });
  run_cycles(1000);
  CHECK(a.ticks == Cycles{0, 6, 7, 9, 68, 69, 70, 500});
}

TEST_CASE("a foreign process that wakes in the delta of a pass is not lost") {
  // One process is older than the conductor, and one is younger. The conductor has a pass for b in cycle 7 in
  // any case. Whichever process runs first in 7, `a` is called once: in 7, or in 8 if the pass is over.
  Sleeper *pa = nullptr, *pc = nullptr;
  Foreign before("before", 7, [&] { pa->ask(7); });
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Sleeper a("a"), b("b"), c("c");
  pa = &a, pc = &c;
  for (Sleeper* s : {&a, &b, &c}) conductor.add(*s);
  Foreign after("after", 7, [&] { pc->ask(7); });
  b.plan = {{0, 7}};
  run_cycles(50);
  for (const Sleeper* s : {&a, &c}) {
    REQUIRE(s->ticks.size() == 2);
    CHECK((s->ticks[1] == 7 || s->ticks[1] == 8));
  }
  CHECK(b.ticks == Cycles{0, 7});
}

TEST_CASE("a foreign process wakes a sleeping conductor, earlier than planned and after it") {
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Sleeper a("a");
  conductor.add(a);
  a.plan = {{0, 40}};
  Foreign now("now", 20, [&] { a.ask(20); });            // idle: this very cycle has had no pass
  Foreign between("between", 24.5, [&] { a.ask(26); });  // not on an edge
  Foreign later("later", 30, [&] { a.ask(1030); });      // far, past the planned 40
  run_cycles(2000);
  CHECK(a.ticks == Cycles{0, 20, 26, 40, 1030});
}

TEST_CASE("what a module takes back is forgotten, near and far, and keeps nothing going") {
  Stage stage("stage");
  Sleeper a("a"), b("b");
  stage.conductor.add(a);
  stage.conductor.add(b);
  stage.script.at(5, [&](Cycle) {
    for (const Cycle c : {6u, 7u, 40u, 500u, 100000u}) a.ask(c);
    for (const Cycle c : {7u, 500u}) b.ask(c);
  });
  stage.script.at(6, [&](Cycle) { a.sleep(); });
  stage.script.at(7, [&](Cycle) { a.ask(9); });
  sc_core::sc_start();
  CHECK(a.ticks == Cycles{0, 6, 9});  // the module is called in 6 all the same: the pass had begun
  CHECK(b.ticks == Cycles{0, 7, 500});
  CHECK(stage.conductor.now() == 500);
}

TEST_CASE("a module asks for the current cycle from outside, whenever the last pass was") {
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Sleeper a("a");
  conductor.add(a);
  Foreign idle("idle", 5000, [&] { a.ask_now(); });
  Foreign between("between", 6000.5, [&] { a.ask_now(); });
  Foreign late("late", 6000.75, [&] { a.ask_now(); });  // the cycle's pass is over
  run_cycles(10000);
  CHECK(a.ticks == Cycles{0, 5000, 6000, 6001});
}

TEST_CASE("a conductor that follows another keeps its cycles, whoever wakes it") {
  Conductor leader("leader", cycles(1), TickOrder::pipeline, 1),
      one("one", cycles(1), TickOrder::pipeline, 1), two("two", cycles(1), TickOrder::pipeline, 1);
  one.follow(leader);
  two.follow(leader);
  Asker a("a");  // in its ticks it wakes modules of other conductors
  Sleeper b("b"), c("c");
  Passes passes;
  leader.add(b);
  one.add(a);
  two.add(c);
  two.observe(passes);
  a.plan = {{0, 5}, {5, 300}};
  // A follower's tick wakes a module of the leader, whose pass is over, and of a follower, whose pass comes.
  a.ask_at(5, [&] { b.ask(6), c.ask(70); });
  a.ask_at(300, [&] { b.ask(1000); });
  b.plan = {{6, 40}};
  Foreign now("now", 20, [&] { c.ask(20); });            // all modules are idle
  Foreign between("between", 33.5, [&] { c.ask(36); });  // earlier than the leader has planned
  run_cycles(2000);
  CHECK(a.ticks == Cycles{0, 5, 300});
  CHECK(b.ticks == Cycles{0, 6, 40, 1000});
  CHECK(c.ticks == Cycles{0, 20, 36, 70});
  CHECK(passes.seen == c.ticks);  // no pass because of other conductors
  CHECK(leader.now() == 2000);
}

TEST_CASE("who observes beats sees the cycles of all that share them, each once, and those asked for") {
  Conductor leader("leader", cycles(1), TickOrder::pipeline, 1),
      one("one", cycles(1), TickOrder::pipeline, 1), two("two", cycles(1), TickOrder::pipeline, 1);
  one.follow(leader);
  two.follow(leader);
  Sleeper a("a"), b("b"), c("c");
  Beats of_leader, of_follower;
  leader.add(a);
  one.add(b);
  two.add(c);
  leader.observe_beats(of_leader);
  two.observe_beats(of_follower);
  a.plan = {{0, 7}};
  b.plan = {{0, 7}, {7, 300}};
  c.plan = {{0, 5}, {5, 1000}};
  of_leader.wanted = {1, 6, 300, 500};
  run_cycles(2000);
  CHECK(of_leader.seen == Cycles{0, 1, 5, 6, 7, 300, 500, 1000});
  CHECK(of_follower.seen == of_leader.seen);
  CHECK(a.ticks == Cycles{0, 7});  // no module was woken
  CHECK(b.ticks == Cycles{0, 7, 300});
  CHECK(c.ticks == Cycles{0, 5, 1000});
}

TEST_CASE("tick orders") {
  std::map<TickOrder, std::string> seen;
  std::vector<std::unique_ptr<Conductor>> conductors;
  std::vector<std::unique_ptr<Sleeper>> sleepers;
  const auto build = [&](TickOrder order, std::uint64_t seed, std::string& text) {
    const std::string n = std::to_string(conductors.size());
    conductors.push_back(std::make_unique<Conductor>(("conductor" + n).c_str(), cycles(1), order, seed));
    for (char m = 'a'; m <= 'h'; ++m) {
      sleepers.push_back(std::make_unique<Sleeper>((std::string(1, m) + n).c_str()));
      sleepers.back()->order = &text;
      sleepers.back()->plan = {{0, 1}};
      conductors.back()->add(*sleepers.back());
    }
  };
  std::string pipeline, reverse, shuffled, same, other;
  build(TickOrder::pipeline, 1, pipeline);
  build(TickOrder::reverse, 1, reverse);
  build(TickOrder::shuffled, 1, shuffled);
  build(TickOrder::shuffled, 1, same);
  build(TickOrder::shuffled, 2, other);
  run_cycles(10);
  CHECK(pipeline == "a0b0c0d0e0f0g0h0a0b0c0d0e0f0g0h0");
  CHECK(reverse == "h1g1f1e1d1c1b1a1h1g1f1e1d1c1b1a1");
  // A fixed order, drawn from the seed.
  const auto letters = [](const std::string& s) {
    std::string l;
    for (std::size_t i = 0; i < s.size(); i += 2) l += s[i];
    return l;
  };
  CHECK(shuffled.substr(0, 16) == shuffled.substr(16));
  CHECK(letters(shuffled) == letters(same));
  CHECK(letters(shuffled) != letters(other));
  CHECK(letters(shuffled) != letters(pipeline));
}

// All three modules are due in cycle 5, in this order.
TEST_CASE("no module ticks behind a failure, neither in the same cycle nor later") {
  Conductor leader("leader", cycles(1), TickOrder::pipeline, 1),
      follower("follower", cycles(1), TickOrder::pipeline, 1);
  follower.follow(leader);
  Asker a("a");
  Sleeper b("b"), c("c");
  leader.add(a);
  leader.add(b);
  follower.add(c);
  for (Sleeper* s : {static_cast<Sleeper*>(&a), &b, &c}) s->plan = {{0, 5}, {5, 7}};
  std::string told;
  leader.on_failure([&] { told += "leader "; });
  follower.on_failure([&] { told += "follower "; });
  a.ask_at(5, [&] {
    leader.stop();
    follower.stop();  // once is enough
  });
  run_cycles(100);
  CHECK(a.ticks == Cycles{0, 5});
  CHECK(b.ticks == Cycles{0});
  CHECK(c.ticks == Cycles{0});
  CHECK(told == "leader follower ");
  CHECK(follower.failed());
  CHECK_FALSE(leader.enter([] { FAIL("a call from outside changes nothing"); }));
}

TEST_CASE("another thread is told which cycle has begun, whose tick it is, and how many have ended") {
  Stage leader("leader");
  Stage follower("follower");
  follower.conductor.follow(leader.conductor);
  const Conductor& c = leader.conductor;
  unsigned looks = 0;
  follower.script.at(7, [&](Cycle) {
    CHECK(c.last_cycle() == 7);
    CHECK(c.ticking() == &follower.script);
    CHECK(c.cycles_ended() == 2);  // 0 and 3
    ++looks;
  });
  leader.script.at(3, [&](Cycle) {
    CHECK(c.ticking() == &leader.script);
    ++looks;
  });
  run_cycles(20);
  CHECK(looks == 2);
  CHECK(c.ticking() == nullptr);
  CHECK(c.cycles_ended() == 3);
  CHECK(c.last_cycle() == 7);
}

}  // namespace conductor_test
