// A strict memory controller of 64 bits, behind an SM, an L1, or an L2. The length of a request must be a
// power of two, and its address a multiple of the length. A response must end by TLM_UPDATED or by a call of
// END_RESP. After TLM_COMPLETED the controller sends no more.
#include <deque>
#include <iostream>
#include <memory>

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/platforms/memory/hierarchy.h"

using Payload = tlm::tlm_generic_payload;
struct Strict : sc_core::sc_module {
  tlm_utils::simple_target_socket<Strict, 64> socket{"socket"};
  inline static unsigned long requests = 0, violations = 0;  // sums over all targets
  explicit Strict(const sc_core::sc_module_name& n) : sc_module(n), calls_(this, &Strict::next) {
    socket.register_nb_transport_fw(this, &Strict::nb_transport_fw);
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
  tlm_utils::peq_with_cb_and_phase<Strict> calls_;
  std::deque<Payload*> waiting_;
  bool responding_ = false;  // BEGIN_RESP sent, END_RESP not seen
};

int sc_main(int argc, char* argv[]) {
  using namespace subcore;
  if (argc != 4) return std::cerr << "usage: strict_target sm|l1|l2 completed|updated|call TRACE_FOLDER\n", 2;
  const std::string place = argv[1], end_resp = std::string("load_store.end_resp=") + argv[2];
  PlatformParameters p = load_platform(find_platform("rtx2060_third/baseline"), {"gpu.sms=1", end_resp});
  p.checks.watchdog_cycles = 10000;
  HierarchyParameters h = p.memory.kind.as<HierarchyChoice>().parameters;
  h.dram.kind = DramKind::external;
  h.l1.initiator = h.l2.initiator = p.load_store.initiator = {p.load_store.initiator.end_resp,
                                                              RequestShape::power_of_two, BusWidth::bits_64};
  p.memory.kind.as<HierarchyChoice>().parameters = h;
  if (place != "l2") p.memory.kind = "external";
  Gpu gpu("gpu", p);
  StreamingMultiprocessor& sm = gpu.sms[0];
  sc_core::sc_vector<Strict> targets("target", place == "l2" ? h.l2.slices : 1);
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
  std::cout << place << ": " << Strict::requests << " requests, " << Strict::violations << " violations\n";
  return gpu.finished() && gpu.leftovers().empty() && Strict::requests > 0 && Strict::violations == 0 ? 0 : 1;
}
