// Ten SMs and our L2 on a DRAM of the user's own, which has one channel for each slice. The channel has the
// timing of the built-in DRAM: a latency and a bandwidth. A trace takes the same cycles on both.
#include <algorithm>
#include <cmath>
#include <iostream>

#include <systemc>
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"

class Dram : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Dram> socket;

  Dram(const sc_core::sc_module_name& name, sc_core::sc_time cycle, double latency, double bytes_per_cycle)
      : sc_module(name),
        socket("socket"),
        cycle_(cycle),
        latency_(latency),
        rate_(bytes_per_cycle),
        answers_("answers") {
    SC_HAS_PROCESS(Dram);
    socket.register_nb_transport_fw(this, &Dram::nb_transport_fw);
    SC_METHOD(answer);
    sensitive << answers_.get_event();
    dont_initialize();
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    t.acquire();
    // A request of one cycle is served from the next cycle on. The last byte of a slow channel comes late.
    const double next = sc_core::sc_time_stamp() / cycle_ + 1, begin = std::max(next, std::floor(free_));
    free_ = std::max(free_, begin) + t.get_data_length() / rate_;
    const double transfer = std::max(1.0, std::ceil(free_) - begin);
    answers_.notify(t, (begin + latency_ + transfer - 2) * cycle_ - sc_core::sc_time_stamp());
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void answer() {
    while (tlm::tlm_generic_payload* t = answers_.get_next_transaction()) {
      t->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time none = sc_core::SC_ZERO_TIME;
      socket->nb_transport_bw(*t, phase, none);  // the L2 answers TLM_UPDATED with END_RESP:
                                                 // memory.l2.end_resp
      t->release();
    }
  }
  sc_core::sc_time cycle_;
  double latency_, rate_, free_ = 0;  // in cycles
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> answers_;
};

int sc_main(int argc, char* argv[]) {
  if (argc != 2) return std::cerr << "usage: external_dram TRACE_FOLDER\n", 2;
  using namespace subcore;
  // There is one channel a slice. No channel is ever full, and no two transfers end in one cycle.
  PlatformParameters p =
      load_platform(find_platform("rtx2060_third/malekeh"),
                    {"memory.dram.channels=8", "memory.dram.queue=4096", "memory.dram.bytes_per_cycle=16"});
  Gpu built_in("built_in", p);
  DramParameters& dram = p.memory.kind.as<HierarchyChoice>().parameters.dram;
  dram.kind = DramKind::external;
  Gpu gpu("gpu", p);
  sc_core::sc_vector<Dram> channels("channel", dram.channels, [&](const char* n, std::size_t) {
    return new Dram(n, gpu.period(), dram.latency, dram.bytes_per_cycle);
  });
  for (unsigned s = 0; s < channels.size(); ++s) gpu.memory->dram_socket(s)->bind(channels[s].socket);
  for (Gpu* g : {&built_in, &gpu}) g->run(open_trace(argv[1]));
  sc_core::sc_start();
  std::cout << "external_dram: " << gpu.finish_cycle() << " cycles, built in " << built_in.finish_cycle()
            << ", L2 hits " << gpu.memory->l2_hit_ratio().value_or(0) << '\n';
  return gpu.finished() && gpu.leftovers().empty() && gpu.finish_cycle() == built_in.finish_cycle() ? 0 : 1;
}
