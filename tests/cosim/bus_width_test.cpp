// Sockets of other people, of 32, 64 and 128 bits, bound to ours from either side.
#include <memory>

#include <catch2/catch.hpp>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/modules/memory/address_router.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/rig.h"

namespace bus_width_test {

using namespace subcore;
using namespace subcore::test;

namespace {

PlatformParameters wide(BusWidth width) {
  PlatformParameters p = baseline();
  p.load_store.initiator.bus_width = width;
  return p;
}

void run_strict(unsigned bus_width, BusWidth parameter) {
  std::vector<Program> programs;
  for (unsigned s = 0; s < 6; ++s) programs.push_back(memory_program(s));
  std::vector<std::unique_ptr<Rig>> rigs;
  for (unsigned seed = 0; seed < 6; ++seed) {
    CheckingTarget::Rules rules;
    rules.seed = seed;
    rules.bus_width = bus_width;
    rules.wants_end_response = seed % 2 == 0;
    PlatformParameters p = wide(parameter);
    if (rules.wants_end_response) p.load_store.initiator.end_resp = EndResponse::call;
    rigs.push_back(std::make_unique<Rig>(("rig_" + std::to_string(seed)).c_str(), p, programs[seed], rules));
    CHECK(rigs.back()->sm.memory_socket().get_bus_width() == bus_width);
  }
  run_cycles(100000);
  for (auto& r : rigs) check_ended_well(*r);
}

// Answers at once, through any of tlm_utils' sockets.
template <class Socket>
struct AnyTarget : sc_core::sc_module {
  Socket socket;
  unsigned requests = 0;
  explicit AnyTarget(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}
  tlm::tlm_sync_enum answer(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    ++requests;
    CHECK(phase == tlm::BEGIN_REQ);
    delay += cycles(20);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  tlm::tlm_sync_enum answer_tagged(int, tlm::tlm_generic_payload& t, tlm::tlm_phase& p, sc_core::sc_time& d) {
    return answer(t, p, d);
  }
};
template <unsigned Width>
using Simple = AnyTarget<tlm_utils::simple_target_socket<sc_core::sc_module, Width>>;

struct Sm : sc_core::sc_module {
  Sm(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program)
      : sc_module(name),
        conductor("conductor", cycles(1), TickOrder::pipeline, 1),
        feeder("feeder", program, 1),
        sm("sm", 0, p) {
    conductor.add(feeder);
    feeder.cta_socket.bind(sm.cta_socket());
  }
  Conductor conductor;
  Feeder feeder;
  StreamingMultiprocessor sm;
};

}  // namespace

TEST_CASE("bus width: every legal target behaviour on a bus of 64 bits") {
  run_strict(64, BusWidth::bits_64);
}
TEST_CASE("bus width: every legal target behaviour on a bus of 128 bits") {
  run_strict(128, BusWidth::bits_128);
}

namespace {

template <class Module>
struct Around : sc_core::sc_module {
  tlm::tlm_initiator_socket<64> out{"out"};
  Module inner;
  explicit Around(const sc_core::sc_module_name& name, const PlatformParameters& p, const Program& program)
      : sc_module(name), inner("inner", p, program) {
    inner.sm.memory_socket().bind(out);
  }
};

}  // namespace

TEST_CASE("bus width: sockets of every kind, from either side, and hierarchically") {
  const Program program = memory_program(2);
  using Module = sc_core::sc_module;
  AnyTarget<tlm_utils::multi_passthrough_target_socket<Module, 64>> multi("multi");
  AnyTarget<tlm_utils::passthrough_target_socket<Module, 128>> pass("pass");
  struct Receiver : AnyTarget<tlm_utils::simple_target_socket<Receiver, 64>> {
    explicit Receiver(const sc_core::sc_module_name& name) : AnyTarget(name) {
      socket.register_nb_transport_fw(this, &Receiver::answer);
    }
  } simple("simple"), reversed("reversed"), hierarchical("hierarchical");
  multi.socket.register_nb_transport_fw(
      &multi,
      static_cast<tlm::tlm_sync_enum (Module::*)(int, tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                                 sc_core::sc_time&)>(&decltype(multi)::answer_tagged));
  pass.socket.register_nb_transport_fw(
      &pass, static_cast<tlm::tlm_sync_enum (Module::*)(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                                        sc_core::sc_time&)>(&decltype(pass)::answer));
  Sm a("a", wide(BusWidth::bits_64), program), b("b", wide(BusWidth::bits_64), program),
      c("c", wide(BusWidth::bits_128), program), d("d", wide(BusWidth::bits_64), program),
      e("e", wide(BusWidth::bits_64), program), f("f", wide(BusWidth::bits_128), program);
  Around<Sm> g("g", wide(BusWidth::bits_64), program);
  a.sm.memory_socket().bind(multi.socket);
  b.sm.memory_socket().bind(multi.socket);  // two initiators of one socket
  c.sm.memory_socket()(pass.socket);
  d.sm.memory_socket().bind(simple.socket);
  reversed.socket.bind(e.sm.memory_socket());
  g.out.bind(hierarchical.socket);
  // Our sockets take any width.
  SimpleMemory ours("ours", {}, cycles(1));
  f.sm.memory_socket().bind(ours.memory_socket);
  run_cycles(100000);
  for (Sm* sm : {&a, &b, &c, &d, &e, &f, &g.inner}) {
    INFO(sm->name());
    CHECK(sm->feeder.finished());
    CHECK(sm->sm.leftovers() == std::vector<std::string>{});
  }
  CHECK(multi.requests == 2 * simple.requests);
  for (const unsigned n : {pass.requests, reversed.requests, hierarchical.requests})
    CHECK(n == simple.requests);
  CHECK(simple.requests > 50);
}

TEST_CASE("bus width: hosts of any width in front of our targets") {
  struct Host : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Host, 64> simple{"simple"};
    tlm_utils::simple_initiator_socket<Host, 128> reversed{"reversed"};
    tlm_utils::multi_passthrough_initiator_socket<Host, 64> multi{"multi"};
    tlm::tlm_initiator_socket<256> widest{"widest"};
    struct Back : tlm::tlm_bw_transport_if<> {
      tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                         sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
      }
      void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    } back;
    explicit Host(const sc_core::sc_module_name& name) : sc_module(name) { widest.bind(back); }
  } host("host");
  std::vector<std::unique_ptr<SimpleMemory>> memories;
  for (const char* n : {"first", "second", "third", "fourth", "fifth"})
    memories.push_back(std::make_unique<SimpleMemory>(n, SimpleMemoryParameters{}, cycles(1)));
  host.simple.bind(memories[0]->memory_socket);
  memories[1]->memory_socket.bind(host.reversed);
  host.multi.bind(memories[2]->memory_socket);
  host.multi.bind(memories[3]->memory_socket);
  memories[4]->memory_socket.bind(host.widest);
  run_cycles(1);
  const auto read = [](auto& socket) {
    tlm::tlm_generic_payload t;
    t.set_read();
    t.set_data_length(32);
    sc_core::sc_time delay = cycles(3);
    socket->b_transport(t, delay);
    CHECK(t.is_response_ok());
    CHECK(delay > cycles(3));
  };
  read(host.simple);
  read(host.reversed);
  read(host.widest);
  for (int n = 0; n < 2; ++n) {
    tlm::tlm_generic_payload t;
    t.set_read();
    t.set_data_length(32);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    host.multi[n]->b_transport(t, delay);
    CHECK(t.is_response_ok());
  }
}

