// A victim buffer that all collectors of a sub-core share, as in docs/extending.md, and the checks that find
// mistakes in it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/modules/protocol/payload_event_queue.h"
#include "subcore/power/energy_events.h"
#include "tests/platform/runs.h"
#include "tests/temporary_folder.h"

namespace shared_store_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

// Mistakes that a store may have.
enum class Fault { none, deaf, one_warp };

class SharedVictims {
 public:
  SharedVictims(std::size_t entries, Fault fault) : entries_(entries), fault_(fault) {}

  void evicted(Cycle stamp, unsigned collector, const Ccu::Warp& warp, const Ccu::Operand& o) {
    changes_.put({stamp, 0, collector, warp.uid, o});
  }
  void outdated(Cycle stamp, unsigned collector, const Ccu::Warp& warp, Register r) {
    if (fault_ != Fault::deaf) changes_.put({stamp, 1, collector, warp.uid, {r, {}, 0}});
  }
  bool recall(Cycle now, const Ccu::Warp& warp, Register r, Ccu::Operand& found) {
    changes_.take(now, [this](const Change& c) { apply(c); });
    const auto v = find(warp.uid, r);
    if (v == victims_.end()) return false;
    found = v->operand;
    victims_.erase(v);
    return true;
  }

 private:
  struct Change {
    Cycle stamp = 0;
    unsigned kind = 0;  // 0: a value that was evicted, 1: an outdated register
    unsigned collector = 0;
    std::uint32_t warp = 0;
    Ccu::Operand operand{};
  };
  struct Victim {
    std::uint32_t warp;
    Ccu::Operand operand;
  };

  std::vector<Victim>::iterator find(std::uint32_t warp, Register r) {
    return std::find_if(victims_.begin(), victims_.end(), [&](const Victim& v) {
      return (v.warp == warp || fault_ == Fault::one_warp) && v.operand.reg == r;
    });
  }
  void apply(const Change& c) {
    if (const auto v = find(c.warp, c.operand.reg); v != victims_.end()) victims_.erase(v);
    if (c.kind == 1) return;
    if (victims_.size() == entries_) victims_.erase(victims_.begin());
    victims_.push_back({c.warp, c.operand});
  }

  std::size_t entries_;
  Fault fault_;
  PayloadEventQueue<Change, &Change::kind, &Change::collector> changes_;
  std::vector<Victim> victims_;  // from the oldest to the youngest
};

class SharedVictimChoice final : public CcuChoice {
 public:
  std::uint32_t shared_entries = 8;
  std::uint32_t shared_fault = 0;

  void describe(ParameterVisitor& v) override {
    CcuChoice::describe(v);
    v.field("shared_entries", shared_entries, {1, 64}, "entries", "operands in the shared victim buffer");
    v.field("shared_fault", shared_fault, {0, 2}, "", "what is wrong with it");
  }
  const char* module_name() const override { return "shared_victim_collector"; }
  OtherOperands other_operands() const override { return {shared_entries, 0}; }
  bool hears_all_results() const override { return true; }
  std::unique_ptr<CollectorFactory> make_factory(const CollectorParameters& p, unsigned slots) const override;
};

class SharedVictimCollector final : public Ccu {
 public:
  SharedVictimCollector(const sc_core::sc_module_name& name, const CollectorParameters& p,
                        const SharedVictimChoice& own, const CollectorSite& site, SharedVictims& store)
      : Ccu(name, p, own, site), store_(store), entries_(own.shared_entries) {}

  void inventory(Inventory& list) const override {
    Ccu::inventory(list);
    if (index_ == 0) list.add("victims", HardwareKind::data, entries_, operand_bits, 2);
  }

 private:
  bool recall(const Warp& warp, Register r, Operand& found, Cycle now) override {
    if (!store_.recall(now, warp, r, found)) {
      ++misses_;
      return false;
    }
    ++hits_;
    accesses_.access(0, r);
    return true;
  }
  void evicted(const Warp& warp, const Operand& o, Cycle now) override {
    ++evictions_;
    accesses_.access(1, o.reg);
    store_.evicted(now + 1, index_, warp, o);
  }
  void outdated(const Warp& warp, Register r, Cycle from) override { store_.outdated(from, index_, warp, r); }

  AccessPort accesses_{*this, "shared_accesses", {"shared_rd", "shared_wr"}};
  SharedVictims& store_;
  std::uint32_t entries_;
  Counter hits_{counter_list_, "shared_hits", "operands", "of the hits, those in the shared victim buffer"};
  Counter misses_{counter_list_, "shared_misses", "operands", "sources that were nowhere"};
  Counter evictions_{counter_list_, "shared_evictions", "operands", "values given up by the cache table"};
};

