// OperandCache: a register cache between the collectors and the banks (RFC, software RFC, LTRF and the caches
// of the register cache study). Every kind has a policy, which decides what is cached. The cache sits in
// paths that exist without it. These paths carry reads to the arbiter (a hit is answered here), operands to
// port S, and results to the arbiter (some do not go to the banks). The cache adds two paths: write-backs,
// and prefetches for warps that become active.
//
// The cache is combinational like a collector. Transfers for a later cycle are applied in that cycle before
// anything else, and in a fixed order, so the order of ticks within a cycle cannot be seen.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <vector>

#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"

namespace subcore {

class OperandCache final : public TickingModule {
 public:
  PortVector<InPort<OperandTransfer>> read_socket;     // from each collector
  PortVector<OutPort<OperandTransfer>> miss_socket;    // to the arbiter
  PortVector<InPort<OperandTransfer>> fill_socket;     // from the crossbar
  PortVector<OutPort<OperandTransfer>> source_socket;  // to each collector's port S
  PortVector<InPort<ResultTransfer>> result_socket;    // from each unit
  PortVector<OutPort<ResultTransfer>> bank_socket;     // to the arbiter
  OutPort<OperandTransfer> write_back_socket;
  OutPort<OperandTransfer> prefetch_socket;
  InPort<OperandTransfer> prefetched_socket;
  InPort<WarpTransfer> warp_socket;  // from the issue scheduler
  // Accesses. A hit is read from the data array and carried to the collector, which stores it like any
  // operand.
  AccessPort accesses{
      *this, "accesses", {"cache_search", "cache_rd", "cache_wr", "cache_path", "cache_out", "buf_wr"}};

  struct Counters {
    CounterList& list;
    Counter searches{list, "searches", "operands", "source operands looked up by tag"};
    Counter hits{list, "cache_read_hits", "operands", "source operands found in the cache"};
    Counter early_hits{list, "early_hits", "operands",
                       "hits on operands that the banks were still bringing to an older instruction"};
    Counter hit_waits{list, "hit_waits", "cycles", "cycles that hits waited for the hit port"};
    Counter misses{list, "misses", "operands", "source operands read from the banks"};
    Counter writes{list, "cache_writes", "operands", "results written into the cache"};
    Counter fills{list, "fills", "operands", "operands from the banks kept in the cache"};
    Counter prefetches{list, "prefetches", "operands",
                       "operands from the banks that were asked for ahead of any instruction"};
    Counter write_backs{list, "write_backs", "operands", "values written back to the banks"};
    Counter enters{list, "enters", "warps", "times a warp's registers were brought in"};
    Counter leaves{list, "leaves", "warps", "times a warp's registers were sent away"};
  };

  // `units`: how many units send results. `active_warps`: how many warps have a part of the cache, 0 = all.
  // The cache's own reads carry the collector number `collectors`.
  OperandCache(const sc_core::sc_module_name& name, unsigned collectors, unsigned units, unsigned warp_slots,
               const OperandCacheParameters& parameters, unsigned active_warps = 0);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  void inventory(Inventory& list) const override {
    for (const HardwarePart& p : inventory_.parts()) list.add(p.name, p.kind, p.words, p.bits, p.ports);
  }
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  // Kinds of events, in the order in which events of one cycle are applied; results by unit, fills by
  // collector. Partial results come before whole ones. A value that a partial result completes must not have
  // been evicted in the same cycle, or the value would come to the banks behind the result.
  enum class Kind : std::uint8_t { fill, prefetched, partial_result, result, warp };
  struct Event {
    Cycle stamp = 0;
    Kind kind = Kind::fill;
    std::uint8_t unit = 0;    // of results; of fills, the collector
    OperandTransfer operand;  // of fill and prefetched
    WarpTransfer warp;        // of warp; for results, the instruction in it
  };
  // A hit on a value that the banks are bringing for an older instruction.
  struct EarlyHit {
    OperandCachePolicy::OperandOnItsWay value;
    OperandTransfer read;
    unsigned collector;
  };
  // The last cycle in which a collector gets hits, and how many hits it gets then.
  struct HitPort {
    Cycle cycle = 0;
    std::uint32_t used = 0;
  };
  struct Warp {
    unsigned writing_back = 0, fetching = 0;
    bool leaving = false;
  };

  enum : unsigned { cache_search, cache_rd, cache_wr, cache_path, cache_out, buf_wr };  // kinds of accesses

  void read(unsigned c, OperandTransfer& t);
  void deliver(unsigned c, const OperandTransfer& read, const Version& version, Cycle at);
  void deliver_early_hits(const OperandTransfer& fill, Cycle now);
  void filled(unsigned c, OperandTransfer& t);
  void finished(unsigned u, ResultTransfer& t);
  void result_free(unsigned u, ResultTransfer& t) { result_socket[u].credit(t); }
  void written_back(unsigned, OperandTransfer& t);
  void prefetched(unsigned, OperandTransfer& t);
  void warp_went_on(unsigned, WarpTransfer& t);

  void later(const Event& e);
  void apply_due(Cycle now) {
    events_.take(now, [&](const Event& e) { apply(e, now); });
  }
  void apply(const Event& e, Cycle now);
  void write_back_dirty(Cycle now);
  void report_moved(unsigned warp_slot, Cycle stamp);

  std::unique_ptr<OperandCachePolicy> policy_;
  Inventory inventory_;
  std::uint32_t hit_latency_, hit_port_;
  std::vector<HitPort> ports_;  // by collector
  std::vector<EarlyHit> early_hits_;
  std::uint8_t own_reader_;
  PayloadEventQueue<Event, &Event::kind, &Event::unit> events_;
  std::vector<Warp> warps_;
  std::vector<Register> missing_;
  std::vector<OperandCachePolicy::Kept> kept_;  // scratch of signals
  Counters counters_{counter_list_};
};

}  // namespace subcore
