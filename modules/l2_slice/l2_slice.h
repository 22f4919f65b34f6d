// L2Slice: a part of the L2, between the interconnect and a DRAM channel. The slice is sectored and
// write-back, with write allocation. Atomics are performed here, one at a time for each line. A line that
// misses gets its way at once, so that a fill never waits for a write-back, or when the fill comes
// (memory.l2.allocation).
//
// A write fetches nothing. If a sector is written in part, the slice remembers the bytes written. When a read
// or an atomic wants the sector before the rest is written, the sector is fetched then. When the sector is
// evicted before, it is written back with byte enables, which takes the channel as long as a whole sector.
// (Accel-Sim's SM75_RTX2060 configuration has this policy for its L2: write allocation "L", lazy fetch on
// read.)
//
// LT accesses (memory_port.h) take the latency of the lookup. A read that misses asks the memory below by
// b_transport, and takes the time that the memory adds, too. Writes are posted: they reach the memory below,
// but take no time there. A write-back to a DRAM of the user's own writes what that DRAM holds
// (data_access.h).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <vector>

#include "subcore/model/policy/mshr_table.h"
#include "subcore/model/policy/sectored_tags.h"
#include "subcore/modules/memory/data_access.h"
#include "subcore/modules/memory/hold_counters.h"
#include "subcore/modules/memory/memory_lines.h"
#include "subcore/modules/memory/memory_parameters.h"
#include "subcore/modules/memory/memory_port.h"
#include "subcore/modules/memory/memory_transaction.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"

namespace subcore {

class L2Slice final : public TickingModule, private LooselyTimed {
 public:
  MemoryInPort interconnect_socket;
  MemoryOutPort dram_socket;

  struct Counters {
    CounterList& list;
    Counter reads{list, "reads", "requests", "read requests"};
    Counter writes{list, "writes", "requests", "write requests"};
    Counter atomics{list, "atomics", "requests", "requests of atomics performed, each of one line"};
    Counter hits{list, "hits", "requests", "requests that found what they needed"};
    Counter line_misses{list, "line_misses", "requests", "requests whose line was absent"};
    Counter sector_misses{list, "sector_misses", "requests",
                          "requests whose line was there, but not all sectors"};
    Counter merges{list, "mshr_merges", "requests",
                   "requests whose missing sectors were on their way already"};
    Counter fetched_sectors{list, "fetched_sectors", "sectors", "sectors read from the DRAM"};
    Counter written_back_sectors{list, "written_back_sectors", "sectors", "dirty sectors evicted"};
    Counter partial_write_backs{list, "partial_write_backs", "requests",
                                "write-backs with byte enables, because the L2 never had the other bytes"};
    HoldCounters held{list};
    // Sums of AT accesses leave out LT accesses.
    Counter blocking_reads{list, "blocking_reads", "requests", "LT reads"};
    Counter blocking_writes{list, "blocking_writes", "requests", "LT writes"};
    Counter blocking_hits{list, "blocking_hits", "requests", "LT reads that found all their sectors"};
  };

  // `slices`: how many slices share the lines. Bits above the lowest log2(slices) tell the lines of this
  // slice apart. `memory_has_data`: the memory below may be one that keeps data, not our DRAM channel.
  L2Slice(const sc_core::sc_module_name& name, const L2Parameters& parameters, const Conductor& conductor,
          bool memory_has_data = true);

  Cycle tick(Cycle now) override;

  const Counters& counters() const { return counters_; }
  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  struct Answer {
    Cycle stamp = 0;
    Payload* payload = nullptr;
  };
  struct Request {
    MemoryTransaction* transaction = nullptr;
    Cycle stamp = 0;
  };

  void access(Payload& t, sc_core::sc_time& delay) override;
  unsigned debug(Payload& t) override { return dram_socket.transport_dbg(t); }
  void take_fills(Cycle now);
  HoldCause accept(Payload& t, Cycle now);
  void write(const Payload& t, SectoredTags::Line& line, const LineAccess& a);
  void evict(SectoredTags::Line& line, Cycle now);
  void answer(Payload& t, Cycle due);
  // A request goes on to the DRAM. A lookup that misses takes as long as a lookup that hits.
  void queue(MemoryTransaction& t, Cycle now) {
    queue_room_.take();
    queue_.put({&t, now + p_.latency - 1});
  }

  L2Parameters p_;
  sc_core::sc_time period_;
  bool memory_has_data_;
  KeepData keep_data_;
  SectoredTags tags_;
  // By index of the line: the bytes written of dirty sectors that are not valid. The vector is empty until
  // there is such a sector. Many kernels write whole sectors only, and a large GPU has hundreds of thousands
  // of lines.
  std::vector<ByteMask> written_;
  MshrTable<Payload*> mshrs_;
  TransactionPool pool_;              // transactions for fetches and write-backs
  PayloadEventQueue<Request> queue_;  // requests for the DRAM
  PayloadEventQueue<Answer> answers_;
  Cycle atomic_free_ = 0;  // when the next atomic can be performed
  Credits queue_room_;     // room in queue_, in which lookups under way count, too
  Cycle stalled_since_ = never;
  Counters counters_{counter_list_};
};

}  // namespace subcore
