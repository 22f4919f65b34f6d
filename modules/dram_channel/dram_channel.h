// DramChannel: a latency and a bandwidth. Requests are served in the order in which they came, those of one
// cycle by port; rows and banks are not modelled.
#pragma once

#include "model/config/memory_parameters.h"
#include "model/policy/bandwidth.h"
#include "modules/memory/memory_port.h"
#include "modules/protocol/inbox.h"
#include "modules/protocol/module.h"

namespace subcore {

class DramChannel : public TickingModule {
 public:
  sc_core::sc_vector<MemoryInPort> slice_socket;  // one per slice of the L2 that it serves

  struct Counters {
    std::uint64_t reads = 0, writes = 0, bytes = 0, wait_cycles = 0;
  };

  DramChannel(const sc_core::sc_module_name& name, unsigned slices, const DramParameters& parameters,
              const Conductor& conductor);

  Cycle tick(Cycle now) override;

  const Counters& counters() const { return counters_; }
  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override;
  std::uint64_t requests_served() const override { return counters_.reads + counters_.writes; }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Answer {
    Payload* payload = nullptr;
    Cycle stamp = 0;
  };
  void news(unsigned, Cycle& at) { wake(at); }

  DramParameters p_;
  Bandwidth channel_;
  std::uint64_t free_ = 0;              // when the channel is free, in Bandwidth's fractions of a cycle
  std::vector<Inbox<Answer>> answers_;  // per port
  Counters counters_;
};

}  // namespace subcore
