// OperandCache: a register cache between the collectors and the banks (RFC, software RFC, LTRF and the caches
// of the register cache study; one policy each). It sits in the paths that exist without it: reads on their
// way to the arbiter (a hit is answered here), operands on their way to port S, results on their way to the
// arbiter (which need not go to the banks), and adds two: write-backs, and prefetches for warps that become
// active. What is cached is its policy's business.
//
// Combinational like a collector. What arrives for a later cycle is applied in that cycle before anything
// else, and in a fixed order, so that the order of ticks within a cycle cannot be seen.
#pragma once

#include <memory>
#include <vector>

#include "model/policy/operand_cache/operand_cache_parameters.h"
#include "model/policy/operand_cache/operand_cache_policy.h"
#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"

namespace subcore {

class OperandCache final : public TickingModule {
 public:
  sc_core::sc_vector<InPort<OperandTransfer>> read_socket;     // from each collector
  sc_core::sc_vector<OutPort<OperandTransfer>> miss_socket;    // to the arbiter
  sc_core::sc_vector<InPort<OperandTransfer>> fill_socket;     // from the crossbar
  sc_core::sc_vector<OutPort<OperandTransfer>> source_socket;  // to each collector's port S
  sc_core::sc_vector<InPort<ResultTransfer>> result_socket;    // from each unit
  sc_core::sc_vector<OutPort<ResultTransfer>> bank_socket;     // to the arbiter
  OutPort<OperandTransfer> write_back_socket;
  OutPort<OperandTransfer> prefetch_socket;
  InPort<OperandTransfer> prefetched_socket;
  InPort<WarpTransfer> warp_socket;  // from the issue scheduler

  struct Counters {
    std::uint64_t searches = 0, hits = 0, misses = 0, writes = 0, fills = 0, prefetches = 0, write_backs = 0;
    std::uint64_t enters = 0, leaves = 0;
  };

  // `units`: how many send results. Reads of its own carry the collector number `collectors`.
  OperandCache(const sc_core::sc_module_name& name, unsigned collectors, unsigned units, unsigned warp_slots,
               const OperandCacheParameters& parameters);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  // In the order in which events of one cycle are applied; results by unit. Partial results come first: what
  // they complete must not have been pushed out in the same cycle, or it would come to the banks behind them.
  enum class Kind : std::uint8_t { fill, prefetched, partial_result, result, warp };
  struct Event {
    Cycle stamp;
    Kind kind;
    std::uint8_t unit;
    OperandTransfer operand;  // fill, prefetched
    WarpTransfer warp;        // warp; its instruction also for results
  };
  struct Warp {
    unsigned writing_back = 0, fetching = 0;
    bool leaving = false;
  };

  void read(unsigned c, OperandTransfer& t);
  void filled(unsigned c, OperandTransfer& t);
  void finished(unsigned u, ResultTransfer& t);
  void result_free(unsigned u, ResultTransfer& t) { result_socket[u].credit(t); }
  void written_back(unsigned, OperandTransfer& t);
  void prefetched(unsigned, OperandTransfer& t);
  void told(unsigned, WarpTransfer& t);

  void later(const Event& e);
  void settle(Cycle now);
  void apply(const Event& e, Cycle now);
  void write_back_dirty(Cycle now);
  void report_settled(unsigned warp_slot, Cycle stamp);

  std::unique_ptr<OperandCachePolicy> policy_;
  std::uint32_t hit_latency_;
  std::uint8_t own_reader_;
  std::vector<Event> events_;
  std::vector<Warp> warps_;
  std::vector<Register> missing_;
  Counters counters_;
};

}  // namespace subcore
