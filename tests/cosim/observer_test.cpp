// Observers of base-protocol sockets see the four phases of every transaction once, whatever is at the other
// end and however it answers. Nothing else changes.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/modules/register_bank/bank_bridge.h"
#include "subcore/modules/sthld_controller/sthld_controller.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/phase_log.h"
#include "tests/cosim/rig.h"

namespace observer_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr unsigned seeds = 8;

std::string statistics(StreamingMultiprocessor& sm) {
  StatisticsGroup root("root");
  for (Module* m : sm.modules()) m->register_statistics(root.group(m->basename()));
  for (Module* m : sm.sub_cores[0].modules()) m->register_statistics(root.group(m->basename()));
  return statistics_csv(root);
}

std::uint64_t statistic(Module& module, const std::string& name) {
  StatisticsGroup root("root");
  module.register_statistics(root);
  const std::string text = statistics_csv(root);
  const auto at = text.find(name + ",");
  REQUIRE(at != std::string::npos);
  return std::stoull(text.substr(at + name.size() + 1));
}

}  // namespace

TEST_CASE("all phases of every request are seen once, however the target answers") {
  std::vector<Program> programs;
  for (unsigned s = 0; s < seeds; ++s) programs.push_back(memory_program(s + 1));
  std::vector<std::unique_ptr<Rig>> plain, observed;
  PhaseLog logs[seeds];
  for (unsigned s = 0; s < seeds; ++s) {
    CheckingTarget::Rules rules;
    rules.seed = s + 1;
    rules.off_edge = true;
    PlatformParameters p = s % 2 == 0 ? baseline() : malekeh();
    rules.wants_end_response = s % 4 >= 2;
    p.load_store.initiator.end_resp = rules.wants_end_response ? EndResponse::call
                                      : s % 4 == 1             ? EndResponse::completed
                                                               : EndResponse::updated;
    const std::string n = std::to_string(s);
    plain.push_back(std::make_unique<Rig>(("plain_" + n).c_str(), p, programs[s], rules));
    observed.push_back(std::make_unique<Rig>(("observed_" + n).c_str(), p, programs[s], rules));
    observed.back()->sm.memory_socket().observe(logs[s]);
  }
  run_cycles(100000);
  std::map<std::string, unsigned> variants;
  for (unsigned s = 0; s < seeds; ++s) {
    INFO("seed " << s + 1);
    check_ended_well(*observed[s]);
    CHECK(statistic(observed[s]->sm.load_store, "requests") == observed[s]->target.requests);
    CHECK(logs[s].violations == std::vector<std::string>{});
    CHECK(logs[s].all_four(observed[s]->target.requests));
    CHECK(statistics(observed[s]->sm) == statistics(plain[s]->sm));
    CHECK(observed[s]->feeder.finish_cycle() == plain[s]->feeder.finish_cycle());
    for (const auto& [variant, n] : observed[s]->target.seen) variants[variant] += n;
  }
  for (const char* v : {"early completion", "END_REQ returned", "BEGIN_RESP returned", "END_REQ called later",
                        "END_REQ called within BEGIN_REQ", "BEGIN_RESP implies END_REQ", "END_RESP implied",
                        "END_RESP called", "BEGIN_RESP called within END_RESP"}) {
    INFO(v);
    CHECK(variants[v] > 10);
  }
}

namespace {

// A register bank in a checking target, observed.
struct ObservedBank : BankBridge {
  CheckingTarget memory;
  PhaseLog log;
  struct Count : TransferObserver<OperandTransfer> {
    unsigned reads = 0, writes = 0;
    void transferred(const OperandTransfer& t) override { ++(t.writes() ? writes : reads); }
  } asked, delivered;
  ObservedBank(const sc_core::sc_module_name& name, const Conductor& c, const CheckingTarget::Rules& rules)
      : BankBridge(name, c), memory("memory", rules) {
    memory_socket.bind(memory.socket);
    memory_socket.observe(log);
    bank_socket.observe(asked);
  }
};

}  // namespace

