// One SM on memories of the user's that have only b_transport. There are two of them, told apart by address:
// one annotates its delay, and one calls wait().
#include <cstdint>
#include <iostream>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/memory/address_router.h"
#include "subcore/modules/memory/at_to_lt.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/platforms/trace_driver.h"

namespace {

class LtMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<LtMemory> socket;
  unsigned requests = 0;

  LtMemory(const sc_core::sc_module_name& name, bool waits)
      : sc_module(name), socket("socket"), waits_(waits) {
    socket.register_b_transport(this, &LtMemory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    ++requests;
    const sc_core::sc_time latency(30, sc_core::SC_NS);
    if (waits_) {
      wait(delay + latency);
      delay = sc_core::SC_ZERO_TIME;
    } else {
      delay += latency;
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool waits_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: lt_memory TRACE_FOLDER\n";
    return 2;
  }
  const subcore::PlatformParameters p = subcore::load_platform(subcore::find_platform("baseline"));

  subcore::StreamingMultiprocessor sm("sm", 0, p);
  // vectoradd's first operand array lies below this address. The other arrays lie above.
  const std::uint64_t border = 0x7f4000105000;
  subcore::AddressRouter router("router", {{0, border}, {border, 0}});
  subcore::AtToLt calls("calls"), threads("threads", 16);  // up to 16 requests may be in wait() at once
  LtMemory annotating("annotating", false), waiting("waiting", true);
  sm.memory_socket().bind(router.target_socket);
  router.initiator_socket[0].bind(calls.at_socket);
  router.initiator_socket[1].bind(threads.at_socket);
  calls.lt_socket.bind(annotating.socket);
  threads.lt_socket.bind(waiting.socket);
  subcore::TraceDriver driver("driver", p, {&sm});
  driver.run(subcore::open_trace(argv[1]));
  sc_core::sc_start();  // until nothing is left to do

  std::cout << "lt_memory: " << driver.instructions_retired() << " instructions in " << driver.finish_cycle()
            << " cycles, " << annotating.requests << " requests annotated, " << waiting.requests
            << " waited\n";
  const bool idle = router.drained() && calls.drained() && threads.drained();
  return driver.finished() && driver.leftovers().empty() && idle && annotating.requests > 0 &&
                 waiting.requests > 0
             ? 0
             : 1;
}
