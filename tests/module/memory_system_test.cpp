// The whole hierarchy: what an SM sees of it. The order of ticks must not show.
#include <catch2/catch.hpp>

#include "subcore/base/names.h"
#include "subcore/model/policy/random.h"
#include "subcore/model/statistics/statistics.h"
#include "subcore/modules/load_store_unit/load_store_unit.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/module/memory_kit.h"

namespace memory_system_test {

using namespace subcore;
using namespace subcore::test;

namespace {

PlatformParameters hierarchy() {
  PlatformParameters p;
  p.memory.kind = "hierarchy";
  return p;
}

const HierarchyParameters& parameters_of(const PlatformParameters& p) {
  return p.memory.kind.as<HierarchyChoice>().parameters;
}
MemorySite site_of(const PlatformParameters& p, unsigned sms) {
  return {sms, p.clock_period_ns, p.tick_order, p.seed};
}

// Two SMs with conductors of their own. `last`: their processes are made after the memory's, and run after
// it.
struct System : sc_core::sc_module {
  System(const sc_core::sc_module_name& name, PlatformParameters p, TickOrder order, bool last)
      : sc_module(name) {
    p.tick_order = order;
    if (last) memory = std::make_unique<MemorySystem>("memory_system", parameters_of(p), site_of(p, 2));
    for (unsigned i : last ? std::vector<unsigned>{1, 0} : std::vector<unsigned>{0, 1}) {
      conductor[i] =
          std::make_unique<Conductor>(("conductor" + std::to_string(i)).c_str(), cycles(1), order, 7 + i);
      sm[i] = std::make_unique<Requester>(("sm" + std::to_string(i)).c_str(), *conductor[i]);
      conductor[i]->add(*sm[i]);
    }
    if (!last) memory = std::make_unique<MemorySystem>("memory_system", parameters_of(p), site_of(p, 2));
    for (unsigned i = 0; i < 2; ++i) {
      sm[i]->out.bind(*memory->memory_socket(i));
      memory->add_to(i, *conductor[i]);
    }
  }
  std::string statistics() const {
    StatisticsGroup root("memory");
    for (Module* m : memory->modules()) m->register_statistics(root.group(m->basename()));
    return statistics_csv(root);
  }
  std::array<std::unique_ptr<Conductor>, 2> conductor;
  std::array<std::unique_ptr<Requester>, 2> sm;
  std::unique_ptr<MemorySystem> memory;
};

std::vector<Requester::Request> random_requests(std::uint64_t seed, unsigned count) {
  Random r(seed);
  std::vector<Requester::Request> all;
  Cycle at = 0;
  for (unsigned n = 0; n < count; ++n) {
    at += r.below(8) == 0 ? r.below(200) : r.below(3);
    const std::uint64_t sector = r.below(4);
    const char what = "rrrrrwead"[r.below(9)];
    // Few lines, so that both SMs meet; now and then a write of a part of a sector.
    const bool part = what == 'w' && r.below(8) == 0;
    all.push_back({at, what, r.below(r.below(2) == 0 ? 24 : 400) * 128 + sector * 32 + (part ? 8 : 0),
                   part ? 16u : 32u * (1 + r.below(static_cast<std::uint32_t>(4 - sector)))});
    if (what == 'e')
      for (std::uint32_t& s : all.back().enabled) s = r.below(2) == 0 ? whole_sector : 1u << r.below(32);
  }
  return all;
}

// Parameters that are small everywhere: every queue fills, every stall happens.
PlatformParameters tight(unsigned variant) {
  PlatformParameters p = hierarchy();
  HierarchyParameters& m = p.memory.kind.as<HierarchyChoice>().parameters;
  m.hit_latency = 20;
  m.l1.kilobytes = m.l1.ways = m.l1.merges = m.l1.queue = 2;
  m.l1.mshrs = 2 + variant;
  m.l1.mshr_unit = m.l2.mshr_unit = MshrUnit::line;
  m.l1.write_allocate = false;
  m.l1.allocation = LineAllocation::on_fill;
  m.l2.set_index = IndexFunction::linear;
  m.l2.kilobytes = 8;
  m.l2.slices = variant == 0 ? 1 : 2;
  m.l2.ways = 2;
  m.l2.mshrs = 2 + variant;
  m.l2.merges = 1 + variant;
  m.l2.queue = 1 + variant;
  m.l2.latency = variant == 2 ? 1 : 7;
  m.l2.atomic_interval = 9;
  m.interconnect.latency = variant == 2 ? 1 : 4;
  m.interconnect.bytes_per_cycle = variant == 1 ? 7 : 40;
  m.interconnect.queue = 1 + variant;
  m.dram.channels = 1;
  m.dram.latency = variant == 2 ? 1 : 13;
  m.dram.bytes_per_cycle = variant == 1 ? 5.5 : 50;
  m.dram.queue = 1 + variant;
  if (variant == 3) {
    m.l1.allocation = LineAllocation::on_miss;
    m.l1.set_index = IndexFunction::hashed;
    m.l1.mshr_unit = MshrUnit::sector;
    m.l1.write_allocate = true;
    m.l1.written_percent = 30;
    m.l1.queue = 5;
    m.l1.initiator.requests = m.l2.initiator.requests = RequestShape::single_sectors;
    m.l2.slice_index = IndexFunction::linear;
    m.l2.set_index = IndexFunction::hashed;
    m.l2.mshr_unit = MshrUnit::sector;
    m.l2.allocation = LineAllocation::on_fill;
  }
  return p;
}

void check_orders(const PlatformParameters& p, std::uint64_t seed, unsigned count) {
  std::vector<std::unique_ptr<System>> all;
  for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
    for (const bool last : {false, true}) {
      all.push_back(std::make_unique<System>(
          (std::string(name_of(order)) + (last ? "_last" : "_first")).c_str(), p, order, last));
      for (unsigned i = 0; i < 2; ++i) all.back()->sm[i]->requests = random_requests(seed + i, count);
    }
  }
  run_cycles(2000000);
  const System& first = *all.front();
  for (const auto& s : all) {
    INFO(s->name());
    for (unsigned i = 0; i < 2; ++i) {
      CHECK(s->sm[i]->drained());
      CHECK(s->sm[i]->answered() == first.sm[i]->answered());
      bool once = true, late_enough = true;
      for (const auto& r : s->sm[i]->requests) {
        once &= r.answers == 1;
        // A read may hit, or wait for a fetch that another read made. All other requests cross to the L2.
        if (r.what != 'r' && r.answers == 1)
          late_enough &=
              r.answered >= r.sent + 2 * parameters_of(p).interconnect.latency + parameters_of(p).l2.latency;
        late_enough &= r.answered > r.sent;
      }
      CHECK(once);
      CHECK(late_enough);
    }
    for (Module* m : s->memory->modules()) {
      INFO(m->name());
      CHECK(m->drained());
    }
    StatisticsGroup root("memory");
    for (Module* m : s->memory->modules()) m->register_statistics(root.group(m->basename()));
    CHECK(unequal_sum(root) == "");
    CHECK(s->statistics() == first.statistics());
  }
  std::uint64_t hits = 0, stalls = 0, written_back = 0;
  for (const auto& l1 : first.memory->l1) {
    hits += l1.counters().hits;
    stalls += l1.counters().held.requests;
  }
  for (const auto& l2 : first.memory->l2) written_back += l2.counters().written_back_sectors;
  CHECK(hits > 0);
  CHECK(stalls > 0);
  CHECK(written_back > 0);
}

}  // namespace

