// memory_socket, the caches' sockets and the bank bridge against targets that play every legal variant of the
// base protocol.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/register_bank/bank_bridge.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/plain_memory.h"
#include "tests/cosim/rig.h"

namespace conformance_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr unsigned seeds = 12;

using Rigs = std::vector<std::unique_ptr<Rig>>;

// Runs a rig for each seed, all in one simulation. Together they must have played everything in `variants`.
Rigs run_rigs(const std::function<std::unique_ptr<Rig>(unsigned seed)>& make,
              const std::vector<std::string>& variants) {
  Rigs rigs;
  for (unsigned seed = 1; seed <= seeds; ++seed) rigs.push_back(make(seed));
  run_cycles(100000);
  std::map<std::string, unsigned> seen;
  for (auto& r : rigs) {
    check_ended_well(*r);
    for (const auto& [variant, n] : r->target.seen) seen[variant] += n;
  }
  for (const std::string& v : variants) {
    INFO(v);
    CHECK(seen[v] > 10);
  }
  return rigs;
}

const std::vector<std::string> request_variants{"early completion",
                                                "END_REQ returned",
                                                "BEGIN_RESP returned",
                                                "END_REQ called later",
                                                "END_REQ called within BEGIN_REQ",
                                                "BEGIN_RESP implies END_REQ",
                                                "out of order",
                                                "payload kept"};

std::vector<std::string> and_also(std::vector<std::string> variants, const std::vector<std::string>& more) {
  variants.insert(variants.end(), more.begin(), more.end());
  return variants;
}

PlatformParameters parameters(unsigned seed, bool explicit_end_resp) {
  PlatformParameters p = seed % 2 == 0 ? baseline() : malekeh();
  p.load_store.transactions_per_cycle = 1 + seed % 3;
  if (seed % 4 == 0) p.load_store.outstanding = 3;
  if (explicit_end_resp) p.load_store.initiator.end_resp = EndResponse::call;
  return p;
}

}  // namespace

TEST_CASE("every legal target behaviour, END_RESP implied by TLM_COMPLETED") {
  std::vector<Program> programs;
  for (unsigned s = 0; s <= seeds; ++s) programs.push_back(memory_program(s));
  run_rigs(
      [&](unsigned seed) {
        CheckingTarget::Rules rules;
        rules.seed = seed;
        return std::make_unique<Rig>(("rig_" + std::to_string(seed)).c_str(), parameters(seed, false),
                                     programs[seed], rules);
      },
      and_also(request_variants, {"END_RESP implied", "byte enables"}));
}

TEST_CASE("every legal target behaviour, END_RESP as a call of its own") {
  std::vector<Program> programs;
  for (unsigned s = 0; s <= seeds; ++s) programs.push_back(memory_program(s));
  run_rigs(
      [&](unsigned seed) {
        CheckingTarget::Rules rules;
        rules.seed = seed;
        rules.wants_end_response = true;
        return std::make_unique<Rig>(("rig_" + std::to_string(seed)).c_str(), parameters(seed, true),
                                     programs[seed], rules);
      },
      and_also(request_variants, {"END_RESP called", "BEGIN_RESP called within END_RESP"}));
}

TEST_CASE("stores write the bytes of their active lanes and no others") {
  std::vector<Program> programs;
  for (unsigned s = 0; s <= seeds; ++s) programs.push_back(memory_program(s, 60));
  const Rigs rigs = run_rigs(
      [&](unsigned seed) {
        CheckingTarget::Rules rules;
        rules.seed = seed;
        return std::make_unique<Rig>(("rig_" + std::to_string(seed)).c_str(), parameters(seed, seed % 2 == 0),
                                     programs[seed], rules);
      },
      {"byte enables"});
  for (unsigned r = 0; r < seeds; ++r) {
    INFO(rigs[r]->name());
    const auto expected = stored_bytes(programs[r + 1]);
    CHECK(expected.size() > 1000);
    CHECK(rigs[r]->target.written == expected);
  }
}

