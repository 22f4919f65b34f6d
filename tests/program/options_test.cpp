// Which command takes which option: all that are not used are refused, none is ignored.
#include <catch2/catch.hpp>

#include "tests/program/program.h"

using namespace subcore::test;

namespace {

// Kernel k reads k registers, in each of k instructions.
std::string three_kernels(const Desk& desk) {
  std::string list;
  for (unsigned k = 1; k <= 3; ++k) {
    const std::string name = "kernel-" + std::to_string(k) + ".traceg";
    std::string lines;
    for (unsigned i = 0; i < k; ++i) lines += "00" + std::to_string(i) + "0 ffffffff 1 R9 IADD3 2 R1 R2 0 \n";
    desk.write("t/" + name, header() + one_warp(lines + "0080 ffffffff 0 EXIT 0 0 \n"));
    list += name + "\n";
  }
  desk.write("t/kernelslist.g", list);
  return "t";
}

}  // namespace

TEST_CASE("an option that a command does not use is refused") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::map<std::string, Strings> arguments{{"run", {"-p", "baseline", "-t", "t"}},
                                                 {"compare", {"-p", "baseline", "-p", "malekeh", "-t", "t"}},
                                                 {"trace-info", {"t"}},
                                                 {"annotate", {"t"}},
                                                 {"parameters", {}},
                                                 {"platforms", {}},
                                                 {"cache-study", {"-t", "t"}}};
  const std::map<std::string, Strings> unused{
      {"run", {}},
      {"compare", {}},
      {"trace-info", {"results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs", "kernel"}},
      {"annotate", {"results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs"}},
      {"parameters",
       {"platform", "trace", "set", "results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs",
        "kernel"}},
      {"platforms",
       {"platform", "trace", "set", "results", "json", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines",
        "jobs", "kernel"}},
      {"cache-study",
       {"platform", "set", "results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs", "kernel"}}};
  for (const auto& [command, options] : unused) {
    for (const std::string& option : options) {
      Strings all{command};
      all.insert(all.end(), arguments.at(command).begin(), arguments.at(command).end());
      all.push_back("--" + option);
      if (option != "lines") all.emplace_back("1");
      desk.refuse(all, {"--" + option, "expected"});
    }
  }
}

TEST_CASE("an option without a value, an argument too many, a window nobody looks through") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* option : {"--json", "--vcd", "--results", "--jobs", "--kernel", "--platform", "--set"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", option, ""}, {option, "expected a value"});
  desk.refuse({"cache-study", "-t", "t", "--csv", ""}, {"--csv", "expected a value"});
  desk.refuse({"cache-study", "-t", "t", "--window", "5"}, {"--window without look_ahead", "expected"});
  desk.refuse({"platforms", "stray"}, {"'stray'; expected no argument"});
  desk.refuse({"parameters", "stray"}, {"'stray'; expected no argument"});
  desk.refuse({"--version", "stray"}, {"'stray'; expected nothing"});
  desk.refuse({"trace-info", "t", "-p", "baseline", "-p", "malekeh"}, {"several platforms; expected"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--lines", "--json", "-"},
              {"--lines and --json", "expected"});
}

TEST_CASE("the help of a command lists the options that it takes") {
  const Desk desk;
  CHECK_THAT(desk.succeed({"trace-info", "--help"}).out,
             Catch::Contains("--json") && !Catch::Contains("--vcd-scope"));
  CHECK_THAT(desk.succeed({"platforms", "--help"}).out, !Catch::Contains("--platform arg"));
}

TEST_CASE("option --kernel runs one kernel of each trace") {
  const Desk desk;
  three_kernels(desk);
  for (const unsigned k : {1u, 2u, 3u}) {
    const std::string text = std::to_string(k);
    desk.succeed({"run", "-p", "baseline", "-t", "t", "--kernel", text, "-j", "x.json", "-r", "r"});
    CHECK(desk.json("x.json")["kernels"] == 1);
    CHECK(desk.json("x.json")["instructions_retired"] == k + 1);
    CHECK(desk.json("x.json")["notes"] == nlohmann::json{"only kernel " + text + " of 3"});
  }
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "--kernel", "2", "-j", "x.json"});
  for (const auto& r : desk.json("x.json")) CHECK(r["instructions_retired"] == 3);
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-j", "x.json"});
  CHECK(desk.json("x.json")["kernels"] == 3);
  CHECK(desk.json("x.json")["notes"].empty());
  const std::set<std::string> before = desk.files();
  for (const char* wrong : {"0", "4"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", "--kernel", wrong, "-r", "new", "--vcd", "w.vcd"},
                {"t: no kernel " + std::string(wrong) + "; expected 1 to 3"});
  desk.refuse({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "--kernel", "-1"},
              {"'-1'", "expected"});
}