TEST_CASE("memory: random requests of two SMs, every order of ticks: narrow") {
  check_orders(tight(0), 1000, 3000);
}

TEST_CASE("memory: random requests of two SMs, every order of ticks: slow ports") {
  check_orders(tight(1), 2000, 3000);
}

TEST_CASE("memory: random requests of two SMs, every order of ticks: shortest latencies") {
  check_orders(tight(2), 3000, 3000);
}

TEST_CASE("memory: random requests of two SMs, every order of ticks: places at the miss, single sectors") {
  check_orders(tight(3), 4000, 3000);
}

TEST_CASE("memory: a request marked as an atomic can be destroyed as it is") {
  MemoryTransaction(nullptr).mark_atomic(true);
}

TEST_CASE("memory: requests in flight may be destroyed before the hierarchy or after it") {
  std::vector<std::unique_ptr<System>> all;
  for (const char* name : {"requests_first", "memory_first"}) {
    all.push_back(std::make_unique<System>(name, hierarchy(), TickOrder::pipeline, false));
    for (auto& sm : all.back()->sm)
      sm->requests = {{0, 'r', 0x1000}, {0, 'w', 0x2000}, {0, 'a', 0x3000}, {0, 'd', 0x4000}};
  }
  run_cycles(150);  // requests are behind the interconnect, some on their way to the DRAM
  for (auto& s : all) CHECK(!s->memory->drained());
  for (auto& sm : all[0]->sm) sm.reset();
  all[0]->memory.reset();
  all[1]->memory.reset();
  for (auto& sm : all[1]->sm) sm.reset();
}

