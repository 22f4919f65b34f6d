// One module between scripted senders and loggers, in all three orders of ticks. Rows are "t: event": a
// transfer that was sent in cycle t, to be used from t+1 on. If the stamp differs, the row ends in "from
// <stamp>".
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/module/kit.h"
#include "tests/module/log.h"

namespace subcore::test {

// The sending end of a path, which hands on the transfers that come back.
template <class Payload>
class Sender : public sc_core::sc_module {
 public:
  OutPort<Payload> out;
  std::function<void(const Payload&)> on_credit, on_update;
  // `credits` of 0: the script knows when there is room.
  explicit Sender(const sc_core::sc_module_name& name, unsigned credits = 0)
      : sc_module(name), out("out", credits) {
    out.template on_credit<&Sender::credited>(this);
    out.template on_status<&Sender::told>(this);
  }
  void send(Payload p, Cycle stamp) {
    p.stamp = stamp;
    out.send(p);
  }

 private:
  void credited(unsigned, Payload& p) {
    if (on_credit) on_credit(p);
  }
  void told(unsigned, Payload& p) {
    if (on_update) on_update(p);
  }
};

template <class Payload>
using Senders = std::deque<Sender<Payload>>;
template <class Payload>
using Sinks = std::deque<Sink<Payload>>;

inline std::string numbered(const char* name, std::size_t n) {
  return name + std::to_string(n);
}

struct SocketBench : Stage {
  SocketBench(const sc_core::sc_module_name& name, TickOrder order) : Stage(name, order), late("late") {}
  void add(TickingModule& module) {
    conductor.add(module);
    conductor.add(late);
  }
  // Every other action comes from the other side of the module, so that in each order some updates are there
  // before its tick and some after it. All sends of one sender in one cycle are one action.
  void at(Cycle cycle, std::function<void()> action) {
    (turn_++ % 2 == 0 ? script : late).at(cycle, [action = std::move(action)](Cycle) { action(); });
  }
  void note(Cycle stamp, std::string event) {
    if (stamp != conductor.now() + 1) event += " from " + std::to_string(stamp);
    log.add(conductor.now(), std::move(event));
  }
  Cycle next() const { return conductor.now() + 1; }
  // Notes how many results in a cache were used, unused or left by cycle t. Transfers that were sent before
  // t-1 count.
  void note_use(Cycle t, Module& module) {
    at(t, [this, &module] {
      StatisticsGroup all;
      module.register_statistics(all);
      std::string text;
      for (const Statistic& s : all.statistics())
        if (const std::string use = "cache_writes_"; s.name.rfind(use, 0) == 0)
          text += (text.empty() ? "" : ", ") + s.name.substr(use.size()) + ' ' +
                  std::to_string(static_cast<std::uint64_t>(s.value()));
      note(next(), text);
    });
  }

  // Notes the module's counters of these names by cycle t. Transfers that were sent before t-1 count.
  void note_counters(Cycle t, Module& module, std::vector<std::string> names) {
    at(t, [this, &module, names = std::move(names)] {
      StatisticsGroup all;
      module.register_statistics(all);
      std::string text;
      for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name + ' ' + std::to_string(all.sum(name));
      note(next(), text);
    });
  }

  // Notes what the module tells the watchdog by cycle t, line by line, without the module's name.
  void note_waiting(Cycle t, const Module& module) {
    at(t, [this, &module] {
      std::istringstream report(waiting_report(module));
      const std::string name = std::string(module.name()) + ": ";
      for (std::string line; std::getline(report, line);) {
        REQUIRE(line.compare(0, name.size(), name) == 0);
        note(next(), line.substr(name.size()));
      }
    });
  }

  Script late;
  Instructions instructions;
  Log log;

 private:
  unsigned turn_ = 0;
};

// Plays the same script on a bench for each order of ticks. Each bench must log `expected` and be drained.
// The bench is made from its name, the order and `options`.
template <class Bench, class... Options>
void expect(const Rows& expected, const std::function<void(Bench&)>& play, const Options&... options) {
  std::deque<Bench> benches;
  for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
    benches.emplace_back(numbered("bench", benches.size()).c_str(), order, options...);
    play(benches.back());
  }
  run_cycles(100);
  for (std::size_t n = 0; n < benches.size(); ++n) {
    INFO("order " << names(TickOrder{})[n]);
    CHECK(benches[n].log.rows() == expected);
    CHECK(benches[n].module().drained());
  }
}

}  // namespace subcore::test
