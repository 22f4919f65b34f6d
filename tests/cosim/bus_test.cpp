// A GPU behind a bus as public ones are: a router that knows b_transport and the debug transport. The bus
// takes references to TLM-2.0's sockets. docs/integrating.md shows how this platform is put together.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "tests/cosim/plain_memory.h"
#include "tests/cosim/rig.h"
#include "tests/module/register_master.h"
#include "tests/unit/trace_files.h"

namespace bus_test {

using namespace subcore;
using namespace subcore::test;
namespace reg = subcore::launch_register;

namespace {

// Targets see addresses from 0 on. The bus adds no time.
class Bus : public sc_core::sc_module {
 public:
  using Target = tlm_utils::simple_target_socket_tagged<Bus>;
  sc_core::sc_vector<Target> target_socket;  // a socket for each master
  std::vector<unsigned> requests;            // of each master

  Bus(const sc_core::sc_module_name& name, unsigned masters)
      : sc_module(name), target_socket("target_socket", masters), requests(masters) {
    for (unsigned n = 0; n < masters; ++n) {
      target_socket[n].register_b_transport(this, &Bus::b_transport, static_cast<int>(n));
      target_socket[n].register_transport_dbg(this, &Bus::transport_dbg, static_cast<int>(n));
    }
  }
  void memmap(tlm::tlm_target_socket<>& target, std::uint64_t base, std::uint64_t size) {
    initiator_socket_.bind(target);
    ranges_.push_back({base, size});
  }

 private:
  struct Range {
    std::uint64_t base, size;
  };
  // Makes the access at the target of its address, which is the initiator's again afterwards.
  template <class Access>
  void route(Payload& t, Access access) {
    const std::uint64_t address = t.get_address();
    for (unsigned n = 0; n < ranges_.size(); ++n) {
      if (address - ranges_[n].base >= ranges_[n].size) continue;
      t.set_address(address - ranges_[n].base);
      access(*initiator_socket_[static_cast<int>(n)]);
      t.set_address(address);
      return;
    }
    t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  void b_transport(int master, Payload& t, sc_core::sc_time& delay) {
    ++requests[static_cast<unsigned>(master)];
    route(t, [&](auto& target) { target.b_transport(t, delay); });
  }
  unsigned transport_dbg(int, Payload& t) {
    unsigned moved = 0;
    route(t, [&](auto& target) { moved = target.transport_dbg(t); });
    return moved;
  }
  tlm_utils::multi_passthrough_initiator_socket<Bus> initiator_socket_{"initiator_socket"};
  std::vector<Range> ranges_;
};

constexpr std::uint64_t memory_size = std::uint64_t{1} << 48;
constexpr std::uint64_t window = 0x8000000000000000;  // the memory again, past the GPU's L2
constexpr std::uint64_t gpu_registers = 0xf000000000000000, sm_registers = 0xf000000000001000;

// Writes data, launches a kernel, waits for its end and reads what it took.
class Host : public RegisterMaster {
 public:
  sc_core::sc_in<bool> interrupt;
  explicit Host(const sc_core::sc_module_name& name) : RegisterMaster(name), interrupt("interrupt") {
    SC_HAS_PROCESS(Host);
    SC_THREAD(run);
  }
  std::uint64_t data = 0, launches = 0, of_gpu = 0, of_sm = 0;
  std::vector<tlm::tlm_response_status> answers;

 private:
  void run() {
    answers.push_back(write(window + 0x2000, 0x1122334455667788));
    data = read(window + 0x2000);
    answers.push_back(write(gpu_registers + reg::kernel, 0));
    answers.push_back(write(gpu_registers + reg::interrupt_enable, launch_interrupt::all_ended));
    answers.push_back(write(gpu_registers + reg::doorbell, 1));
    wait(interrupt.posedge_event());
    answers.push_back(write(gpu_registers + reg::interrupt_status, launch_interrupt::all));
    launches = read(gpu_registers + reg::finished);
    of_gpu = read(gpu_registers + reg::instructions_retired);
    of_sm = read(sm_registers + control_register::instructions_retired);
    answers.push_back(write(gpu_registers + reg::size, 0));  // where nothing is
  }
};

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(std::string(SUBCORE_SOURCE_DIR) + "/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    lines.push_back(begin == std::string::npos ? "" : line.substr(begin));
  }
  return lines;
}

}  // namespace

TEST_CASE("a host behind a bus writes data, launches a kernel, and is told of its end") {
  TraceProgram trace = open_trace(project_traces() / "vectoradd");
  trace.kernels.resize(1);

  const PlatformParameters parameters = load_platform(
      find_platform("rtx2060_third/baseline"),
      {"gpu.sms=1", "memory.dram.kind=external", "memory.l2.slices=1", "memory.interconnect.host_ports=1"});
  Gpu gpu("gpu", parameters);
  Host host("host");
  PlainMemory memory("memory");
  AtToLt dram("dram", 16);  // the bus knows no AT: up to 16 accesses of the GPU's are on it at once
  Bus bus("bus", 2);
  host.socket.bind(bus.target_socket[0]);
  gpu.memory->dram_socket(0)->bind(dram.at_socket);
  dram.lt_socket.bind(bus.target_socket[1]);
  bus.memmap(memory.socket, 0, memory_size);
  bus.memmap(*gpu.memory->host_socket(0), window, memory_size);
  bus.memmap(gpu.control_socket(), gpu_registers, launch_register::size);
  bus.memmap(gpu.sms[0].control_socket(), sm_registers, control_register::size);
  sc_core::sc_signal<bool> line("line");
  gpu.interrupt()(line);
  host.interrupt(line);
  gpu.driver.watch(dram);
  gpu.load(trace);

  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  CHECK(host.data == 0x1122334455667788);
  CHECK(memory.bytes[0x2000] == 0x88);
  CHECK(memory.bytes[0x2007] == 0x11);
  std::uint64_t seen = 0;
  CHECK(host.debug(tlm::TLM_READ_COMMAND, window + 0x2000, seen) == 8);
  CHECK(seen == host.data);
  CHECK(host.debug(tlm::TLM_READ_COMMAND, gpu_registers + reg::finished, seen) == 8);
  CHECK(seen == 1);
  CHECK(host.launches == 1);
  CHECK(host.of_gpu > 1000);
  CHECK(host.of_sm == host.of_gpu);
  std::vector<tlm::tlm_response_status> expected(6, tlm::TLM_OK_RESPONSE);
  expected.back() = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  CHECK(host.answers == expected);
  CHECK(bus.requests[0] == 10);
  CHECK(bus.requests[1] > 100);
  CHECK(gpu.leftovers() == std::vector<std::string>{});
}

TEST_CASE("the manual's platform behind a bus is the one above") {
  const auto manual = lines_of("docs/integrating.md"), here = lines_of("tests/cosim/bus_test.cpp");
  auto line = std::find(manual.begin(), manual.end(), "## Behind a bus");
  line = std::find(line, manual.end(), "```cpp");
  REQUIRE(line != manual.end());
  unsigned lines = 0;
  auto at = std::find(here.begin(), here.end(), "trace.kernels.resize(1);");
  for (++line; line != manual.end() && *line != "```"; ++line) {
    if (line->empty() || line->rfind("#include", 0) == 0 || line->rfind("using", 0) == 0) continue;
    INFO(*line);
    at = std::find(at, here.end(), *line);
    REQUIRE(at != here.end());
    ++lines;
  }
  CHECK(lines > 12);
}

}  // namespace bus_test
