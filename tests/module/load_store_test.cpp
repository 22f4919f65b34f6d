// The load/store unit against a scripted base-protocol target.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/load_store_unit/load_store_unit.h"
#include "tests/module/kit.h"

namespace load_store_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Answers each BEGIN_REQ as told; keeps the payloads, so that the script can answer later.
class Target : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  struct Request {
    Cycle cycle;
    std::uint64_t address;
    unsigned bytes;
    bool write;
    tlm::tlm_generic_payload* payload;
  };
  tlm::tlm_target_socket<> socket;
  std::vector<Request> requests;
  unsigned end_responses = 0;
  tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;  // with TLM_UPDATED
  double delay = 0;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

  Target(const sc_core::sc_module_name& name, const Conductor& conductor)
      : sc_module(name), socket("socket"), conductor_(conductor) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }
  void send(std::size_t request, tlm::tlm_phase p, double d = 0) {
    tlm::tlm_generic_payload& t = *requests[request].payload;
    sc_core::sc_time annotated = cycles(d);
    if (p == tlm::BEGIN_RESP) t.set_response_status(status);
    socket->nb_transport_bw(t, p, annotated);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& p,
                                     sc_core::sc_time& d) override {
    if (p == tlm::END_RESP) {
      ++end_responses;
      return tlm::TLM_COMPLETED;
    }
    CHECK(t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
    CHECK_FALSE(t.is_dmi_allowed());
    CHECK(t.get_streaming_width() == t.get_data_length());
    requests.push_back({conductor_.now(), t.get_address(), t.get_data_length(), t.is_write(), &t});
    t.set_dmi_allowed(true);  // a hint, and only for this transaction
    if (answer != tlm::TLM_ACCEPTED) {
      d += cycles(delay);
      if (answer == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) t.set_response_status(status);
    }
    if (answer == tlm::TLM_UPDATED) p = phase;
    return answer;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  const Conductor& conductor_;
};

struct MemoryBench : Stage {
  explicit MemoryBench(const sc_core::sc_module_name& name, unsigned sub_cores = 1,
                       TickOrder order = TickOrder::pipeline, const LoadStoreParameters& p = {},
                       bool bulk_copies = false)
      : Stage(name, order),
        check(true),
        unit("unit", sub_cores, p, 2, check, conductor, nullptr, bulk_copies),
        target("target", conductor),
        stores("stores") {
    conductor.add(unit);
    unit.store_socket.bind(stores.in);
    unit.memory_socket.bind(target.socket);
    for (unsigned s = 0; s < sub_cores; ++s) {
      sources.push_back(
          std::make_unique<Source<DispatchTransfer>>(("source" + std::to_string(s)).c_str(), p.queue));
      sinks.push_back(std::make_unique<Sink<ResultTransfer>>(("sink" + std::to_string(s)).c_str()));
      sources[s]->out.bind(unit.unit_socket[s]);
      unit.result_socket[s].bind(sinks[s]->in);
      sinks[s]->react = [this, s](ResultTransfer& t) {
        ResultTransfer credit{t.stamp + 1, nullptr};
        sinks[s]->in.credit(credit);
      };
    }
  }
  // Dispatches `op` in `cycle`. The instruction enters the unit in the next cycle.
  void dispatch(Cycle cycle, const Op& op, unsigned sub_core = 0, unsigned warp_slot = 0) {
    Instruction* i = all.add(op, sub_core);
    i->warp_slot = static_cast<std::uint16_t>(warp_slot);
    script.at(cycle, [=](Cycle now) { sources[sub_core]->send(now, {0, i}); });
  }
  std::vector<Cycle> request_cycles() const {
    std::vector<Cycle> c;
    for (const auto& r : target.requests) c.push_back(r.cycle);
    return c;
  }
  OperandCheck check;
  Instructions all;
  LoadStoreUnit unit;
  Target target;
  Sink<StoreTransfer> stores;
  std::vector<std::unique_ptr<Source<DispatchTransfer>>> sources;
  std::vector<std::unique_ptr<Sink<ResultTransfer>>> sinks;
};
using Cycles = std::vector<Cycle>;

}  // namespace

TEST_CASE("shared memory and constants take their latency, sub-cores take turns") {
  MemoryBench b("bench", 2);
  b.dispatch(0, load({2}, {}, 0x100, MemorySpace::shared), 0);
  b.dispatch(0, load({2}, {}, 0x100, MemorySpace::shared), 1);
  b.dispatch(1, load({2}, {}, 0x100, MemorySpace::constant), 0);
  b.dispatch(40, load({2}, {}, 0x100).with_mask(0), 1);
  run_cycles(100);
  // d + 1 + 20. Sub-core 1 enters one cycle later, in 2, and the third instruction in 3; without an active
  // lane the latency is one.
  CHECK(b.sinks[0]->stamps() == Cycles{21, 23});
  CHECK(b.sinks[1]->stamps() == Cycles{22, 42});
  CHECK(b.target.requests.empty());
  CHECK(b.unit.drained());
}

