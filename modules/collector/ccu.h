// Caching collector unit (CCU): an operand collector whose operand storage is a small cache that outlives
// the instruction (Malekeh, section III-C): cache table (CT), operand collector table (OCT), ports S, D and
// R.
//
// Combinational in its issue cycle, like the OCU. Results on port D arrive stamped for the next cycle; every
// other event first settles what is due, so that the order of ticks within a cycle cannot be seen.
#pragma once

#include <array>
#include <vector>

#include "model/policy/replacement/cache_table.h"
#include "modules/collector/collector.h"
#include "modules/collector/collector_parameters.h"

namespace subcore {

class CcuChoice final : public CollectorChoice {
 public:
  Chosen<ReplacementChoice> replacement{"near_aware"};
  bool cache_results = true;
  bool near_filter = true;
  std::uint32_t result_ports = 1;
  bool stale_invalidate = true;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  const char* module_name() const override { return "caching_collector"; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
  std::unique_ptr<ResultSteering> make_steering(const CollectorParameters& p,
                                                unsigned warp_slots) const override;
};

class Ccu final : public Collector {
 public:
  InPort<DestinationTransfer> destination_socket;  // port D

  struct Counters {
    std::uint64_t instructions = 0, source_operands = 0, hits = 0, incomplete_hits = 0, flushes = 0;
    std::uint64_t result_writes = 0, result_allocations = 0, invalidations = 0, late_results = 0;
  };

  Ccu(const sc_core::sc_module_name& name, const CollectorParameters& parameters, const CcuChoice& own,
      const CollectorSite& site);

  Cycle tick(Cycle now) override;
  InPort<DestinationTransfer>* port_d() override { return &destination_socket; }
  std::uint64_t source_operands() const override { return counters_.source_operands; }
  std::uint64_t cache_read_hits() const override { return counters_.hits; }
  std::uint64_t cache_writes() const override { return counters_.result_writes; }
  std::uint64_t incomplete_hits() const override { return counters_.incomplete_hits; }
  const Counters& counters() const { return counters_; }
  const CacheTable& table() const { return table_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override { return instruction_ == nullptr && results_.empty(); }
  void report_waiting(std::ostream& out) const override;

 private:
  void issued(unsigned, IssueTransfer& t);
  void delivered(unsigned, OperandTransfer& t);
  void result(unsigned, DestinationTransfer& t);
  void dispatched(unsigned, DispatchTransfer& t);

  void move();
  void settle(Cycle now);
  void apply(const DestinationTransfer& t);
  void tell_arbiter(Cycle stamp);
  void tell_scheduler(Cycle stamp);
  CollectorStatus status() const;

  CacheTable table_;
  std::array<std::uint8_t, max_sources> index_of_{};  // OCT: slot -> CT entry
  Instruction* instruction_ = nullptr;
  unsigned missing_ = 0;
  Cycle complete_ = 0;    // first cycle in which every operand that has come may be used
  Cycle latch_free_ = 0;  // first cycle in which the latch is free; `never`: it waits for dispatch
  std::uint32_t warp_uid_ = 0;
  bool holds_ = false;
  CollectorStatus told_;                      // last status sent over port R
  std::vector<DestinationTransfer> results_;  // arrived on port D, not settled
  std::uint8_t index_;
  unsigned slots_;
  bool partial_safe_, duplicates_hit_;
  bool shares_;  // a warp may hold several collectors: the arbiter must know each issue
  Counters counters_;
};

}  // namespace subcore
