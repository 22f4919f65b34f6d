// L1Cache: the data cache of an SM, between its load/store unit and the interconnect. The cache is sectored
// and write-through, with or without allocation, also for local memory. So nothing is lost when the cache is
// invalidated at the start of every kernel. Atomics and bulk copies pass by.
//
// A read that hits is completed at once, with its latency annotated (TLM_COMPLETED), and so costs one call.
// If there is no line, register or room in the queue for a request, the request waits for its END_REQ, and so
// do the requests behind it.
//
// LT accesses (memory_port.h): a read that hits takes the latency. Any other access takes a cycle each way
// and what the L2 adds, and a read also its miss_latency.
#pragma once

#include "subcore/model/policy/carve_out.h"
#include "subcore/model/policy/mshr_table.h"
#include "subcore/model/policy/sectored_tags.h"
#include "subcore/modules/l1_cache/cache_control.h"
#include "subcore/modules/memory/data_access.h"
#include "subcore/modules/memory/hold_counters.h"
#include "subcore/modules/memory/memory_lines.h"
#include "subcore/modules/memory/memory_parameters.h"
#include "subcore/modules/memory/memory_port.h"
#include "subcore/modules/memory/memory_transaction.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"

namespace subcore {

class L1Cache final : public TickingModule, private tlm::tlm_fw_transport_if<> {
 public:
  TargetSocket<> memory_socket;  // the only initiator is the SM's load/store unit
  CacheControl control_socket;
  MemoryOutPort interconnect_socket;

  struct Counters {
    CounterList& list;
    Counter reads{list, "reads", "requests", "read requests"};
    Counter hits{list, "hits", "requests", "reads that found all their sectors"};
    Counter line_misses{list, "line_misses", "requests", "reads whose line was absent"};
    Counter sector_misses{list, "sector_misses", "requests",
                          "reads whose line was there, but not all sectors"};
    Counter merges{list, "mshr_merges", "requests", "reads whose missing sectors were on their way already"};
    Counter writes{list, "writes", "requests", "write requests, all passed on"};
    Counter write_hits{list, "write_hits", "requests", "write requests to a sector that was present"};
    Counter atomics{list, "atomics", "requests", "atomics, passed on"};
    Counter bulk{list, "bulk_requests", "requests", "requests of bulk copies, passed on"};
    Counter fetched_sectors{list, "fetched_sectors", "sectors", "sectors asked of the L2"};
    Counter invalidations{list, "invalidations", "invalidations",
                          "times that everything was dropped, once per kernel"};
    HoldCounters held{list};
    // Sums of AT accesses leave out LT accesses.
    Counter blocking_reads{list, "blocking_reads", "requests", "LT reads"};
    Counter blocking_writes{list, "blocking_writes", "requests", "LT writes"};
    Counter blocking_hits{list, "blocking_hits", "requests", "LT reads that found all their sectors"};
  };

  // `conductor`: the conductor of the SM.
  L1Cache(const sc_core::sc_module_name& name, const HierarchyParameters& parameters,
          const Conductor& conductor);

  Cycle tick(Cycle now) override;

  const Counters& counters() const { return counters_; }
  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(Payload& t, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload& t, tlm::tlm_dmi& dmi) override { return refuse_direct_memory(t, dmi); }
  unsigned transport_dbg(Payload& t) override { return interconnect_socket.transport_dbg(t); }

  void invalidate(std::uint64_t shared_bytes);
  void forget(Cycle now);
  void take_fills(Cycle now);
  AtTarget<>::Answer take(Payload& t, Cycle now, sc_core::sc_time& delay);
  bool hit(Payload& t, const LineAccess& a);
  void succeed(Payload& t);
  void keep_written(const Payload& t, SectoredTags::Line& line);
  HoldCause accept(Payload& t, Cycle now);
  HoldCause pass_on(Payload& t, Cycle now);
  void queue(Payload& t, Cycle now) {
    queue_room_.take();
    queue_.put({&t, now + 1});
    wake(now + 1);
  }

  struct Waiting {
    Payload* payload = nullptr;
    Cycle stamp = 0;
  };
  bool write_allocate_, memory_has_data_;
  LineAllocation allocation_;
  CarveOut carve_out_;
  std::uint64_t shared_bytes_ = 0;  // bytes of shared memory in use from invalidate_at_ on
  std::uint64_t sets_;
  RequestShape requests_;
  sc_core::sc_time hit_delay_;
  Cycle miss_latency_;
  const Conductor& conductor_;
  SectoredTags tags_;
  MshrTable<Payload*> mshrs_;
  Cycle invalidate_at_ = never;             // first cycle that must not see what is here now
  std::uint32_t generation_ = 0;            // number of invalidations; only fetches since the last one are
                                            // kept
  std::vector<std::uint32_t> fetched_for_;  // per MSHR: the generation of the request
  TransactionPool pool_;                    // transactions for fetches
  Credits queue_room_;                      // room in queue_
  PayloadEventQueue<Waiting> queue_;        // requests for the interconnect
  PayloadEventQueue<Waiting> done_;         // answers for the load/store unit
  AtTarget<> initiator_{memory_socket};
  Cycle stalled_since_ = 0;  // since when the request of initiator_ has waited for room
  Counters counters_{counter_list_};
};

}  // namespace subcore