TEST_CASE("what accesses nothing is over behind its warp's older accesses to shared memory, and no others") {
  MemoryBench b("bench");
  Op column = load({2}, {}, 0, MemorySpace::shared);
  column.stride = 16;  // four words apart: four lanes to a bank
  Op exchange = load({4}, {}, 0, MemorySpace::none);
  exchange.code.kind = InstructionKind::exchange;
  exchange.code.memory_bytes = 0;
  const Op off = load({3}, {}, 0, MemorySpace::shared).with_mask(0),
           constant = load({3}, {}, 0, MemorySpace::constant).with_mask(0);
  b.dispatch(0, column);
  b.dispatch(1, off);
  b.dispatch(2, constant);
  b.dispatch(3, off, 0, 1);
  b.dispatch(40, exchange);
  b.dispatch(41, off);
  b.dispatch(42, off, 0, 1);
  b.dispatch(80, off);
  run_cycles(120);
  const auto results = [&b] {
    std::vector<std::pair<std::uint64_t, Cycle>> of;
    for (const ResultTransfer& r : b.sinks[0]->seen) of.emplace_back(r.instruction->sequence, r.stamp);
    return of;
  };
  // The column enters in 1 and takes four passes: 21 + 3. The other three enter in 5, 6 and 7, for a cycle.
  // The first of these is of the column's warp and comes in the cycle behind the column. The constant is not
  // in order with shared memory. The last one is of another warp. The exchange enters in 41 and takes 20.
  CHECK(results() == std::vector<std::pair<std::uint64_t, Cycle>>{
                         {2, 7}, {3, 8}, {0, 24}, {1, 25}, {6, 44}, {4, 61}, {5, 62}, {7, 82}});
  CHECK(b.unit.drained());
}

TEST_CASE("bank conflicts hold the unit and their own result, and can be switched off") {
  LoadStoreParameters none;
  none.shared_banks = 0;
  MemoryBench banks("banks"), flat("flat", 1, TickOrder::pipeline, none);
  for (MemoryBench* b : {&banks, &flat}) {
    Op column = load({2}, {}, 0, MemorySpace::shared);
    column.stride = 16;  // four words apart: four lanes to a bank
    b->dispatch(0, column);
    b->dispatch(1, load({4}, {}, 0, MemorySpace::shared));
    Op add = load({6}, {}, 0, MemorySpace::shared).with_mask(0x7);
    add.stride = 0;
    add.code.kind = InstructionKind::atomic;
    b->dispatch(40, add);
  }
  run_cycles(100);
  // Enters in 1, four passes: 21 + 3. The next enters in 5 instead of 2. Three lanes add to one word: 61 + 2.
  CHECK(banks.sinks[0]->stamps() == Cycles{24, 25, 63});
  CHECK(flat.sinks[0]->stamps() == Cycles{21, 22, 61});
  StatisticsGroup g("unit");
  banks.unit.register_statistics(g);
  CHECK(g.sum("shared_passes") == 4 + 1 + 3);
  CHECK(g.sum("shared_conflicts") == 3 + 2);
}

TEST_CASE("a load of four matrices takes four passes, none of which is a conflict") {
  MemoryBench b("bench");
  for (const std::uint64_t stride : {16u, 32u}) {
    Op matrices = load({2, 3, 4, 5}, {}, 0, MemorySpace::shared);
    matrices.code.memory_bytes = 2;  // as a trace of LDSM.16 has it
    matrices.code.matrices = 4;
    matrices.stride = stride;
    b.dispatch(0, matrices);
  }
  run_cycles(100);
  // The first enters in 1: 21 + 3. The second enters in 5 and takes eight: 25 + 7.
  CHECK(b.sinks[0]->stamps() == Cycles{24, 32});
  StatisticsGroup g("unit");
  b.unit.register_statistics(g);
  CHECK(g.sum("shared_passes") == 4 + 8);
  CHECK(g.sum("shared_conflicts") == 4);
}

