// DramChannel: a channel with a latency and a bandwidth. The channel serves requests in the order in which
// they came, and those of one cycle by port. Rows and banks are not modelled. The channel has no data. An LT
// access (memory_port.h) takes the latency and its transfer.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/policy/bandwidth.h"
#include "subcore/modules/memory/memory_parameters.h"
#include "subcore/modules/memory/memory_port.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"

namespace subcore {

class DramChannel final : public TickingModule, private LooselyTimed {
 public:
  sc_core::sc_vector<MemoryInPort> slice_socket;  // a socket per slice of the L2 that it serves

  struct Counters {
    CounterList& list;
    Counter reads{list, "reads", "requests", "read requests"};
    Counter writes{list, "writes", "requests", "write requests"};
    Counter bytes{list, "bytes", "bytes", "bytes read and written"};
    Counter wait_cycles{list, "wait_cycles", "cycles", "time requests waited for the channel"};
    Counter stalls{list, "stalls", "requests", "requests that found no place in their slice's queue"};
    Counter stall_cycles{list, "stall_cycles", "cycles",
                         "time that requests waited for a place in their slice's queue"};
    // Sums of AT accesses leave out LT accesses.
    Counter blocking_reads{list, "blocking_reads", "requests", "LT reads"};
    Counter blocking_writes{list, "blocking_writes", "requests", "LT writes"};
  };

  DramChannel(const sc_core::sc_module_name& name, unsigned slices, const DramParameters& parameters,
              const Conductor& conductor);

  Cycle tick(Cycle now) override;

  const Counters& counters() const { return counters_; }
  std::vector<Signal> signals() override;
  bool drained() const override { return all_empty(slice_socket) && all_empty(answers_); }
  std::uint64_t requests_served() const override { return counters_.reads + counters_.writes; }
  void report_waiting(std::ostream& out) const override;

 private:
  struct Answer {
    Payload* payload = nullptr;
    Cycle stamp = 0;
  };
  void access(Payload& t, sc_core::sc_time& delay) override;
  unsigned debug(Payload&) override { return 0; }

  DramParameters p_;
  sc_core::sc_time period_;
  Bandwidth channel_;
  std::uint64_t free_ = 0;  // when the channel is free, in Bandwidth's fractions of a cycle
  std::vector<PayloadEventQueue<Answer>> answers_;  // per slice_socket
  Counters counters_{counter_list_};
};

}  // namespace subcore
