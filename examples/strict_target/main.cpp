// Requests that a strict memory controller takes, from an SM, from an L1 cache, and from the slices of an L2:
// of a power-of-two length at a multiple of it, on a bus of 64 bits; each response ended by TLM_UPDATED or a
// call of END_RESP. TLM_COMPLETED for BEGIN_RESP does not count here: the next response is never sent.
#include <deque>
#include <iostream>
#include <memory>

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "model/parameters/data_files.h"
#include "platforms/config/reader.h"
#include "platforms/gpu.h"
#include "platforms/memory/hierarchy.h"

using Payload = tlm::tlm_generic_payload;

struct StrictTarget : sc_core::sc_module {
  tlm_utils::simple_target_socket<StrictTarget, 64> socket{"socket"};
  inline static unsigned long requests = 0, violations = 0;  // of all targets
  explicit StrictTarget(const sc_core::sc_module_name& n) : sc_module(n), calls_(this, &StrictTarget::next) {
    socket.register_nb_transport_fw(this, &StrictTarget::nb_transport_fw);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    calls_.notify(t, phase, delay);
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    t.acquire();
    ++requests;
    const unsigned length = t.get_data_length();
    violations += length == 0 || (length & (length - 1)) != 0 || t.get_address() % length != 0;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  void next(Payload& t, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_REQ) waiting_.push_back(&t);
    if (phase == tlm::END_RESP) responding_ = false;
    while (!responding_ && !waiting_.empty()) {
      waiting_.front()->set_response_status(tlm::TLM_OK_RESPONSE);
      tlm::tlm_phase response = tlm::BEGIN_RESP;
      sc_core::sc_time none;
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
  for (const std::string group : {"load_store.", "memory.l1.", "memory.l2."})
    for (const std::string set : {"requests=power_of_two", "bus_width=64", "end_resp="})
      settings.push_back(group + set + (set == "end_resp=" ? argv[2] : ""));
  PlatformParameters p = load_platform(find_data("platforms", "rtx2060_baseline"), settings);
  const HierarchyParameters h = p.memory.kind.as<HierarchyChoice>().parameters;
  if (place != "l2") p.memory.kind = "external";
  Gpu gpu("gpu", p);
  StreamingMultiprocessor& sm = gpu.sms[0];
  sc_core::sc_vector<StrictTarget> targets("target", place == "l2" ? h.l2.slices : 1);
  std::unique_ptr<L1Cache> l1;
  if (place == "sm") sm.memory_socket().bind(targets[0].socket);
  if (place == "l1") {
    sm.conductor.add(*(l1 = std::make_unique<L1Cache>("l1", h, sm.conductor)));
    gpu.driver.watch(*l1);
    sm.memory_socket().bind(l1->memory_socket);
    l1->interconnect_socket.bind(targets[0].socket);
  }
  if (place == "l2")
    for (unsigned s = 0; s < h.l2.slices; ++s) gpu.memory->dram_socket(s)->bind(targets[s].socket);
  gpu.run(open_trace(argv[3]));
  sc_core::sc_start();
  const unsigned long requests = StrictTarget::requests, violations = StrictTarget::violations;
  std::cout << requests << " requests of the " << place << ", " << violations << " violations\n";
  return gpu.finished() && gpu.leftovers().empty() && requests > 0 && violations == 0 ? 0 : 1;
}
