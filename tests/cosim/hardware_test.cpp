// The parts of an SM's sub-cores, as their modules declare them.
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/power/power_monitors.h"
#include "tests/cosim/rig.h"

namespace hardware_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Bits = std::map<std::string, std::uint64_t>;

Bits bits_of(const Inventory& all) {
  Bits bits;
  for (const HardwarePart& p : all.parts()) bits[p.name] += p.all_bits();
  return bits;
}

// The parts of an SM of the platform. `name`: the SM's name, which no other SM has.
Inventory hardware(const std::string& name, const PlatformParameters& p, const SubCoreHooks& hooks = {}) {
  StreamingMultiprocessor sm(name.c_str(), 0, p, hooks);
  Inventory all;
  add_hardware(sm, all);
  return all;
}

const HardwarePart& part(const Inventory& all, const std::string& name) {
  for (const HardwarePart& p : all.parts())
    if (p.name == name) return p;
  FAIL("no part " << name);
  return all.parts().front();
}

// A caching collector that keeps four values beside its table.
class Victims final : public Ccu {
 public:
  Victims(const sc_core::sc_module_name& name, const CollectorParameters& p, const CollectorSite& site)
      : Ccu(name, p, p.kind.as<CcuChoice>(), site) {}
  void inventory(Inventory& list) const override {
    Ccu::inventory(list);
    list.add("victims", HardwareKind::data, 4, operand_bits, 2);
    list.add("victim_tags", HardwareKind::tag, 4, register_bits);
  }
};

}  // namespace

TEST_CASE("the hardware of a baseline and of Malekeh, counted by hand") {
  // An SM has four sub-cores of two collectors and two banks of 32 KB; eight warps each buffer two
  // instructions of 76 bits, and have a scoreboard of 256 registers.
  const Inventory ocus = hardware("ocus", load_platform(find_platform("baseline")));
  CHECK(bits_of(ocus) == Bits{{"bank.registers", 256 * 8192},
                              {"crossbar.read_path", 4 * 2 * 2 * 1024},
                              {"issue_scheduler.instruction_buffer", 4 * 8 * 2 * 76},
                              {"issue_scheduler.read_scoreboard", 4 * 8 * 256 * 3},
                              {"issue_scheduler.scoreboard", 4 * 8 * 256},
                              {"operand_collector.operand_table", 4 * 2 * 6 * 10},
                              {"operand_collector.operands", 4 * 2 * 6 * 1024}});
  const Inventory ccus = hardware("ccus", load_platform(find_platform("malekeh")));
  CHECK(bits_of(ccus) == Bits{{"bank.registers", 256 * 8192},
                              {"caching_collector.cache_table", 4 * 2 * 8 * 1024},
                              {"caching_collector.cache_table_state", 4 * 2 * 8 * (1 + 1 + 1 + 3)},
                              {"caching_collector.cache_table_tags", 4 * 2 * 8 * 8},
                              {"caching_collector.operand_table", 4 * 2 * 6 * (1 + 1 + 3)},
                              {"caching_collector.owner", 4 * 2 * 7},
                              {"crossbar.read_path", 4 * 2 * 2 * 1024},
                              {"crossbar.write_path", 4 * 2 * 1024},
                              {"issue_scheduler.instruction_buffer", 4 * 8 * 2 * 76},
                              {"issue_scheduler.scoreboard", 4 * 8 * 256},
                              {"issue_scheduler.waiting_threshold", 4 * 2 * 8}});
  CHECK(part(ocus, "bank.registers").ports == 1);
  CHECK(part(ccus, "caching_collector.cache_table").ports == 3);
  // Malekeh, arXiv VI-D: two operands a collector more, 2 KB an SM.
  CHECK(bits_of(ccus).at("caching_collector.cache_table") - bits_of(ocus).at("operand_collector.operands") ==
        2 * 8192);
  CHECK(stored_bits(ocus.parts()) == 256 * 8192 + 4 * 8 * (2 * 76 + 4 * 256) + 4 * 2 * 6 * (10 + 1024));
}

TEST_CASE("values that collectors and caches keep are those that operand_storage_bytes counts") {
  const std::set<std::string> values{"operands", "cache_table", "window", "values"};
  for (const std::string& system : shipped_names("platforms")) {
    if (system.find('/') != std::string::npos) continue;
    INFO(system);
    const PlatformParameters p = load_platform(find_platform(system));
    if (p.sub_core.collector.kind->reads_in_window()) continue;  // such a kind has other parts
    std::uint64_t bits = 0;
    const Inventory all = hardware("sm_of_" + system, p);
    for (const HardwarePart& h : all.parts())
      if (h.bits == operand_bits && h.kind == HardwareKind::data && h.name != "bank.registers")
        bits += h.all_bits();
    CHECK(bits == p.operand_storage_bytes() * 8);
  }
}

TEST_CASE("a module of the user's own declares what it is built of") {
  const PlatformParameters p = load_platform(find_platform("malekeh"));
  SubCoreHooks hooks;
  hooks.collector = [](const SubCoreSite&, const char* name, const CollectorParameters& c,
                       const CollectorSite& site) -> Collector* { return new Victims(name, c, site); };
  const Inventory all = hardware("victims", p, hooks);
  CHECK(part(all, "caching_collector.victims").all_bits() == 4 * 2 * 4 * 1024);
  CHECK(part(all, "caching_collector.victim_tags").kind == HardwareKind::tag);
}

TEST_CASE("leakage is charged for the time of the run if it is asked for, and only then") {
  PlatformParameters p = malekeh(), charged = p;
  charged.energy.leakage = true;
  const Program program = memory_program(7);
  Rig rig("rig", p, program, CheckingTarget::Rules{});
  const auto without = attach_monitors(rig.sm, p), with = attach_monitors(rig.sm, charged);
  run_cycles(20000);
  const Energy dynamic = without->energy(), all = with->energy();
  const double cycles = static_cast<double>(rig.sm.conductor.now());
  const double leaked = with->hardware().leakage_mw * cycles * p.clock_period_ns;
  REQUIRE(leaked > 0);
  CHECK(all.by_event_pj.back() == std::pair<std::string, double>("leakage", leaked));
  CHECK(all.total_pj == dynamic.total_pj + leaked);
  CHECK(all.by_event_pj.size() == dynamic.by_event_pj.size() + 1);
}

}  // namespace hardware_test
