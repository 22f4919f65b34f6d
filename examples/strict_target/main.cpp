// Requests that a strict memory controller takes, from an SM, from an L1 cache, and from the slices of an L2:
// of a power-of-two length at a multiple of it; each response ended by TLM_UPDATED or a call of END_RESP.
// TLM_COMPLETED for BEGIN_RESP does not count here: the next response is never sent.
#include <deque>
#include <iostream>
#include <memory>

#include <systemc>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "model/parameters/data_files.h"
#include "platforms/config/reader.h"
#include "platforms/gpu.h"
#include "platforms/memory/hierarchy.h"

using Payload = tlm::tlm_generic_payload;

struct StrictTarget : sc_core::sc_module {
  tlm_utils::simple_target_socket<StrictTarget> socket{"socket"};
  unsigned long requests = 0, violations = 0;
  explicit StrictTarget(const sc_core::sc_module_name& name)
      : sc_module(name), calls_(this, &StrictTarget::next) {
    socket.register_nb_transport_fw(this, &StrictTarget::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    calls_.notify(t, phase, delay);
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    const unsigned length = t.get_data_length();
    violations += length == 0 || (length & (length - 1)) != 0 || t.get_address() % length != 0;
    t.acquire();
    ++requests;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void next(Payload& t, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_REQ) waiting_.push_back(&t);
    if (phase == tlm::END_RESP) responding_ = false;
    while (!responding_ && !waiting_.empty()) {
      waiting_.front()->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase response = tlm::BEGIN_RESP;
      sc_core::sc_time none = sc_core::SC_ZERO_TIME;
      responding_ = socket->nb_transport_bw(*waiting_.front(), response, none) != tlm::TLM_UPDATED;
      waiting_.front()->release();
      waiting_.pop_front();
    }
  }
  tlm_utils::peq_with_cb_and_phase<StrictTarget> calls_;
  std::deque<Payload*> waiting_;
  bool responding_ = false;  // BEGIN_RESP sent, END_RESP not seen
};

int sc_main(int argc, char* argv[]) {
  using namespace subcore;
  if (argc != 4) return std::cerr << "usage: strict_target sm|l1|l2 completed|updated|call TRACE_FOLDER\n", 2;
  const std::string place = argv[1];
  std::vector<std::string> settings{"gpu.sms=1", "checks.watchdog_cycles=10000", "memory.dram.kind=external"};
  for (const char* group : {"load_store.", "memory.l1.", "memory.l2."})
    for (const std::string& value :
         {std::string("end_resp=") + argv[2], std::string("requests=power_of_two")})
      settings.push_back(group + value);
  PlatformParameters p = load_platform(find_data("platforms", "rtx2060_baseline"), settings);
  const HierarchyParameters h = p.memory.kind.as<HierarchyChoice>().parameters;
  if (place != "l2") p.memory.kind = "external";
  Gpu gpu("gpu", p);
  sc_core::sc_vector<StrictTarget> targets("target", place == "l2" ? h.l2.slices : 1);
  std::unique_ptr<L1Cache> l1;
  if (place == "sm") gpu.sms[0].memory_socket().bind(targets[0].socket);
  if (place == "l1") {
    gpu.sms[0].conductor.add(*(l1 = std::make_unique<L1Cache>("l1", h, gpu.sms[0].conductor)));
    gpu.sms[0].memory_socket().bind(l1->memory_socket);
    l1->interconnect_socket.bind(targets[0].socket);
  }
  for (unsigned s = 0; place == "l2" && s < h.l2.slices; ++s)
    gpu.memory->dram_socket(s)->bind(targets[s].socket);
  gpu.run(open_trace(argv[3]));
  sc_core::sc_start();
  unsigned long requests = 0, violations = 0;
  for (const StrictTarget& t : targets) requests += t.requests, violations += t.violations;
  std::cout << requests << " requests of the " << place << ", " << violations << " violations\n";
  return gpu.finished() && gpu.leftovers().empty() && requests > 0 && violations == 0 ? 0 : 1;
}