TEST_CASE("all phases of a bank bridge's transfers are seen, and what crosses its ports") {
  const Program program = memory_program(3);
  std::vector<ObservedBank*> banks;
  SubCoreHooks hooks;
  hooks.register_bank = [&banks](const SubCoreSite& site, auto& arbiter, auto& crossbar) {
    CheckingTarget::Rules rules;
    rules.sector = 128;
    auto bank =
        std::make_unique<ObservedBank>(("bank_" + std::to_string(site.index)).c_str(), site.conductor, rules);
    arbiter.bind(bank->bank_socket);
    bank->data_socket.bind(crossbar);
    crossbar.observe(bank->delivered);
    banks.push_back(bank.get());
    return bank;
  };
  Rig rig("rig", baseline(), program, {}, hooks);
  run_cycles(100000);
  CHECK(rig.feeder.finished());
  REQUIRE(banks.size() == 2);
  for (ObservedBank* b : banks) {
    const std::uint64_t reads = statistic(*b, "reads"), writes = statistic(*b, "writes");
    CHECK(b->memory.requests > 20);
    CHECK(b->log.violations == std::vector<std::string>{});
    CHECK(b->log.all_four(reads + writes));
    CHECK(b->asked.reads == reads);
    CHECK(b->asked.writes == writes);
    CHECK(b->delivered.reads == reads);
  }
}

TEST_CASE("an early completion with its delay is four phases") {
  const Program program = memory_program(5);
  const PlatformParameters p = baseline();
  Bench bench("bench", p, program);
  PhaseLog unit, memory;
  bench.sm.memory_socket().observe(unit);
  bench.memory.memory_socket.observe(memory);
  run_cycles(100000);
  CHECK(bench.finished());
  const std::uint64_t requests = statistic(bench.sm.load_store, "requests");
  CHECK(requests > 50);
  CHECK(unit.all_four(requests));
  CHECK(memory.all_four(requests));
  CHECK(unit.response_delays == memory.response_delays);
  CHECK(*std::min_element(unit.response_delays.begin(), unit.response_delays.end()) == cycles(20));
}

TEST_CASE("every socket of the memory hierarchy is observed at both ends") {
  Program program = memory_program(2, 60);
  PlatformParameters p = baseline();
  p.memory.kind = "hierarchy";
  const HierarchyParameters& m = p.memory.kind.as<HierarchyChoice>().parameters;
  const MemorySite site{1, p.clock_period_ns, p.tick_order, p.seed};
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Feeder feeder("feeder", program, 1);
  StreamingMultiprocessor sm("sm", 0, p);
  MemorySystem memory("memory", m, site);
  conductor.add(feeder);
  feeder.cta_socket.bind(sm.cta_socket());
  sm.memory_socket().bind(*memory.memory_socket(0));
  memory.add_to(0, sm.conductor);

  PhaseLog unit, l1, l1_out, interconnect_in, interconnect_out, l2_in, l2_out, dram;
  sm.memory_socket().observe(unit);
  memory.l1[0].memory_socket.observe(l1);
  memory.l1[0].interconnect_socket.observe(l1_out);
  memory.interconnect.sm_socket[0].observe(interconnect_in);
  for (unsigned s = 0; s < memory.l2.size(); ++s) {
    memory.interconnect.slice_socket[s].observe(interconnect_out);
    memory.l2[s].interconnect_socket.observe(l2_in);
    memory.l2[s].dram_socket.observe(l2_out);
  }
  for (auto& channel : memory.dram)
    for (auto& s : channel.slice_socket) s.observe(dram);
  struct Host : sc_core::sc_module {
    ControlPort<> control{"control"};
    explicit Host(const sc_core::sc_module_name& name) : sc_module(name) {}
  } host("host");
  host.control.bind(memory.l1[0].control_socket);
  PhaseLog from_host, to_cache;
  host.control.observe(from_host);
  memory.l1[0].control_socket.observe(to_cache);
  run_cycles(100000);
  CHECK(feeder.finished());
  CHECK(memory.drained());

  const std::uint64_t requests = statistic(sm.load_store, "requests");
  CHECK(requests > 100);
  CHECK(unit.all_four(requests));
  CHECK(l1.all_four(requests));
  const std::uint64_t packets = memory.interconnect.requests().packets;
  CHECK(packets > 50);
  for (const PhaseLog* log : {&l1_out, &interconnect_in, &interconnect_out, &l2_in})
    CHECK(log->all_four(packets));
  std::uint64_t served = 0;
  for (auto& channel : memory.dram) served += channel.counters().reads + channel.counters().writes;
  CHECK(served > 20);
  CHECK(l2_out.all_four(served));
  CHECK(dram.all_four(served));

  host.control.write(cache_register::invalidate, 1);
  CHECK(from_host.blocking_calls == 1);
  CHECK(to_cache.blocking_calls == 1);
}

