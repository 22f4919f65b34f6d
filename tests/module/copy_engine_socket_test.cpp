// The copy engine at its sockets, by tables of cycles. A copy that is sent in cycle t is taken in t + 1; its
// first request is sent `latency` cycles after that. The load/store unit is a sink that lets each request
// leave in the cycle after it came, and answers it some cycles later.
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

struct EngineBench : Stage {
  explicit EngineBench(const char* name, const CopyEngineParameters& p = parameters(),
                       RequestShape shape = RequestShape::sectors, TickOrder order = TickOrder::pipeline)
      : Stage(name, order),
        engine("engine", p, shape),
        copies("copies"),
        requests("requests"),
        mbarriers("mbarriers") {
    copies.out.bind(engine.copy_socket);
    engine.request_socket.bind(requests.in);
    engine.mbarrier_socket.bind(mbarriers.in);
    conductor.add(engine);
    requests.react = [this](BulkRequestTransfer& t) {
      BulkRequestTransfer back = t;
      back.stamp = t.stamp + 1;
      requests.in.credit(back);
      back.stamp = t.stamp + answer_after;
      requests.in.status(back);
    };
  }
  // In cycle `at` comes a copy to or from these addresses.
  void copy(Cycle at, AsyncStep step, std::uint32_t bytes, const Addresses& addresses,
            Instruction* instruction = nullptr, std::uint32_t out_of_bounds = 0, std::uint32_t ctas = 0) {
    AsyncRecord& r = records.emplace_back();
    r.step = step;
    r.bytes = bytes;
    r.out_of_bounds = out_of_bounds;
    r.ctas = ctas;
    r.addresses = static_cast<std::uint32_t>(addresses.size());
    all_addresses.push_back(addresses);
    const std::uint64_t* first = all_addresses.back().data();
    const auto number = static_cast<std::uint32_t>(records.size() - 1);
    script.at(at, [this, step, &r, first, number, instruction](Cycle now) {
      copies.send(now, {0, instruction, &r, first, number, 3, step});
    });
  }
  Addresses asked() const {
    Addresses all;
    for (const BulkRequestTransfer& t : requests.seen) all.push_back(t.address);
    return all;
  }

  CopyEngine engine;
  Source<BulkCopyTransfer> copies;
  Sink<BulkRequestTransfer> requests;
  Sink<MbarrierTransfer> mbarriers;
  std::deque<AsyncRecord> records;
  std::deque<Addresses> all_addresses;
  Cycle answer_after = 20;
};

}  // namespace

TEST_CASE("copy engine: requests of lines come at the pace of their bytes") {
  EngineBench b("b");
  b.copy(5, AsyncStep::load, 512, {0x1000, 0x1080, 0x1100, 0x1180});
  run_cycles(100);
  // Taken in 6, and 128 bytes take two cycles.
  CHECK(b.requests.stamps() == Cycles{17, 19, 21, 23});
  CHECK(b.asked() == Addresses{0x1000, 0x1080, 0x1100, 0x1180});
  for (const BulkRequestTransfer& t : b.requests.seen) CHECK(t.bytes == 128);
  // The last is answered in 43, and the CTA dispatcher hears in the next cycle.
  REQUIRE(b.mbarriers.stamps() == Cycles{44});
  CHECK(b.mbarriers.seen[0].kind == MbarrierTransfer::Kind::copied);
  CHECK(b.mbarriers.seen[0].bytes == 512);
  CHECK(b.mbarriers.seen[0].cta_slot == 3);
  CHECK(b.engine.drained());
}

TEST_CASE("copy engine: copies follow one another, and end each by itself") {
  EngineBench b("b");
  b.copy(5, AsyncStep::load, 256, {0x1000, 0x1080});
  b.copy(6, AsyncStep::load, 128, {0x2000});
  b.copy(40, AsyncStep::load, 128, {0x3000});
  run_cycles(120);
  CHECK(b.requests.stamps() == Cycles{17, 19, 21, 52});
  CHECK(b.mbarriers.stamps() == Cycles{40, 42, 73});
  CHECK(b.mbarriers.seen[1].number == 1);
}

