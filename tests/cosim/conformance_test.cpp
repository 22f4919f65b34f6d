// memory_socket and the bank bridge against targets that play every legal variant of the base protocol.
#include <memory>

#include <catch2/catch.hpp>

#include "modules/register_bank/bank_bridge.h"
#include "tests/cosim/rig.h"

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr unsigned seeds = 12;

using Rigs = std::vector<std::unique_ptr<Rig>>;

// Side by side in one simulation; together they must have played everything in `variants`.
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
  // The target draws for each thing it sees, so it saw the same in every order if the cycles agree.
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
