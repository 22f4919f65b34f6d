// The registers by which a host launches kernels, between a master and the end of their launch socket.
#include <sstream>

#include <catch2/catch.hpp>

#include "subcore/modules/launch_registers/launch_registers.h"
#include "tests/module/kit.h"
#include "tests/module/register_master.h"

namespace launch_test {

using namespace subcore;
using namespace subcore::test;
namespace reg = subcore::launch_register;

namespace {

// Three kernels to launch. Each ends ten cycles after it could begin, unless the test says otherwise.
struct LaunchBench : Stage {
  explicit LaunchBench(const sc_core::sc_module_name& name)
      : Stage(name),
        launch("launch",
               {[this] { return kernels; }, [] { return std::uint64_t{1000}; },
                [] { return std::uint64_t{2000}; }, [] { return std::uint64_t{500}; },
                [this] { return under_way; }},
               conductor),
        dispatcher("dispatcher"),
        master("master"),
        interrupt("interrupt") {
    master.socket.bind(launch.control_socket);
    launch.launch_socket.bind(dispatcher.in);
    launch.interrupt(interrupt);
  }
  // Ends a kernel in the current cycle.
  void end_kernel() {
    KernelTransfer t{conductor.now() + 1, 0, KernelTransfer::Kind::ended};
    dispatcher.in.status(t);
  }
  std::uint64_t kernels = 3;
  bool under_way = false;
  LaunchRegisters launch;
  Sink<KernelTransfer> dispatcher;
  RegisterMaster master;
  sc_core::sc_signal<bool> interrupt;
};
constexpr auto ok = tlm::TLM_OK_RESPONSE;

}  // namespace

TEST_CASE("every launch register") {
  LaunchBench b("bench");
  run_cycles(25);
  CHECK(b.master.read(reg::kernels) == 3);
  CHECK(b.master.read(reg::kernel) == 0);
  CHECK(b.master.write(reg::kernel, 2) == ok);
  CHECK(b.master.read(reg::kernel) == 2);
  CHECK(b.master.read(reg::status) == 0);
  CHECK(b.master.write(reg::doorbell, 0) == ok);
  CHECK(b.master.write(reg::kernel, 1) == ok);
  CHECK(b.master.write(reg::doorbell, 77) == ok);
  REQUIRE(b.dispatcher.seen.size() == 2);
  CHECK(b.dispatcher.stamps() == std::vector<Cycle>{26, 26});
  CHECK(b.dispatcher.seen[0].kernel == 2);
  CHECK(b.dispatcher.seen[1].kernel == 1);
  CHECK(b.master.read(reg::launched) == 2);
  CHECK(b.master.read(reg::status) == launch_status::busy);
  CHECK_FALSE(b.launch.drained());
  std::ostringstream waiting;
  b.launch.report_waiting(waiting);
  CHECK(waiting.str() == "bench.launch: 2 of 2 kernels launched have not ended\n");
  run_cycles(10);
  b.end_kernel();
  CHECK(b.master.read(reg::finished) == 0);
  run_cycles(1);
  CHECK(b.master.read(reg::finished) == 0);  // sc_start() ends before the events of its last moment
  run_cycles(1);
  CHECK(b.master.read(reg::finished) == 1);
  CHECK(b.master.read(reg::finish_cycle) == 35);
  CHECK(b.master.read(reg::interrupt_status) == launch_interrupt::kernel_ended);
  b.under_way = true;
  CHECK(b.master.read(reg::status) == (launch_status::busy | launch_status::under_way));
  b.end_kernel();
  run_cycles(2);
  CHECK(b.master.read(reg::finished) == 2);
  CHECK(b.master.read(reg::finish_cycle) == 37);
  CHECK(b.master.read(reg::interrupt_status) == launch_interrupt::all);
  CHECK(b.master.read(reg::status) == launch_status::under_way);
  CHECK(b.launch.drained());
  CHECK(b.master.read(reg::cycle) == 39);
  CHECK(b.master.read(reg::instructions_retired) == 1000);
  CHECK(b.master.read(reg::source_operands) == 2000);
  CHECK(b.master.read(reg::cache_read_hits) == 500);
  b.launch.energy_from([] { return 12.3456; });
  CHECK(b.master.read(reg::energy) == 12346);
}

TEST_CASE("the interrupt is high while an enabled bit of its status is set") {
  LaunchBench b("bench");
  run_cycles(5);
  CHECK(b.master.write(reg::doorbell, 1) == ok);
  CHECK(b.master.write(reg::doorbell, 1) == ok);
  b.end_kernel();
  run_cycles(2);
  CHECK_FALSE(b.interrupt.read());  // nothing is enabled
  CHECK(b.master.write(reg::interrupt_enable, launch_interrupt::all_ended) == ok);
  CHECK(b.master.read(reg::interrupt_enable) == launch_interrupt::all_ended);
  // A kernel's end is yet to come when the status is written.
  b.end_kernel();
  CHECK(b.master.write(reg::interrupt_status, launch_interrupt::kernel_ended) == ok);
  CHECK(b.master.read(reg::interrupt_status) == 0);
  sc_core::sc_start(cycles(0.5));
  CHECK_FALSE(b.interrupt.read());
  run_cycles(1);
  CHECK(b.interrupt.read());
  CHECK(b.master.write(reg::interrupt_status, launch_interrupt::kernel_ended) == ok);
  run_cycles(1);
  CHECK(b.interrupt.read());
  CHECK(b.master.write(reg::interrupt_status, launch_interrupt::all_ended) == ok);
  run_cycles(1);
  CHECK_FALSE(b.interrupt.read());
  CHECK(b.master.write(reg::doorbell, 1) == ok);
  b.end_kernel();
  run_cycles(2);
  CHECK(b.interrupt.read());
  CHECK(b.master.write(reg::interrupt_enable, 0) == ok);
  run_cycles(1);
  CHECK_FALSE(b.interrupt.read());
}

TEST_CASE("a launch that cannot be says why and changes nothing") {
  LaunchBench b("bench");
  run_cycles(5);
  const auto command_error = tlm::TLM_COMMAND_ERROR_RESPONSE, address_error = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  CHECK(b.master.write(reg::kernel, 3) == address_error);
  CHECK(b.master.write(reg::kernel, ~std::uint64_t{0}) == address_error);
  CHECK(b.master.read(reg::kernel) == 0);
  CHECK(b.master.write(reg::interrupt_enable, 4) == command_error);
  CHECK(b.master.read(reg::interrupt_enable) == 0);
  for (const auto offset :
       {reg::kernels, reg::launched, reg::finished, reg::status, reg::finish_cycle, reg::cycle,
        reg::instructions_retired, reg::source_operands, reg::cache_read_hits, reg::energy}) {
    INFO("register " << offset);
    CHECK(b.master.write(offset, 1) == command_error);
  }
  std::uint64_t value = 77;
  CHECK(b.master.access(tlm::TLM_READ_COMMAND, reg::doorbell, value) == command_error);
  CHECK(b.master.access(tlm::TLM_READ_COMMAND, reg::energy, value) == command_error);  // no energy is counted
  CHECK(b.master.access(tlm::TLM_READ_COMMAND, reg::size, value) == address_error);
  CHECK(b.master.access(tlm::TLM_WRITE_COMMAND, reg::doorbell, value, 4) == tlm::TLM_BURST_ERROR_RESPONSE);
  CHECK(b.master.debug(tlm::TLM_WRITE_COMMAND, reg::doorbell, value) == 0);
  CHECK(value == 77);
  CHECK(b.master.debug(tlm::TLM_READ_COMMAND, reg::kernels, value) == 8);
  CHECK(value == 3);
  b.kernels = 0;
  CHECK(b.master.write(reg::doorbell, 1) == address_error);
  CHECK(b.dispatcher.seen.empty());
  CHECK(b.master.read(reg::launched) == 0);
}

}  // namespace launch_test