TEST_CASE("without byte enables whole sectors are written") {
  const Program program = memory_program(1);
  PlatformParameters p = parameters(1, false);
  p.load_store.byte_enables = false;
  Rig rig("rig", p, program, {});
  run_cycles(100000);
  check_ended_well(rig);
  CHECK(rig.target.seen["byte enables"] == 0);
  std::set<std::uint64_t> sectors, written;
  for (const auto& [byte, n] : stored_bytes(program)) sectors.insert(byte / 32);
  for (const auto& [byte, n] : rig.target.written) written.insert(byte / 32);
  CHECK(written == sectors);
  CHECK(rig.target.written.size() == 32 * sectors.size());
}

TEST_CASE("a target that is slow to take requests") {
  const Program program = memory_program(5);
  CheckingTarget::Rules rules;
  rules.slow = 300;
  Rig rig("rig", parameters(5, true), program, rules);
  run_cycles(1000000);
  check_ended_well(rig);
}

TEST_CASE("the results of loads do not depend on the order of ticks when a foreign target answers") {
  // The target draws for each event that it sees. So if the cycles agree, it saw the same events in every
  // order.
  CheckingTarget::Rules rules;
  rules.off_edge = true;
  const Program program = memory_program(3);
  std::vector<std::unique_ptr<Rig>> rigs;
  for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
    PlatformParameters p = parameters(3, true);
    p.tick_order = order;
    rigs.push_back(std::make_unique<Rig>(("rig_" + std::to_string(rigs.size())).c_str(), p, program, rules));
  }
  run_cycles(100000);
  for (auto& r : rigs) {
    check_ended_well(*r);
    CHECK(r->feeder.finish_cycle() == rigs[0]->feeder.finish_cycle());
    CHECK(r->target.seen == rigs[0]->target.seen);
  }
}

namespace {

// A register bank in a checking target, which keeps the data.
struct CheckedBank : BankBridge {
  CheckingTarget memory;
  CheckedBank(const sc_core::sc_module_name& name, const Conductor& c, const CheckingTarget::Rules& rules)
      : BankBridge(name, c), memory("memory", rules) {
    memory_socket.bind(memory.socket);
  }
};

SubCoreHooks checked_banks(unsigned seed, std::vector<CheckedBank*>& banks) {
  SubCoreHooks hooks;
  hooks.register_bank = [seed, &banks](const SubCoreSite& site, auto& arbiter, auto& crossbar) {
    CheckingTarget::Rules rules;
    rules.seed = seed * 100 + site.index;
    rules.sector = 128;
    auto bank =
        std::make_unique<CheckedBank>(("bank_" + std::to_string(site.index)).c_str(), site.conductor, rules);
    arbiter.bind(bank->bank_socket);
    bank->data_socket.bind(crossbar);
    banks.push_back(bank.get());
    return bank;
  };
  return hooks;
}

}  // namespace

TEST_CASE("registers in a foreign memory that answers whenever and in any order are never stale") {
  std::vector<Program> programs;
  std::vector<CheckedBank*> banks;
  for (unsigned s = 0; s <= seeds; ++s) programs.push_back(memory_program(s));
  const Rigs rigs = run_rigs(
      [&](unsigned seed) {
        CheckingTarget::Rules rules;
        rules.seed = seed;
        return std::make_unique<Rig>(("rig_" + std::to_string(seed)).c_str(), parameters(seed, false),
                                     programs[seed], rules, checked_banks(seed, banks));
      },
      {});
  REQUIRE(banks.size() == 2 * seeds);
  std::map<std::string, unsigned> seen;
  for (CheckedBank* b : banks) {
    CHECK(b->memory.violations == std::vector<std::string>{});
    CHECK(b->memory.requests > 20);
    b->memory.release_kept();
    CHECK(b->memory.idle());
    for (const auto& [variant, n] : b->memory.seen) seen[variant] += n;
  }
  for (const std::string& v : and_also(request_variants, {"END_RESP implied"})) {
    INFO(v);
    CHECK(seen[v] > 10);
  }
}

