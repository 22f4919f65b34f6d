// A controller of the user's on the SM's control port. Every 500 ns the controller reads the counters and
// writes a waiting threshold (STHLD) of its own choice.
#include <cstdint>
#include <cstring>
#include <iostream>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/control_registers/control_registers.h"
#include "subcore/modules/memory/simple_memory.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/memory/simple.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/platforms/trace_driver.h"

namespace {

namespace reg = subcore::control_register;

class Controller : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Controller> socket;
  unsigned decisions = 0;
  bool sound = true;  // counters never fall, and STHLD reads as written

  Controller(const sc_core::sc_module_name& name, const subcore::TraceDriver& driver)
      : sc_module(name), socket("socket"), driver_(driver) {
    SC_HAS_PROCESS(Controller);
    SC_THREAD(control);
  }
  std::uint64_t read(std::uint64_t address) { return access(tlm::TLM_READ_COMMAND, address, 0); }

 private:
  void control() {
    const sc_core::sc_time interval(500, sc_core::SC_NS), half_a_cycle(0.5, sc_core::SC_NS);
    wait(half_a_cycle);  // so that no SM is in the middle of a cycle at a look
    std::uint64_t sthld = 0, seen = 0;
    while (true) {
      wait(interval, driver_.finish_event());
      if (driver_.finished()) return;
      const std::uint64_t retired = read(reg::instructions_retired), operands = read(reg::source_operands),
                          hits = read(reg::cache_read_hits);
      sound = sound && retired >= seen && hits <= operands && read(reg::sthld) == sthld;
      seen = retired;
      // As long as caches give fewer than half of the operands, warps wait longer for them.
      sthld = 2 * hits < operands ? sthld + 1 : 0;
      access(tlm::TLM_WRITE_COMMAND, reg::sthld, sthld);
      ++decisions;
    }
  }
  std::uint64_t access(tlm::tlm_command command, std::uint64_t address, std::uint64_t value) {
    unsigned char data[8];
    std::memcpy(data, &value, 8);
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(data);
    t.set_data_length(8);
    t.set_streaming_width(8);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(t, delay);
    sound = sound && t.is_response_ok();
    std::memcpy(&value, data, 8);
    return value;
  }

  const subcore::TraceDriver& driver_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: user_controller TRACE_FOLDER\n";
    return 2;
  }
  // The platform's threshold is adaptive and needs a controller on the control socket, which this program is.
  const subcore::PlatformParameters p = subcore::load_platform(subcore::find_platform("malekeh"));

  subcore::StreamingMultiprocessor sm("sm", 0, p);
  subcore::SimpleMemory memory("memory", p.memory.kind.as<subcore::SimpleMemoryChoice>().parameters,
                               subcore::clock_period(p.clock_period_ns));
  sm.memory_socket().bind(memory.memory_socket);
  subcore::TraceDriver driver("driver", p, {&sm});
  Controller controller("controller", driver);
  controller.socket.bind(sm.control_socket());
  driver.run(subcore::open_trace(argv[1]));
  sc_core::sc_start();  // until nothing is left to do

  std::cout << "user_controller: " << controller.decisions << " decisions, " << driver.instructions_retired()
            << " instructions in " << driver.finish_cycle() << " cycles, "
            << controller.read(reg::cache_read_hits) << " of " << controller.read(reg::source_operands)
            << " operands from the caches\n";
  return driver.finished() && driver.leftovers().empty() && controller.decisions > 0 && controller.sound &&
                 controller.read(reg::instructions_retired) == driver.instructions_retired()
             ? 0
             : 1;
}
