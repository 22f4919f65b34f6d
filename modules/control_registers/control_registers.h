// ControlRegisters: the SM's control port. A TLM-2.0 base-protocol target with a small register map, so that
// any controller, ours or a user's, can watch an SM and set its waiting threshold.
#pragma once

#include <functional>

#include <tlm>

#include "modules/conductor/conductor.h"
#include "modules/conductor/method_process.h"
#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"
#include "modules/protocol/transport_socket.h"

namespace subcore {

// Byte offsets. All registers are 64 bits wide, little endian, accessed whole (8 bytes, aligned).
namespace control_register {
inline constexpr std::uint64_t cycle = 0x00;                 // read: core cycles since time 0
inline constexpr std::uint64_t instructions_retired = 0x08;  // read: warp instructions
inline constexpr std::uint64_t source_operands = 0x10;       // read: operands looked for in collectors
inline constexpr std::uint64_t cache_read_hits = 0x18;       // read: of these, found
inline constexpr std::uint64_t sthld = 0x20;                 // read and write: waiting threshold in cycles
inline constexpr std::uint64_t size = 0x28;
}  // namespace control_register

class ControlRegisters : public Module, private tlm::tlm_fw_transport_if<> {
 public:
  // May stay unbound: an SM with a fixed threshold needs no controller.
  TargetSocket<sc_core::SC_ZERO_OR_MORE_BOUND> control_socket;
  PortVector<OutPort<ControlTransfer>> sthld_socket;  // one per sub-core

  struct Readers {
    std::function<std::uint64_t()> instructions_retired, source_operands, cache_read_hits;
  };
  // An access to an unknown offset gets TLM_ADDRESS_ERROR_RESPONSE, one of another size or streaming width
  // TLM_BURST_ERROR_RESPONSE, byte enables TLM_BYTE_ENABLE_ERROR_RESPONSE, a write to a read-only register
  // TLM_COMMAND_ERROR_RESPONSE. An annotated delay is waited for: the access sees and changes what is there
  // then.
  ControlRegisters(const sc_core::sc_module_name& name, unsigned sub_cores, std::uint32_t sthld,
                   Readers readers, const Conductor& conductor);

  std::uint64_t sthld() const { return sthld_; }
  std::vector<Signal> signals() override {
    return SignalList().in("sthld").number("sthld", 16, [this](Cycle) { return sthld_; });
  }

 private:
  void start_of_simulation() override { spread(0); }
  void spread(Cycle stamp);
  void access(tlm::tlm_generic_payload& t, bool debug = false);
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void answer();
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) override {
    access(t, true);
    return t.is_response_ok() ? t.get_data_length() : 0;
  }

  std::uint64_t sthld_;
  Readers readers_;
  const Conductor& conductor_;
  // Requests that came through nb_transport_fw with a delay. A response ends its request, so one at a time is
  // asked.
  tlm::tlm_generic_payload* asked_ = nullptr;       // BEGIN_REQ seen, BEGIN_RESP not sent
  tlm::tlm_generic_payload* responding_ = nullptr;  // BEGIN_RESP sent, END_RESP not seen
  bool held_ = false;                               // asked_ is due, but responding_ comes first
  sc_core::sc_event due_;
  MethodProcess process_;
};

}  // namespace subcore