TEST_CASE("stores leave what a memory holds if they are told to keep its data") {
  const Program program = memory_program(4);
  std::array<unsigned, 2> changed{};
  struct Side : sc_core::sc_module {
    Side(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program)
        : sc_module(name),
          conductor("conductor", cycles(1), TickOrder::pipeline, 1),
          feeder("feeder", program, 1),
          sm("sm", 0, p),
          memory("memory") {
      conductor.add(feeder);
      feeder.cta_socket.bind(sm.cta_socket());
      sm.memory_socket().bind(memory.socket);
    }
    Conductor conductor;
    Feeder feeder;
    StreamingMultiprocessor sm;
    PlainMemory memory;
  };
  PlatformParameters p = baseline();
  Side any("any", p, program);
  p.load_store.keep_data = true;
  Side keeps("keeps", p, program);
  run_cycles(20000);
  for (Side* s : {&any, &keeps}) {
    CHECK(s->feeder.finished());
    CHECK(s->memory.writes > 50);
    for (const auto& [address, byte] : s->memory.bytes) changed[s == &keeps] += byte != 0xa5;
  }
  // Without the option a store writes its buffer, which may have the memory's content.
  CHECK(changed[1] == 0);
  CHECK(any.feeder.finish_cycle() == keeps.feeder.finish_cycle());
}

namespace {

// An SM with its L1 on a checking target, or with the whole hierarchy on one for each slice of the L2.
struct CachedRig : sc_core::sc_module {
  CachedRig(const sc_core::sc_module_name& name, const Program& program, unsigned seed, bool whole)
      : sc_module(name),
        conductor("conductor", cycles(1), TickOrder::pipeline, 1),
        feeder("feeder", program, 1),
        sm("sm", 0, baseline()) {
    conductor.add(feeder);
    feeder.cta_socket.bind(sm.cta_socket());
    HierarchyParameters p;
    p.l1.kilobytes = p.l2.kilobytes = p.l2.slices = p.l1.ways = 1;
    p.l2.ways = 2;
    p.l1.queue = p.l2.queue = 2 + seed % 7;
    p.dram.kind = DramKind::external;
    for (InitiatorParameters* i : {&p.l1.initiator, &p.l2.initiator}) {
      i->end_resp = static_cast<EndResponse>(seed % 3);
      i->bus_width = static_cast<BusWidth>(seed / 2 % 3);
    }
    CheckingTarget::Rules rules;
    rules.seed = seed;
    rules.wants_end_response = seed % 3 == 2;
    rules.bus_width = bits_of(p.l1.initiator.bus_width);
    target = std::make_unique<CheckingTarget>("target", rules);
    if (whole) {
      system = std::make_unique<MemorySystem>("memory_system", p, MemorySite{1, 1.0, TickOrder::pipeline, 1});
      system->add_to(0, conductor);
      sm.memory_socket().bind(*system->memory_socket(0));
      target->bind_to(*system->dram_socket(0));
    } else {
      l1 = std::make_unique<L1Cache>("l1", p, conductor);
      conductor.add(*l1);
      sm.memory_socket().bind(l1->memory_socket);
      target->bind_to(l1->interconnect_socket);
    }
  }
  Conductor conductor;
  Feeder feeder;
  StreamingMultiprocessor sm;
  std::unique_ptr<L1Cache> l1;
  std::unique_ptr<MemorySystem> system;
  std::unique_ptr<CheckingTarget> target;
};

}  // namespace

TEST_CASE("every legal target behaviour behind an L1, and behind an L2") {
  std::vector<Program> programs;
  for (unsigned s = 0; s < seeds; ++s) programs.push_back(memory_program(s, 60));
  std::vector<std::unique_ptr<CachedRig>> rigs;
  for (unsigned seed = 0; seed < 2 * seeds; ++seed)
    rigs.push_back(std::make_unique<CachedRig>(("rig_" + std::to_string(seed)).c_str(), programs[seed / 2],
                                               seed, seed % 2 == 1));
  run_cycles(200000);
  std::map<std::string, unsigned> seen;
  for (auto& r : rigs) {
    INFO(r->name());
    CHECK(r->feeder.finished());
    CHECK(r->target->violations == std::vector<std::string>{});
    CHECK(r->target->requests > 50);
    CHECK(r->target->responses == r->target->requests);
    r->target->release_kept();
    CHECK(r->target->violations == std::vector<std::string>{});
    CHECK(r->target->idle());
    CHECK(r->sm.leftovers() == std::vector<std::string>{});
    if (r->l1) CHECK(r->l1->drained());
    if (r->system) CHECK(r->system->drained());
    for (const auto& [variant, n] : r->target->seen) seen[variant] += n;
  }
  for (const std::string& v : and_also(request_variants, {"END_RESP called", "END_RESP implied"})) {
    INFO(v);
    CHECK(seen[v] > 10);
  }
}

}  // namespace conformance_test
