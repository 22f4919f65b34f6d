// Caching collector unit (CCU): an operand collector whose operand storage is a small cache that outlives the
// instruction (Malekeh, section III-C). A CCU has a cache table (CT), an operand collector table (OCT), and
// the ports S, D and R.
//
// A CCU is combinational in its issue cycle, like an OCU. Results on port D arrive with the stamp of the next
// cycle. Every other event first applies the results that are due, so the order of ticks within a cycle
// cannot be seen.
//
// Write-back is not in the paper. With write-back, the banks do not get a result that enters the table. The
// result goes to the banks when it leaves the table, unless no instruction will read it.
//
// A derived kind of collector may keep values beside the cache table, too.
#pragma once

#include <array>

#include "subcore/model/policy/replacement/cache_table.h"
#include "subcore/model/policy/result_use.h"
#include "subcore/modules/collector/collector.h"
#include "subcore/modules/collector/write_back_port.h"
#include "subcore/modules/operand_path/collector_parameters.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/payload_event_queue.h"

namespace subcore {

class CcuChoice : public CollectorChoice {
 public:
  Chosen<ReplacementChoice> replacement{"near_aware"};
  bool cache_results = true;
  bool near_filter = true;
  std::uint32_t result_ports = 1;
  bool stale_invalidate = true;
  bool write_back = false;

  void describe(ParameterVisitor& v) override;
  void check(Checker& c) const override;
  const char* module_name() const override { return "caching_collector"; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
  std::unique_ptr<ResultSteering> make_steering(const CollectorParameters& p,
                                                unsigned warp_slots) const override;

 private:
  void check_write_back(Checker& c) const;
};

class Ccu : public SingleCollector {
 public:
  InPort<DestinationTransfer> destination_socket;  // port D
  AccessPort tags{*this, "tags", {"tag_search"}};  // accesses of the cache table

  struct Counters {
    CounterList& list;
    bool writes_back;
    Counter instructions{list, "instructions", "instructions", "instructions collected"};
    Counter source_operands{list, "source_operands", "operands", "source operands looked up"};
    Counter hits{list, "cache_read_hits", "operands", "source operands found in the cache table"};
    Counter incomplete_hits{
        list, "incomplete_hits", "operands",
        "hits in entries that lacked some of the lanes that were read (partial_write ignore)"};
    Counter flushes{list, "flushes", "flushes", "times the cache table was emptied for another warp"};
    Counter result_writes{list, "cache_writes", "operands", "results written into the cache table"};
    Counter result_allocations{list, "result_allocations", "operands",
                               "results written into a new entry of the cache table"};
    Counter invalidations{list, "invalidations", "operands",
                          "entries outdated by a result that was kept out"};
    Counter late_results{list, "late_results", "operands",
                         "results that found the collector with another warp"};
    Counter only_copies{list, writes_back, "only_copies", "operands",
                        "results that the banks did not get when they came"};
    Counter dead_copies{
        list, writes_back, "dead_copies", "operands",
        "results that never went to the banks, because no instruction read them after the collector"};
  };

  // The value of a register, and which of its lanes were written.
  struct Operand {
    Register reg;
    Version version;
    std::uint32_t lanes;
  };
  // A warp: its number in the run, and its slot in the sub-core.
  struct Warp {
    std::uint32_t uid;
    std::uint16_t slot;
  };

  Ccu(const sc_core::sc_module_name& name, const CollectorParameters& parameters, const CcuChoice& own,
      const CollectorSite& site);

  Cycle tick(Cycle now) override;
  InPort<DestinationTransfer>* port_d() override { return &destination_socket; }
  OutPort<OperandTransfer>* write_back_port() override { return write_back_.port(); }
  std::uint64_t flushes() const override { return counters_.flushes; }
  const Counters& counters() const { return counters_; }
  const CacheTable& table() const { return table_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  void inventory(Inventory& list) const override;
  bool drained() const override {
    return SingleCollector::drained() && results_.empty() && write_back_.drained();
  }
  void report_waiting(std::ostream& out) const override {
    SingleCollector::report_waiting(out);
    write_back_.report_waiting(out, name());
  }

 protected:
  // The next four functions are called only if the kind's choice has other_operands(), because the kind keeps
  // values beside the cache table. A value is either in the table or beside it.
  //
  // A store of several collectors must not show which collector ticks first. In such a store, `evicted` and
  // `flushed` count from cycle `now` + 1 on. A value that is outdated from a cycle on comes behind the values
  // that were evicted up to that cycle.
  //
  // recall() is asked for a source of the warp that is not in the table. If the value is beside the table,
  // recall() takes the value from there for the table and returns true.
  virtual bool recall(const Warp&, Register, Operand&, Cycle /*now*/) { return false; }
  // The table gives up a value of the warp to make room.
  virtual void evicted(const Warp&, const Operand&, Cycle /*now*/) {}
  // A newer value of the warp's register was computed: from cycle `from` on no copy may be recalled. The
  // collector that holds the warp gets this call in cycle `from`. If the choice hears_all_results(), the
  // first collector of the sub-core gets the call for every result, a cycle before `from`, and so does the
  // collector that holds the warp.
  virtual void outdated(const Warp&, Register, Cycle /*from*/) {}
  // The collector goes from this warp to another one. The table still has this warp's values and drops them
  // after the call. Nothing that only this collector knows of may outlive this call.
  virtual void flushed(const Warp&, Cycle /*now*/) {}

 private:
  void issued(unsigned, IssueTransfer& t);
  void delivered(unsigned, OperandTransfer& t);
  void result(unsigned, DestinationTransfer& t);
  void dispatched(unsigned, DispatchTransfer& t);

  void move() {
    if (moves_on()) leave();
  }
  void leave();
  void apply_results(Cycle now);
  void apply(const DestinationTransfer& t, Cycle now);
  unsigned allocate(Register r, Cycle now);
  void note_last_use(const Instruction& i, unsigned source);
  void leave_table(unsigned entry, bool is_outdated, Cycle now);
  std::uint32_t recall_all(const Instruction& i, std::uint32_t misses, Cycle now);
  void tell_arbiter(Cycle stamp);
  void tell_scheduler(Cycle stamp);
  Warp holder() const { return {warp_uid_, warp_slot_}; }
  // Status for port R; `free`: the collector takes another instruction.
  CollectorStatus status(bool free) const { return {warp_uid_, holds_, table_.has_near(), free}; }

  WriteBackPort write_back_;
  CacheTable table_;
  std::array<std::uint8_t, max_sources> index_of_{};  // OCT: slot -> CT entry
  std::uint32_t warp_uid_ = 0;
  std::uint32_t warp_number_ = 0;  // the warp's number in its kernel
  std::uint16_t warp_slot_ = 0;
  bool holds_ = false;
  bool ended_ = false;                              // the warp's last instruction has come
  std::uint64_t only_ = 0;                          // entries that the banks do not have
  std::uint64_t dead_ = 0;                          // entries of only_ whose value nobody reads any more
  CollectorStatus told_;                            // last status sent over port R
  PayloadEventQueue<DestinationTransfer> results_;  // from port D
  std::uint32_t result_ports_;                      // results that port D takes at a time
  bool partial_safe_, duplicates_hit_;
  bool shares_;  // a warp may hold several collectors: the arbiter must know each issue
  bool keeps_beside_, hears_all_results_;
  Counters counters_;
  EntryUse use_;  // use of the results in the table
};

}  // namespace subcore
