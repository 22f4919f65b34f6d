// Collectors of the user's own, put into a sub-core by a hook.
#include <tuple>

#include <catch2/catch.hpp>

#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/collector/ocu.h"
#include "tests/cosim/rig.h"

namespace collector_hook_test {

using namespace subcore;
using namespace subcore::test;

TEST_CASE("a hook makes collectors in place of the platform's kind, or leaves one to it") {
  SubCoreHooks hooks;
  unsigned asked = 0;
  hooks.collector = [&](const SubCoreSite& site, const char* name, const CollectorParameters& p,
                        const CollectorSite& place) -> Collector* {
    CHECK(site.index == place.index);
    ++asked;
    if (site.index != 0) return nullptr;
    CollectorParameters larger = p;
    larger.entries = 2 * p.entries;
    return new Ccu(name, larger, p.kind.as<CcuChoice>(), place);
  };
  const PlatformParameters p = malekeh();
  const Program program = memory_program(7);
  Rig rig("rig", p, program, CheckingTarget::Rules{}, hooks);
  run_cycles(20000);
  check_ended_well(rig);
  CHECK(asked == p.multiprocessor.sub_cores * p.sub_core.collector.count);
  auto& collectors = rig.sm.sub_cores[0].collectors;
  REQUIRE(collectors.size() == 2);
  CHECK(collectors[0].basename() == std::string("caching_collector_0"));
  CHECK(dynamic_cast<Ccu&>(collectors[0]).table().size() == 2 * p.sub_core.collector.entries);
  CHECK(dynamic_cast<Ccu&>(collectors[1]).table().size() == p.sub_core.collector.entries);
  CHECK(dynamic_cast<Ccu&>(collectors[0]).counters().source_operands > 0);
}

namespace {

// A kind of caching collectors that hear of all results, and one whose collectors cannot.
class LoudChoice final : public CcuChoice {
 public:
  bool hears_all_results() const override { return true; }
};
class DeafChoice final : public CollectorChoice {
 public:
  const char* module_name() const override { return "deaf_collector"; }
  OperandPath* make(const char* name, const CollectorParameters& p,
                    const CollectorSite& site) const override {
    return new Ocu(name, site.index, p.slots);
  }
  bool keeps_values() const override { return false; }
  bool hears_all_results() const override { return true; }
};

// Puts an SM together whose hook makes an operand collector unit of the collector with that number.
std::string put_together(const std::string& kind, unsigned hooked) {
  return in_child([&]() -> std::string {
    CollectorChoice::choices().add<LoudChoice>("loud", "hears of all results");
    CollectorChoice::choices().add<DeafChoice>("deaf", "says that it hears of all results");
    PlatformParameters p = malekeh();
    p.sub_core.collector.kind = kind;
    SubCoreHooks hooks;
    hooks.collector = [&](const SubCoreSite& site, const char* name, const CollectorParameters& own,
                          const CollectorSite&) -> OperandPath* {
      return site.index == hooked ? new Ocu(name, site.index, own.slots) : nullptr;
    };
    StreamingMultiprocessor sm("sm", 0, p, hooks);
    return "made";
  });
}

}  // namespace

TEST_CASE("a kind that hears of all results is refused if its first collector has no port D") {
  CHECK(put_together("loud", 9) == "made");
  for (const auto& [kind, hooked, name] :
       {std::tuple{"deaf", 9u, "deaf_collector_0"}, std::tuple{"loud", 0u, "caching_collector_0"}})
    CHECK_THAT(put_together(kind, hooked),
               Catch::StartsWith("error: ") && Catch::Contains("/subcore/binding") && Catch::Contains(name) &&
                   Catch::Contains(std::string("sub_core.collector.kind '") + kind + "'") &&
                   Catch::Contains("port D"));
}

}  // namespace collector_hook_test
