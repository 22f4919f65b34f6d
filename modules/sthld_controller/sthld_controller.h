// SthldController: sets the waiting threshold of every SM from the IPC of the whole GPU, interval by interval
// (Malekeh, section IV-B3). It knows the SMs only through their control sockets. One timed event per
// interval, half a cycle before the edge, where no SM is in the middle of a cycle.
#pragma once

#include "model/config/platform.h"
#include "model/policy/sthld_machine.h"
#include "modules/protocol/module.h"

namespace subcore {

class SthldController : public Module, private tlm::tlm_bw_transport_if<> {
 public:
  sc_core::sc_vector<tlm::tlm_initiator_socket<>> control_socket;  // one per SM

  SthldController(const sc_core::sc_module_name& name, unsigned sms, const SthldParameters& parameters,
                  sc_core::sc_time cycle);

  // No further decisions; otherwise its timed event keeps the simulation going.
  void stop() { stopped_ = true; }
  const SthldMachine& machine() const { return machine_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;

 private:
  void decide();
  std::uint64_t access(unsigned sm, tlm::tlm_command command, std::uint64_t address, std::uint64_t value);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_ACCEPTED;  // only b_transport is used
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  SthldMachine machine_;
  std::uint32_t interval_;
  sc_core::sc_time cycle_;
  bool stopped_ = false;
  bool first_ = true;
  std::uint64_t last_instructions_ = 0;
  std::uint64_t decisions_ = 0, sthld_sum_ = 0;
};

}  // namespace subcore
