// The SM around its sub-cores: barriers, CTAs and the watchdog's view of them.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/conductor/watchdog.h"
#include "tests/module/bench.h"

namespace sm_test {

using namespace subcore;
using namespace subcore::test;

namespace {
PlatformParameters two_sub_cores() {
  PlatformParameters p = baseline(2);
  p.multiprocessor.sub_cores = 2;
  return p;
}
// Only the cycles and instructions of the issue rows: OCUs are drawn at random.
Rows issues(const Bench& b) {
  Rows rows;
  for (const std::string& r : b.log.rows()) {
    if (r.find("issue") != std::string::npos) rows.push_back(r.substr(0, r.rfind(' ')));
  }
  return rows;
}
}  // namespace

TEST_CASE("warps of two sub-cores meet at a barrier") {
  // Warp 1 (s0) is there in 3. Warp 2 (s1): 2.0 issue 3, dispatch 4, write-back 9. 2.1 needs the result: 10.
  // The barrier in 11 is known to the dispatcher in 12, which lets both warps go on from 13.
  Program program;
  program.add({{barrier(), alu({}, {})}, {alu({1}, {}), alu({2}, {1}), barrier(), alu({}, {})}});
  Bench bench("bench", two_sub_cores(), program);
  run_cycles(100);
  CHECK(issues(bench) == Rows{"3: s0 issue 1.0", "3: s1 issue 2.0", "10: s1 issue 2.1", "11: s1 issue 2.2",
                              "13: s0 issue 1.1", "13: s1 issue 2.3"});
  CHECK(bench.leftovers().empty());
}

TEST_CASE("a finished warp no longer has to come to the barrier") {
  // 2.0 writes back in 9, retires in 10; its player hears in 11 and tells the dispatcher for 12.
  Program program;
  program.add({{barrier(), alu({}, {})}, {alu({1}, {})}});
  Bench bench("bench", two_sub_cores(), program);
  run_cycles(100);
  CHECK(issues(bench) == Rows{"3: s0 issue 1.0", "3: s1 issue 2.0", "13: s0 issue 1.1"});
  CHECK(bench.finished());
}

TEST_CASE("a barrier waits until its warp's own earlier accesses have entered the load/store unit") {
  Program stores, loads, constants;
  stores.add({{store({1}, 0x100, MemorySpace::shared), barrier(), alu({}, {})}});
  loads.add({{load({2}, {1}, 0x100), barrier(), alu({}, {})}});
  constants.add({{load({2}, {1}, 0x100, MemorySpace::constant), barrier(), alu({}, {})}});
  Bench s("store", baseline(2), stores), l("load", baseline(2), loads), c("constant", baseline(2), constants);
  run_cycles(1000);
  // The access: issue 3, read 4, dispatch 5, in the unit in 6, which is known in 7. Alone, a warp goes on two
  // cycles after its barrier.
  CHECK(issues(s) == Rows{"3: issue 1.0", "7: issue 1.1", "9: issue 1.2"});
  CHECK(issues(l) == Rows{"3: issue 1.0", "7: issue 1.1", "9: issue 1.2"});
  CHECK(issues(c) == Rows{"3: issue 1.0", "4: issue 1.1", "6: issue 1.2"});
}

namespace {
struct DispatcherBench : Stage {
  DispatcherBench() : Stage("stage"), dispatcher("dispatcher", 2, 2, 2), source("source"), stores("stores") {
    conductor.add(dispatcher);
    stores.out.bind(dispatcher.store_socket);
    source.out.bind(dispatcher.cta_socket);
    for (unsigned s = 0; s < 2; ++s) {
      players.push_back(std::make_unique<Sink<LaunchTransfer>>(("player" + std::to_string(s)).c_str()));
      dispatcher.launch_socket[s].bind(players[s]->in);
      players[s]->react = [this, s](LaunchTransfer& t) {
        rows.push_back(std::to_string(t.stamp) + ": slot " + std::to_string(t.warp_slot * 2u + s) + " uid " +
                       std::to_string(t.warp_uid) + " trace warp " + std::to_string(t.warp->warp));
      };
    }
    for (unsigned s = 0; s < 2; ++s) {
      barriers.push_back(std::make_unique<Source<BarrierTransfer>>(("barrier" + std::to_string(s)).c_str()));
      barriers[s]->out.bind(dispatcher.barrier_socket[s]);
    }
  }
  void send(Cycle cycle, const CtaTrace& cta) {
    script.at(cycle, [this, &cta](Cycle now) {
      CtaTransfer t;
      t.cta = &cta;
      source.send(now, t);
    });
  }
  void finish(Cycle cycle, unsigned slot) {
    script.at(cycle, [this, slot](Cycle now) {
      LaunchTransfer t;
      t.stamp = now + 1;
      t.warp_slot = static_cast<std::uint16_t>(slot / 2);
      t.kind = LaunchTransfer::Kind::finished;
      players[slot % 2]->in.status(t);
    });
  }
  CtaDispatcher dispatcher;
  Source<CtaTransfer> source;
  Source<StoreTransfer> stores;
  std::vector<std::unique_ptr<Sink<LaunchTransfer>>> players;
  std::vector<std::unique_ptr<Source<BarrierTransfer>>> barriers;
  Rows rows;
};
}  // namespace

TEST_CASE("a CTA is over when memory has answered its stores") {
  Program program;
  program.add({{alu({}, {})}});
  program.add({{alu({}, {})}});
  DispatcherBench b;
  const auto store = [&](Cycle cycle, StoreTransfer::Kind kind) {
    b.script.at(cycle, [&b, kind](Cycle now) { b.stores.send(now, {0, 0, kind}); });
  };
  b.send(0, program.ctas[0]);
  b.send(1, program.ctas[1]);
  for (const Cycle sent : {Cycle{5}, Cycle{6}}) store(sent, StoreTransfer::Kind::over);
  b.finish(10, 0);  // CTA 0: two stores under way
  b.finish(15, 1);  // CTA 1 has no stores: reported for 17
  for (const Cycle answered : {Cycle{20}, Cycle{30}}) store(answered, StoreTransfer::Kind::answered);
  run_cycles(50);
  REQUIRE(b.source.update.size() == 2);
  CHECK(b.source.update[0].cta == &program.ctas[1]);
  CHECK(b.source.update[0].stamp == 17);
  CHECK(b.source.update[1].cta == &program.ctas[0]);
  CHECK(b.source.update[1].stamp == 32);
  CHECK(b.dispatcher.drained());
}

TEST_CASE("warps are dealt to the sub-cores in turn, slots are used again, a finished CTA is reported") {
  Program program;
  program.add({{alu({}, {})}, {alu({}, {})}, {alu({}, {})}});
  program.add({{alu({}, {})}, {alu({}, {})}});
  DispatcherBench b;
  b.send(0, program.ctas[0]);   // placed 1
  b.finish(10, 1);              // known 11
  b.send(12, program.ctas[1]);  // free are 1 and 3
  b.finish(20, 2), b.finish(20, 0);
  run_cycles(50);
  CHECK(b.rows == Rows{"2: slot 0 uid 1 trace warp 0", "2: slot 1 uid 2 trace warp 1",
                       "2: slot 2 uid 3 trace warp 2", "14: slot 1 uid 4 trace warp 0",
                       "14: slot 3 uid 5 trace warp 1"});
  // Finished 21 as far as the dispatcher knows, reported for 22.
  REQUIRE(b.source.update.size() == 1);
  CHECK(b.source.update[0].stamp == 22);
  CHECK(b.source.update[0].cta == &program.ctas[0]);
  CHECK_FALSE(b.dispatcher.drained());
}

TEST_CASE("the warp that takes a slot in the cycle in which another leaves it") {
  Program program;
  program.add({{alu({}, {})}, {alu({}, {})}, {alu({}, {})}, {alu({}, {})}});
  program.add({{alu({}, {})}});
  DispatcherBench b;
  b.send(0, program.ctas[0]);
  b.finish(9, 2);
  b.send(9, program.ctas[1]);  // full until 10, when slot 2 is free
  run_cycles(50);
  CHECK(b.rows.back() == "11: slot 2 uid 5 trace warp 0");
}

namespace {
// Takes every request and answers no request.
class SilentMemory : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket;
  explicit SilentMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};
}  // namespace

