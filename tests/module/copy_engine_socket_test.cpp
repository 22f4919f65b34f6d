// The copy engine at its sockets, by tables of cycles. A copy that is sent in cycle t is taken in t + 1; its
// first request is sent `latency` cycles after that. The load/store unit's stand-in lets each request leave
// in the cycle after it came, and answers it some cycles later.
#include <map>
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/modules/copy_engine/copy_engine.h"
#include "tests/module/kit.h"

namespace copy_engine_socket_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Cycles = std::vector<Cycle>;
using Addresses = std::vector<std::uint64_t>;

CopyEngineParameters parameters() {
  CopyEngineParameters p;
  p.latency = 10;
  p.bytes_per_cycle = 64;
  p.in_flight = 100;
  return p;
}

using Kind = BulkCopyTransfer::Kind;

// Stands for the load/store unit: sends copies, answers requests, and records all that the engine tells.
struct LoadStore : sc_core::sc_module {
  explicit LoadStore(const sc_core::sc_module_name& name) : sc_module(name), out("out") {
    out.on_status<&LoadStore::told>(this);
  }
  void told(unsigned, BulkCopyTransfer& t) {
    seen[t.kind].push_back(t);
    if (t.kind != Kind::request) return;
    BulkCopyTransfer back = t;
    back.kind = Kind::left;
    back.stamp = t.stamp + left_after;
    out.send(back);
    back.kind = Kind::answered;
    back.stamp = t.stamp + answer_after;
    out.send(back);
  }
  Cycles stamps(Kind kind) {
    Cycles all;
    for (const BulkCopyTransfer& t : seen[kind]) all.push_back(t.stamp);
    return all;
  }

  OutPort<BulkCopyTransfer> out;
  std::map<Kind, std::vector<BulkCopyTransfer>> seen;
  Cycle left_after = 1, answer_after = 20;
};

struct EngineBench : Stage {
  explicit EngineBench(const char* name, const CopyEngineParameters& p = parameters(),
                       RequestShape shape = RequestShape::sectors, TickOrder order = TickOrder::pipeline)
      : Stage(name, order), engine("engine", p, shape), load_store("load_store") {
    load_store.out.bind(engine.copy_socket);
    conductor.add(engine);
  }
  // In cycle `at` comes a copy to or from these addresses.
  void copy(Cycle at, AsyncStep step, std::uint32_t bytes, const Addresses& addresses,
            Instruction* instruction = nullptr, std::uint32_t out_of_bounds = 0) {
    AsyncRecord& r = records.emplace_back();
    r.step = step;
    r.bytes = bytes;
    r.out_of_bounds = out_of_bounds;
    r.addresses = static_cast<std::uint32_t>(addresses.size());
    all_addresses.push_back(addresses);
    const std::uint64_t* first = all_addresses.back().data();
    const auto number = static_cast<std::uint32_t>(records.size() - 1);
    script.at(at, [this, step, &r, first, number, instruction](Cycle now) {
      BulkCopyTransfer t;
      t.stamp = now + 1;
      t.instruction = instruction;
      t.record = &r;
      t.addresses = first;
      t.number = number;
      t.cta_slot = 3;
      t.step = step;
      load_store.out.send(t);
    });
  }
  Addresses asked() {
    Addresses all;
    for (const BulkCopyTransfer& t : load_store.seen[Kind::request]) all.push_back(t.address);
    return all;
  }
  Cycles requests() { return load_store.stamps(Kind::request); }
  Cycles ends() { return load_store.stamps(Kind::over); }

  CopyEngine engine;
  LoadStore load_store;
  std::deque<AsyncRecord> records;
  std::deque<Addresses> all_addresses;
};

}  // namespace

TEST_CASE("copy engine: requests of lines come at the pace of their bytes") {
  EngineBench b("b");
  b.copy(5, AsyncStep::load, 512, {0x1000, 0x1080, 0x1100, 0x1180});
  run_cycles(100);
  // Taken in 6, and 128 bytes take two cycles.
  CHECK(b.requests() == Cycles{17, 19, 21, 23});
  CHECK(b.asked() == Addresses{0x1000, 0x1080, 0x1100, 0x1180});
  for (const BulkCopyTransfer& t : b.load_store.seen[Kind::request]) CHECK(t.bytes == 128);
  // The last is answered in 43, and the load/store unit hears in the next cycle.
  REQUIRE(b.ends() == Cycles{44});
  CHECK(b.load_store.seen[Kind::over][0].record == &b.records[0]);
  CHECK(b.load_store.seen[Kind::over][0].cta_slot == 3);
  CHECK(b.engine.drained());
}

TEST_CASE("copy engine: copies follow one another, and end each by itself") {
  EngineBench b("b");
  b.copy(5, AsyncStep::load, 256, {0x1000, 0x1080});
  b.copy(6, AsyncStep::load, 128, {0x2000});
  b.copy(40, AsyncStep::load, 128, {0x3000});
  run_cycles(120);
  CHECK(b.requests() == Cycles{17, 19, 21, 52});
  CHECK(b.ends() == Cycles{40, 42, 73});
  CHECK(b.load_store.seen[Kind::over][1].number == 1);
}