TEST_CASE("a copy writes shared memory when its data have come, and what wants the banks waits") {
  LoadStoreParameters none;
  none.shared_banks = 0;
  MemoryBench b("bench"), flat("flat", 1, TickOrder::pipeline, none);
  for (MemoryBench* bench : {&b, &flat}) {
    Op copy = load({}, {}, 0x1000);
    copy.code.copies = CopyStep::copy;
    copy.code.memory_bytes = 16;
    copy.stride = 16;
    bench->dispatch(0, copy);
    bench->dispatch(2, load({2}, {}, 0, MemorySpace::shared));
    bench->dispatch(5, load({4}, {}, 0, MemorySpace::shared));
    Op half = copy.with_mask(0xffff);
    half.code.memory_bytes = 4;
    half.stride = 4;
    bench->dispatch(40, half);
  }
  run_cycles(100);
  // The copy enters in 1. Its four lines are asked for in 1 to 4 and come in 2 to 5. The four passes are in 5
  // to 8, so the copy is over as of 9. The first load has entered in 3 and is not held. The second load
  // enters in 9 instead of 6. 64 bytes take a pass, and come in 42.
  CHECK(b.sinks[0]->stamps() == Cycles{9, 23, 29, 43});
  CHECK(flat.sinks[0]->stamps() == Cycles{6, 23, 26, 43});
  StatisticsGroup g("unit");
  b.unit.register_statistics(g);
  CHECK(g.sum("loads") == 2);
  CHECK(g.sum("shared") == 2);
  CHECK(g.sum("shared_passes") == 4 + 1 + 1 + 1);
  CHECK(g.sum("shared_conflicts") == 0);
  CHECK(b.unit.drained());
}

TEST_CASE("copies whose data come together write one after the other") {
  MemoryBench b("bench", 2);
  b.target.answer = tlm::TLM_UPDATED;
  b.target.phase = tlm::END_REQ;
  Op copy = load({}, {}, 0x1000);
  copy.code.copies = CopyStep::copy;
  copy.code.memory_bytes = 8;
  copy.stride = 0;
  b.dispatch(0, copy, 0);
  b.dispatch(0, copy, 1);
  b.script.at(20, [&b](Cycle) {
    b.target.send(1, tlm::BEGIN_RESP);
    b.target.send(0, tlm::BEGIN_RESP);
    CHECK_FALSE(b.unit.drained());
  });
  run_cycles(100);
  // 256 bytes: two passes each.
  CHECK(b.sinks[1]->stamps() == Cycles{23});
  CHECK(b.sinks[0]->stamps() == Cycles{25});
  CHECK(b.unit.drained());
}

TEST_CASE("a coalesced access is one request, a scattered one a request a cycle") {
  LoadStoreParameters when_answered;
  when_answered.store_done = StoreDone::answered;
  MemoryBench b("bench"), a("answered", 1, TickOrder::pipeline, when_answered);
  Op scattered = store({}, 0x2000);
  scattered.mask = 0x7;
  scattered.stride = 256;
  for (MemoryBench* m : {&b, &a}) {
    m->target.delay = 10;
    m->dispatch(0, load({2}, {}, 0x1000));  // 32 lanes x 4 bytes: one line
    m->dispatch(20, scattered);
  }
  run_cycles(23);
  CHECK_FALSE(b.unit.drained());
  run_cycles(3);
  CHECK(b.sinks[0]->seen.size() == 2);
  CHECK_FALSE(b.unit.drained());  // the store is over, its answers are owed
  run_cycles(74);
  REQUIRE(b.target.requests.size() == 4);
  CHECK(b.request_cycles() == Cycles{1, 21, 22, 23});
  CHECK(b.target.requests[0].address == 0x1000);
  CHECK(b.target.requests[0].bytes == 128);
  CHECK_FALSE(b.target.requests[0].write);
  CHECK(b.target.requests[3].address == 0x2200);
  CHECK(b.target.requests[3].bytes == 32);
  CHECK(b.target.requests[3].write);
  // The load is like a latency of 10. The store is over when its last request has left, or has been answered.
  CHECK(b.sinks[0]->stamps() == Cycles{11, 24});
  CHECK(a.sinks[0]->stamps() == Cycles{11, 33});
  CHECK(b.unit.drained());
  CHECK(a.unit.drained());
}

