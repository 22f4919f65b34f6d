#include <catch2/catch.hpp>

#include "tests/program/program.h"

using namespace subcore::test;

TEST_CASE("platforms come with what they are, a line each, and without fragments") {
  const Desk desk;
  const std::string out = desk.succeed({"platforms", "--json", "x.json"}).out;
  CHECK_THAT(out, Catch::Contains(
                      "baseline                  RTX 2060-like SM, 4 sub-cores with 2 banks and 2 ...\n") &&
                      Catch::Contains("\nrtx2060_malekeh           10 SMs, "));
  CHECK(out.find('/') == std::string::npos);
  const auto list = desk.json("x.json");
  CHECK(lines_of(out) == list.size());
  for (const auto& p : list) {
    INFO(p.dump());
    CHECK_FALSE(p["description"].get<std::string>().empty());
    CHECK(std::filesystem::exists(p["file"].get<std::string>()));
  }
}
