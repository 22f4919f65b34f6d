// Every answer that a foreign target may give to every initiator of ours: the table of docs/integrating.md,
// cell by cell. Each run is in a process of its own. Each case runs twice. In the first run errors are
// reported as in SystemC by default. In the second they are only displayed, and the model must then rest.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/modules/register_bank/bank_bridge.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/cosim/manual_table.h"
#include "tests/cosim/misbehaving_target.h"
#include "tests/cosim/rig.h"
#include "tests/unit/trace_files.h"

namespace initiator_matrix_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const std::string source = SUBCORE_SOURCE_DIR;

TLM_DECLARE_EXTENDED_PHASE(an_extended_phase);

struct Kind {
  const char* name;  // as in the manual
  Deed deed;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  // The ends of runs at the load/store unit (with or without a router before its target), the L1, the L2's
  // reads, the L2's write-backs, and a bank bridge.
  std::vector<std::string> outcomes;
};

const std::string runs = "runs", response = "memory_response", protocol = "protocol", watchdog = "watchdog",
                  left = "leftovers";
std::vector<std::string> all(const std::string& outcome) {
  return {outcome, outcome, outcome, outcome, outcome};
}

std::vector<Kind> kinds() {
  using D = Deed;
  return {
      {"TLM_ADDRESS_ERROR_RESPONSE", D::nothing_else, tlm::TLM_ADDRESS_ERROR_RESPONSE, all(response)},
      {"TLM_COMMAND_ERROR_RESPONSE", D::nothing_else, tlm::TLM_COMMAND_ERROR_RESPONSE, all(response)},
      {"TLM_BURST_ERROR_RESPONSE", D::nothing_else, tlm::TLM_BURST_ERROR_RESPONSE, all(response)},
      {"TLM_BYTE_ENABLE_ERROR_RESPONSE", D::nothing_else, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, all(response)},
      {"TLM_GENERIC_ERROR_RESPONSE", D::nothing_else, tlm::TLM_GENERIC_ERROR_RESPONSE, all(response)},
      {"TLM_INCOMPLETE_RESPONSE", D::nothing_else, tlm::TLM_INCOMPLETE_RESPONSE, all(response)},
      {"an error, and TLM_COMPLETED at once", D::completes_early, tlm::TLM_GENERIC_ERROR_RESPONSE,
       all(response)},
      {"TLM_COMPLETED at once", D::completes_early, tlm::TLM_OK_RESPONSE, all(runs)},
      {"TLM_UPDATED with END_REQ", D::returns_end_request, tlm::TLM_OK_RESPONSE, all(runs)},
      {"TLM_UPDATED with BEGIN_RESP", D::returns_response, tlm::TLM_OK_RESPONSE, all(runs)},
      {"BEGIN_RESP without END_REQ", D::implies_end_request, tlm::TLM_OK_RESPONSE, all(runs)},
      {"a response after 3,000 cycles", D::is_late, tlm::TLM_OK_RESPONSE, all(runs)},
      {"an extended phase", D::calls_extended_phase, tlm::TLM_OK_RESPONSE, all(runs)},
      {"TLM_UPDATED with another phase", D::returns_wrong_phase, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"END_REQ called twice", D::calls_end_request_twice, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"END_REQ called and returned", D::calls_and_returns_end_request, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"END_REQ called, then TLM_COMPLETED", D::calls_end_request_and_completes, tlm::TLM_OK_RESPONSE,
       all(protocol)},
      {"END_REQ after BEGIN_RESP", D::ends_request_after_response, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"BEGIN_RESP twice", D::responds_twice, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"BEGIN_RESP called, then TLM_COMPLETED", D::responds_and_completes, tlm::TLM_OK_RESPONSE,
       all(protocol)},
      {"BEGIN_RESP for what was never sent", D::responds_to_nothing, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"BEGIN_REQ on the backward path", D::calls_wrong_phase, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"TLM_UPDATED to END_RESP", D::answers_end_response, tlm::TLM_OK_RESPONSE, all(protocol)},
      {"END_REQ, and no response",
       D::never_responds,
       tlm::TLM_OK_RESPONSE,
       {watchdog, watchdog, watchdog, left, watchdog}},
      {"nothing", D::never_ends_request, tlm::TLM_OK_RESPONSE, all(watchdog)},
  };
}

unsigned errors = 0;
std::string first_error;

