// Whole platforms as an integrator may use them: any number of them in one simulation, under the user's time
// resolution and clock. Clear errors for sockets that are not bound, requests that are not answered, and
// files that are missing.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>
#include <unistd.h>

#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "subcore/platforms/memory/simple.h"
#include "subcore/platforms/trace_driver.h"
#include "tests/cosim/rig.h"

namespace platform_test {

using namespace subcore;
using namespace subcore::test;

namespace {

const std::string source = SUBCORE_SOURCE_DIR;

PlatformParameters shipped(const std::string& name, double period_ns = 1.0) {
  PlatformParameters p = load_platform(find_platform(name));
  p.clock_period_ns = period_ns;
  return p;
}
TraceProgram vectoradd() {
  return open_trace(source + "/scenarios/traces/vectoradd");
}

// Every counter of a GPU that has run to its end.
std::string outcome(Gpu& gpu) {
  std::ostringstream text;
  text << gpu.finished() << ' ' << gpu.finish_cycle() << '\n';
  for (const std::string& l : gpu.leftovers()) text << l << '\n';
  StatisticsGroup root("root");
  gpu.register_statistics(root);
  return text.str() + statistics_json(root);
}

std::string alone(const std::string& platform, const sc_core::sc_time_unit unit, double period_ns) {
  return in_child([&] {
    sc_core::sc_set_time_resolution(1, unit);
    Gpu gpu("gpu", shipped(platform, period_ns));
    gpu.run(vectoradd());
    sc_core::sc_start();
    return outcome(gpu);
  });
}

}  // namespace

TEST_CASE("STHLD decisions do not depend on whether the time resolution knows half a cycle") {
  const auto run = [](const sc_core::sc_time_unit unit, double period_ns, TickOrder order) {
    return in_child([=] {
      sc_core::sc_set_time_resolution(1, unit);
      PlatformParameters p = shipped("rtx2060_third/malekeh", period_ns);
      p.sthld.interval = 37;
      p.tick_order = order;
      Gpu gpu("gpu", p);
      gpu.run(vectoradd());
      sc_core::sc_start();
      return std::to_string(gpu.sthld_controller->machine().sthld()) + '\n' + outcome(gpu);
    });
  };
  const std::string usual = run(sc_core::SC_PS, 1.0, TickOrder::pipeline);
  CHECK_THAT(usual, Catch::Contains("\n1 "));
  for (const TickOrder order : {TickOrder::pipeline, TickOrder::reverse, TickOrder::shuffled}) {
    CHECK(run(sc_core::SC_NS, 1.0, order) == usual);  // the period is one step
    CHECK(run(sc_core::SC_NS, 3.0, order) == usual);  // an odd number of steps
  }
}

TEST_CASE("two GPUs in one simulation are two GPUs alone") {
  const std::string baseline_alone = alone("baseline", sc_core::SC_PS, 1.0);
  const std::string malekeh_alone = alone("malekeh", sc_core::SC_PS, 1.0);
  CHECK(baseline_alone.substr(0, 2) == "1 ");
  CHECK(baseline_alone != malekeh_alone);
  Gpu one("one", shipped("baseline")), other("other", shipped("malekeh"));
  for (Gpu* g : {&one, &other}) g->run(vectoradd());
  sc_core::sc_start();  // returns when nothing is left to do; without sc_stop, so the user may go on
  CHECK(outcome(one) == baseline_alone);
  CHECK(outcome(other) == malekeh_alone);
  CHECK(sc_core::sc_get_status() == sc_core::SC_PAUSED);
}

TEST_CASE("the user owns time resolution and clock period") {
  for (const std::string platform : {"baseline", "malekeh"}) {
    const std::string usual = alone(platform, sc_core::SC_PS, 1.0);
    CHECK(usual.substr(0, 2) == "1 ");
    CHECK(alone(platform, sc_core::SC_FS, 0.73) == usual);
    CHECK(alone(platform, sc_core::SC_NS, 2.0) == usual);
  }
  CHECK_THAT(alone("baseline", sc_core::SC_NS, 0.3), Catch::Contains("clock_period_ns 0.3") &&
                                                         Catch::Contains("time resolution") &&
                                                         Catch::Contains("1 ns"));
  CHECK_THAT(alone("baseline", sc_core::SC_NS, 1.4), Catch::Contains("clock_period_ns 1.4"));
}

TEST_CASE("a socket that was forgotten is named") {
  const std::string no_memory = in_child([] {
    StreamingMultiprocessor sm("sm", 0, baseline());
    TraceDriver driver("driver", baseline(), {&sm});
    sc_core::sc_start();
    return std::string("no error");
  });
  CHECK_THAT(no_memory, Catch::Contains("sm.load_store_unit.memory_socket") && Catch::Contains("not bound"));
  const std::string no_driver = in_child([] {
    StreamingMultiprocessor sm("sm", 0, baseline());
    SimpleMemory memory("memory", {}, cycles(1));
    sm.memory_socket().bind(memory.memory_socket);
    sc_core::sc_start();
    return std::string("no error");
  });
  CHECK_THAT(no_driver, Catch::Contains("sm.cta_dispatcher.cta_socket") && Catch::Contains("not bound"));
}

namespace {

// A target that does one thing wrong, or nothing at all.
class BadTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  enum class Deed { silence, no_response, second_end_request, strange_phase, no_byte_enables };
  tlm::tlm_target_socket<> socket;
  BadTarget(const sc_core::sc_module_name& name, Deed deed) : sc_module(name), socket("socket"), deed_(deed) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase&,
                                     sc_core::sc_time& d) override {
    if (deed_ == Deed::no_byte_enables) {
      t.set_response_status(t.get_byte_enable_ptr() == nullptr ? tlm::TLM_OK_RESPONSE
                                                               : tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    tlm::tlm_phase phase = deed_ == Deed::strange_phase ? tlm::BEGIN_REQ : tlm::END_REQ;
    if (deed_ == Deed::second_end_request) socket->nb_transport_bw(t, phase, d);
    if (deed_ != Deed::silence) socket->nb_transport_bw(t, phase, d);
    return tlm::TLM_ACCEPTED;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
  Deed deed_;
};

std::string run_on(BadTarget::Deed deed) {
  return in_child([=] {
    PlatformParameters p = shipped("baseline");
    p.checks.watchdog_cycles = 5000;
    StreamingMultiprocessor sm("sm", 0, p);
    BadTarget target("target", deed);
    sm.memory_socket().bind(target.socket);
    TraceDriver driver("driver", p, {&sm});
    driver.run(vectoradd());
    sc_core::sc_start();
    return std::string("no error");
  });
}

}  // namespace

TEST_CASE("a memory that never answers a lone SM ends in the watchdog's report") {
  CHECK_THAT(run_on(BadTarget::Deed::silence),
             Catch::Contains("/subcore/watchdog") && Catch::Contains("no progress in 5000 cycles") &&
                 Catch::Contains("sm.load_store_unit: the request at 0x7f40001") &&
                 Catch::Contains("has had no END_REQ") && Catch::Contains("responses from memory"));
  // An END_REQ alone is not enough. The report still says who waits, and for which addresses.
  const std::string report = run_on(BadTarget::Deed::no_response);
  CHECK_THAT(report, Catch::Contains("/subcore/watchdog") && !Catch::Contains("has had no END_REQ"));
  const std::size_t at = report.find("sm.load_store_unit: pc ");
  REQUIRE(at != std::string::npos);
  // Only a line of the report is matched, because the library's regular expressions recur once per character.
  CHECK_THAT(report.substr(at, std::min(report.find('\n', at) - at, std::size_t{200})),
             Catch::Matches("sm\\.load_store_unit: pc 0x[0-9a-f]+, w[0-9]+, waits for [0-9]+ "
                            "responses from memory, asked at 0x7f4000[0-9a-f]+.*"));
}

TEST_CASE("a target without byte enables is told of, and so is the way out") {
  const auto run = [](bool byte_enables) {
    return in_child([=] {
      PlatformParameters p = shipped("baseline");
      p.load_store.byte_enables = byte_enables;
      Program program;
      program.add({{alu({1}, {}), store({1, 1}, 0x5000).with_mask(3)}});
      Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
      Feeder feeder("feeder", program, 1);
      StreamingMultiprocessor sm("sm", 0, p);
      BadTarget target("target", BadTarget::Deed::no_byte_enables);
      conductor.add(feeder);
      feeder.cta_socket.bind(sm.cta_socket());
      sm.memory_socket().bind(target.socket);
      run_cycles(1000);
      return std::string(feeder.finished() ? "finished" : "not finished");
    });
  };
  CHECK_THAT(run(true), Catch::Contains("sm.load_store_unit") &&
                            Catch::Contains("TLM_BYTE_ENABLE_ERROR_RESPONSE") &&
                            Catch::Contains("write of 32 bytes at 0x5000") &&
                            Catch::Contains("load_store.byte_enables: false"));
  CHECK(run(false) == "finished");
}

TEST_CASE("a target that breaks the protocol is told what it did") {
  CHECK_THAT(run_on(BadTarget::Deed::second_end_request),
             Catch::Contains("/subcore/protocol") &&
                 Catch::Contains("END_REQ for a request that has ended") &&
                 Catch::Contains("bytes at 0x7f4000") && Catch::Contains("for pc 0x"));
  CHECK_THAT(run_on(BadTarget::Deed::strange_phase),
             Catch::Contains("/subcore/protocol") && Catch::Contains("neither END_REQ nor BEGIN_RESP"));
}

TEST_CASE("an address where nothing is ends the run and is named") {
  const std::string text = in_child([] {
    const PlatformParameters p = shipped("baseline");
    StreamingMultiprocessor sm("sm", 0, p);
    // vectoradd's result array lies beyond this address.
    AddressRouter router("router", {{0, 0x7f400010a000}});
    SimpleMemory memory("memory", p.memory.kind.as<SimpleMemoryChoice>().parameters, cycles(1));
    sm.memory_socket().bind(router.target_socket);
    router.initiator_socket[0].bind(memory.memory_socket);
    TraceDriver driver("driver", p, {&sm});
    driver.run(vectoradd());
    sc_core::sc_start();
    return std::string("no error");
  });
  CHECK_THAT(text, Catch::Contains("sm.load_store_unit") && Catch::Contains("TLM_ADDRESS_ERROR_RESPONSE") &&
                       Catch::Contains("write of 128 bytes at 0x7f400010a") && Catch::Contains(", w"));
}

namespace {

// An LT target that waits, or only says how long it takes.
struct LtTarget : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket;
  unsigned at_once = 0, most_at_once = 0, requests = 0;
  bool waits;
  LtTarget(const sc_core::sc_module_name& name, bool w) : sc_module(name), socket("socket"), waits(w) {
    socket.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  }
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override {
    ++requests;
    most_at_once = std::max(most_at_once, ++at_once);
    if (waits) {
      wait(delay + cycles(20 - requests % 4));  // so that several responses are ready at once
      delay = cycles(5);
    } else {
      delay += cycles(25);
    }
    --at_once;
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    FAIL("nb_transport_fw on an LT target");
    return tlm::TLM_ACCEPTED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

}  // namespace

TEST_CASE("LT memories behind bridges: in the callback, on threads, and with END_RESP as a call") {
  PlatformParameters p = shipped("baseline");
  struct Way {
    unsigned threads;
    bool explicit_end_resp;
  };
  std::vector<std::unique_ptr<sc_core::sc_module>> keep;
  std::vector<TraceDriver*> drivers;
  std::vector<AtToLt*> bridges;
  std::vector<LtTarget*> targets;
  for (const Way w : {Way{0, false}, Way{1, false}, Way{4, false}, Way{4, true}}) {
    const std::string n = std::to_string(drivers.size());
    if (w.explicit_end_resp) p.load_store.initiator.end_resp = EndResponse::call;
    auto sm = std::make_unique<StreamingMultiprocessor>(("sm_" + n).c_str(), 0, p);
    auto bridge = std::make_unique<AtToLt>(("bridge_" + n).c_str(), w.threads);
    auto target = std::make_unique<LtTarget>(("target_" + n).c_str(), w.threads != 0);
    auto driver = std::make_unique<TraceDriver>(("driver_" + n).c_str(), p,
                                                std::vector<StreamingMultiprocessor*>{sm.get()});
    sm->memory_socket().bind(bridge->at_socket);
    bridge->lt_socket.bind(target->socket);
    driver->run(vectoradd());
    bridges.push_back(bridge.get());
    targets.push_back(target.get());
    drivers.push_back(driver.get());
    keep.push_back(std::move(sm));
    keep.push_back(std::move(bridge));
    keep.push_back(std::move(target));
    keep.push_back(std::move(driver));
  }
  sc_core::sc_start();
  for (std::size_t i = 0; i < drivers.size(); ++i) {
    INFO(i);
    CHECK(drivers[i]->finished());
    CHECK(drivers[i]->leftovers() == std::vector<std::string>{});
    CHECK(bridges[i]->drained());
    CHECK(targets[i]->requests == targets[0]->requests);
  }
  CHECK(targets[1]->most_at_once == 1);
  CHECK(targets[2]->most_at_once == 4);
  CHECK(targets[3]->most_at_once == 4);
  CHECK(drivers[1]->finish_cycle() > drivers[2]->finish_cycle());
  CHECK(drivers[2]->finish_cycle() > drivers[0]->finish_cycle());
}

TEST_CASE("a router keeps the protocol on both of its sides") {
  std::vector<Program> programs;
  for (unsigned seed = 0; seed < 6; ++seed) programs.push_back(memory_program(seed));
  struct RoutedRig : sc_core::sc_module {
    RoutedRig(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program,
              std::uint64_t seed)
        : sc_module(name),
          conductor("conductor", cycles(1), TickOrder::pipeline, 1),
          feeder("feeder", program, 1),
          sm("sm", 0, p),
          // The requests lie between 0x1000 and about 0x6000.
          router("router", {{0, 0x1800}, {0x1800, 0x2000}, {0x2000, ~std::uint64_t{0}}}) {
      conductor.add(feeder);
      feeder.cta_socket.bind(sm.cta_socket());
      sm.memory_socket().bind(router.target_socket);
      for (unsigned t = 0; t < 3; ++t) {
        CheckingTarget::Rules rules;
        rules.seed = 10 * seed + t;
        targets.push_back(std::make_unique<CheckingTarget>(("target_" + std::to_string(t)).c_str(), rules));
        router.initiator_socket[t].bind(targets[t]->socket);
      }
    }
    Conductor conductor;
    Feeder feeder;
    StreamingMultiprocessor sm;
    AddressRouter router;
    std::vector<std::unique_ptr<CheckingTarget>> targets;
  };
  std::vector<std::unique_ptr<RoutedRig>> routed;
  for (unsigned seed = 0; seed < 6; ++seed) {
    PlatformParameters p = baseline();
    p.load_store.initiator.end_resp = static_cast<EndResponse>(seed % 3);
    routed.push_back(
        std::make_unique<RoutedRig>(("rig_" + std::to_string(seed)).c_str(), p, programs[seed], seed));
  }
  run_cycles(100000);
  for (auto& r : routed) {
    INFO(r->name());
    CHECK(r->feeder.finished());
    CHECK(r->router.drained());
    for (auto& t : r->targets) {
      CHECK(t->violations == std::vector<std::string>{});
      CHECK(t->requests > 5);
      t->release_kept();
      CHECK(t->idle());
    }
    CHECK(r->sm.leftovers() == std::vector<std::string>{});
  }
}

namespace {

// A module of the user's on the path of complete instructions, which passes everything on in the same cycle.
class Watcher : public Module {
 public:
  InPort<DispatchTransfer> in;
  OutPort<DispatchTransfer> out;
  std::uint64_t passed = 0;
  explicit Watcher(const sc_core::sc_module_name& name) : Module(name), in("in"), out("out", 1) {
    in.on_receive<&Watcher::forward>(this);
    out.on_credit<&Watcher::back>(this);
  }

 private:
  void forward(unsigned, DispatchTransfer& t) {
    ++passed;
    out.send(t);
  }
  void back(unsigned, DispatchTransfer& t) { in.credit(t); }
};

}  // namespace

TEST_CASE("a user's modules in every SM of a GPU") {
  const std::string plain = in_child([] {
    PlatformParameters p = shipped("rtx2060_third/malekeh");
    p.gpu.sms = 3;
    Gpu gpu("gpu", p);
    gpu.run(vectoradd());
    sc_core::sc_start();
    return outcome(gpu);
  });
  CHECK(plain.substr(0, 2) == "1 ");
  PlatformParameters p = shipped("rtx2060_third/malekeh");
  p.gpu.sms = 3;
  std::map<std::string, std::vector<Watcher*>> of_sm;
  SubCoreHooks hooks;
  hooks.dispatch_path = [&](const SubCoreSite& site, auto& collector, auto& dispatch_scheduler) {
    auto w = std::make_unique<Watcher>(("watcher_" + std::to_string(site.index)).c_str());
    collector.bind(w->in);
    w->out.bind(dispatch_scheduler);
    of_sm[site.conductor.get_parent_object()->name()].push_back(w.get());
    return w;
  };
  Gpu gpu("gpu", p, hooks);
  gpu.run(vectoradd());
  sc_core::sc_start();
  // Watchers take no time and count nothing. Only their names may be seen.
  const std::regex empty_group(",?\\s*\"watcher_\\d+\": \\{\\}");
  CHECK(std::regex_replace(outcome(gpu), empty_group, "") == plain);
  REQUIRE(of_sm.size() == 3);
  std::uint64_t passed = 0;
  for (unsigned i = 0; i < 3; ++i) {
    const auto& watchers = of_sm["gpu.sm_" + std::to_string(i)];
    CHECK(watchers.size() == p.multiprocessor.sub_cores * p.sub_core.collector.count);
    for (const Watcher* w : watchers) passed += w->passed;
  }
  CHECK(passed == gpu.instructions_retired());
}

namespace {

// A trace of one warp. `loads` has the number of loads of each kernel. All loads are of one line, one after
// the other.
class LoadTrace {
 public:
  explicit LoadTrace(const std::vector<unsigned>& loads)
      : folder_(std::filesystem::temp_directory_path() / ("subcore_loads_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream list(folder_ / "kernelslist.g");
    for (std::size_t k = 1; k <= loads.size(); ++k) {
      const std::string name = "kernel-" + std::to_string(k) + ".traceg";
      list << name << '\n';
      std::ofstream out(folder_ / name);
      out << "-kernel name = loads\n-kernel id = " << k
          << "\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n"
             "-binary version = 75\n-cuda stream id = 0\n-shmem base_addr = 0x00007f3000000000\n"
             "-local mem base_addr = 0x00007f2000000000\n-nvbit version = none\n"
             "-accelsim tracer version = 3\n\n#traces format = PC mask ...\n\n#BEGIN_TB\n\n"
             "thread block = 0,0,0\n\nwarp = 0\ninsts = "
          << loads[k - 1] + 1 << '\n';
      // Each load needs the register that the load before writes.
      for (unsigned i = 0; i < loads[k - 1]; ++i)
        out << "00" << i << "0 ffffffff 1 R4 LDG.E.SYS 1 R4 4 1 0x7f0000001000 4\n";
      out << "0ff0 ffffffff 0 EXIT 0 0\n\n#END_TB\n";
    }
  }
  ~LoadTrace() { std::filesystem::remove_all(folder_); }
  TraceProgram open() const { return open_trace(folder_); }

 private:
  std::filesystem::path folder_;
};

}  // namespace

TEST_CASE("L1s start every kernel empty, the L2 does not") {
  const LoadTrace trace({3, 2, 1});
  PlatformParameters p = shipped("rtx2060_third/baseline");
  p.gpu.sms = 1;
  p.memory.kind.as<HierarchyChoice>().parameters.l2.slices = 1;
  p.memory.kind.as<HierarchyChoice>().parameters.dram.channels = 1;
  Gpu gpu("gpu", p);
  gpu.run(trace.open());
  sc_core::sc_start();
  CHECK(gpu.leftovers() == std::vector<std::string>{});
  const L1Cache::Counters& l1 = dynamic_cast<MemorySystem&>(*gpu.memory).l1[0].counters();
  CHECK(l1.invalidations == 3);
  CHECK(l1.reads == 6);
  CHECK(l1.line_misses == 3);  // the first load of each kernel
  CHECK(l1.hits == 3);
  const L2Slice::Counters& l2 = dynamic_cast<MemorySystem&>(*gpu.memory).l2[0].counters();
  CHECK(l2.reads == 3);
  CHECK(l2.line_misses == 1);  // the first load of all
  CHECK(l2.hits == 2);
}

}  // namespace platform_test