TEST_CASE("copy engine: the watchdog and waveforms hear of copies under way") {
  // Requests are sent in 16 and 18 for copy 0, and in 20 for copy 1. The last answer comes in 41.
  EngineBench b("b");
  b.copy(5, AsyncStep::load, 256, {0x1000, 0x1080});
  b.copy(6, AsyncStep::load, 128, {0x2000});
  const std::vector<Signal> signals = b.engine.signals();
  std::vector<std::string> reports, values;
  for (const Cycle at : {19, 25, 50})
    b.script.at(at, [&](Cycle now) {
      reports.push_back(waiting_report(b.engine));
      std::string text;
      for (const Signal& s : signals) text += s.name + ' ' + std::to_string(s.value(now)) + ' ';
      values.push_back(text);
    });
  run_cycles(60);
  CHECK(reports == std::vector<std::string>{"engine: bulk copy 0 of CTA slot 3: 2 requests not answered\n"
                                            "engine: bulk copy 1 of CTA slot 3: 0 requests not answered, "
                                            "others not sent\n",
                                            "engine: bulk copy 0 of CTA slot 3: 2 requests not answered\n"
                                            "engine: bulk copy 1 of CTA slot 3: 1 requests not answered\n",
                                            ""});
  CHECK(values ==
        std::vector<std::string>{"copy_engine_copies 2 copy_engine_outstanding 2 copy_engine_requests 2 ",
                                 "copy_engine_copies 2 copy_engine_outstanding 3 copy_engine_requests 3 ",
                                 "copy_engine_copies 0 copy_engine_outstanding 0 copy_engine_requests 3 "});
}

TEST_CASE("copy engine: no more requests are under way than may be") {
  CopyEngineParameters p = parameters();
  p.in_flight = 2;
  EngineBench b("b", p);
  b.copy(5, AsyncStep::load, 512, {0x1000, 0x1080, 0x1100, 0x1180});
  run_cycles(120);
  // The first answers are taken in 37 and 39.
  CHECK(b.requests() == Cycles{17, 19, 38, 40});
  CHECK(b.ends() == Cycles{61});
}

TEST_CASE("copy engine: a wide pace is bound by what the load/store unit takes") {
  CopyEngineParameters p = parameters();
  p.bytes_per_cycle = 10000;
  EngineBench b("b", p);
  b.load_store.left_after = b.load_store.answer_after = 5;
  b.copy(5, AsyncStep::load, 768, {0x1000, 0x1080, 0x1100, 0x1180, 0x1200, 0x1280});
  run_cycles(120);
  CHECK(b.requests() == Cycles{17, 17, 17, 17, 23, 23});
}

TEST_CASE("copy engine: bytes are asked for by sectors, those of one line together") {
  EngineBench b("b");
  // Four addresses of 32 bytes in one line; one of 96 bytes across two lines; nothing out of bounds.
  b.copy(5, AsyncStep::load, 128, {0x1000, 0x1020, 0x1040, 0x1060});
  b.copy(6, AsyncStep::load, 96, {0x2040});
  b.copy(7, AsyncStep::load, 256, {0x3000}, nullptr, 128);
  b.copy(8, AsyncStep::load, 256, {}, nullptr, 256);
  run_cycles(120);
  CHECK(b.asked() == Addresses{0x1000, 0x2040, 0x2080, 0x3000});
  std::vector<std::uint32_t> bytes;
  for (const BulkCopyTransfer& t : b.load_store.seen[Kind::request]) bytes.push_back(t.bytes);
  CHECK(bytes == std::vector<std::uint32_t>{128, 64, 32, 128});
  CHECK(b.ends().size() == 4);
  CHECK(b.engine.drained());
}

TEST_CASE("copy engine: requests have the shape that memory wants") {
  EngineBench b("b", parameters(), RequestShape::single_sectors);
  b.copy(5, AsyncStep::load, 128, {0x1000});
  run_cycles(120);
  CHECK(b.asked() == Addresses{0x1000, 0x1020, 0x1040, 0x1060});
  CHECK(b.requests() == Cycles{17, 17, 18, 18});  // 32 bytes take half a cycle
}

TEST_CASE("copy engine: a copy from shared memory has been read when its last request has left") {
  EngineBench b("b");
  Instructions made;
  Instruction* const store = made.add(alu({}, {}));
  b.copy(5, AsyncStep::store, 256, {0x1000, 0x1080}, store);
  b.copy(6, AsyncStep::reduce, 0, {}, made.add(alu({}, {})));
  run_cycles(120);
  CHECK(b.requests() == Cycles{17, 19});
  const auto& read = b.load_store.seen[Kind::read];
  REQUIRE(read.size() == 2);
  CHECK(read[0].instruction == store);
  CHECK(read[0].stamp == 20);
  CHECK(b.ends() == Cycles{19, 40});  // the copy of nothing is over first
}

TEST_CASE("copy engine: the order of ticks does not matter") {
  EngineBench pipeline("pipeline"),
      reverse("reverse", parameters(), RequestShape::sectors, TickOrder::reverse);
  for (EngineBench* b : {&pipeline, &reverse}) {
    b->copy(5, AsyncStep::load, 512, {0x1000, 0x1080, 0x1100, 0x1180});
    b->copy(7, AsyncStep::store, 256, {0x2000, 0x2080});
  }
  run_cycles(200);
  CHECK(pipeline.requests() == reverse.requests());
  CHECK(pipeline.ends() == reverse.ends());
}

}  // namespace copy_engine_socket_test
