// One SM on a memory of the user's that speaks the approximately timed base protocol in full. The four phases
// are calls of their own. The calls come from the memory's own processes, with delays of their own.
#include <cstdint>
#include <iostream>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/streaming_multiprocessor.h"
#include "subcore/platforms/trace_driver.h"

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

class AtMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<AtMemory> socket;
  unsigned begin_requests = 0, end_requests = 0, begin_responses = 0, end_responses = 0;

  explicit AtMemory(const sc_core::sc_module_name& name)
      : sc_module(name), socket("socket"), requests_("requests"), responses_("responses") {
    SC_HAS_PROCESS(AtMemory);
    socket.register_nb_transport_fw(this, &AtMemory::nb_transport_fw);
    SC_THREAD(take_requests);
    SC_THREAD(send_responses);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) {
      ++begin_requests;
      t.acquire();  // ours until END_RESP
      requests_.notify(t, delay + sc_time(1.5, SC_NS));
    } else if (phase == tlm::END_RESP) {
      ++end_responses;
      end_response_.notify(delay);
    }
    return tlm::TLM_ACCEPTED;
  }
  // Takes one request per 1.5 ns at most: until its END_REQ the SM sends no other request.
  void take_requests() {
    while (true) {
      wait(requests_.get_event());
      while (tlm::tlm_generic_payload* t = requests_.get_next_transaction()) {
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_time none = sc_core::SC_ZERO_TIME;
        ++end_requests;
        socket->nb_transport_bw(*t, phase, none);
        // Odd lines are slower than even ones, so that answers overtake each other.
        responses_.notify(*t, sc_time(t->get_address() / 128 % 2 == 0 ? 20 : 70, SC_NS));
      }
    }
  }
  void send_responses() {
    while (true) {
      wait(responses_.get_event());
      while (tlm::tlm_generic_payload* t = responses_.get_next_transaction()) {
        t->set_response_status(tlm::TLM_OK_RESPONSE);  // the SM does not model the data
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_time none = sc_core::SC_ZERO_TIME;
        ++begin_responses;
        if (socket->nb_transport_bw(*t, phase, none) == tlm::TLM_ACCEPTED) wait(end_response_);
        t->release();
      }
    }
  }

  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_, responses_;
  sc_core::sc_event end_response_;
};

}  // namespace

int sc_main(int argc, char* argv[]) {
  if (argc != 2) {
    std::cerr << "usage: at_memory TRACE_FOLDER\n";
    return 2;
  }
  subcore::PlatformParameters p = subcore::load_platform(subcore::find_platform("baseline"));
  p.load_store.initiator.end_resp = subcore::EndResponse::call;  // our memory waits for an END_RESP call

  subcore::StreamingMultiprocessor sm("sm", 0, p);
  AtMemory memory("memory");
  sm.memory_socket().bind(memory.socket);
  subcore::TraceDriver driver("driver", p, {&sm});
  driver.run(subcore::open_trace(argv[1]));
  sc_core::sc_start();  // until nothing is left to do

  std::cout << "at_memory: " << driver.instructions_retired() << " instructions in " << driver.finish_cycle()
            << " cycles, " << memory.begin_requests << " requests, " << sm.check().checked()
            << " operands checked\n";
  const bool four_phases = memory.begin_requests > 0 && memory.end_requests == memory.begin_requests &&
                           memory.begin_responses == memory.begin_requests &&
                           memory.end_responses == memory.begin_requests;
  return driver.finished() && driver.leftovers().empty() && four_phases ? 0 : 1;
}
