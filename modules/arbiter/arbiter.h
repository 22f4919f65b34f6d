// Arbiter of the register file. Each bank has a FIFO of reads. Writes have priority, and port S of each
// reader limits the reads that are granted. A steering policy says which results go over port D to which
// collectors. Every pending write of a bank goes before the bank's reads, so a value that a cache writes back
// is in the bank before anybody can read it there. An operand path may bring a derived arbiter, for banks
// with other ports.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <memory>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/policy/bank_map.h"
#include "subcore/model/policy/steering/result_steering.h"
#include "subcore/modules/arbiter/register_file_parameters.h"
#include "subcore/modules/protocol/module.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/signal_probe.h"

namespace subcore {

// The modules that are connected to an arbiter. `collectors`, `other_readers`, `results` (units that send
// results), `write_backs` (caches that write back) and `accumulators` (units that write accumulators) are
// numbers of modules. The port S numbers of other readers follow those of the collectors. `other_reader_port`
// and `write_back_port` are widths in operands per step: of another reader's port S, and of what the banks
// take of write-backs; 0 = no limit. With `announces` the first collector hears of every result when it
// comes.
struct ArbiterPorts {
  unsigned collectors, other_readers, results, write_backs;
  std::uint32_t other_reader_port = 0, write_back_port = 0;
  unsigned accumulators = 0;
  bool announces = false;
};

class Arbiter : public TickingModule {
 public:
  struct Counters {
    CounterList& list;
    bool takes_write_backs, announces;
    Counter read_requests{list, "read_requests", "operands", "reads asked of the banks"};
    Counter read_grants{list, "bank_reads", "operands", "reads granted"};
    Counter read_wait_cycles{list, "bank_read_wait_cycles", "cycles",
                             "cycles that reads waited for bank or port S, summed over reads"};
    Counter result_writes{list, "bank_writes", "operands", "results written to the banks"};
    Counter write_backs{list, takes_write_backs, "write_backs", "operands",
                        "dirty values written back to the banks"};
    Counter outdated_write_backs{
        list, takes_write_backs, "outdated_write_backs", "operands",
        "dirty values dropped because a newer value of their register came a cycle before"};
    Counter write_wait_cycles{list, "bank_write_wait_cycles", "cycles",
                              "write collisions: cycles that results waited for their bank"};
    Counter results{list, "results", "instructions", "instructions that reached write-back"};
    Counter port_d_writes{list, "port_d_writes", "operands", "results sent to a collector"};
    Counter filtered{list, "port_d_filtered", "operands",
                     "results kept out of the collector that holds their warp"};
    Counter announced{list, announces, "announced_results", "operands",
                      "results that the first collector heard of, for the store that collectors share"};
    Counter port_d_invalidates{list, "port_d_invalidates", "operands",
                               "filtered results that made the collector look for an old copy"};
  };

  using Ports = ArbiterPorts;

 protected:
  // A result that a unit holds in its latch.
  struct Result {
    Cycle stamp = 0;
    Instruction* instruction = nullptr;
    std::uint16_t source = 0;    // number of the unit
    std::uint8_t unwritten = 0;  // a bit for each destination
    bool arrived = false;        // the steering policy, and whoever hears of all results, know of it
  };
  // A read, with the bank that it wants.
  struct Read : OperandTransfer {
    Read(const OperandTransfer& t, unsigned b) : OperandTransfer(t), bank(static_cast<std::uint8_t>(b)) {}
    std::uint8_t bank;
  };
  // A write-back, with the cache that it comes from.
  struct WriteBack : OperandTransfer {
    unsigned source = 0;  // number of the cache
  };

  // A result of all lanes that has come.
  struct Arrived {
    Cycle stamp;
    std::uint16_t warp_slot;
    Register reg;
  };

  // Arbiters of banks with other ports override the next functions. A step calls begin_writes() before its
  // writes.
  virtual void begin_writes(Cycle /*now*/) {}
  // Takes the bank's port in this step for a write: of a result, or of what a cache has given back (null).
  // False: the port is in use.
  virtual bool take_bank(unsigned bank, const Result* /*result*/) {
    if (bits::has(banks_busy_, bank)) return false;
    bits::add(banks_busy_, bank);
    return true;
  }
  // Whether a result that has come must wait, whatever its banks do.
  virtual bool is_held_back(const Result& /*result*/) const { return false; }
  // Grants reads, behind the writes of a step. True: some reads wait.
  virtual bool grant_reads(Cycle now);
  bool grant_only_read(Cycle now);
  void grant(const Read& r, Cycle now) {
    ++counters_.read_grants;
    OperandTransfer t = r;
    t.stamp = now + 1;
    bank_socket[r.bank].send(t);
  }

  // Members that every tick reads lie next to those of the base class, because the state of an SM fills more
  // than its share of a first-level cache.
  BankMap map_;
  std::unique_ptr<ResultSteering> steering_;
  unsigned collectors_;
  std::uint32_t collector_port_, other_reader_port_;
  std::uint32_t steps_;
  std::uint32_t write_back_port_;       // write-backs that the banks take in a step; 0 = no limit
  std::uint32_t write_backs_left_ = 0;  // how many more they take in this step
  std::uint64_t banks_busy_ = 0;        // banks whose port is used in this step
  bool steers_at_arrival_, steers_at_write_, whole_writes_, announces_;
  Counters counters_;
  alignas(64) boost::container::small_vector<Result, 8> results_;  // ordered by stamp, then by source
  boost::container::small_vector<Read, 8> reads_;  // in order of arrival; the reads of a bank are its FIFO
  PayloadEventQueue<WriteBack, &WriteBack::source> write_backs_;
  PayloadEventQueue<OperandTransfer> accumulators_;  // to be written
  // Results that came in this cycle or the one before. Kept only if results are steered at arrival and caches
  // write back.
  std::vector<Arrived> arrived_;

 public:
  PortVector<InPort<OperandTransfer>> read_socket;         // a socket per collector
  PortVector<InPort<ResultTransfer>> result_socket;        // a socket per unit, load/store unit last
  PortVector<InPort<OperandTransfer>> write_back_socket;   // a socket per cache that holds dirty values
  PortVector<InPort<OperandTransfer>> accumulator_socket;  // accumulators of a warpgroup's products
  PortVector<OutPort<OperandTransfer>> bank_socket;
  OutPort<DestinationTransfer> destination_socket;  // to the crossbar's write path
  OutPort<RetireTransfer> retire_socket;

  // `steering`: null if no collector takes results. `whole_writes`: the arbiter ignores lane masks and takes
  // every write of a register for a write of all lanes.
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
  void steering_changed(unsigned, DestinationTransfer& t) {
    steering_->update(t.collector, t.stamp, t.update);
  }
  void returned(unsigned source, OperandTransfer& t);

  // Whether any write-back is here. If no cache writes back, the queue is not looked at.
  bool has_write_backs() const { return counters_.takes_write_backs && !write_backs_.empty(); }
  bool write_back(Cycle now);
  void write_dirty(Cycle now, Cycle up_to);
  void note_arrival(const Instruction& i, Cycle now);
  bool is_outdated(const WriteBack& w) const;
  void accumulated(unsigned, OperandTransfer& t);
  void write_accumulators(Cycle now);
  bool take_way_back(unsigned bank);
  void send_steered(const Instruction& i, Cycle now);
  void announce(const Instruction& i, Register r, Cycle now);
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
