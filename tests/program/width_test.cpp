// Printed text fits a terminal of 80 columns.
#include <cstdlib>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace width_test {

using namespace subcore::test;

namespace {

// Checks output that is ASCII only, so that bytes are columns.
void check_width(const Desk& desk, const Strings& arguments) {
  std::istringstream out(desk.succeed(arguments).out);
  std::string command;
  for (const std::string& a : arguments) command += " " + a;
  INFO("subcore" << command);
  for (std::string line; std::getline(out, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
  }
}

}  // namespace

TEST_CASE("the table of a comparison fits and says how to get the rest") {
  const Desk desk;
  desk.trace("a_trace_with_quite_a_long_name_for_a_folder/" + std::string(90, 'x'), sound_lines());
  desk.trace("t", sound_lines());
  Strings compare{"compare", "-t", "a_trace_with_quite_a_long_name_for_a_folder", "-t", "t"};
  for (const char* p : {"baseline", "rtx2060_third/malekeh_private", "software_rfc_monolithic"})
    compare.insert(compare.end(), {"-p", p});
  check_width(desk, compare);
  const std::string out = desk.run(compare).out;
  CHECK_THAT(out, Catch::Contains("\nmore columns: --wide; everything: --json FILE, --results FOLDER\n"));
  CHECK(out.find("bank reads") == std::string::npos);
  compare.push_back("--wide");
  const std::string wide = desk.succeed(compare).out;
  CHECK_THAT(wide, Catch::Contains("  bank reads  bank writes  cache writes") &&
                       Catch::Contains("energy vs first  L1 hits  L1 held  L2 held\n") &&
                       Catch::Contains("rtx2060_third/malekeh_private") &&
                       Catch::Contains(std::string(90, 'x')));
  CHECK(wide.find("--wide") == std::string::npos);
}

TEST_CASE("unknown opcodes in several traces are one note") {
  const Desk desk;
  for (const char* t : {"t", "u"})
    desk.trace(t, "0000 ffffffff 1 R1 IADD9.X 2 R2 R3 0 \n0010 ffffffff 0 EXIT 0 0 \n");
  CHECK_THAT(desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-t", "u"}).out,
             Catch::Contains(
                 "\nnote: all runs: unknown opcode IADD9.X (2 static instructions) ran as its family\n"));
}

TEST_CASE("a line per run fits") {
  const Desk desk;
  desk.trace("pathfinder", sound_lines());
  check_width(desk, {"compare", "-p", "baseline", "-p", "malekeh_private", "-t", "pathfinder", "--lines"});
}

TEST_CASE("an explanation fits, of one run or of many, whatever they are called") {
  const Desk desk;
  const std::string kernel =
      "a_kernel_with_a_name_that_is_longer_than_a_terminal_is_wide_as_mangled_templates_are";
  std::string head = header();
  head.replace(head.find("name = k"), 8, "name = " + kernel);
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", head + one_warp(sound_lines()));
  Strings explain{"explain", "-t", "t"};
  for (const char* p :
       {"baseline", "rtx2060_third/malekeh_private", "rtx2060_third/malekeh_socgpu", "ltrf", "bow", "rfc"}) {
    explain.insert(explain.end(), {"-p", p});
    check_width(desk, explain);
  }
  const std::string out = desk.succeed(explain).out;
  // Each name is there once, in the tree of causes, and shortened ones stay distinct.
  for (const char* name : {"rtx20~ivate", "rtx20~ocgpu"}) CHECK_THAT(out, Catch::Contains(name));
}

TEST_CASE("the other tables fit") {
  const Desk desk;
  desk.trace("a_trace_with_quite_a_long_name_for_a_folder", sound_lines());
  const std::string trace = "a_trace_with_quite_a_long_name_for_a_folder";
  check_width(desk, {"trace-info", trace});
  check_width(desk, {"annotate", trace});
  check_width(desk, {"cache-study", "--trace", trace});
  check_width(desk, {"parameters"});
  check_width(desk, {"platforms"});
  for (const char* command : {"parameters", "run", "compare", "explain", "timeline", "trace-info", "annotate",
                              "cache-study", "pack", "cache", "platforms"})
    check_width(desk, {command, "--help"});
  check_width(desk, {"--help"});
}

TEST_CASE("a timeline keeps to the terminal's width") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* columns : {"120", "80", "40"}) {
    const std::string command = "cd " + desk.path().string() + " && NO_COLOR=1 script -qec 'stty cols " +
                                columns + "; exec " + program() +
                                " timeline -p malekeh -t t' screen > /dev/null < /dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    std::istringstream screen(desk.file("screen"));
    std::size_t rows = 0;
    for (std::string line; std::getline(screen, line);) {
      if (line.rfind("Script ", 0) == 0) continue;
      ++rows;
      INFO(line);
      CHECK(line.find_last_not_of('\r') + 1 <= std::stoul(columns));
    }
    CHECK(rows > 20);
  }
}

}  // namespace width_test
