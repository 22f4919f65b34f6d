// Every socket of ours that other people's modules bind, through a bus that takes TLM-2.0's own socket types.
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <type_traits>

#include <catch2/catch.hpp>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/modules/register_bank/bank_bridge.h"
#include "subcore/observers/structure.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"
#include "tests/cosim/rig.h"
#include "tests/module/register_master.h"
#include "tests/unit/trace_files.h"

namespace standard_socket_test {

using namespace subcore;
using namespace subcore::test;
namespace reg = subcore::launch_register;

namespace {

template <class Socket>
constexpr bool is_target = std::is_convertible_v<Socket&, tlm::tlm_target_socket<>&>;
template <class Socket>
constexpr bool is_initiator = std::is_convertible_v<Socket&, tlm::tlm_initiator_socket<>&>;

static_assert(is_target<std::remove_reference_t<decltype(std::declval<Gpu&>().control_socket())>>);
static_assert(
    is_target<std::remove_reference_t<decltype(std::declval<StreamingMultiprocessor&>().control_socket())>>);
static_assert(is_target<std::remove_pointer_t<decltype(std::declval<Memory&>().host_socket(0))>>);
static_assert(is_target<std::remove_pointer_t<decltype(std::declval<Memory&>().control_socket(0))>>);
static_assert(is_target<decltype(L1Cache::memory_socket)> && is_target<decltype(L1Cache::control_socket)>);
static_assert(is_target<decltype(SimpleMemory::memory_socket)>);
static_assert(is_target<decltype(AtToLt::at_socket)> && is_target<decltype(AddressRouter::target_socket)>);
static_assert(is_initiator<
              std::remove_reference_t<decltype(std::declval<StreamingMultiprocessor&>().memory_socket())>>);
static_assert(is_initiator<std::remove_pointer_t<decltype(std::declval<Memory&>().dram_socket(0))>>);
static_assert(is_initiator<decltype(L1Cache::interconnect_socket)>);
static_assert(is_initiator<decltype(AtToLt::lt_socket)> && is_initiator<decltype(BankBridge::memory_socket)>);
static_assert(is_initiator<AddressRouter::Exit>);
static_assert(is_initiator<
              std::remove_reference_t<decltype(std::declval<KernelDispatcher&>().cache_control_socket[0])>>);
static_assert(
    is_initiator<std::remove_reference_t<decltype(std::declval<SthldController&>().control_socket[0])>>);

// A bus that is bound as public ones are, by references to TLM-2.0's sockets, and that adds no time.
class Bus : public sc_core::sc_module {
 public:
  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name) {
    in_.register_b_transport(this, &Bus::b_transport);
    in_.register_nb_transport_fw(this, &Bus::forward);
    in_.register_transport_dbg(this, &Bus::debug);
    out_.register_nb_transport_bw(this, &Bus::backward);
  }
  void memmap(tlm::tlm_target_socket<>& target, std::uint64_t base, std::uint64_t size) {
    out_.bind(target);
    ranges_.push_back({base, size});
  }
  void master(tlm::tlm_initiator_socket<>& initiator) { initiator.bind(in_); }
  unsigned requests = 0;

