// AtToLt: lets a memory that implements only b_transport stand behind an initiator that speaks AT, such as
// the load/store unit or a BankBridge.
//
// Without threads, b_transport is called inside nb_transport_fw, and its annotated delay is passed on with
// TLM_COMPLETED. This way is fast and takes any number of requests at once, but the memory must not call
// wait(). With n threads, requests are queued, and up to n of them are in b_transport at once. The memory may
// wait, and the module waits for the delay that the memory annotates on top.
#pragma once

#include <deque>

#include <tlm>

#include "subcore/modules/memory/at_target.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

class AtToLt : public Module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  TargetSocket<> at_socket;
  InitiatorSocket<> lt_socket;

  explicit AtToLt(const sc_core::sc_module_name& name, unsigned threads = 0);

  bool drained() const override { return under_way_ == 0; }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Request {
    Payload* payload;
    sc_core::sc_time from;  // when the request begins
  };
  void serve();  // the function of each thread
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase&, sc_core::sc_time&) override;
  void b_transport(Payload& t, sc_core::sc_time& delay) override { lt_socket->b_transport(t, delay); }
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override {
    return lt_socket->get_direct_mem_ptr(t, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override {
    at_socket->invalidate_direct_mem_ptr(begin, end);
  }
  unsigned transport_dbg(Payload& t) override { return lt_socket->transport_dbg(t); }

  unsigned threads_;
  std::deque<Request> queue_;
  sc_core::sc_event queued_, response_ended_;
  AtTarget<> initiator_{at_socket};
  unsigned under_way_ = 0;
  BreachReport breach_;
};

}  // namespace subcore