TEST_CASE("bus width: another one than was set is refused in a line that says what to set") {
  const auto bind = [](const auto& work) {
    return in_child([&] {
      work();
      return std::string("no error");
    });
  };
  const Program program = memory_program(1);
  const std::string refused = bind([&] {
    Sm sm("sm", wide(BusWidth::bits_32), program);
    AnyTarget<tlm_utils::simple_target_socket<sc_core::sc_module, 64>> target("target");
    sm.sm.memory_socket().bind(target.socket);
  });
  CHECK_THAT(refused,
             Catch::Contains("/subcore/binding") &&
                 Catch::Contains("sm.sm.load_store_unit.memory_socket: load_store.bus_width is 32 bits, but "
                                 "target.socket has a bus of 64; set load_store.bus_width to that"));
  const std::string narrow = bind([&] {
    Sm sm("sm", wide(BusWidth::bits_128), program);
    AnyTarget<tlm_utils::simple_target_socket<sc_core::sc_module>> target("target");
    sm.sm.memory_socket().bind(target.socket);
  });
  CHECK_THAT(narrow, Catch::Contains("load_store.bus_width is 128 bits, but target.socket has a bus of 32"));
  const std::string around = bind([&] {
    Sm sm("sm", wide(BusWidth::bits_32), program);
    struct Shell : sc_core::sc_module {
      tlm::tlm_initiator_socket<64> out{"out"};
      explicit Shell(const sc_core::sc_module_name& name) : sc_module(name) {}
    } shell("shell");
    sm.sm.memory_socket().bind(shell.out);
  });
  CHECK_THAT(around, Catch::Contains("load_store.bus_width is 32 bits, but shell.out has a bus of 64"));
  const std::string l1_and_l2 = bind([&] {
    HierarchyParameters p;
    p.l1.initiator.bus_width = BusWidth::bits_64;
    p.dram.kind = DramKind::external;
    Conductor conductor("conductor", cycles(1), TickOrder::pipeline, 1);
    L1Cache l1("l1", p, conductor);
    MemorySystem system("memory_system", p, {1, 1.0, TickOrder::pipeline, 1});
    AnyTarget<tlm_utils::simple_target_socket<sc_core::sc_module, 64>> wide("wide");
    l1.interconnect_socket.bind(wide.socket);
    system.dram_socket(0)->bind(wide.socket);
  });
  CHECK_THAT(l1_and_l2, Catch::Contains("memory_system.l2_0.dram_socket: memory.l2.bus_width is 32 bits, but "
                                        "wide.socket has a bus of 64"));
  // The sockets of a router, and of other bridges, take any width.
  CHECK(bind([&] {
          AddressRouter router("router", {{0, 0}});
          AnyTarget<tlm_utils::simple_target_socket<sc_core::sc_module, 128>> wide("wide");
          router.initiator_socket[0].bind(wide.socket);
          if (router.initiator_socket[0].get_bus_width() != 128) throw std::runtime_error("not 128");
        }) == "no error");
}

TEST_CASE("a host port that is not bound is named, and so is one that is not there") {
  const std::string text = in_child([] {
    HierarchyParameters h;
    h.interconnect.host_ports = 2;
    PlatformParameters p;
    p.memory.kind = "hierarchy";
    p.memory.kind.as<HierarchyChoice>().parameters = h;
    Gpu gpu("gpu", p);
    if (gpu.memory->host_socket(2) != nullptr || gpu.memory->host_socket(1) == nullptr)
      return std::string("?");
    sc_core::sc_start(cycles(1));
    return std::string("no error");
  });
  CHECK_THAT(text,
             Catch::Contains("gpu.memory_system.interconnect.host_socket_") && Catch::Contains("not bound"));
}

}  // namespace bus_width_test
