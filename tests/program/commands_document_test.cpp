// docs/results.md names every key that commands other than run and compare write with --json, and no others.
#include <catch2/catch.hpp>

#include "tests/program/manual.h"
#include "tests/program/program.h"

namespace commands_document_test {

using namespace subcore::test;
using Json = nlohmann::json;

namespace {

Json json_of(const Desk& desk, Strings arguments) {
  arguments.insert(arguments.end(), {"--json", "-"});
  return Json::parse(desk.succeed(arguments).out);
}

// The keys of all objects in a list.
Names keys_within(const Json& objects) {
  Names keys;
  for (const Json& o : objects) keys.merge(keys_of(o));
  return keys;
}

Names without(Names names, const Names& others) {
  for (const std::string& o : others) CHECK(names.erase(o) == 1);
  return names;
}

Names both(Names names, Names more) {
  names.merge(more);
  return names;
}

// The words in the description of a key: the members of its object.
Names described(const std::string& heading, const std::string& key) {
  for (const auto& row : rows_below(heading))
    if (words_of(row.at(0)).count(key) != 0) return words_of(row.at(2));
  FAIL("no " + key);
  return {};
}

std::string shipped(const std::string& trace) {
  return (std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios/traces" / trace).string();
}

}  // namespace

TEST_CASE("every key of explain's JSON is in the manual, and no other is") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Json two = json_of(desk, {"explain", "-p", "baseline", "-p", "malekeh", "-t", "t", "--top", "2"});
  CHECK(keys_of(two) == named_below("explain"));
  CHECK(keys_of(json_of(desk, {"explain", "-p", "baseline", "-t", "t"})) ==
        without(named_below("explain"), {"difference"}));
  const Names instruction = named_below("An instruction in explain"),
              which{"kernel", "pc", "opcode", "operands"};
  for (const Json& run : two["runs"]) {
    CHECK(keys_of(run) == named_below("A run in explain"));
    CHECK(keys_of(run["tree"]) == named_below("States and causes", 0));
    CHECK(both(keys_within(run["tree"]), {"issue_slots"}) == described("A run in explain", "tree"));
    CHECK(run["worst"].size() == 2);
    for (const Json& i : run["worst"]) CHECK(keys_of(i) == instruction);
    for (const char* sum : {"others", "no_instruction", "all"})
      CHECK(keys_of(run[sum]) == without(instruction, both(which, {"hits"})));
    for (const Json& b : run["banks"]) CHECK(keys_of(b) == named_below("A bank in explain"));
  }
  CHECK(keys_of(two["difference"]) == named_below("The difference in explain"));
  CHECK(keys_of(two["difference"]["causes"]) == named_below("States and causes", 1));
  REQUIRE(two["difference"]["instructions"].size() == 2);
  for (const Json& i : two["difference"]["instructions"]) CHECK(keys_of(i) == both(which, {"stalls"}));
}

TEST_CASE("every key of trace-info's JSON is in the manual, and no other is") {
  const Desk desk;
  const Json info = json_of(desk, {"trace-info", desk.trace("t", sound_lines())});
  CHECK(keys_of(info) == named_below("trace-info"));
  CHECK(keys_of(info["reuse"]) == named_below("Of reuse in trace-info"));
  CHECK(info["reuse"]["distances"].size() == 33);
}

TEST_CASE("every key of annotate's JSON is in the manual, and no other is") {
  const Desk desk;
  Names kernel, instruction, operand;
  const Json all = json_of(desk, {"annotate", shipped("sgemm")});
  CHECK(keys_of(all) == Names{"trace", "kernels"});
  for (const Json& k : all["kernels"]) {
    CHECK(keys_of(k) == named_below("A kernel in annotate"));
    CHECK(keys_of(k["write_back"]) == named_below("Of write-back in annotate"));
    for (const char* counted : {"destinations", "writes"})
      CHECK(keys_of(k["write_back"][counted]) == described("Of write-back in annotate", "destinations"));
    for (const Json& i : k["instructions"]) {
      CHECK(keys_of(i) == named_below("An instruction in annotate"));
      CHECK(keys_of(i["control"]) == named_below("Of control in annotate"));
      for (const char* operands : {"destinations", "sources"}) operand.merge(keys_within(i[operands]));
    }
  }
  CHECK(operand == named_below("An operand in annotate"));
}

TEST_CASE("every key of cache-study's JSON is in the manual, and no other is") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Json sweep = json_of(desk, {"cache-study", "-t", "t", "--allocation", "write,look_ahead"});
  CHECK(keys_of(sweep) == named_below("cache-study"));
  const Names counts = named_below("Counts in cache-study");
  Names configuration;
  for (const Json& c : sweep["configurations"]) {
    configuration.merge(keys_of(c));
    for (const char* behaviour : {"compat", "corrected"}) CHECK(keys_of(c[behaviour]) == counts);
    CHECK(both(keys_of(c["energy_pj"]), {"table3", "rfcsim", "scaled"}) ==
          described("A configuration in cache-study", "energy_pj"));
  }
  CHECK(configuration == named_below("A configuration in cache-study"));
  const Json refused =
      json_of(desk, {"cache-study", "-t", "t", "--ways", "full", "--entries", "3", "--allocation", "read"});
  for (const Json& c : refused["configurations"]) {
    CHECK(keys_of(c["compat"]) == Names{"failure"});
    CHECK(c["energy_pj"].is_null());
    CHECK(c["mapping"].is_null());
    CHECK(c["corrected"]["energy_reduction_percent"].is_null());
  }
  CHECK(json_of(desk, {"cache-study", "-t", "t", "--behaviour", "compat"})["configurations"][0]["corrected"]
            .is_null());
}

}  // namespace commands_document_test
