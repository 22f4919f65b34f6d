// memory.kind hierarchy: an L1 per SM, the interconnect, the slices of the L2 and the DRAM channels.
#pragma once

#include <optional>

#include "subcore/modules/dram_channel/dram_channel.h"
#include "subcore/modules/interconnect/interconnect.h"
#include "subcore/modules/l1_cache/l1_cache.h"
#include "subcore/modules/l2_slice/l2_slice.h"
#include "subcore/platforms/memory/memory.h"

namespace subcore {

class HierarchyChoice final : public MemoryChoice {
 public:
  HierarchyParameters parameters;

  void describe(ParameterVisitor& v) override { parameters.describe(v); }
  void check(Checker& c) const override;
  std::unique_ptr<Memory> make(const MemorySite& site) const override;
  bool is_complete() const override {
    return parameters.dram.kind == DramKind::channels && parameters.interconnect.host_ports == 0;
  }
};

// L1s, interconnect, L2 slices and DRAM channels.
class MemorySystem : public sc_core::sc_module, public Memory {
 public:
  MemorySystem(const sc_core::sc_module_name& name, const HierarchyParameters& parameters,
               const MemorySite& site);

  tlm::tlm_target_socket<>* memory_socket(unsigned sm) override { return &l1[sm].memory_socket; }
  InitiatorSocket<>* dram_socket(unsigned slice) override {
    return dram.size() == 0 && slice < l2.size() ? &l2[slice].dram_socket : nullptr;
  }
  TargetSocket<>* host_socket(unsigned host) override {
    return host < host_ports_ ? &interconnect.host_socket(host) : nullptr;
  }
  tlm::tlm_target_socket<>* control_socket(unsigned sm) override { return &l1[sm].control_socket; }
  // The L1 of an SM ticks under the SM's conductor. All other modules tick under a conductor of the memory's
  // own.
  void add_to(unsigned sm, Conductor& sm_conductor) override { sm_conductor.add(l1[sm]); }
  Conductor* own_conductor() override { return &conductor; }
  std::vector<Module*> modules() override;
  bool drained();
  std::optional<double> l1_hit_ratio() const override;
  Stalls stalls() const override;
  std::optional<double> l2_hit_ratio() const override;
  void register_statistics(StatisticsGroup& root) override;

  Conductor conductor;
  sc_core::sc_vector<L1Cache> l1;  // a cache per SM
  Interconnect interconnect;
  sc_core::sc_vector<L2Slice> l2;
  sc_core::sc_vector<DramChannel> dram;  // none with memory.dram.kind external

 private:
  unsigned host_ports_;
};

}  // namespace subcore