void count_errors(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_ERROR && errors++ == 0)
    first_error = std::string(report.get_msg_type()) + ": " + report.get_msg();
  if ((actions & sc_core::SC_THROW) != 0) sc_core::sc_report_handler::default_handler(report, actions);
}

// From now on errors are counted instead of thrown.
void display_errors() {
  sc_core::sc_report_handler::set_handler(count_errors);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DISPLAY);
}

// How a run ended: "runs", "leftovers", or "error: " with the error's id and message. With `displayed`, a
// second error is reported instead, and so is a model that goes on after its error.
template <class Model>
std::string ending(Model& model, bool displayed, Misbehaving* target = nullptr) {
  sc_core::sc_start(cycles(400000));
  if (target != nullptr && model.finished()) target->give_back();
  if (!displayed || errors == 0) {
    if (model.failed()) return "failed() without an error";
    if (!model.finished()) return "not finished";
    return model.leftovers().empty() ? "runs" : "leftovers";
  }
  if (errors != 1) return std::to_string(errors) + " errors, the first " + first_error;
  if (!model.failed()) return "not failed() after " + first_error;
  if (sc_core::sc_pending_activity()) return "goes on after " + first_error;
  if (model.leftovers().empty()) return "nothing left after " + first_error;
  return "error: " + first_error;
}

enum class Place { load_store, router, l1, l2, bank };

// The registers of bank 0 are in the target; all other banks are ours.
SubCoreHooks banks_in(Misbehaving& target, bool& bound) {
  SubCoreHooks hooks;
  hooks.register_bank = [&](const SubCoreSite& site, auto& arbiter,
                            auto& crossbar) -> std::unique_ptr<Module> {
    const std::string name = "bank_" + std::to_string(site.index);
    if (bound) {
      auto bank = std::make_unique<RegisterBank>(name.c_str(), 64, 0);
      arbiter.bind(bank->bank_socket);
      bank->data_socket.bind(crossbar);
      return bank;
    }
    bound = true;
    auto bank = std::make_unique<BankBridge>(name.c_str(), site.conductor);
    arbiter.bind(bank->bank_socket);
    bank->data_socket.bind(crossbar);
    bank->memory_socket.bind(target.socket);
    return bank;
  };
  return hooks;
}

PlatformParameters platform() {
  PlatformParameters p = load_platform(source + "/platforms/baseline.yaml");
  p.checks.watchdog_cycles = 20000;
  return p;
}

TraceProgram vectoradd() {
  return open_trace(source + "/scenarios/traces/vectoradd");
}

std::string run(const Kind& kind, Place place, tlm::tlm_command command, bool displayed) {
  return in_child([&]() -> std::string {
    if (displayed) display_errors();
    Misbehaving target("target", kind.deed, kind.status, command);
    if (place == Place::l2) {
      HierarchyParameters h;
      h.dram.kind = DramKind::external;
      h.l2.slices = h.l2.kilobytes = h.l2.ways = 1;
      PlatformParameters p = platform();
      p.memory.kind = "hierarchy";
      p.memory.kind.as<HierarchyChoice>().parameters = h;
      Gpu gpu("gpu", p);
      gpu.memory->dram_socket(0)->bind(target.socket);
      gpu.run(vectoradd());
      const std::string end = ending(gpu, displayed, &target);
      return target.done ? end : "no such request";
    }
    const PlatformParameters p = platform();
    bool bound = false;
    StreamingMultiprocessor sm("sm", 0, p, place == Place::bank ? banks_in(target, bound) : SubCoreHooks());
    TraceDriver driver("driver", p, {&sm});
    std::unique_ptr<AddressRouter> router;
    std::unique_ptr<L1Cache> l1;
    std::unique_ptr<SimpleMemory> memory;
    auto& from_sm = sm.memory_socket();
    if (place == Place::load_store) from_sm.bind(target.socket);
    if (place == Place::router) {
      router = std::make_unique<AddressRouter>("router", std::vector<AddressRouter::Range>{{0, 0}});
      from_sm.bind(router->target_socket);
      router->initiator_socket[0].bind(target.socket);
    }
    if (place == Place::l1) {
      l1 = std::make_unique<L1Cache>("l1", HierarchyParameters(), sm.conductor);
      sm.conductor.add(*l1);
      driver.watch(*l1);
      from_sm.bind(l1->memory_socket);
      l1->interconnect_socket.bind(target.socket);
    }
    if (place == Place::bank) {
      memory = std::make_unique<SimpleMemory>("memory", SimpleMemoryParameters(), cycles(1));
      from_sm.bind(memory->memory_socket);
    }
    driver.run(vectoradd());
    const std::string end = ending(driver, displayed, &target);
    return target.done ? end : "no such request";
  });
}

}  // namespace

