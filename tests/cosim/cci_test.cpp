// A platform that a host configures by Accellera CCI. The test is compiled with a stand-in for CCI's headers,
// and with CCI itself if it is installed.
#include <catch2/catch.hpp>
#include <cci_utils/consuming_broker.h>

#include "subcore/platforms/cci_bridge.h"
#include "tests/module/bench.h"

namespace cci_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

cci::cci_broker_handle new_broker() {
  static cci_utils::consuming_broker broker("broker");
  static const bool once = (cci::cci_register_broker(&broker), true);
  (void)once;
  return cci::cci_get_global_broker(cci::cci_originator("test"));
}

std::string json_of(const cci::cci_broker_handle& broker, const std::string& name) {
  const auto parameter = broker.get_param_handle(name);
  return parameter.is_valid() ? parameter.get_cci_value().to_json() : "none";
}

}  // namespace

TEST_CASE("presets of CCI are read before a platform is loaded, and every parameter is visible") {
  auto broker = new_broker();
  broker.set_preset_cci_value("gpu.sub_core.collector.count", cci::cci_value(4));
  broker.set_preset_cci_value("gpu.sub_core.scheduler.priority", cci::cci_value(std::string("lrr")));
  broker.set_preset_cci_value("gpu.clock_period_ns", cci::cci_value(2.5));
  broker.set_preset_cci_value("gpu.checks.operand_versions", cci::cci_value(false));
  broker.set_preset_cci_value("gpu.sm_0.of_a_tool", cci::cci_value(1));     // no group of ours
  broker.set_preset_cci_value("other.sub_core.banks", cci::cci_value(77));  // another GPU's
  const PlatformParameters p = cci_platform(find_platform("baseline"), "gpu", broker);
  CHECK(p.clock_period_ns == 2.5);
  CHECK_FALSE(p.checks.operand_versions);

  {
    Gpu gpu("gpu", p);
    list_cci_parameters(gpu, broker);
    CHECK(json_of(broker, "gpu.sub_core.collector.count") == "4");
    CHECK(json_of(broker, "gpu.sub_core.scheduler.priority") == "\"lrr\"");
    CHECK(json_of(broker, "gpu.clock_period_ns") == "2.5");
    CHECK(json_of(broker, "gpu.checks.operand_versions") == "false");
    CHECK(json_of(broker, "gpu.gpu.sms") == "1");
    CHECK(json_of(broker, "gpu.sub_core.collector.entries") == "none");  // only ccu has this key
    PlatformParameters copy = p;
    for (const Parameter& parameter : parameter_list(copy)) {
      INFO(parameter.key);
      if (parameter.read) CHECK(broker.get_param_handle("gpu." + parameter.key).is_valid());
    }

    auto count = broker.get_param_handle("gpu.sub_core.collector.count");
    CHECK_THAT(count.get_description(), Contains("collector"));
    for (const char* name : {"unit", "lowest", "highest"}) CHECK(count.get_metadata().has_entry(name));
    CHECK(broker.get_param_handle("gpu.sub_core.scheduler.priority").get_metadata().has_entry("words"));
    CHECK_THROWS_WITH(count.set_cci_value(cci::cci_value(2)), Contains("CCI"));
    CHECK(json_of(broker, "gpu.sub_core.collector.count") == "4");
    CHECK(broker.get_unconsumed_preset_values().size() == 2);
  }
  CHECK(json_of(broker, "gpu.gpu.sms") == "none");  // parameters go with their GPU
}

TEST_CASE("a number that may be a word is a text of CCI where it is the word") {
  auto broker = new_broker();
  broker.set_preset_cci_value("gpu.sub_core.collector.count", cci::cci_value(std::string("per_warp")));
  Gpu gpu("gpu", cci_platform(find_platform("baseline"), "gpu", broker));
  list_cci_parameters(gpu, broker);
  CHECK(json_of(broker, "gpu.sub_core.collector.count") == "\"per_warp\"");
}

TEST_CASE("presets of CCI that are wrong are refused by their names") {
  auto broker = new_broker();
  const auto problem = [&](const std::string& gpu) -> std::string {
    try {
      cci_platform(find_platform("baseline"), gpu, broker);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "no error";
  };
  broker.set_preset_cci_value("a.sub_core.collector.cuont", cci::cci_value(4));
  CHECK_THAT(problem("a"), Contains("preset a.sub_core.collector.cuont=4: ") && Contains("count"));
  broker.set_preset_cci_value("b.sub_core.collector.count", cci::cci_value(-1));
  CHECK_THAT(problem("b"), Contains("preset b.sub_core.collector.count=-1: ") && Contains("expected"));
  broker.set_preset_cci_value("c.sub_core.collector.count", cci::cci_value(std::string("4")));
  CHECK(problem("c") ==
        "preset c.sub_core.collector.count is \"4\"; expected 1 to 64 collectors, or per_warp (a number or a "
        "boolean is not a text)");
  broker.set_preset_cci_value("d.sub_core.collector.kind", cci::cci_value(3));
  CHECK(problem("d") == "preset d.sub_core.collector.kind is 3; expected a text");
  CHECK(problem("e") == "no error");
}

TEST_CASE("a preset that the platform was loaded without is an error, and not a parameter that is not true") {
  auto broker = new_broker();
  broker.set_preset_cci_value("gpu.sub_core.collector.count", cci::cci_value(4));
  Gpu gpu("gpu", load_platform(find_platform("baseline"), {"sub_core.collector.count=2"}));
  CHECK_THROWS_WITH(
      list_cci_parameters(gpu, broker),
      Contains("preset gpu.sub_core.collector.count is 4, but the platform was put together with 2"));
}

}  // namespace cci_test
