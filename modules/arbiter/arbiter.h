// Arbiter of the register file: a FIFO of reads per bank, write priority, port S limits, and port D, where a
// steering policy says which results go to which collectors. Every pending write of a bank goes before its
// reads, so a value that a cache writes back is in the bank before anybody can read it there. Banks with
// separate ports take writes as far as their ports go, results that the compiler counts on first, and every
// read, because whoever reads has reserved a port.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/bank_map.h"
#include "subcore/model/policy/steering/result_steering.h"
#include "subcore/modules/arbiter/register_file_parameters.h"
#include "subcore/modules/protocol/inbox.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/signal_probe.h"

namespace subcore {

class Arbiter final : public TickingModule {
 public:
  struct Counters {
    CounterList& list;
    bool takes_write_backs;
    Counter read_requests{list, "read_requests", "operands", "reads asked of the banks"};
    Counter read_grants{list, "bank_reads", "operands", "reads granted"};
    Counter read_wait_cycles{list, "bank_read_wait_cycles", "cycles",
                             "cycles that reads waited for bank or port S, summed over reads"};
    Counter result_writes{list, "bank_writes", "operands", "results written to the banks"};
    Counter write_backs{list, takes_write_backs, "write_backs", "operands",
                        "dirty values written back to the banks"};
    Counter write_wait_cycles{list, "bank_write_wait_cycles", "cycles",
                              "write collisions: cycles that results waited for their bank"};
    Counter results{list, "results", "instructions", "instructions that reached write-back"};
    Counter port_d_writes{list, "port_d_writes", "operands", "results sent to a collector"};
    Counter filtered{list, "port_d_filtered", "operands",
                     "results kept out of the collector that holds their warp"};
    Counter port_d_invalidates{list, "port_d_invalidates", "operands",
                               "of these, with a look for an old copy"};
  };

  // Numbers of connected collectors, of other readers (whose port S numbers follow those of the collectors),
  // of units that send results and of caches that write back. Widths, in operands a step, of another reader's
  // port S and of what the banks take of write-backs; 0 = no limit.
  struct Ports {
    unsigned collectors, other_readers, results, write_backs;
    std::uint32_t other_reader_port = 0, write_back_port = 0;
  };

 private:
  struct Result {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    std::uint16_t source = 0;    // unit
    std::uint8_t unwritten = 0;  // one bit per destination
    bool arrived = false;        // the steering policy knows of the result
  };
  struct Read : OperandTransfer {
    Read(const OperandTransfer& t, unsigned b) : OperandTransfer(t), bank(static_cast<std::uint8_t>(b)) {}
    std::uint8_t bank;
  };
  struct WriteBack : OperandTransfer {
    unsigned source = 0;  // cache
  };

  // Members that every tick reads lie next to those of the base class: an SM takes more than its share of the
  // lines of a first-level cache.
  BankMap map_;
  std::unique_ptr<ResultSteering> steering_;
  unsigned collectors_;
  std::uint32_t collector_port_, other_reader_port_;
  std::uint32_t steps_;
  std::uint32_t write_back_port_;       // write-backs that the banks take in a step; 0 = no limit
  std::uint32_t write_backs_left_ = 0;  // how many more they take in this step
  std::uint64_t banks_busy_ = 0;        // in this step
  bool steers_at_arrival_, steers_at_write_, whole_writes_, separate_ports_;
  std::uint8_t read_ports_, write_ports_;          // ports of a bank, if they are separate; 0 = no limit
  std::array<std::uint8_t, 64> writes_of_bank_{};  // in this step, if ports are separate
  Counters counters_;
  alignas(64) boost::container::small_vector<Result, 8> results_;  // by stamp, those of a cycle by source
  boost::container::small_vector<Read, 8> reads_;  // as they came: those of a bank are its FIFO
  Inbox<WriteBack, &WriteBack::source> write_backs_;

 public:
  PortVector<InPort<OperandTransfer>> read_socket;        // one per collector
  PortVector<InPort<ResultTransfer>> result_socket;       // one per unit, load/store unit last
  PortVector<InPort<OperandTransfer>> write_back_socket;  // one per cache that holds dirty values
  PortVector<OutPort<OperandTransfer>> bank_socket;
  OutPort<DestinationTransfer> destination_socket;  // to the crossbar's write path
  OutPort<ResultTransfer> retire_socket;

  // `steering`: null if no collector takes results. `whole_writes`: lane masks are ignored, and every write
  // of a register is taken for a whole one.
  Arbiter(const sc_core::sc_module_name& name, const RegisterFileParameters& parameters, const Ports& ports,
          const BankMap& map, std::unique_ptr<ResultSteering> steering, bool whole_writes);

  Cycle tick(Cycle now) override;
  const Counters& counters() const { return counters_; }

  std::vector<Signal> signals() override;
  bool drained() const override;
  void report_waiting(std::ostream& out) const override;

 private:
  void requested(unsigned, OperandTransfer& t);
  void finished(unsigned source, ResultTransfer& t);
  void told(unsigned, DestinationTransfer& t) { steering_->news(t.collector, t.stamp, t.news); }
  void returned(unsigned source, OperandTransfer& t);

  // Whether any write-back is here. The inbox is not looked at where no cache writes back.
  bool has_write_backs() const { return counters_.takes_write_backs && !write_backs_.empty(); }
  bool write_back(Cycle now);
  void write_dirty(Cycle now, Cycle up_to);
  bool take_bank(unsigned bank) {
    if (separate_ports_) {
      if (write_ports_ != 0 && writes_of_bank_[bank] == write_ports_) return false;
      ++writes_of_bank_[bank];
      return true;
    }
    if (bits::has(banks_busy_, bank)) return false;
    bits::add(banks_busy_, bank);
    return true;
  }
  bool take_way_back(unsigned bank);
  void send_steered(const Instruction& i, Cycle now);
  bool grant_reads(Cycle now);
  void grant_reserved_reads(Cycle now);
  void put_counted_results_first(Cycle now);
  void report_ports(const Read& r, Cycle now) const;
  void count_waiting(Cycle now);
  // Operands that port S of a reader takes in a step; 0 = no limit.
  std::uint32_t port_limit(unsigned reader) const {
    return reader < collectors_ ? collector_port_ : other_reader_port_;
  }
  // Reads that wait for a bank, the oldest first.
  std::vector<Read> queue(unsigned bank) const;

  std::vector<SteeredResult> steered_;
  SignalProbes<OperandTransfer> probes_;
};

}  // namespace subcore