TEST_CASE("the watchdog names the instruction that waits for a silent memory") {
  Program program;
  program.add({{alu({1}, {}), load({2}, {1}, 0x5000), alu({3}, {2})}});
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Feeder feeder("feeder", program, 1);
  StreamingMultiprocessor sm("sm", 0, baseline(2));
  SilentMemory memory("memory");
  Watchdog watchdog(
      "watchdog", 1000, [&] { return sm.instructions_retired(); }, [&] { return feeder.finished(); },
      [&](std::ostream& out) {
        for (Module* m : sm.modules()) m->report_waiting(out);
        for (auto& s : sm.sub_cores) {
          for (Module* m : s.modules()) m->report_waiting(out);
        }
      });
  conductor.add(feeder);
  conductor.add(watchdog);
  feeder.cta_socket.bind(sm.cta_socket());
  sm.memory_socket().bind(memory.socket);
  // 1.0 retires before the first look in 1000, which is progress. Before the look in 2000 there is none.
  try {
    run_cycles(5000);
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/watchdog");
    CHECK_THAT(report.get_msg(), Catch::Contains("no progress in 1000 cycles, until cycle 2000") &&
                                     Catch::Contains("pc 0x10, w0, waits for 1 responses from memory") &&
                                     Catch::Contains("0x5000 has had no END_REQ"));
  }
}

}  // namespace sm_test