TEST_CASE("requests of one cycle meet in no bank of sectors") {
  LoadStoreParameters p;
  p.transactions_per_cycle = 4;
  MemoryBench flat("flat", 1, TickOrder::pipeline, p);
  p.sector_banks = 4;
  MemoryBench banks("banks", 1, TickOrder::pipeline, p);
  for (MemoryBench* b : {&flat, &banks}) {
    Op lines = load({2}, {}, 0x1000), sectors = lines;
    lines.mask = sectors.mask = 0x1f;
    lines.stride = 128;    // five lines, all in bank 0
    sectors.stride = 160;  // banks 0, 1, 2, 3, 0
    b->dispatch(0, lines);
    b->dispatch(20, sectors);
    b->dispatch(40, load({2}, {}, 0x1000));  // a line takes all four, and one lane of the next waits
    b->dispatch(40, load({2}, {}, 0x2020).with_mask(1));
  }
  run_cycles(100);
  CHECK(flat.request_cycles() == Cycles{1, 1, 1, 1, 2, 21, 21, 21, 21, 22, 41, 42});
  CHECK(banks.request_cycles() == Cycles{1, 2, 3, 4, 5, 21, 21, 21, 21, 22, 41, 42});
  CHECK(banks.unit.drained());
}

TEST_CASE("a store is over before it is answered, and says both") {
  MemoryBench b("bench");
  b.target.answer = tlm::TLM_UPDATED;
  b.target.phase = tlm::END_REQ;
  Op two_lines = store({}, 0x2000);
  two_lines.mask = 0x3;
  two_lines.stride = 256;
  b.dispatch(0, two_lines);
  b.script.at(30, [&](Cycle) { b.target.send(0, tlm::BEGIN_RESP); });
  b.script.at(40, [&](Cycle) { b.target.send(1, tlm::BEGIN_RESP); });
  run_cycles(100);
  // Sent in 1 and 2; the last answer counts from 41 on.
  REQUIRE(b.stores.stamps() == Cycles{3, 42});
  CHECK(b.stores.seen[0].kind == StoreTransfer::Kind::over);
  CHECK(b.stores.seen[1].kind == StoreTransfer::Kind::answered);
  CHECK(b.sinks[0]->stamps() == Cycles{3});
  CHECK(b.unit.drained());
}

TEST_CASE("a store may be answered before its last request counts as sent") {
  MemoryBench b("bench");
  b.target.answer = tlm::TLM_UPDATED;
  b.target.phase = tlm::END_REQ;
  b.target.delay = 20;
  b.dispatch(0, store({}, 0x2000));
  b.dispatch(8, store({}, 0x3000));
  b.script.at(5, [&](Cycle) { b.target.send(0, tlm::BEGIN_RESP); });
  b.script.at(60, [&](Cycle) { b.target.send(1, tlm::BEGIN_RESP); });
  run_cycles(100);
  // The first store, sent in 1 and answered in 5, is over in 6, and no instruction waits for it any more. The
  // path is free from 21 on. The second store counts as sent from 41 on.
  CHECK(b.request_cycles() == Cycles{1, 21});
  CHECK(b.sinks[0]->stamps() == Cycles{7, 42});
  CHECK(b.stores.stamps() == Cycles{42, 62});
  CHECK(b.unit.drained());
}

TEST_CASE("an annotated response on the return path, with END_RESP sent back") {
  MemoryBench b("bench");
  b.target.answer = tlm::TLM_UPDATED;
  b.target.delay = 10;
  b.dispatch(0, load({2}, {}, 0x1000));
  run_cycles(100);
  CHECK(b.sinks[0]->stamps() == Cycles{11});
  CHECK(b.target.end_responses == 1);
  CHECK(b.unit.drained());
}

TEST_CASE("a fraction of a cycle is rounded up: no result before its response") {
  MemoryBench b("bench");
  b.target.delay = 10.25;
  b.dispatch(0, load({2}, {}, 0x1000));  // requested 1, there at 11.25, usable from 12 on
  b.script.at(30, [&](Cycle) { b.target.answer = tlm::TLM_ACCEPTED; });
  b.dispatch(30, load({2}, {}, 0x1000));
  b.script.at(40, [&](Cycle) { b.target.send(1, tlm::BEGIN_RESP, 2.25); });
  run_cycles(100);
  // The second response is there at 42.25. The unit sees it in 43, and its result is written back in 44.
  CHECK(b.sinks[0]->stamps() == Cycles{12, 44});
}

TEST_CASE("TLM_UPDATED with END_REQ, the response later") {
  MemoryBench b("bench");
  b.target.answer = tlm::TLM_UPDATED;
  b.target.phase = tlm::END_REQ;
  b.dispatch(0, load({2}, {}, 0x1000));
  b.dispatch(1, load({4}, {}, 0x2000));
  b.script.at(30, [&](Cycle) { b.target.send(1, tlm::BEGIN_RESP); });  // out of order
  b.script.at(35, [&](Cycle) { b.target.send(0, tlm::BEGIN_RESP, 5); });
  run_cycles(100);
  // The request ends at once, so that the next goes out the cycle after. A response in r is looked at in r+1,
  // and the result is written back in r+2; 5 annotated cycles come on top.
  CHECK(b.request_cycles() == Cycles{1, 2});
  CHECK(b.sinks[0]->stamps() == Cycles{32, 42});
  CHECK(b.unit.drained());
}

