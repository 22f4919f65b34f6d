// The targets and initiators of SystemC's own examples (examples/tlm) at our sockets: the tables of
// docs/integrating.md. The examples are compiled where they are installed. Each run is in a process of its
// own.
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#define REPORT_DEFINE_GLOBALS  // the examples' switches of reports are defined here
#include "at_initiator_annotated.h"
#include "at_initiator_explicit.h"
#include "at_target_1_phase.h"
#include "at_target_2_phase.h"
#include "at_target_4_phase.h"
#include "at_target_ooo_2_phase.h"
#include "lt_initiator.h"
#include "lt_target.h"
#include "lt_td_initiator.h"
#include "models/SimpleBusAT.h"
#include "reporting.h"
#include "select_initiator.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/simple.h"
#include "tests/cosim/manual_table.h"
#include "tests/cosim/rig.h"
#include "tests/unit/trace_files.h"
#include "traffic_generator.h"

namespace systemc_examples_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const std::string source = SUBCORE_SOURCE_DIR;
const sc_core::sc_time accept_delay(10, sc_core::SC_NS), read_delay(50, sc_core::SC_NS),
    write_delay(30, sc_core::SC_NS);

// The examples' reports in this process.
unsigned warnings = 0;
std::int64_t checked_at = 0;  // when the traffic generator had checked all data, in ns

void note(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  const std::string id = report.get_msg_type(), text = report.get_msg();
  switch (report.get_severity()) {
    case sc_core::SC_INFO:
      if (text.find("Traffic Generator Complete") != std::string::npos)
        checked_at = std::llround(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS));
      break;
    case sc_core::SC_WARNING:
      if (id.find("/subcore/") == std::string::npos) ++warnings;
      break;
    case sc_core::SC_FATAL:  // by default the end of the process
      throw std::runtime_error(id + ": " + text);
    default:
      sc_core::sc_report_handler::default_handler(report, actions);
  }
}

// Has everything reported to note().
void note_reports() {
  REPORT_ENABLE_ALL_REPORTING();
  sc_core::sc_report_handler::set_handler(note);
}

