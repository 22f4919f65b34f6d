// A target that ends requests only by their responses gets them one at a time. The user is told.
#include <catch2/catch.hpp>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/rig.h"

namespace serial_target_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A target that has only b_transport. tlm_utils makes the phases of it.
struct Bare : sc_core::sc_module {
  tlm_utils::simple_target_socket<Bare> socket;
  unsigned requests = 0;
  explicit Bare(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &Bare::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    ++requests;
    delay += cycles(7);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

std::vector<std::string> warnings;

void collect(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) {
    warnings.push_back(std::string(report.get_msg_type()) + ": " + report.get_msg());
  } else {
    sc_core::sc_report_handler::default_handler(report, actions);
  }
}

struct Sm : sc_core::sc_module {
  Sm(const sc_core::sc_module_name& name, const Program& program)
      : sc_module(name),
        conductor("conductor", cycles(1), TickOrder::pipeline, 1),
        feeder("feeder", program, 1),
        sm("sm", 0, baseline()) {
    conductor.add(feeder);
    feeder.cta_socket.bind(sm.cta_socket());
  }
  Conductor conductor;
  Feeder feeder;
  StreamingMultiprocessor sm;
};

}  // namespace

TEST_CASE("a target with nothing but b_transport is warned of, once per socket, and AtToLt mends it") {
  sc_core::sc_report_handler::set_handler(collect);
  const Program program = memory_program(1, 60), short_program = memory_program(1, 3);
  Sm bare("bare", program), few("few", short_program), bridged("bridged", program);
  Bare target("target"), target_of_few("target_of_few"), bridged_target("bridged_target");
  AtToLt bridge("bridge");
  bare.sm.memory_socket().bind(target.socket);
  few.sm.memory_socket().bind(target_of_few.socket);
  bridged.sm.memory_socket().bind(bridge.at_socket);
  bridge.lt_socket.bind(bridged_target.socket);
  run_cycles(100000);
  for (Sm* sm : {&bare, &few, &bridged}) CHECK(sm->feeder.finished());
  CHECK(target.requests > 400);
  CHECK(target_of_few.requests > 5);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0],
             Catch::Contains("/subcore/memory: bare.sm.load_store_unit.memory_socket: the target "
                             "takes one request at a time") &&
                 Catch::Contains("register an nb_transport_fw") && Catch::Contains("AtToLt"));
  CHECK(bare.feeder.finish_cycle() > 2 * bridged.feeder.finish_cycle());
}

TEST_CASE("an L1 and an L2 warn of such a target, too") {
  sc_core::sc_report_handler::set_handler(collect);
  const Program program = memory_program(1, 60);
  HierarchyParameters p;
  p.dram.kind = DramKind::external;
  p.l2.slices = 1;
  p.l1.kilobytes = 1;
  p.l1.ways = 1;
  p.l2.kilobytes = 1;
  p.l2.ways = 1;
  Sm alone("alone", program), whole("whole", program);
  L1Cache l1("l1", p, alone.conductor);
  MemorySystem system("memory_system", p, {1, 1.0, TickOrder::pipeline, 1});
  Bare behind_l1("behind_l1"), behind_l2("behind_l2");
  alone.sm.memory_socket().bind(l1.memory_socket);
  l1.interconnect_socket.bind(behind_l1.socket);
  alone.conductor.add(l1);
  whole.sm.memory_socket().bind(*system.memory_socket(0));
  system.add_to(0, whole.conductor);
  system.dram_socket(0)->bind(behind_l2.socket);
  run_cycles(100000);
  for (Sm* sm : {&alone, &whole}) CHECK(sm->feeder.finished());
  // The third warning says that the target has no debug transport.
  REQUIRE(warnings.size() == 3);
  CHECK(std::count_if(warnings.begin(), warnings.end(), [](const std::string& w) {
          return w.find("l1.interconnect_socket: the target takes one") != std::string::npos;
        }) == 1);
  CHECK(std::count_if(warnings.begin(), warnings.end(), [](const std::string& w) {
          return w.find("memory_system.l2_0.dram_socket: the target takes one") != std::string::npos;
        }) == 1);
}

TEST_CASE("a target that ends requests is never warned of, however slow") {
  sc_core::sc_report_handler::set_handler(collect);
  std::vector<Program> programs;
  for (unsigned s = 0; s < 4; ++s) programs.push_back(memory_program(s, 60));
  std::vector<std::unique_ptr<Rig>> rigs;
  for (unsigned seed = 0; seed < 4; ++seed) {
    CheckingTarget::Rules rules;
    rules.seed = seed;
    rules.slow = 60;
    rigs.push_back(
        std::make_unique<Rig>(("rig_" + std::to_string(seed)).c_str(), baseline(), programs[seed], rules));
  }
  run_cycles(300000);
  for (auto& r : rigs) check_ended_well(*r);
  CHECK(warnings == std::vector<std::string>{});
}

}  // namespace serial_target_test