TEST_CASE("TLM_ACCEPTED: the next request waits for END_REQ, which counts from the next cycle on") {
  // In 6 the unit has work of its own (a shared access enters), so that it ticks in the cycle of the END_REQ.
  // The unit ticks before the END_REQ in one run and after it in the other. The second request leaves in 7
  // both times.
  MemoryBench before("before", 1, TickOrder::reverse), after("after", 1, TickOrder::pipeline);
  for (MemoryBench* b : {&before, &after}) {
    b->target.answer = tlm::TLM_ACCEPTED;
    b->dispatch(0, load({2}, {}, 0x1000));
    b->dispatch(1, load({4}, {}, 0x2000));
    b->dispatch(5, load({6}, {}, 0, MemorySpace::shared));
    b->script.at(6, [=](Cycle) { b->target.send(0, tlm::END_REQ); });
    b->script.at(9, [=](Cycle) { b->target.send(0, tlm::BEGIN_RESP); });
    b->script.at(12, [=](Cycle) { b->target.send(1, tlm::BEGIN_RESP); });
  }
  run_cycles(100);
  for (MemoryBench* b : {&before, &after}) {
    INFO(b->name());
    CHECK(b->request_cycles() == Cycles{1, 7});
    CHECK(b->sinks[0]->stamps() == Cycles{11, 14, 26});
    CHECK(b->unit.drained());
  }
}

TEST_CASE("an error response names address, command and instruction") {
  MemoryBench b("bench");
  b.target.answer = tlm::TLM_ACCEPTED;
  b.target.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  b.dispatch(0, load({2}, {}, 0xabc00));
  b.script.at(9, [&](Cycle) { b.target.send(0, tlm::BEGIN_RESP); });
  try {
    run_cycles(100);
    FAIL("no error");
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == "/subcore/memory_response");
    CHECK_THAT(report.get_msg(), Catch::Contains("TLM_ADDRESS_ERROR_RESPONSE") &&
                                     Catch::Contains("read of 128 bytes at 0xabc00") &&
                                     Catch::Contains("pc 0x0, w1"));
  }
}

TEST_CASE("no more requests are under way than `outstanding` allows") {
  LoadStoreParameters p;
  p.outstanding = 2;
  p.transactions_per_cycle = 4;
  MemoryBench b("bench", 1, TickOrder::pipeline, p);
  b.target.delay = 10;
  Op scattered = load({2}, {}, 0x2000);
  scattered.mask = 0xf;
  scattered.stride = 256;
  b.dispatch(0, scattered);
  run_cycles(100);
  // Two requests leave in 1. The two are answered for a write-back in 11, so they no longer count in 10, and
  // two more can go.
  CHECK(b.request_cycles() == Cycles{1, 1, 10, 10});
  CHECK(b.sinks[0]->stamps() == Cycles{20});
  CHECK(b.unit.drained());
}

TEST_CASE("the end of a bulk copy counts all its bytes, for each CTA that it goes to") {
  struct BulkBench : MemoryBench {
    BulkBench()
        : MemoryBench("bench", 1, TickOrder::pipeline, {}, true), engine("engine"), mbarriers("mbarriers") {
      unit.copy_socket[0].bind(engine.in);
      unit.mbarrier_socket[0].bind(mbarriers.in);
    }
    Sink<BulkCopyTransfer> engine;
    Sink<MbarrierTransfer> mbarriers;
  } b;
  AsyncRecord r;
  r.bytes = 128;
  r.out_of_bounds = 96;
  r.ctas = 0xb;
  b.script.at(5, [&](Cycle now) {
    BulkCopyTransfer t;
    t.stamp = now + 1;
    t.record = &r;
    t.number = 7;
    t.cta_slot = 3;
    t.step = AsyncStep::load;
    t.kind = BulkCopyTransfer::Kind::over;
    b.engine.in.status(t);
  });
  run_cycles(20);
  REQUIRE(b.mbarriers.stamps() == std::vector<Cycle>{6});
  const MbarrierTransfer& t = b.mbarriers.seen[0];
  CHECK(t.kind == MbarrierTransfer::Kind::copied);
  CHECK(t.bytes == 3 * 128);
  CHECK(t.number == 7);
  CHECK(t.cta_slot == 3);
  CHECK(t.step == AsyncStep::load);
}

}  // namespace load_store_test
