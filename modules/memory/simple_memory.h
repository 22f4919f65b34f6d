// SimpleMemory: a base-protocol target that stands for everything behind the load/store unit. A tag store
// decides hit or miss, and a response path of limited bandwidth serialises the answers. The memory has no
// process: each request completes early with its delay annotated (TLM_COMPLETED), which AT and LT initiators
// understand. A delay on entry says when the request comes. The memory has no data.
#pragma once

#include <cstdint>
#include <vector>

#include <tlm>

#include "subcore/model/policy/bandwidth.h"
#include "subcore/modules/memory/memory_parameters.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/transport_socket.h"

namespace subcore {

class SimpleMemory : public Module, private tlm::tlm_fw_transport_if<> {
 public:
  TargetSocket<> memory_socket;

  SimpleMemory(const sc_core::sc_module_name& name, const SimpleMemoryParameters& parameters,
               sc_core::sc_time cycle);

  std::vector<Signal> signals() override;

 private:
  struct Way {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t use = 0;
  };
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(Payload& t, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload&) override { return 0; }
  bool access(std::uint64_t address, bool allocate);

  SimpleMemoryParameters p_;
  std::uint64_t cycle_;  // in units of the time resolution
  Bandwidth path_;       // the response path's bandwidth
  // When the response path is free again, in Bandwidth's fractions of a cycle.
  std::uint64_t path_free_ = 0;
  std::vector<Way> tags_;
  std::uint64_t sets_ = 0, uses_ = 0;
  Counter reads_{counter_list_, "reads", "requests", "read requests"};
  Counter writes_{counter_list_, "writes", "requests", "write requests"};
  Counter hits_{counter_list_, "hits", "requests", "requests that found their line"};
  Counter misses_{counter_list_, "misses", "requests", "requests that did not"};
  Counter bytes_{counter_list_, "bytes", "bytes", "bytes requested"};
};

}  // namespace subcore