TEST_CASE("observers sit on router, bridge to LT and control ports, through sockets of somebody else's") {
  const Program program = memory_program(4);
  PlatformParameters p = malekeh();
  p.sthld.mode = SthldMode::adaptive;
  p.sthld.interval = 100;
  Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
  Feeder feeder("feeder", program, 1);
  StreamingMultiprocessor sm("sm", 0, p);
  conductor.add(feeder);
  feeder.cta_socket.bind(sm.cta_socket());

  // The sockets of the SM and of a memory are bound to those of a module around them.
  struct Around : sc_core::sc_module {
    tlm::tlm_initiator_socket<> out{"out"};
    tlm::tlm_target_socket<> in{"in"};
    explicit Around(const sc_core::sc_module_name& name) : sc_module(name) {}
  } around("around");
  AddressRouter router("router", {{0, 0x1400}, {0x1400, 0}});
  AtToLt called("called"), threaded("threaded", 4);
  SimpleMemory low("low", {}, cycles(1)), high("high", {}, cycles(1));
  sm.memory_socket().bind(around.out);
  around.out.bind(router.target_socket);
  router.initiator_socket[0].bind(called.at_socket);
  router.initiator_socket[1].bind(threaded.at_socket);
  around.in.bind(low.memory_socket);
  called.lt_socket.bind(around.in);
  threaded.lt_socket.bind(high.memory_socket);
  SthldController controller("controller", 1, p.sthld, cycles(1));
  controller.control_socket[0].bind(sm.control_socket());

  PhaseLog unit, before, after, bridge, blocking_out, blocking_in, controlling, controlled;
  sm.memory_socket().observe(unit);
  router.target_socket.observe(before);
  for (auto& s : router.initiator_socket) s.observe(after);
  for (auto* b : {&called, &threaded}) {
    b->at_socket.observe(bridge);
    b->lt_socket.observe(blocking_out);
  }
  for (auto* m : {&low, &high}) m->memory_socket.observe(blocking_in);
  controller.control_socket[0].observe(controlling);
  sm.control_socket().observe(controlled);
  run_cycles(20000);
  CHECK(feeder.finished());
  const std::uint64_t requests = statistic(sm.load_store, "requests");
  CHECK(requests > 50);
  for (const PhaseLog* log : {&unit, &before, &after, &bridge}) CHECK(log->all_four(requests));
  CHECK(blocking_out.blocking_calls == requests);
  CHECK(blocking_in.blocking_calls == requests);
  CHECK(controlling.blocking_calls > 10);
  CHECK(controlled.blocking_calls == controlling.blocking_calls);
}

namespace {

// Ends each response on the return path, and does not use the payload afterwards.
struct PromptInitiator : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  InitiatorSocket<> socket;
  unsigned freed = 0;
  explicit PromptInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket", *this) {}
  void send() {
    auto* t = new tlm::tlm_generic_payload(this);
    t->acquire();
    t->set_read();
    t->set_data_length(32);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time none;
    socket->nb_transport_fw(*t, phase, none);
  }
  void free(tlm::tlm_generic_payload* t) override {
    ++freed;
    delete t;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    delay = cycles(3);
    phase = tlm::END_RESP;
    t.release();
    return tlm::TLM_UPDATED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace

TEST_CASE("an END_RESP on the return path is seen") {
  PromptInitiator initiator("initiator");
  AtToLt bridge("bridge", 1);
  SimpleMemory memory("memory", {}, cycles(1));
  initiator.socket.bind(bridge.at_socket);
  bridge.lt_socket.bind(memory.memory_socket);
  PhaseLog log;
  bridge.at_socket.observe(log);
  run_cycles(1);
  initiator.send();
  initiator.send();
  run_cycles(1000);
  CHECK(log.violations == std::vector<std::string>{});
  CHECK(log.all_four(2));
  CHECK(initiator.freed == 2);
}

namespace {

// Answers within the request and keeps nothing.
struct CarelessTarget : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket;
  explicit CarelessTarget(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    phase = tlm::BEGIN_RESP;
    socket->nb_transport_bw(t, phase, delay);
    phase = tlm::BEGIN_REQ;
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

}  // namespace

TEST_CASE("a payload is given back when its last phase has been shown") {
  PromptInitiator initiator("initiator");
  CarelessTarget target("target");
  initiator.socket.bind(target.socket);
  struct Watch : PhaseLog {
    explicit Watch(const PromptInitiator& initiator) : from(initiator) {}
    void forward(const Payload& t, const tlm::tlm_phase& phase, const sc_core::sc_time& delay) override {
      CHECK(from.freed == 0);
      PhaseLog::forward(t, phase, delay);
    }
    const PromptInitiator& from;
  } log(initiator);
  initiator.socket.observe(log);
  run_cycles(1);
  initiator.send();
  CHECK(log.all_four(1));
  CHECK(initiator.freed == 1);
}

}  // namespace observer_test
