#include "subcore/power/monitors.h"

#include "subcore/base/config_error.h"
#include "subcore/base/spelling.h"

namespace subcore {
namespace {

using E = EnergyEvent;

EnergyCounts only(const EnergyCounts& counts, EnergyOwner owner) {
  EnergyCounts out;
  for (std::size_t e = 0; e < counts.size(); ++e) {
    if (EnergyEvents::table()[e].owner == owner) out[e] = counts[e];
  }
  return out;
}

}  // namespace

AccessMonitor::AccessMonitor(AccessPort& port) : counts_(port.events().size()) {
  const EnergyEvents& known = EnergyEvents::table();
  for (const std::string& event : port.events()) {
    const auto index = known.find(event);
    if (!index)
      throw ConfigError(std::string(port.name()) + ": '" + event + "' is not an energy event;" +
                        did_you_mean(event, known.names()) +
                        " expected one of them, or EnergyEvents::table().add() before the first platform");
    indices_.push_back(*index);
  }
}

void CollectorMonitor::add_transfers_to(EnergyCounts& c) const {
  c[E::xbar_rd] += deliveries_;
  c[E::buf_wr] += deliveries_ + results_;
  c[E::xbar_wr] += results_ + write_backs.count();
  c[E::tag_wr] += results_;
  c[E::buf_rd] += read_out_ + write_backs.count();
}

void BankMonitor::add_to(EnergyCounts& c) const {
  c[E::bank_rd] += reads_;
  c[E::arb] += reads_;
  c[E::bank_wr] += writes_;
}

void IssueLogicMonitor::add_to(EnergyCounts& c) const {
  c[E::ibuf_wr] += fetched.count();
  c[E::ibuf_rd] += issued.count();
  if (matrix_) {
    c[E::dep_wr] += fetched.count();
    c[E::dep_rd] += issued.count();
    c[E::dep_clr] += retired.count();
  } else {
    c[E::scoreboard] += issued.count();
  }
}

RegisterPathMonitor::RegisterPathMonitor(std::string name, SubCore& s, bool issue_logic, bool matrix)
    : name_(std::move(name)) {
  for (unsigned c = 0; c < s.collectors.size(); ++c) observe_collector(s, c);
  for (auto& bank : s.arbiter.bank_socket) bank.observe(banks_.emplace_back());
  for (Module* m : s.modules()) {
    if (m->access_ports().empty() || dynamic_cast<OperandPath*>(m) != nullptr) continue;
    of_others_.push_back({m->basename(), {}});
    of_others_.back().observe(*m);
  }
  if (s.operand_cache) s.operand_cache->prefetch_socket.observe(other_reads_);
  if (s.warpgroup_unit) s.warpgroup_unit->read_socket.observe(other_reads_);
  if (issue_logic) observe_issue_logic(s, matrix);
}

void RegisterPathMonitor::observe_collector(SubCore& s, unsigned index) {
  OperandPath& collector = s.collectors[index];
  CollectorMonitor& m = collectors_.emplace_back();
  of_collectors_.push_back({"collector_" + std::to_string(index), {}});
  of_collectors_.back().observe(collector);
  s.crossbar.source_socket[index].observe(m);
  collector.dispatch_socket.observe(m);
  if (collector.port_d() != nullptr) s.crossbar.destination_socket[index].observe(m);
  if (auto* port = collector.write_back_port()) port->observe(m.write_backs);
}

void RegisterPathMonitor::observe_issue_logic(SubCore& s, bool matrix) {
  IssueLogicMonitor& m = issue_logic_.emplace(matrix);
  s.trace_player.instruction_socket.observe(m.fetched);
  for (auto& port : s.scheduler.issue_socket) port.observe(m.issued);
  s.arbiter.retire_socket.observe(m.retired);
}

void RegisterPathMonitor::Stores::observe(Module& observed) {
  for (AccessPort* port : observed.access_ports()) port->observe(accesses.emplace_back(*port));
}

void RegisterPathMonitor::Stores::add_to(EnergyCounts& c) const {
  for (const AccessMonitor& a : accesses) a.add_to(c);
}

EnergyCounts RegisterPathMonitor::transfers() const {
  EnergyCounts sum;
  for (const CollectorMonitor& c : collectors_) c.add_transfers_to(sum);
  for (const BankMonitor& b : banks_) b.add_to(sum);
  sum[E::xbar_rd] += other_reads_.count();
  return sum;
}

EnergyCounts RegisterPathMonitor::counts() const {
  EnergyCounts sum = transfers();
  for (const Stores& s : of_collectors_) s.add_to(sum);
  for (const Stores& s : of_others_) s.add_to(sum);
  if (issue_logic_) issue_logic_->add_to(sum);
  return sum;
}

std::vector<std::pair<std::string, EnergyCounts>> RegisterPathMonitor::by_module() const {
  std::vector<std::pair<std::string, EnergyCounts>> rows;
  const EnergyCounts moved = transfers();
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    EnergyCounts own;
    banks_[b].add_to(own);
    rows.emplace_back(name_ + ".bank_" + std::to_string(b), only(own, EnergyOwner::bank));
  }
  if (issue_logic_) {
    rows.emplace_back(name_ + ".issue_scheduler", EnergyCounts());
    issue_logic_->add_to(rows.back().second);
  }
  rows.emplace_back(name_ + ".arbiter", only(moved, EnergyOwner::arbiter));
  rows.emplace_back(name_ + ".crossbar", only(moved, EnergyOwner::crossbar));
  for (const Stores& s : of_others_) {
    rows.emplace_back(name_ + "." + s.module, EnergyCounts());
    s.add_to(rows.back().second);
  }
  for (std::size_t c = 0; c < collectors_.size(); ++c) {
    EnergyCounts own;
    collectors_[c].add_transfers_to(own);
    rows.emplace_back(name_ + "." + of_collectors_[c].module, only(own, EnergyOwner::collector));
    of_collectors_[c].add_to(rows.back().second);
  }
  return rows;
}

}  // namespace subcore
