// Power monitors: observers on the sockets of a sub-core's register-operand path that turn transfers into
// energy events (README.md, event rules). They change nothing and can be left out.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "modules/operand_cache/operand_cache.h"
#include "modules/protocol/payloads.h"
#include "modules/protocol/port.h"
#include "power/energy_model.h"

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

// What happens at one collector: look-ups, deliveries, results, read-out. Crossbar events are charged here
// too, to the collector at the far end, and reported as the crossbar's.
class CollectorMonitor final : public TransferObserver<IssueTransfer>,
                               public TransferObserver<OperandTransfer>,
                               public TransferObserver<DestinationTransfer>,
                               public TransferObserver<DispatchTransfer> {
 public:
  // `caching`: it has tags to search. `forwarding`: a hit is copied into a latch of the instruction's own.
  CollectorMonitor(bool caching, bool forwarding) : caching_(caching), forwarding_(forwarding) {}

  void transferred(const IssueTransfer& t) override {
    looked_up_ += t.instruction->source_count;
    if (caching_) tag_searches_ += t.instruction->source_count;
  }
  void transferred(const OperandTransfer&) override { ++deliveries_; }  // on source_socket
  void transferred(const DestinationTransfer& t) override {
    ++tag_searches_;
    if (!t.invalidate) ++results_;
  }
  void transferred(const DispatchTransfer& t) override { read_out_ += t.instruction->source_count; }

  void add_to(EnergyCounts& counts) const;

  TransferCounter<OperandTransfer> requests;     // on read_socket: what was not found
  TransferCounter<OperandTransfer> write_backs;  // of dirty values

 private:
  bool caching_, forwarding_;
  std::uint64_t looked_up_ = 0, tag_searches_ = 0, deliveries_ = 0, results_ = 0, read_out_ = 0;
};

class BankMonitor final : public TransferObserver<OperandTransfer> {
 public:
  void transferred(const OperandTransfer& t) override { ++(t.write ? writes_ : reads_); }
  void add_to(EnergyCounts& counts) const;

 private:
  std::uint64_t reads_ = 0, writes_ = 0;
};

// What happens to instructions in the issue stage: each enters the buffer, issues and retires once.
class IssueLogicMonitor {
 public:
  // `matrix`: hazards are found by a dependence matrix, not by scoreboards.
  explicit IssueLogicMonitor(bool matrix) : matrix_(matrix) {}
  void add_to(EnergyCounts& counts) const;

  TransferCounter<FetchTransfer> fetched;
  TransferCounter<IssueTransfer> issued;
  TransferCounter<ResultTransfer> retired;

 private:
  bool matrix_;
};

// The monitors of one sub-core.
class RegisterPathMonitor {
 public:
  // `caching`, `forwarding`: what CollectorMonitor asks.
  RegisterPathMonitor(std::string name, bool caching, bool forwarding)
      : name_(std::move(name)), caching_(caching), forwarding_(forwarding) {}

  // The ports that carry transfers to and from a collector; `destination` and `write_back` are null for
  // collectors that have none.
  struct CollectorPorts {
    OutPort<IssueTransfer>& issue;
    OutPort<OperandTransfer>& read;
    OutPort<OperandTransfer>& source;
    OutPort<DispatchTransfer>& dispatch;
    OutPort<DestinationTransfer>* destination;
    OutPort<OperandTransfer>* write_back;
  };
  void observe_collector(const CollectorPorts& ports);
  void observe_bank(OutPort<OperandTransfer>& bank);
  // Accesses of an operand cache happen inside it, on no socket: it counts them itself.
  void observe_operand_cache(const OperandCache& cache) { operand_cache_ = &cache; }
  // The issue stage: its ports are to be observed with the monitor that this returns.
  IssueLogicMonitor& observe_issue_logic(bool matrix) { return issue_logic_.emplace(matrix); }

  EnergyCounts counts() const;
  // Event counts by module: "sm_0.sub_core_1.bank_0", ... crossbar and arbiter apart.
  std::vector<std::pair<std::string, EnergyCounts>> by_module() const;

 private:
  std::string name_;
  bool caching_, forwarding_;
  std::deque<CollectorMonitor> collectors_;
  std::deque<BankMonitor> banks_;
  const OperandCache* operand_cache_ = nullptr;
  std::optional<IssueLogicMonitor> issue_logic_;
};

// module, event, count, pJ rows, with a header row.
std::string power_csv(const std::vector<std::pair<std::string, EnergyCounts>>& by_module,
                      const EnergyCoefficients& coefficients);

}  // namespace subcore
