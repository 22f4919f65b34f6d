// AddressRouter: a memory map between one initiator and several targets. The address of a request says its
// target:
//
//   AddressRouter router("router", {{0x0000, 0x1000},                           // passed on as they are
//                                   {0x8000, 0x9000, 0x8000},                   // seen from 0 on
//                                   {0x10000, 0x20000, 0, 0xffff, {256, 2, 0}},  // every other 256 bytes,
//                                   {0x10000, 0x20000, 0, 0xffff, {256, 2, 1}}});  // without gaps
//
// A request gets TLM_ADDRESS_ERROR_RESPONSE if no range contains the whole request, if the request crosses a
// granule, or if it wraps at the mask. While a target has a request, the payload has the address that this
// target sees. With BEGIN_RESP the initiator's own address is back, for good but for calls of END_RESP. Debug
// accesses may cross ranges and granules. The router has no DMI and tells no initiator of any; addresses that
// a target invalidates are passed on as the initiator's addresses. A map that cannot be is an error with id
// "/subcore/memory_map". Phases go through as they come, and both ends judge them: the router has no AtTarget
// and no AtInitiator of its own.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include <tlm>

#include "subcore/model/policy/address_map.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

class AddressRouter : public Module, private tlm::tlm_fw_transport_if<> {
 public:
  using Range = AddressMap::Range;
  // The socket to the target of one range.
  class Exit : public InitiatorSocket<>, private tlm::tlm_bw_transport_if<> {
   public:
    Exit(const char* name, AddressRouter& router, unsigned range)
        : InitiatorSocket(name, *this), router_(router), range_(range) {}

   private:
    tlm::tlm_sync_enum nb_transport_bw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
      return router_.backward(t, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override {
      router_.invalidate(range_, begin, end);
    }
    AddressRouter& router_;
    unsigned range_;
  };
  TargetSocket<> target_socket;
  sc_core::sc_vector<Exit> initiator_socket;  // a socket per range

  AddressRouter(const sc_core::sc_module_name& name, std::vector<Range> ranges);

  bool drained() const override { return responding_.payload == nullptr && held_.empty(); }

 private:
  // A payload's way, attached to the payload from the request to the response. The payload owns the way
  // meanwhile, because at the end of a simulation either the payload or the router may be destroyed first.
  struct Way : tlm::tlm_extension<Way> {
    std::uint64_t address = 0;  // the initiator's address
    unsigned range = 0;
    bool held = false;     // the response has begun, but waits for earlier ones
    Way* outer = nullptr;  // way of the router in front of this one
    ~Way() override {
      if (outer != nullptr) outer->free();
    }
    tlm_extension_base* clone() const override { return nullptr; }
    void copy_from(const tlm_extension_base&) override {}
    void free() override { delete this; }
  };
  struct Response {
    Payload* payload = nullptr;
    unsigned range = 0;
    std::uint64_t seen = 0;  // the target's address
  };
  struct Held {
    Payload* payload;
    sc_core::sc_time from;  // when the response begins
  };

  AddressMap::Destination target_of(const Payload& t) const;
  void enter(Payload& t, const AddressMap::Destination& target);
  Response leave(Payload& t);
  tlm::tlm_sync_enum end_response(const Response& r, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void hold(Payload& t, Way& way, const sc_core::sc_time& delay);
  void respond_next();
  tlm::tlm_sync_enum backward(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void invalidate(unsigned range, std::uint64_t begin, std::uint64_t end);
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(Payload& t, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload& t) override;

  AddressMap map_;
  std::vector<std::unique_ptr<Way>> spare_;
  // Responses of the targets. Targets know nothing of each other, but the initiator takes one response at a
  // time.
  Response responding_;
  std::deque<Held> held_;
  BreachReport breach_;
};

}  // namespace subcore