TEST_CASE("memory: an SM waits 32 cycles for its L1, 236 for the L2 and 369 for the DRAM") {
  struct Bench : Stage {
    explicit Bench(const sc_core::sc_module_name& name)
        : Stage(name),
          check(true),
          unit("unit", 1, answered(), 2, check, conductor),
          memory("memory", parameters_of(hierarchy()), site_of(hierarchy(), 1)),
          source("source", 8),
          sink("sink"),
          stores("stores") {
      conductor.add(unit);
      unit.store_socket.bind(stores.in);
      memory.add_to(0, conductor);
      unit.memory_socket.bind(*memory.memory_socket(0));
      source.out.bind(unit.unit_socket[0]);
      unit.result_socket[0].bind(sink.in);
      sink.react = [this](ResultTransfer& t) {
        ResultTransfer credit{t.stamp + 1, nullptr};
        sink.in.credit(credit);
      };
    }
    void dispatch(Cycle cycle, Op op, unsigned lanes) {
      op.mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
      Instruction* i = all.add(op);
      script.at(cycle, [=](Cycle now) { source.send(now, {0, i}); });
    }
    static LoadStoreParameters answered() {
      LoadStoreParameters p;
      p.store_done = StoreDone::answered;
      return p;
    }
    // Latencies as of an execution unit: dispatched in d, written back in d + 1 + latency.
    Cycles latencies(const Cycles& dispatched) const {
      Cycles c;
      for (std::size_t n = 0; n < dispatched.size(); ++n) c.push_back(sink.seen[n].stamp - dispatched[n] - 1);
      return c;
    }
    OperandCheck check;
    Instructions all;
    LoadStoreUnit unit;
    MemorySystem memory;
    Source<DispatchTransfer> source;
    Sink<ResultTransfer> sink;
    Sink<StoreTransfer> stores;
  };
  Bench b("bench");
  Op atomic_add = load({2}, {}, 0x1000);
  atomic_add.code.kind = InstructionKind::atomic;
  b.dispatch(0, load({2}, {}, 0x1000), 8);      // nowhere
  b.dispatch(1000, load({2}, {}, 0x1000), 8);   // in the L1
  b.dispatch(2000, atomic_add, 8);              // performed in the L2
  b.dispatch(3000, load({2}, {}, 0x1000), 8);   // not in the L1 any more
  b.dispatch(4000, store({2}, 0x2000), 32);     // a line, written whole
  b.dispatch(5000, load({2}, {}, 0x9000), 32);  // a line from the DRAM
  run_cycles(10000);
  REQUIRE(b.sink.seen.size() == 6);
  CHECK(b.latencies({0, 1000, 2000, 3000, 4000, 5000}) == Cycles{369, 32, 246, 236, 239, 377});
  CHECK(b.unit.drained());
  CHECK(b.memory.drained());
}

}  // namespace memory_system_test
