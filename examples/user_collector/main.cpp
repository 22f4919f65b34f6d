// A kind of collector of the user's own, which platform files can name: the program with one more line in a
// table. The kind is a caching collector unit with a victim buffer, which holds the last few operands that
// left the cache table. An operand that is found there goes back into the table, in exchange for the operand
// that it evicts. A column of the results has the number of operands found there.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <systemc>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/power/energy_events.h"
#include "subcore/program/commands/program.h"

using namespace subcore;

// The collector's keys in a platform file, beside those of a caching collector unit.
class VictimChoice final : public CcuChoice {
 public:
  std::uint32_t victim_entries = 4;
  bool stale_victims = false;

  void describe(ParameterVisitor& v) override {
    CcuChoice::describe(v);
    v.field("victim_entries", victim_entries, {1, 64}, "entries", "operands in the victim buffer");
    v.field("stale_victims", stale_victims, "results leave old copies in the victim buffer (wrong results)");
  }
  const char* module_name() const override { return "victim_collector"; }
  OtherOperands other_operands() const override { return victim_entries; }
  Collector* make(const char* name, const CollectorParameters& p, const CollectorSite& site) const override;
};

class VictimCollector final : public Ccu {
 public:
  VictimCollector(const sc_core::sc_module_name& name, const CollectorParameters& p, const VictimChoice& own,
                  const CollectorSite& site)
      : Ccu(name, p, own, site), entries_(own.victim_entries), stale_(own.stale_victims) {}

 private:
  enum : unsigned { search, read, write };  // events of accesses_

  bool recall(const Warp&, Register r, Operand& found, Cycle) override {
    const auto v = find(r);
    if (v == victims_.end()) return false;
    accesses_.access(read, r);
    found = *v;
    victims_.erase(v);
    ++hits_;
    return true;
  }
  void evicted(const Warp&, const Operand& o, Cycle) override {
    accesses_.access(write, o.reg);
    if (victims_.size() == entries_) victims_.erase(victims_.begin());  // the oldest operand goes
    victims_.push_back(o);
  }
  void outdated(const Warp&, Register r, Cycle) override {
    if (const auto v = find(r); v != victims_.end() && !stale_) victims_.erase(v);
  }
  void flushed(const Warp&, Cycle) override { victims_.clear(); }

  std::vector<Operand>::iterator find(Register r) {
    accesses_.access(search, r);
    return std::find_if(victims_.begin(), victims_.end(), [&](const Operand& o) { return o.reg == r; });
  }

  AccessPort accesses_{*this, "victim_accesses", {"victim_search", "victim_rd", "victim_wr"}};
  std::vector<Operand> victims_;  // from the oldest to the youngest
  std::size_t entries_;
  bool stale_;
  Counter hits_{counter_list_, "victim_hits", "operands", "of the hits, those in the victim buffer"};
};

Collector* VictimChoice::make(const char* name, const CollectorParameters& p,
                              const CollectorSite& site) const {
  return new VictimCollector(name, p, *this, site);
}

int sc_main(int argc, char* argv[]) {
  for (const char* event : {"victim_search", "victim_rd", "victim_wr"})
    EnergyEvents::table().add(event, EnergyOwner::collector);
  CollectorChoice::choices().add<VictimChoice>("victim", "caching collector unit with a victim buffer");
  result_columns().add({"victim_hits", "victim hits", "operands", "victim_hits"});
  return subcore::program(argc, argv);
}
