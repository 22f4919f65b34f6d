// Collectors of the user's own, put into a sub-core by a hook.
#include <catch2/catch.hpp>

#include "subcore/modules/collector/ccu.h"
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

}  // namespace collector_hook_test
