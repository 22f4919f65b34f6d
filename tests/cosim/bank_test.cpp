// The timing of register banks in a foreign memory.
#include <cstring>
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/register_bank/bank_bridge.h"
#include "tests/cosim/rig.h"

namespace bank_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// Completes every request at once; bank 0 annotates a delay.
struct PromptBank : BankBridge, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> memory;
  std::map<std::uint64_t, std::array<unsigned char, 128>> bytes;
  double read_delay;  // in cycles
  PromptBank(const sc_core::sc_module_name& name, const Conductor& c, double delay)
      : BankBridge(name, c), memory("memory"), read_delay(delay) {
    memory.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
    memory_socket.bind(memory);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase&,
                                     sc_core::sc_time& delay) override {
    auto& line = bytes[t.get_address()];
    if (t.is_write()) {
      std::memcpy(line.data(), t.get_data_ptr(), 128);
    } else {
      std::memcpy(t.get_data_ptr(), line.data(), 128);
      delay += cycles(read_delay);
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

SubCoreHooks prompt_banks(double delay_of_bank_0, double delay_of_others) {
  SubCoreHooks hooks;
  hooks.register_bank = [=](const SubCoreSite& site, auto& arbiter, auto& crossbar) {
    auto bank = std::make_unique<PromptBank>(("bank_" + std::to_string(site.index)).c_str(), site.conductor,
                                             site.index == 0 ? delay_of_bank_0 : delay_of_others);
    arbiter.bind(bank->bank_socket);
    bank->data_socket.bind(crossbar);
    return bank;
  };
  return hooks;
}

CheckingTarget::Rules quiet() {
  CheckingTarget::Rules rules;
  rules.off_edge = true;
  return rules;
}

std::string counters(Rig& rig) {
  // Modules by their names, because a bank of the sub-core's own has another place than a bank of a hook.
  std::map<std::string, Module*> modules;
  for (Module* m : rig.sm.sub_cores[0].modules()) modules[m->basename()] = m;
  StatisticsGroup root("root");
  for (auto& [name, m] : modules) m->register_statistics(root.group(name));
  return statistics_json(root);
}

}  // namespace

TEST_CASE(
    "a bridge to a memory without delay is a register bank, one with n cycles a bank of latency n - 1") {
  const Program program = memory_program(7);
  struct Case {
    Case(const std::string& n, const PlatformParameters& kind, const PlatformParameters& slow,
         const Program& p)
        : bank(("bank" + n).c_str(), kind, p, quiet()),
          bridge(("bridge" + n).c_str(), kind, p, quiet(), prompt_banks(0, 0)),
          fraction(("fraction" + n).c_str(), kind, p, quiet(), prompt_banks(0.3, 0.9)),
          slow_bank(("slow_bank" + n).c_str(), slow, p, quiet()),
          slow_bridge(("slow_bridge" + n).c_str(), kind, p, quiet(), prompt_banks(5, 4.2)) {}
    Rig bank, bridge, fraction, slow_bank, slow_bridge;
  };
  std::vector<std::unique_ptr<Case>> cases;
  for (const PlatformParameters& kind : {baseline(), malekeh()}) {
    PlatformParameters slow = kind;
    slow.sub_core.register_file.read_latency = 4;
    cases.push_back(std::make_unique<Case>("_" + std::to_string(cases.size()), kind, slow, program));
  }
  run_cycles(100000);
  for (auto& c : cases) {
    INFO(c->bank.name());
    CHECK(c->bank.feeder.finished());
    CHECK(counters(c->bridge) == counters(c->bank));
    CHECK(counters(c->fraction) == counters(c->bank));
    CHECK(counters(c->slow_bridge) == counters(c->slow_bank));
    CHECK(counters(c->slow_bank) != counters(c->bank));
    CHECK(c->bridge.feeder.finish_cycle() == c->bank.feeder.finish_cycle());
    SubCore& bridged = c->bridge.sm.sub_cores[0];
    std::uint64_t reads = 0;
    for (Module* m : bridged.modules())
      if (const auto* bank = dynamic_cast<const BankBridge*>(m)) reads += bank->reads();
    CHECK(reads == bridged.arbiter.counters().read_grants);
    CHECK(c->slow_bridge.feeder.finish_cycle() == c->slow_bank.feeder.finish_cycle());
  }
}

namespace {

struct Stamps : TransferObserver<DispatchTransfer> {
  std::vector<Cycle> stamps;
  void transferred(const DispatchTransfer& t) override { stamps.push_back(t.stamp); }
};

}  // namespace

TEST_CASE("an operand announced early and there late is waited for") {
  // R2 lies in bank 0, R3 in bank 1 (warp slot 0). Granted in 4 and, because port S is one wide, in 5.
  Program program;
  program.add({{alu({}, {2, 3})}});
  Rig ocu("ocu", baseline(), program, quiet(), prompt_banks(20, 1));
  Rig ccu("ccu", malekeh(), program, quiet(), prompt_banks(20, 1));
  Stamps stamps[2];
  for (auto& c : ocu.sm.sub_cores[0].collectors) c.dispatch_socket.observe(stamps[0]);
  for (auto& c : ccu.sm.sub_cores[0].collectors) c.dispatch_socket.observe(stamps[1]);
  run_cycles(100);
  for (const Stamps& s : stamps) CHECK(s.stamps == std::vector<Cycle>{24});
  CHECK(ocu.feeder.finished());
  CHECK(ccu.feeder.finished());
}

}  // namespace bank_test