class SharedVictimFactory final : public CollectorFactory {
 public:
  explicit SharedVictimFactory(const SharedVictimChoice& own)
      : own_(own), store_(own.shared_entries, static_cast<Fault>(own.shared_fault)) {}
  OperandPath* make(const char* name, const CollectorParameters& p, const CollectorSite& site) override {
    return new SharedVictimCollector(name, p, own_, site, store_);
  }

 private:
  const SharedVictimChoice& own_;
  SharedVictims store_;
};

std::unique_ptr<CollectorFactory> SharedVictimChoice::make_factory(const CollectorParameters&,
                                                                   unsigned) const {
  return std::make_unique<SharedVictimFactory>(*this);
}

void add_kind() {
  auto& kinds = CollectorChoice::choices();
  if (kinds.find("shared_victim") != nullptr) return;
  for (const char* event : {"shared_rd", "shared_wr"})
    EnergyEvents::table().add(event, EnergyOwner::collector);
  kinds.add<SharedVictimChoice>("shared_victim", "a victim buffer for all collectors of a sub-core");
  for (const char* column : {"shared_hits", "shared_misses", "shared_evictions"})
    result_columns().add({column, "", "operands", column});
}

// Runs of the trace; `more` are settings.
std::vector<Job> jobs_of_store(const TemporaryFolder& folder, const std::vector<std::filesystem::path>& found,
                               const std::vector<std::string>& more = {}) {
  add_kind();
  folder.write("loud.yaml", "extends: cacti22\npreset: loud\nevents: {shared_rd: 2, shared_wr: 3}\n");
  const auto file = folder.write("shared.yaml",
                                 "extends: malekeh.yaml\nname: shared\nenergy: {preset: loud.yaml}\n"
                                 "sub_core: {collector: {kind: shared_victim}}\n");
  return jobs_of({load_platform(file, more)}, found);
}

double own(const RunResult& r, const std::string& column) {
  for (const auto& [name, value] : r.own)
    if (name == column) return static_cast<double>(value);
  FAIL("no column " << column);
  return 0;
}

std::vector<std::filesystem::path> few() {
  std::vector<std::filesystem::path> found;
  for (const auto& t : own_traces())
    for (const char* name : {"bfs", "hotspot", "kmeans", "sgemm"})
      if (t.filename() == name) found.push_back(t);
  REQUIRE(found.size() == 4);
  return found;
}

std::string failure_of(const std::vector<std::string>& settings, const std::filesystem::path& trace) {
  const TemporaryFolder folder;
  try {
    run(jobs_of_store(folder, {trace}, settings));
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("hits, misses and energy of a store that collectors share add up") {
  const TemporaryFolder folder;
  const auto results = run(jobs_of_store(folder, few()));
  for (const RunResult& r : results) {
    CAPTURE(r.trace);
    CHECK(r.stale_operands == 0);
    CHECK(own(r, "shared_hits") > 0);
    // Sources that were in the table, in the store and nowhere are all sources.
    CHECK(own(r, "shared_misses") + static_cast<double>(r.cache_read_hits) ==
          static_cast<double>(r.source_operands));
    const auto pj = [&](const std::string& event) {
      for (const auto& [name, value] : r.energy_pj)
        if (name == event) return value;
      FAIL("no energy of " << event);
      return 0.0;
    };
    CHECK(pj("shared_rd") == 2 * own(r, "shared_hits"));
    CHECK(pj("shared_wr") == 3 * own(r, "shared_evictions"));
    // Two collectors of 8 entries and one buffer of 8, in each of 4 sub-cores.
    CHECK(r.operand_storage_bytes == 4 * 128 * (2 * 8 + 8));
  }
}

TEST_CASE("nobody sees which collector of a shared store ticks first") {
  std::vector<std::string> first;
  for (const char* order : {"pipeline", "reverse", "shuffled"}) {
    const TemporaryFolder folder;
    std::vector<std::string> found;
    for (const RunResult& r : run(jobs_of_store(folder, few(), {std::string("tick_order=") + order})))
      found.push_back(std::to_string(r.cycles) + " " + std::to_string(own(r, "shared_hits")) + " " +
                      std::to_string(own(r, "shared_evictions")));
    if (first.empty()) first = found;
    CHECK(found == first);
  }
}

TEST_CASE("a shared store that does not hear of results is found out") {
  CHECK_THAT(
      failure_of({"sub_core.collector.shared_fault=1", "sub_core.collector.shared_entries=64"}, few()[0]),
      Contains("program order demands"));
}

// Warps of one kernel write a register equally often, so that only the warp tells their values apart.
TEST_CASE("a shared store that mixes up warps is found out") {
  CHECK_THAT(failure_of({"sub_core.collector.shared_fault=2"}, few()[1]), Contains("program order demands"));
}

}  // namespace shared_store_test