 private:
  struct Range {
    std::uint64_t base, size;
  };
  int route(Payload& t) {
    for (std::size_t n = 0; n < ranges_.size(); ++n) {
      if (t.get_address() - ranges_[n].base >= ranges_[n].size) continue;
      t.set_address(t.get_address() - ranges_[n].base);
      return static_cast<int>(n);
    }
    throw std::runtime_error("no target at " + std::to_string(t.get_address()));
  }
  void b_transport(int, Payload& t, sc_core::sc_time& delay) {
    ++requests;
    const std::uint64_t address = t.get_address();
    out_[route(t)]->b_transport(t, delay);
    t.set_address(address);
  }
  unsigned debug(int, Payload& t) { return out_[route(t)]->transport_dbg(t); }
  tlm::tlm_sync_enum forward(int from, Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return out_[ways_.at(&t).to]->nb_transport_fw(t, phase, delay);
    ++requests;
    const int to = route(t);
    ways_[&t] = {from, to};
    return out_[to]->nb_transport_fw(t, phase, delay);
  }
  tlm::tlm_sync_enum backward(int, Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return in_[ways_.at(&t).from]->nb_transport_bw(t, phase, delay);
  }
  struct Way {
    int from, to;
  };
  std::vector<Range> ranges_;
  std::map<const Payload*, Way> ways_;
  tlm_utils::multi_passthrough_target_socket<Bus> in_{"in"};
  tlm_utils::multi_passthrough_initiator_socket<Bus> out_{"out"};
};

constexpr std::uint64_t gpu_registers = 0xf000000000000000, sm_registers = 0xf000000000001000;

// Launches the first kernel by the GPU's registers, and reads its end.
class Host : public RegisterMaster {
 public:
  explicit Host(const sc_core::sc_module_name& name) : RegisterMaster(name) {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  std::uint64_t launches = 0, of_gpu = 0, of_sm = 0;

 private:
  void run() {
    write(gpu_registers + reg::kernel, 0);
    write(gpu_registers + reg::doorbell, 1);
    do wait(100, sc_core::SC_NS);
    while (read(gpu_registers + reg::status) != 0);
    launches = read(gpu_registers + reg::finished);
    of_gpu = read(gpu_registers + reg::instructions_retired);
    of_sm = read(sm_registers + control_register::instructions_retired);
  }
};

TraceProgram one_kernel() {
  TraceProgram all = open_trace(project_traces() / "vectoradd");
  all.kernels.resize(1);
  return all;
}

bool has_socket_end(const sc_core::sc_object& object) {
  if (dynamic_cast<const SocketEnd*>(&object) != nullptr) return true;
  for (const sc_core::sc_object* child : object.get_child_objects())
    if (has_socket_end(*child)) return true;
  return false;
}

}  // namespace

TEST_CASE("a bus of TLM-2.0's own socket types connects host, SM, registers and memory") {
  PlatformParameters p = baseline();
  p.memory.kind = "external";
  Gpu gpu("gpu", p);
  SimpleMemory memory("memory", {}, cycles(1));
  Bus bus("bus");
  Host host("host");
  bus.memmap(memory.memory_socket, 0, std::uint64_t{1} << 60);
  bus.memmap(gpu.control_socket(), gpu_registers, reg::size);
  bus.memmap(gpu.sms[0].control_socket(), sm_registers, control_register::size);
  bus.master(gpu.sms[0].memory_socket());
  bus.master(host.socket);
  gpu.load(one_kernel());
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  CHECK(host.launches == 1);
  CHECK(host.of_gpu > 1000);
  CHECK(host.of_sm == host.of_gpu);
  CHECK(bus.requests > 100);
  CHECK(gpu.leftovers() == std::vector<std::string>{});
  CHECK(gpu.control_socket().is_bound());
  CHECK(gpu.sms[0].control_socket().is_bound());
}

TEST_CASE("sockets that nobody binds are ended before the end of elaboration, and are no part of a picture") {
  PlatformParameters p = baseline();
  Gpu gpu("gpu", p);
  gpu.run(one_kernel());
  CHECK_FALSE(has_socket_end(gpu));
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  CHECK(gpu.finished());
  CHECK(has_socket_end(gpu));
  CHECK_FALSE(gpu.control_socket().is_bound());
  CHECK_FALSE(gpu.sms[0].control_socket().is_bound());
  CHECK_FALSE(gpu.driver.kernel_dispatcher.cache_control_socket[0].is_bound());
  for (const auto& module : structure_of(gpu).modules) CHECK(module.name.find("_end") == std::string::npos);
}

TEST_CASE("a module of somebody else's may bind in before_end_of_elaboration, however late it was made") {
  struct Late : RegisterMaster {
    Late(const sc_core::sc_module_name& name, Gpu& g) : RegisterMaster(name), gpu(g) {}
    void before_end_of_elaboration() override { socket.bind(gpu.control_socket()); }
    Gpu& gpu;
  };
  PlatformParameters p = baseline();
  Gpu gpu("gpu", p);
  Late late("late", gpu);
  gpu.load(one_kernel());
  sc_core::sc_start(cycles(1));
  CHECK(gpu.control_socket().is_bound());
  CHECK_FALSE(gpu.sms[0].control_socket().is_bound());
  CHECK(late.read(reg::kernels) == 1);
}

}  // namespace standard_socket_test
