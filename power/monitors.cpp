#include "power/monitors.h"

#include <cstdio>

namespace subcore {
namespace {

std::uint64_t& at(EnergyCounts& c, EnergyEvent e) {
  return c[static_cast<std::size_t>(e)];
}

// A hit is read from the data array and carried to the collector, which stores it like any operand.
void add_operand_cache(const OperandCache::Counters& n, EnergyCounts& c) {
  at(c, EnergyEvent::cache_search) += n.searches;
  at(c, EnergyEvent::cache_rd) += n.hits + n.write_backs;
  at(c, EnergyEvent::cache_wr) += n.writes + n.fills;
  at(c, EnergyEvent::cache_path) += n.writes + n.write_backs;
  at(c, EnergyEvent::cache_out) += n.hits;
  at(c, EnergyEvent::buf_wr) += n.hits;
  at(c, EnergyEvent::xbar_rd) += n.prefetches;
}

EnergyCounts only(const EnergyCounts& counts, EnergyOwner owner) {
  EnergyCounts out{};
  for (std::size_t e = 0; e < energy_event_count; ++e) {
    if (owner_of(static_cast<EnergyEvent>(e)) == owner) out[e] = counts[e];
  }
  return out;
}

}  // namespace

void CollectorMonitor::add_to(EnergyCounts& c) const {
  at(c, EnergyEvent::tag_search) += tag_searches_;
  at(c, EnergyEvent::xbar_rd) += deliveries_;
  at(c, EnergyEvent::buf_wr) += deliveries_ + results_;
  at(c, EnergyEvent::xbar_wr) += results_ + write_backs.count();
  at(c, EnergyEvent::tag_wr) += results_;
  at(c, EnergyEvent::buf_rd) += read_out_ + write_backs.count();
  if (!forwarding_) return;
  const std::uint64_t copied = looked_up_ - requests.count();
  at(c, EnergyEvent::fwd_rd) += copied;
  at(c, EnergyEvent::fwd_wr) += copied;
}

void BankMonitor::add_to(EnergyCounts& c) const {
  at(c, EnergyEvent::bank_rd) += reads_;
  at(c, EnergyEvent::arb) += reads_;
  at(c, EnergyEvent::bank_wr) += writes_;
}

void IssueLogicMonitor::add_to(EnergyCounts& c) const {
  at(c, EnergyEvent::ibuf_wr) += fetched.count();
  at(c, EnergyEvent::ibuf_rd) += issued.count();
  if (matrix_) {
    at(c, EnergyEvent::dep_wr) += fetched.count();
    at(c, EnergyEvent::dep_rd) += issued.count();
    at(c, EnergyEvent::dep_clr) += retired.count();
  } else {
    at(c, EnergyEvent::scoreboard) += issued.count();
  }
}

void RegisterPathMonitor::observe_collector(const CollectorPorts& p) {
  CollectorMonitor& m = collectors_.emplace_back(caching_, forwarding_);
  if (caching_) p.issue.observe(m);  // a plain collector has no tags to search
  p.source.observe(m);
  p.dispatch.observe(m);
  p.read.observe(m.requests);
  if (p.destination != nullptr) p.destination->observe(m);
  if (p.write_back != nullptr) p.write_back->observe(m.write_backs);
}

void RegisterPathMonitor::observe_bank(OutPort<OperandTransfer>& bank) {
  bank.observe(banks_.emplace_back());
}

EnergyCounts RegisterPathMonitor::counts() const {
  EnergyCounts sum{};
  for (const CollectorMonitor& c : collectors_) c.add_to(sum);
  for (const BankMonitor& b : banks_) b.add_to(sum);
  if (operand_cache_ != nullptr) add_operand_cache(operand_cache_->counters(), sum);
  if (issue_logic_) issue_logic_->add_to(sum);
  return sum;
}

std::vector<std::pair<std::string, EnergyCounts>> RegisterPathMonitor::by_module() const {
  std::vector<std::pair<std::string, EnergyCounts>> rows;
  const EnergyCounts all = counts();
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    EnergyCounts own{};
    banks_[b].add_to(own);
    rows.emplace_back(name_ + ".bank_" + std::to_string(b), only(own, EnergyOwner::bank));
  }
  if (issue_logic_) rows.emplace_back(name_ + ".issue_scheduler", only(all, EnergyOwner::issue_logic));
  rows.emplace_back(name_ + ".arbiter", only(all, EnergyOwner::arbiter));
  rows.emplace_back(name_ + ".crossbar", only(all, EnergyOwner::crossbar));
  if (operand_cache_ != nullptr) {
    // The collectors' side of a hit is charged here, where it is known.
    EnergyCounts own{};
    add_operand_cache(operand_cache_->counters(), own);
    EnergyCounts shown = only(own, EnergyOwner::operand_cache);
    at(shown, EnergyEvent::buf_wr) = own[static_cast<std::size_t>(EnergyEvent::buf_wr)];
    rows.emplace_back(name_ + ".operand_cache", shown);
  }
  for (std::size_t c = 0; c < collectors_.size(); ++c) {
    EnergyCounts own{};
    collectors_[c].add_to(own);
    rows.emplace_back(name_ + ".collector_" + std::to_string(c), only(own, EnergyOwner::collector));
  }
  return rows;
}

std::string power_csv(const std::vector<std::pair<std::string, EnergyCounts>>& by_module,
                      const EnergyCoefficients& coefficients) {
  std::string text = "module,event,count,energy_pj\n";
  char number[64];
  for (const auto& [module, counts] : by_module) {
    for (std::size_t e = 0; e < energy_event_count; ++e) {
      if (counts[e] == 0) continue;
      std::snprintf(number, sizeof number, ",%llu,%.3f\n", static_cast<unsigned long long>(counts[e]),
                    static_cast<double>(counts[e]) * coefficients.pj[e]);
      text += module + "," + std::string(names(EnergyEvent{})[e]) + number;
    }
  }
  return text;
}

}  // namespace subcore
