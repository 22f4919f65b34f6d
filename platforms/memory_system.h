// MemorySystem: what stands behind the SMs when memory.kind is hierarchy: an L1 per SM, the interconnect, the
// slices of the L2 and the DRAM channels.
#pragma once

#include <optional>

#include "model/config/platform.h"
#include "modules/dram_channel/dram_channel.h"
#include "modules/interconnect/interconnect.h"
#include "modules/l1_cache/l1_cache.h"
#include "modules/l2_slice/l2_slice.h"

namespace subcore {

class MemorySystem : public sc_core::sc_module {
 public:
  MemorySystem(const sc_core::sc_module_name& name, const PlatformParameters& parameters, unsigned sms);

  // To be bound to the SM's memory_socket.
  tlm::tlm_target_socket<>& memory_socket(unsigned sm) { return l1[sm].memory_socket; }
  // Has the L1 of that SM forget what it holds.
  CacheControl& control_socket(unsigned sm) { return l1[sm].control_socket; }
  // The L1 of that SM ticks under its SM's conductor; everything else under one of its own.
  void add_to(unsigned sm, Conductor& sm_conductor) { sm_conductor.add(l1[sm]); }
  std::vector<Module*> modules();
  bool drained() const;
  // Of reads in all L1s, of all requests in all L2 slices; nothing if there were none.
  std::optional<double> l1_hit_ratio() const;
  std::optional<double> l2_hit_ratio() const;
  void register_statistics(StatisticsGroup& group);

  Conductor conductor;
  sc_core::sc_vector<L1Cache> l1;  // one per SM
  Interconnect interconnect;
  sc_core::sc_vector<L2Slice> l2;
  sc_core::sc_vector<DramChannel> dram;
};

}  // namespace subcore