TEST_CASE("the manual's table of a target's answers is the table of these tests") {
  const auto rows = manual_table("integrating.md", "the target says");
  const auto expected = kinds();
  REQUIRE(rows.size() == expected.size() + 2);  // the table's head and the line below it
  for (std::size_t n = 0; n < expected.size(); ++n) {
    INFO(expected[n].name);
    std::vector<std::string> row = expected[n].outcomes;
    row.insert(row.begin(), expected[n].name);
    CHECK(rows[n + 2] == row);
  }
}

namespace {

void check_matrix(Place place, std::size_t read_column, std::size_t write_column, const char* module) {
  for (const Kind& kind : kinds()) {
    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      const bool reads = command == tlm::TLM_READ_COMMAND;
      const std::string& expected = kind.outcomes[reads ? read_column : write_column];
      for (const bool displayed : {false, true}) {
        const std::string end = run(kind, place, command, displayed);
        INFO(module << ", " << kind.name << ", " << (reads ? "read" : "write")
                    << (displayed ? ", displayed: " : ": ") << end.substr(0, 600));
        if (expected == "runs" || expected == "leftovers") {
          CHECK(end == expected);
          continue;
        }
        CHECK_THAT(end, Catch::StartsWith("error: ") && Catch::Contains("/subcore/" + expected));
        if (expected == "watchdog") {
          CHECK_THAT(end, Catch::Contains(module) && Catch::Contains("0x"));
          continue;
        }
        CHECK_THAT(end, Catch::Contains(" bytes at 0x"));
        // The module that reports the error. Caches pass an error of a read on to the load/store unit, which
        // names pc and warp.
        const bool passed_up = expected == response && kind.status != tlm::TLM_INCOMPLETE_RESPONSE;
        const bool of_unit = place == Place::load_store || place == Place::router;
        if (expected == response && (of_unit || (passed_up && (reads || place == Place::l1))) &&
            place != Place::bank)
          CHECK_THAT(
              end, Catch::Contains("load_store_unit") && Catch::Contains("pc 0x") && Catch::Contains(", w"));
        else if (place != Place::l1 || reads || expected == protocol)
          CHECK_THAT(end, Catch::Contains(module));
        // The words for a request beyond its command and address. A request that was never sent has none.
        if (place == Place::bank && kind.deed != Deed::responds_to_nothing)
          CHECK_THAT(end, Catch::Contains(" (R") && Catch::Contains(" of s"));
        if (expected != protocol) continue;
        if (of_unit && kind.deed != Deed::responds_to_nothing)
          CHECK_THAT(end, Catch::Contains(" for pc 0x") && Catch::Contains(", w"));
        else
          CHECK_THAT(end, !Catch::Contains("pc 0x"));
      }
    }
  }
}

}  // namespace

TEST_CASE("a target's answers to the load/store unit") {
  check_matrix(Place::load_store, 0, 0, "sm.load_store_unit");
}
TEST_CASE("a target's answers to the load/store unit through a router") {
  check_matrix(Place::router, 0, 0, "");
}
TEST_CASE("a target's answers to an L1") {
  check_matrix(Place::l1, 1, 1, "l1");
}
TEST_CASE("a target's answers to an L2") {
  check_matrix(Place::l2, 2, 3, "l2_0");
}
TEST_CASE("a target's answers to a bank bridge") {
  check_matrix(Place::bank, 4, 4, "bank_0");
}

namespace {

// Runs an instruction with a stale operand. Returns how many errors were reported, whether the model has
// failed, how many operands were stale, and the first error.
std::string run_stale() {
  Program program;
  // The collector keeps what the second instruction has read, and does not get the third one's result.
  program.add({{alu({2}, {}), alu({6}, {2}).near(1, 0), alu({2}, {}), alu({6}, {2})}});
  PlatformParameters p = malekeh(1);
  p.sub_core.collector.kind.as<CcuChoice>().stale_invalidate = false;
  Bench bench("bench", p, program);
  run_cycles(10000);
  return std::to_string(errors) + ' ' + std::to_string(static_cast<int>(bench.sm.failed())) + ' ' +
         std::to_string(bench.sm.check().stale()) + ' ' + first_error;
}

}  // namespace

