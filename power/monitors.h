// Power monitors: observers on the sockets of a sub-core's register-operand path that turn transfers into
// energy events (README.md, event rules). They change nothing and can be left out.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "modules/protocol/payloads.h"
#include "modules/protocol/port.h"
#include "power/energy_model.h"

namespace subcore {

// What happens at one collector: look-ups, deliveries, results, read-out. Crossbar events are charged here
// too, to the collector at the far end, and reported as the crossbar's.
class CollectorMonitor final : public TransferObserver<IssueTransfer>,
                               public TransferObserver<OperandTransfer>,
                               public TransferObserver<DestinationTransfer>,
                               public TransferObserver<DispatchTransfer> {
 public:
  explicit CollectorMonitor(bool caching) : caching_(caching) {}

  void transferred(const IssueTransfer& t) override {
    if (caching_) tag_searches_ += t.instruction->source_count;
  }
  void transferred(const OperandTransfer&) override { ++deliveries_; }  // on source_socket
  void transferred(const DestinationTransfer& t) override {
    ++tag_searches_;
    if (!t.invalidate) ++results_;
  }
  void transferred(const DispatchTransfer& t) override { read_out_ += t.instruction->source_count; }

  void add_to(EnergyCounts& counts) const;

 private:
  bool caching_;
  std::uint64_t tag_searches_ = 0, deliveries_ = 0, results_ = 0, read_out_ = 0;
};

class BankMonitor final : public TransferObserver<OperandTransfer> {
 public:
  void transferred(const OperandTransfer& t) override { ++(t.write ? writes_ : reads_); }
  void add_to(EnergyCounts& counts) const;

 private:
  std::uint64_t reads_ = 0, writes_ = 0;
};

// The monitors of one sub-core.
class RegisterPathMonitor {
 public:
  RegisterPathMonitor(std::string name, bool caching) : name_(std::move(name)), caching_(caching) {}

  // `destination` is null for collectors without port D.
  void observe_collector(OutPort<IssueTransfer>& issue, OutPort<OperandTransfer>& source,
                         OutPort<DispatchTransfer>& dispatch, OutPort<DestinationTransfer>* destination);
  void observe_bank(OutPort<OperandTransfer>& bank);

  EnergyCounts counts() const;
  // Event counts by module: "sm_0.sub_core_1.bank_0", ... crossbar and arbiter apart.
  std::vector<std::pair<std::string, EnergyCounts>> by_module() const;

 private:
  std::string name_;
  bool caching_;
  std::deque<CollectorMonitor> collectors_;
  std::deque<BankMonitor> banks_;
};

// module, event, count, pJ rows, with a header row.
std::string power_csv(const std::vector<std::pair<std::string, EnergyCounts>>& by_module,
                      const EnergyCoefficients& coefficients);

}  // namespace subcore
