// Arbiter of the register file: a FIFO of reads per bank, write priority, port S limits, and what steers
// results to collectors: Malekeh's write filter (sections II and IV-A2) or BOW's windows (section IV). Every
// pending write of a bank goes before its reads, so a value that a cache writes back is in the bank before
// anybody can read it there.
#pragma once

#include <vector>

#include "model/config/sub_core_parameters.h"
#include "model/policy/bank_map.h"
#include "model/policy/write_filter.h"
#include "modules/protocol/module.h"
#include "modules/protocol/payloads.h"
#include "modules/protocol/ring.h"

namespace subcore {

class Arbiter : public TickingModule {
 public:
  sc_core::sc_vector<InPort<OperandTransfer>> read_socket;        // one per collector
  sc_core::sc_vector<InPort<ResultTransfer>> result_socket;       // one per unit, load/store unit last
  sc_core::sc_vector<InPort<OperandTransfer>> write_back_socket;  // one per cache that holds dirty values
  sc_core::sc_vector<OutPort<OperandTransfer>> bank_socket;
  OutPort<DestinationTransfer> destination_socket;  // to the crossbar's write path
  OutPort<ResultTransfer> retire_socket;

  struct Counters {
    std::uint64_t read_requests = 0, read_grants = 0, read_wait_cycles = 0;
    std::uint64_t result_writes = 0, write_backs = 0, write_wait_cycles = 0, results = 0;
    std::uint64_t port_d_writes = 0, port_d_invalidates = 0, filtered = 0;
  };

  // How many of each are connected: collectors (and others) that read, units that send results, caches that
  // write back.
  struct Ports {
    unsigned readers, results, write_backs;
  };
  Arbiter(const sc_core::sc_module_name& name, const SubCoreParameters& parameters, const Ports& ports,
          const BankMap& map);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }

  void register_statistics(StatisticsGroup& group) override;
  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  struct Result {
    Cycle stamp;
    Instruction* instruction;
    unsigned source;
    std::uint32_t unwritten;  // one bit per destination
    bool offered = false;     // to the collectors' windows
  };
  struct WriteBack {
    OperandTransfer operand;
    unsigned source;
  };
  struct Holder {  // who holds a collector, and the news about it
    std::uint32_t warp_uid = 0;
    bool holds = false;
    Cycle issued = 0;
    DestinationTransfer news;
    Cycle news_stamp = never;
  };

  void requested(unsigned, OperandTransfer& t);
  void finished(unsigned source, ResultTransfer& t);
  void holder_changed(unsigned, DestinationTransfer& t);
  void returned(unsigned source, OperandTransfer& t);

  void write_back(Cycle now);
  void write_dirty(Cycle now, Cycle up_to);
  bool take_bank(unsigned bank);
  bool take_way_back(unsigned bank);
  void offer(Result& r, Cycle now);
  void filter(const Result& r, unsigned destination, Cycle now);
  void grant_reads(Cycle now);
  void take_over(Holder& h);

  BankMap map_;
  WriteFilter filter_;
  bool caching_, bypassing_;
  bool keeps_dirty_;                       // a result that enters a window need not be written to the banks
  bool partial_safe_;                      // unless only some lanes are written
  std::vector<std::uint32_t> port_limit_;  // per reader; 0 = none
  std::uint32_t steps_;
  std::vector<Ring<OperandTransfer>> queue_;  // per bank
  std::vector<Result> results_;               // by stamp, then source: write-back order
  std::vector<WriteBack> write_backs_;        // by stamp, then source
  std::uint32_t write_back_port_;             // of an operand cache; 0 = no limit
  std::uint32_t write_backs_left_ = 0;        // of it, this step
  std::vector<Holder> holders_;
  std::vector<std::uint32_t> port_used_;  // port S, this step
  std::uint64_t ports_touched_ = 0;       // collectors whose port_used_ is not 0
  std::uint64_t banks_busy_ = 0, banks_written_ = 0,
                banks_read_ = 0;  // this step; this cycle (for waveforms)
  Cycle last_tick_ = 0;
  std::uint64_t waiting_reads_ = 0;
  Counters counters_;
};

}  // namespace subcore