std::string with_commas(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (auto at = static_cast<int>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

TraceProgram vectoradd() {
  return open_trace(source + "/scenarios/traces/vectoradd");
}

// The way to the examples' memories, which are small: they see the lowest bits of an address.
struct SmallMap {
  AddressRouter router{"map", {{0, 0, 0, 0x3fffff}}};
  template <class Target>
  SmallMap(tlm::tlm_initiator_socket<>& initiator, Target& target) {
    initiator.bind(router.target_socket);
    router.initiator_socket[0].bind(target);
  }
};

template <class Target>
struct Memory : Target {
  // The examples refuse the last byte of their memory.
  Memory() : Target("target", 201, "memory_socket", 0x400004, 4, accept_delay, read_delay, write_delay) {}
  auto& socket() { return this->m_memory_socket; }
};
// The examples' bus, with a target of theirs behind it.
struct OnBus {
  SimpleBusAT<1, 1> bus{"bus"};
  Memory<at_target_1_phase> target;
  OnBus() { bus.initiator_socket[0].bind(target.socket()); }
  auto& socket() { return bus.target_socket[0]; }
};
struct BehindAtToLt {
  AtToLt bridge{"bridge"};
  Memory<lt_target> target;
  BehindAtToLt() { bridge.lt_socket.bind(target.socket()); }
  auto& socket() { return bridge.at_socket; }
};
struct Ours {
  SimpleMemory memory{"memory", {}, cycles(1)};
  auto& socket() { return memory.memory_socket; }
};

// The end of a run on such a target, and its cycles.
struct End {
  std::string text;
  std::string cycles;
};

template <class Target>
End end_with(const std::string& end_resp) {
  const std::string text = in_child([&]() -> std::string {
    note_reports();
    PlatformParameters p =
        load_platform(source + "/platforms/baseline.yaml", {"load_store.end_resp=" + end_resp});
    p.checks.watchdog_cycles = 20000;
    StreamingMultiprocessor sm("sm", 0, p);
    TraceDriver driver("driver", p, {&sm});
    Target target;
    const SmallMap map(sm.memory_socket(), target.socket());
    driver.run(vectoradd());
    sc_core::sc_start(cycles(400000));
    if (!driver.finished() || !driver.leftovers().empty()) return "not finished";
    return with_commas(driver.finish_cycle()) +
           (warnings == 0 ? "; runs" : "; runs, with the target's warnings");
  });
  if (const std::size_t cut = text.find("; "); text.rfind("error: ", 0) != 0 && cut != std::string::npos)
    return {text.substr(cut + 2), text.substr(0, cut)};
  if (text.find("TLM_UPDATED invalid response to BEGIN_RESP") != std::string::npos)
    return {"the target ends the simulation", ""};
  if (text.find("/subcore/watchdog") != std::string::npos &&
      text.find("set load_store.end_resp to call") != std::string::npos)
    return {"the bus waits for ever", ""};
  return {text, ""};
}

// An initiator of the examples with the traffic generator that feeds it and checks the data that it reads.
template <class Initiator>
struct Host {
  Host() {
    traffic.request_out_port(requests);
    initiator->request_in_port(requests);
    initiator->response_out_port(responses);
    traffic.response_in_port(responses);
  }
  static std::unique_ptr<Initiator> make() {
    constexpr bool speaks_at =
        std::is_constructible_v<Initiator, sc_core::sc_module_name, unsigned, sc_core::sc_time>;
    if constexpr (speaks_at)
      return std::make_unique<Initiator>("initiator", 101, sc_core::sc_time(7, sc_core::SC_NS));
    else
      return std::make_unique<Initiator>("initiator", 101);
  }
  sc_core::sc_fifo<tlm::tlm_generic_payload*> requests, responses;
  std::unique_ptr<Initiator> initiator = make();
  traffic_generator traffic{"traffic", 101, 0x100, 0x1100, 4};
};

// The initiator at the host port of a GPU whose SM runs the trace, and the target, or our DRAM, behind the
// L2. Returns when all data were checked, and the cycles of the trace.
template <class Initiator, class Target>
End check_data() {
  const std::string text = in_child([&]() -> std::string {
    note_reports();
    const bool ours = std::is_same_v<Target, Ours>;
    Gpu gpu("gpu", load_platform(find_platform("rtx2060_third/baseline"),
                                 {"gpu.sms=1", "memory.l2.slices=1", "memory.interconnect.host_ports=1",
                                  ours ? "memory.dram.channels=1" : "memory.dram.kind=external",
                                  "memory.l2.end_resp=completed"}));
    std::unique_ptr<Target> target;
    std::unique_ptr<SmallMap> map;
    if (!ours) {
      target = std::make_unique<Target>();
      map = std::make_unique<SmallMap>(*gpu.memory->dram_socket(0), target->socket());
    }
    Host<Initiator> host;
    host.initiator->initiator_socket.bind(*gpu.memory->host_socket(0));
    gpu.run(vectoradd());
    sc_core::sc_start(cycles(400000));
    if (!gpu.finished() || !gpu.leftovers().empty() || checked_at == 0) return "not finished";
    return with_commas(gpu.finish_cycle()) + "; " + with_commas(static_cast<std::uint64_t>(checked_at));
  });
  if (text.find("traffic_generator.cpp: ") != std::string::npos &&
      text.find("Memory read data ERROR") != std::string::npos)
    return {"the check fails", ""};
  const std::size_t cut = text.find("; ");
  return cut == std::string::npos ? End{text, ""} : End{text.substr(cut + 2), text.substr(0, cut)};
}

}  // namespace

TEST_CASE("the manual's table of SystemC's targets behind an SM") {
  const std::vector<std::pair<std::string, End (*)(const std::string&)>> targets{
      {"`at_target_1_phase`", end_with<Memory<at_target_1_phase>>},
      {"`at_target_2_phase`", end_with<Memory<at_target_2_phase>>},
      {"`at_target_4_phase`", end_with<Memory<at_target_4_phase>>},
      {"`at_target_ooo_2_phase`", end_with<Memory<at_target_ooo_2_phase>>},
      {"`lt_target`", end_with<Memory<lt_target>>},
      {"`AtToLt` in front of `lt_target`", end_with<BehindAtToLt>},
      {"`SimpleBusAT` in front of `at_target_1_phase`", end_with<OnBus>},
      {"our `SimpleMemory`", end_with<Ours>}};
  const auto rows = manual_table("integrating.md", "target");
  REQUIRE(rows.size() == targets.size() + 2);
  for (std::size_t n = 0; n < targets.size(); ++n) {
    std::vector<std::string> row{targets[n].first};
    std::string cycles_of_all;
    for (const char* end_resp : {"updated", "completed", "call"}) {
      const End end = targets[n].second(end_resp);
      row.push_back(end.text);
      if (end.cycles.empty()) continue;
      INFO(targets[n].first << ", " << end_resp);
      if (cycles_of_all.empty()) cycles_of_all = end.cycles;
      CHECK(end.cycles == cycles_of_all);
    }
    row.push_back(cycles_of_all);
    CHECK(rows[n + 2] == row);
  }
}

namespace {

template <class Target>
void check_row(const std::vector<std::string>& manual, const std::string& name) {
  const End at = check_data<select_initiator, Target>(), lt = check_data<lt_initiator, Target>();
  CHECK(manual == std::vector<std::string>{name, at.text, lt.text, at.cycles});
}

}  // namespace

TEST_CASE("the manual's table of SystemC's initiators at a host port") {
  const auto rows = manual_table("integrating.md", "memory behind the L2");
  REQUIRE(rows.size() == 8);
  check_row<Memory<at_target_1_phase>>(rows[2], "`at_target_1_phase`");
  check_row<Memory<at_target_2_phase>>(rows[3], "`at_target_2_phase`");
  check_row<Memory<at_target_4_phase>>(rows[4], "`at_target_4_phase`");
  check_row<Memory<at_target_ooo_2_phase>>(rows[5], "`at_target_ooo_2_phase`");
  check_row<Memory<lt_target>>(rows[6], "`lt_target`");
  check_row<Ours>(rows[7], "our DRAM, which has no data");
}

TEST_CASE("SystemC's other initiators at a host port") {
  using Target = Memory<at_target_4_phase>;
  CHECK(check_data<at_initiator_explicit, Target>().cycles == "5,024");
  CHECK(check_data<at_initiator_annotated, Target>().cycles == "5,024");
  CHECK(check_data<lt_td_initiator, Target>().cycles == "5,024");
}

}  // namespace systemc_examples_test
