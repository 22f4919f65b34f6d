// Energy of a user's own module, by a table of the user's own.
#include <catch2/catch.hpp>

#include "subcore/base/config_error.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/protocol/access_port.h"
#include "subcore/power/power_monitors.h"
#include "tests/cosim/rig.h"
#include "tests/energy_by_event.h"
#include "tests/unit/trace_files.h"

namespace energy_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

// A caching collector unit that has accesses of a store of its own, one for each result.
class Noisy final : public Ccu {
 public:
  Noisy(const sc_core::sc_module_name& name, const CollectorParameters& p, const CollectorSite& site,
        const char* event)
      : Ccu(name, p, Keeper(p), site), accesses_(*this, "noise", {event}) {}

 private:
  struct Keeper final : CcuChoice {
    explicit Keeper(const CollectorParameters& p) : CcuChoice(p.kind.as<CcuChoice>()) {}
    OtherOperands other_operands() const override { return 1; }
  };
  void outdated(const Warp&, Register r, Cycle) override {
    accesses_.access(0, r);
    ++accessed;
  }
  AccessPort accesses_;

 public:
  std::uint64_t accessed = 0;
};

SubCoreHooks noisy(const char* event) {
  SubCoreHooks hooks;
  hooks.collector = [event](const SubCoreSite&, const char* name, const CollectorParameters& p,
                            const CollectorSite& place) -> Collector* {
    return new Noisy(name, p, place, event);
  };
  return hooks;
}

}  // namespace

TEST_CASE("an event that a user adds is charged by a table that has it, and noted where one has not") {
  EnergyEvents::table().add("noise", EnergyOwner::collector);
  TemporaryFolder folder;
  PlatformParameters p = malekeh();
  const PlatformParameters older = p;
  p.energy.preset =
      folder.write("louder.yaml", "extends: cacti22\npreset: louder\nevents: {noise: 2.5}\n").string();
  const Program program = memory_program(7);
  Rig rig("rig", p, program, CheckingTarget::Rules{}, noisy("noise"));
  const auto power = attach_monitors(rig.sm, p), before = attach_monitors(rig.sm, older);
  run_cycles(20000);
  check_ended_well(rig);

  std::uint64_t accessed = 0;
  for (SubCore& s : rig.sm.sub_cores)
    for (OperandPath& c : s.collectors) accessed += dynamic_cast<Noisy&>(c).accessed;
  REQUIRE(accessed > 0);
  const Energy energy = power->energy(), without = before->energy();
  CHECK(pj_of(energy, "noise") == 2.5 * static_cast<double>(accessed));
  CHECK(energy.notes.empty());
  CHECK(energy.total_pj == Approx(without.total_pj + 2.5 * static_cast<double>(accessed)));
  CHECK(pj_of(without, "noise") == 0);
  CHECK(without.notes ==
        std::vector<std::string>{"energy coefficient noise: not in table cacti22, charged 0 pJ"});
  CHECK(power->imbalance().empty());
  CHECK_THAT(power->csv(), Contains("sub_core_0.collector_0,noise,"));
}

TEST_CASE("a port that names no energy event cannot be charged") {
  const Program program = memory_program(7);
  const PlatformParameters p = malekeh();
  Rig rig("rig", p, program, CheckingTarget::Rules{}, noisy("tag_serch"));
  CHECK_THROWS_WITH(attach_monitors(rig.sm, p), Contains("'tag_serch' is not an energy event") &&
                                                    Contains("did you mean 'tag_search'?") &&
                                                    Contains("EnergyEvents::table().add()"));
}

}  // namespace energy_test