TEST_CASE("stale operands are counted and the run goes on where their errors are ignored, in either form") {
  using Handler = sc_core::sc_report_handler;
  const char* const id = report_id::stale_operand;
  CHECK(in_child([&] {
          display_errors();
          Handler::set_actions(id, sc_core::SC_DO_NOTHING);
          const std::string end = run_stale();
          return end + std::to_string(Handler::set_actions(id, sc_core::SC_THROW));
        }) == "0 0 1 " + std::to_string(sc_core::SC_DO_NOTHING));
  CHECK(in_child([&] {
          display_errors();
          Handler::set_actions(id, sc_core::SC_DISPLAY);
          Handler::set_actions(id, sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
          const std::string end = run_stale();
          return end + std::to_string(Handler::set_actions(id, sc_core::SC_THROW)) + ' ' +
                 std::to_string(Handler::set_actions(id, sc_core::SC_ERROR, sc_core::SC_THROW));
        }) == "0 0 1 " + std::to_string(sc_core::SC_DISPLAY) + ' ' + std::to_string(sc_core::SC_DO_NOTHING));
  // Actions of the severity count before those of the id.
  CHECK_THAT(in_child([&] {
               display_errors();
               Handler::set_actions(id, sc_core::SC_DO_NOTHING);
               Handler::set_actions(id, sc_core::SC_ERROR, sc_core::SC_DISPLAY);
               return run_stale();
             }),
             Catch::StartsWith("1 1 1 /subcore/stale_operand"));
}

TEST_CASE("errors that are only displayed: one of each, and nothing more") {
  const auto stale = in_child([] {
    display_errors();
    return run_stale();
  });
  CHECK_THAT(stale, Catch::StartsWith("1 1 1 /subcore/stale_operand"));
  const TemporaryFolder folder;
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  folder.write("kernel-1.traceg", "rubbish\n");
  const auto bad_trace = in_child([&] {
    display_errors();
    Gpu gpu("gpu", load_platform(find_platform("rtx2060_third/malekeh"), {"gpu.sms=2"}));
    gpu.run(open_trace(folder.path()));
    return ending(gpu, true);
  });
  CHECK_THAT(bad_trace, Catch::StartsWith("error: /subcore/trace"));
  const auto no_controller = in_child([] {
    display_errors();
    const PlatformParameters p = load_platform(source + "/platforms/malekeh.yaml");
    StreamingMultiprocessor sm("sm", 0, p);
    SimpleMemory memory("memory", {}, cycles(1));
    sm.memory_socket().bind(memory.memory_socket);
    TraceDriver driver("driver", p, {&sm});
    driver.run(vectoradd());
    return ending(driver, true);
  });
  CHECK_THAT(no_controller, Catch::StartsWith("error: /subcore/sthld"));
  // A model that cannot be put together always throws.
  const auto no_clock = in_child([] {
    display_errors();
    sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
    PlatformParameters p = load_platform(source + "/platforms/baseline.yaml");
    p.clock_period_ns = 0.3;
    Gpu gpu("gpu", p);
    return std::string("made");
  });
  CHECK_THAT(no_clock, Catch::StartsWith("error: ") && Catch::Contains("clock_period_ns 0.3"));
}

namespace {

// Registers that answer with this status. If `calls`, they also call back.
struct StrangeRegisters : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket;
  tlm::tlm_response_status status;
  bool calls;
  StrangeRegisters(const sc_core::sc_module_name& name, tlm::tlm_response_status s, bool c)
      : sc_module(name), socket("socket"), status(s), calls(c) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }
  void b_transport(Payload& t, sc_core::sc_time& delay) override {
    t.set_response_status(status);
    if (!calls) return;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    socket->nb_transport_bw(t, phase, delay);
    socket->nb_transport_bw(t, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(Payload&) override { return 0; }
};

}  // namespace

TEST_CASE("a target's answers to the initiators that only use b_transport") {
  for (const bool displayed : {false, true}) {
    for (const auto status :
         {tlm::TLM_OK_RESPONSE, tlm::TLM_INCOMPLETE_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE}) {
      for (const bool calls : {false, true}) {
        const std::string end = in_child([&] {
          if (displayed) display_errors();
          SthldParameters p;
          p.interval = 100;
          SthldController controller("controller", 1, p, cycles(1));
          StrangeRegisters registers("registers", status, calls);
          controller.control_socket[0].bind(registers.socket);
          sc_core::sc_start(cycles(5000));
          return std::to_string(errors) + (sc_core::sc_pending_activity() ? " goes on " : " rests ") +
                 first_error;
        });
        INFO(end);
        if (status == tlm::TLM_OK_RESPONSE && !calls) {
          CHECK(end == "0 goes on ");
          continue;
        }
        CHECK_THAT(end, Catch::StartsWith(displayed ? "1 rests /subcore/" : "error: ") &&
                            Catch::Contains(calls ? "/subcore/protocol" : "/subcore/control") &&
                            Catch::Contains("controller.control_socket"));
      }
    }
  }
}

namespace {

struct BlockingKind {
  const char* name;  // as in the manual
  tlm::tlm_response_status status;
  bool calls;  // calls nb_transport_bw
  std::string outcome;
};

std::vector<BlockingKind> blocking_kinds() {
  return {
      {"TLM_ADDRESS_ERROR_RESPONSE", tlm::TLM_ADDRESS_ERROR_RESPONSE, false, response},
      {"TLM_COMMAND_ERROR_RESPONSE", tlm::TLM_COMMAND_ERROR_RESPONSE, false, response},
      {"TLM_BURST_ERROR_RESPONSE", tlm::TLM_BURST_ERROR_RESPONSE, false, response},
      {"TLM_BYTE_ENABLE_ERROR_RESPONSE", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, false, response},
      {"TLM_GENERIC_ERROR_RESPONSE", tlm::TLM_GENERIC_ERROR_RESPONSE, false, response},
      {"TLM_INCOMPLETE_RESPONSE", tlm::TLM_INCOMPLETE_RESPONSE, false, response},
      {"TLM_OK_RESPONSE", tlm::TLM_OK_RESPONSE, false, runs},
      {"TLM_OK_RESPONSE, after calls of nb_transport_bw", tlm::TLM_OK_RESPONSE, true, protocol},
  };
}

}  // namespace

TEST_CASE("the manual's table of what b_transport comes back with is the table of these tests") {
  const auto rows = manual_table("integrating.md", "`b_transport` comes back with");
  const auto expected = blocking_kinds();
  REQUIRE(rows.size() == expected.size() + 2);
  for (std::size_t n = 0; n < expected.size(); ++n)
    CHECK(rows[n + 2] == std::vector<std::string>{expected[n].name, expected[n].outcome});
}

TEST_CASE("a target's answers to an AtToLt") {
  for (const BlockingKind& kind : blocking_kinds()) {
    for (const unsigned threads : {0u, 1u}) {
      for (const bool displayed : {false, true}) {
#ifdef __SANITIZE_ADDRESS__
        // An error that ends a SystemC thread returns to the main stack, and the sanitizer does not hear of
        // it. The sanitizer then takes the frames that the error left for frames in use.
        if (threads == 1 && kind.calls && !displayed) continue;
#endif
        const std::string end = in_child([&]() -> std::string {
          if (displayed) display_errors();
          const PlatformParameters p = platform();
          StreamingMultiprocessor sm("sm", 0, p);
          TraceDriver driver("driver", p, {&sm});
          AtToLt bridge("bridge", threads);
          StrangeRegisters memory("memory", kind.status, kind.calls);
          sm.memory_socket().bind(bridge.at_socket);
          bridge.lt_socket.bind(memory.socket);
          driver.run(vectoradd());
          const std::string how = ending(driver, displayed);
          return driver.failed() || driver.finished() ? how : "not finished, " + how;
        });
        INFO(kind.name << ", " << threads << " threads" << (displayed ? ", displayed: " : ": ") << end);
        if (kind.outcome == runs) {
          CHECK(end == runs);
          continue;
        }
        CHECK_THAT(end, Catch::Contains("/subcore/" + kind.outcome) && Catch::Contains(" bytes at 0x"));
        if (kind.outcome == response) {
          CHECK_THAT(end, Catch::StartsWith("error: ") && Catch::Contains("load_store_unit") &&
                              Catch::Contains(" for pc 0x") && Catch::Contains(", w"));
          continue;
        }
        // If the error is only displayed, the call is ignored.
        CHECK_THAT(end, Catch::StartsWith(displayed ? "not failed() after " : "error: ") &&
                            Catch::Contains("bridge.lt_socket"));
      }
    }
  }
}

}  // namespace initiator_matrix_test
