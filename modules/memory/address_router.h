// AddressRouter: one initiator in front of several targets, told apart by address. Addresses are passed on as
// they are. A request that no range contains whole is answered TLM_ADDRESS_ERROR_RESPONSE.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <tlm>

#include "modules/protocol/module.h"
#include "modules/protocol/transport_socket.h"

namespace subcore {

class AddressRouter : public Module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  struct Range {
    std::uint64_t begin, end;  // end: first byte beyond; 0 for the end of the address space
  };
  TargetSocket<> target_socket;
  sc_core::sc_vector<InitiatorSocket<>> initiator_socket;  // one per range

  AddressRouter(const sc_core::sc_module_name& name, std::vector<Range> ranges);

  bool drained() const override { return responding_ == nullptr && held_.empty(); }

 private:
  // The socket that leads there; null for nowhere.
  InitiatorSocket<>* route(const tlm::tlm_generic_payload& t);
  void respond_next();
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& t) override;

  std::vector<Range> ranges_;
  // The targets know nothing of each other, but the initiator takes one response at a time.
  tlm::tlm_generic_payload* responding_ = nullptr;
  struct Held {
    tlm::tlm_generic_payload* payload;
    sc_core::sc_time from;  // when the response begins
  };
  std::deque<Held> held_;
};

}  // namespace subcore
