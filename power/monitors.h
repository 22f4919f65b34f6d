// Power monitors: observers that turn transfers and accesses into energy events (README.md, event rules).
// Monitors observe the sockets of a sub-core's register-operand path, and the ports on which modules report
// accesses of their stores. Monitors change nothing and can be left out.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/payloads.h"
#include "subcore/modules/protocol/port.h"
#include "subcore/platforms/sub_core.h"
#include "subcore/power/energy_events.h"

namespace subcore {

// Counts the transfers of a port.
template <class Payload>
class TransferCounter final : public TransferObserver<Payload> {
 public:
  void transferred(const Payload&) override { ++count_; }
  std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
};

// Counts the accesses of a module's own stores, as the module reports them.
class AccessMonitor final : public TransferObserver<StoreAccess> {
 public:
  // Throws ConfigError if the port names an event that EnergyEvents does not have.
  explicit AccessMonitor(AccessPort& port);
  void transferred(const StoreAccess& a) override { ++counts_[a.event]; }
  void add_to(EnergyCounts& counts) const {
    for (std::size_t e = 0; e < counts_.size(); ++e) counts[indices_[e]] += counts_[e];
  }

 private:
  std::vector<std::size_t> indices_;  // index in EnergyEvents of each event of the port
  std::vector<std::uint64_t> counts_;
};

// Counts transfers at one collector: deliveries, results, read-out. The monitor also counts crossbar events,
// at the collector that is their destination. Reports show them as the crossbar's.
class CollectorMonitor final : public TransferObserver<OperandTransfer>,
                               public TransferObserver<DestinationTransfer>,
                               public TransferObserver<DispatchTransfer> {
 public:
  void transferred(const OperandTransfer&) override { ++deliveries_; }  // on the crossbar's source_socket
  void transferred(const DestinationTransfer& t) override {
    if (t.kind == DestinationTransfer::Kind::result) ++results_;
  }
  void transferred(const DispatchTransfer& t) override { read_out_ += t.instruction->source_count; }

  void add_transfers_to(EnergyCounts& counts) const;

  TransferCounter<OperandTransfer> write_backs;  // transfers of dirty values

 private:
  std::uint64_t deliveries_ = 0, results_ = 0, read_out_ = 0;
};

// Counts the reads and writes of one register bank.
class BankMonitor final : public TransferObserver<OperandTransfer> {
 public:
  void transferred(const OperandTransfer& t) override { ++(t.writes() ? writes_ : reads_); }
  void add_to(EnergyCounts& counts) const;

 private:
  std::uint64_t reads_ = 0, writes_ = 0;
};

// Counts instructions in the issue stage: each enters the buffer, issues and retires once.
class IssueLogicMonitor {
 public:
  // `matrix`: a dependence matrix finds hazards, and not scoreboards.
  explicit IssueLogicMonitor(bool matrix) : matrix_(matrix) {}
  void add_to(EnergyCounts& counts) const;

  TransferCounter<FetchTransfer> fetched;
  TransferCounter<IssueTransfer> issued;
  TransferCounter<RetireTransfer> retired;

 private:
  bool matrix_;
};

// The monitors of one sub-core.
class RegisterPathMonitor {
 public:
  // `name` is used in reports. `issue_logic`: the issue stage is charged, too.
  RegisterPathMonitor(std::string name, SubCore& sub_core, bool issue_logic, bool matrix);

  EnergyCounts counts() const;
  // Event counts by module: "sm_0.sub_core_1.bank_0" and so on. Crossbar and arbiter have rows of their own.
  std::vector<std::pair<std::string, EnergyCounts>> by_module() const;

 private:
  struct Stores {  // a module's stores
    std::string module;
    std::deque<AccessMonitor> accesses;
    void observe(Module& observed);
    void add_to(EnergyCounts& counts) const;
  };
  void observe_collector(SubCore& sub_core, unsigned index);
  void observe_issue_logic(SubCore& sub_core, bool matrix);
  EnergyCounts transfers() const;  // events of transfers on the whole register path

  std::string name_;
  std::deque<CollectorMonitor> collectors_;
  std::deque<Stores> of_collectors_, of_others_;
  std::deque<BankMonitor> banks_;
  // Prefetches by an operand cache, and reads of accumulators. All these transfers go over the crossbar.
  TransferCounter<OperandTransfer> other_reads_;
  std::optional<IssueLogicMonitor> issue_logic_;
};

}  // namespace subcore