TEST_CASE("copy engine: no more requests are under way than may be") {
  CopyEngineParameters p = parameters();
  p.in_flight = 2;
  EngineBench b("b", p);
  b.copy(5, AsyncStep::load, 512, {0x1000, 0x1080, 0x1100, 0x1180});
  run_cycles(120);
  // The first answers are taken in 37 and 39.
  CHECK(b.requests.stamps() == Cycles{17, 19, 38, 40});
  CHECK(b.mbarriers.stamps() == Cycles{61});
}

TEST_CASE("copy engine: a wide pace is bound by what the load/store unit takes") {
  CopyEngineParameters p = parameters();
  p.bytes_per_cycle = 10000;
  EngineBench b("b", p);
  b.requests.react = [&b](BulkRequestTransfer& t) {
    BulkRequestTransfer back = t;
    back.stamp = t.stamp + 5;
    b.requests.in.credit(back);
    b.requests.in.status(back);
  };
  b.copy(5, AsyncStep::load, 768, {0x1000, 0x1080, 0x1100, 0x1180, 0x1200, 0x1280});
  run_cycles(120);
  CHECK(b.requests.stamps() == Cycles{17, 17, 17, 17, 23, 23});
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
  for (const BulkRequestTransfer& t : b.requests.seen) bytes.push_back(t.bytes);
  CHECK(bytes == std::vector<std::uint32_t>{128, 64, 32, 128});
  // An mbarrier counts what lies out of bounds, too.
  std::vector<std::int64_t> counted;
  for (const MbarrierTransfer& t : b.mbarriers.seen) counted.push_back(t.bytes);
  std::sort(counted.begin(), counted.end());
  CHECK(counted == std::vector<std::int64_t>{96, 128, 256, 256});
  CHECK(b.engine.drained());
}

TEST_CASE("copy engine: requests have the shape that memory wants") {
  EngineBench b("b", parameters(), RequestShape::single_sectors);
  b.copy(5, AsyncStep::load, 128, {0x1000});
  run_cycles(120);
  CHECK(b.asked() == Addresses{0x1000, 0x1020, 0x1040, 0x1060});
  CHECK(b.requests.stamps() == Cycles{17, 17, 18, 18});  // 32 bytes take half a cycle
}

TEST_CASE("copy engine: a copy from shared memory has been read when its last request has left") {
  EngineBench b("b");
  Instructions made;
  Instruction* const store = made.add(alu({}, {}));
  b.copy(5, AsyncStep::store, 256, {0x1000, 0x1080}, store);
  b.copy(6, AsyncStep::reduce, 0, {}, made.add(alu({}, {})));
  run_cycles(120);
  CHECK(b.requests.stamps() == Cycles{17, 19});
  REQUIRE(b.copies.update.size() == 2);
  CHECK(b.copies.update[0].instruction == store);
  CHECK(b.copies.update[0].stamp == 20);
  CHECK(b.mbarriers.stamps() == Cycles{19, 40});  // the copy of nothing is over first
}

TEST_CASE("copy engine: a copy to several CTAs counts for each") {
  EngineBench b("b");
  b.copy(5, AsyncStep::load, 128, {0x1000}, nullptr, 0, 0xb);
  run_cycles(120);
  REQUIRE(b.mbarriers.seen.size() == 1);
  CHECK(b.mbarriers.seen[0].bytes == 3 * 128);
}

TEST_CASE("copy engine: the order of ticks does not matter") {
  EngineBench pipeline("pipeline"),
      reverse("reverse", parameters(), RequestShape::sectors, TickOrder::reverse);
  for (EngineBench* b : {&pipeline, &reverse}) {
    b->copy(5, AsyncStep::load, 512, {0x1000, 0x1080, 0x1100, 0x1180});
    b->copy(7, AsyncStep::store, 256, {0x2000, 0x2080});
  }
  run_cycles(200);
  CHECK(pipeline.requests.stamps() == reverse.requests.stamps());
  CHECK(pipeline.mbarriers.stamps() == reverse.mbarriers.stamps());
}

}  // namespace copy_engine_socket_test
