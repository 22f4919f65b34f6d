// subcore timeline --output: the picture agrees with the table, cycle by cycle.
#include <map>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace timeline_picture_test {

using namespace subcore::test;
using Catch::Contains;

namespace {

// Name and letters of each row of the table, behind the legend and the line of cycles.
std::map<std::string, std::string> rows_of_text(const std::string& text) {
  std::map<std::string, std::string> rows;
  std::istringstream in(text);
  std::size_t width = 0;
  for (std::string line; std::getline(in, line);) {
    if (width != 0) {
      const std::string name = line.substr(0, line.find_last_not_of(' ', width - 1) + 1);
      const std::size_t begin = line.find_first_not_of(' ', width);
      rows[name] += begin == std::string::npos ? "" : line.substr(begin);
    } else if (line.compare(0, 6, "cycle ") == 0) {
      width = line.find_first_not_of(' ', 6);
    }
  }
  return rows;
}

// Names and letters in the picture. Each run of a letter has a box with the letter, at 15 pixels a cycle.
std::map<std::string, std::string> rows_of_picture(const std::string& svg) {
  std::map<std::string, std::string> rows;
  static const std::regex part(
      "<rect class=\"stage [^>]* width=\"([0-9.]+)\"[^>]*>\n<text [^>]*text-anchor=\"middle\">(.)</text>"
      "|<text [^>]* x=\"8\" y=\"[0-9.]+\">([^<]*)</text>");
  std::string name;
  const auto begin =
      svg.begin() + static_cast<std::ptrdiff_t>(svg.find(">cycle</text>"));  // behind the legend
  for (std::sregex_iterator m(begin, svg.end(), part), end; m != end; ++m) {
    if ((*m)[3].matched) {
      name = std::regex_replace((*m)[3].str(), std::regex("&lt;"), "<");
      rows[name];
    } else {
      rows[name] += std::string(static_cast<std::size_t>(std::stod((*m)[1]) / 15 + 0.5), (*m)[2].str()[0]);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("the picture of a timeline has the rows and cycles of the table") {
  const Desk desk;
  const std::string hotspot = std::string(SUBCORE_SOURCE_DIR) + "/scenarios/traces/hotspot";
  if (!std::filesystem::exists(hotspot)) return;
  for (const char* platform : {"baseline", "malekeh", "nvidia_turing"}) {
    CAPTURE(platform);
    const Strings timeline{"timeline", "-p",     platform, "-t",   hotspot, "--from",
                           "500",      "--rows", "30",     "--to", "540"};
    const auto table = rows_of_text(desk.succeed(timeline).out);
    const std::string svg = desk.succeed(with(timeline, {"-o", "-"})).out;
    CHECK(table.size() > 20);
    CHECK(rows_of_picture(svg) == table);
    CHECK_THAT(svg, Contains(std::string(platform) + " on hotspot") && Contains("sm_0.sub_core_0") &&
                        Contains("I issue") && Contains(">500<") && Contains(">540<"));
    CHECK(desk.succeed(with(timeline, {"-o", "t.svg"})).out.empty());
    CHECK(desk.file("t.svg") == svg);
  }
}

TEST_CASE("the picture of a timeline goes nowhere else than asked") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings timeline{"timeline", "-p", "baseline", "-t", "t"};
  desk.refuse(with(timeline, {"-o", "no/such/t.svg"}), {"no/such/t.svg"});
  desk.refuse(with(timeline, {"-o", "t/kernel-1.traceg"}), {"t/kernel-1.traceg", "expected another file"});
  desk.refuse(with(timeline, {"-o", "t.svg", "--from", "1000000"}), {"begins with cycle 1000000"});
  CHECK(!std::filesystem::exists(desk.path() / "t.svg"));
}

}  // namespace timeline_picture_test
