#include "subcore/program/runs/sweep.h"

#include <catch2/catch.hpp>

namespace sweep_test {

using namespace subcore;

TEST_CASE("without a sweep there is one point, which changes nothing") {
  const auto points = points_of({});
  REQUIRE(points.size() == 1);
  CHECK(points[0].overrides.empty());
  CHECK(points[0].name.empty());
}

TEST_CASE("a sweep has every combination, the last axis fastest") {
  const auto points = points_of({{"sub_core.collector.count", {"2", "4"}}, {"gpu.sms", {"1", "10", "80"}}});
  std::vector<std::string> names;
  for (const SweepPoint& p : points) names.push_back(p.name);
  CHECK(names == std::vector<std::string>{"count=2,sms=1", "count=2,sms=10", "count=2,sms=80",
                                          "count=4,sms=1", "count=4,sms=10", "count=4,sms=80"});
  CHECK(points[4].overrides == std::vector<std::string>{"sub_core.collector.count=4", "gpu.sms=10"});
}

TEST_CASE("keys that end alike are told apart by as many words as that takes") {
  const auto of_two =
      points_of({{"sub_core.collector.entries", {"8"}}, {"sub_core.operand_cache.entries", {"6"}}});
  CHECK(of_two[0].name == "collector.entries=8,operand_cache.entries=6");
  const auto within = points_of({{"a.b.c", {"1"}}, {"b.c", {"2"}}, {"c", {"3"}}, {"d", {"4"}}});
  CHECK(within[0].name == "a.b.c=1,b.c=2,c=3,d=4");
}

TEST_CASE("a file is called by its name alone") {
  const auto points = points_of({{"energy.preset", {"../tables/mine.yaml", "cacti22"}}});
  CHECK(points[0].name == "preset=mine");
  CHECK(points[0].overrides[0] == "energy.preset=../tables/mine.yaml");
  CHECK(points[1].name == "preset=cacti22");
}

TEST_CASE("a point's values are by key, the last one of a key, files as in names") {
  const auto points =
      with_variations(points_of({{"a.count", {"2"}}, {"energy.preset", {"../tables/mine.yaml"}}}),
                      {{{"a.count=4", "b=x=y"}, "many"}});
  CHECK(values_of(points[0]) == ByName<std::string>{{"a.count", "2"}, {"energy.preset", "mine"}});
  CHECK(values_of(points[1]) ==
        ByName<std::string>{{"a.count", "4"}, {"energy.preset", "mine"}, {"b", "x=y"}});
  CHECK(values_of({}).empty());
}

TEST_CASE("variations stand alone, behind each point as it is") {
  const auto points = with_variations(points_of({{"gpu.sms", {"1", "2"}}}),
                                      {{{"a.banks=4", "a.bank_kilobytes=16"}, "banks=4"}, {{"b=0"}, "b=0"}});
  std::vector<std::string> names;
  for (const SweepPoint& p : points) names.push_back(p.name);
  CHECK(names == std::vector<std::string>{"sms=1", "sms=1,banks=4", "sms=1,b=0", "sms=2", "sms=2,banks=4",
                                          "sms=2,b=0"});
  CHECK(points[4].overrides == std::vector<std::string>{"gpu.sms=2", "a.banks=4", "a.bank_kilobytes=16"});
  const auto alone = with_variations(points_of({}), {{{"b=0"}, "b=0"}});
  REQUIRE(alone.size() == 2);
  CHECK(alone[0].name.empty());
  CHECK(alone[1].name == "b=0");
}

}  // namespace sweep_test
