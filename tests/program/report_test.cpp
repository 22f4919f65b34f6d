// subcore report: one page of saved results, whole or not at all.
#include <cstdlib>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace report_test {

using namespace subcore::test;
using Catch::Contains;

namespace {

// Two runs that were made apart, with a trace and a platform in common.
void make_runs(const Desk& desk) {
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-t", "u", "-r", "one"});
  desk.succeed({"compare", "-p", "baseline", "-p", "bow_wr", "-t", "u", "-r", "two"});
}

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

bool has_converter() {
  return std::system("command -v rsvg-convert >/dev/null 2>&1") == 0;
}

}  // namespace

TEST_CASE("report: a page of runs made apart, the same bytes each time") {
  const Desk desk;
  make_runs(desk);
  const Outcome o = desk.succeed({"report", "one", "two", "-o", "r.html"});
  CHECK(o.out == "report: r.html, for any browser\n");
  const std::string page = desk.file("r.html");
  CHECK_THAT(page, Contains("<title>subcore: baseline, malekeh and bow_wr</title>"));
  CHECK_THAT(page, Contains("bow_wr did not run t: its means are over the other traces"));
  CHECK_THAT(page,
             Contains("baseline on u is in one/results.json and in two/results.json, with the same results"));
  for (const char* id : {"ipc_ratio", "ipc", "hits", "energy", "energy_by_table", "stalls", "traffic",
                         "front_energy", "front_area", "intervals_1_t", "intervals_2_u"})
    CHECK(count_of(page, "<figure id=\"" + std::string(id) + "\">") == 1);
  // Each figure is there once, with its numbers beside it.
  CHECK(count_of(page, "class=\"chart\"") == 11);
  CHECK(count_of(page, "<summary>The numbers</summary>") == 11);
  const auto results = desk.json("one/results.json");
  for (const auto& run : results)
    CHECK_THAT(page, Contains("<td class=\"number\" data-value=\"" + run["ipc"].dump() + "\">"));

  desk.succeed({"report", "one/", "two/", "-o", "again.html"});
  CHECK(desk.file("again.html") == page);
  CHECK(desk.succeed({"report", "one", "two", "-o", "-"}).out == page);
}

TEST_CASE("report: a file of --json does, without a course over time") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "--json", "x.json"});
  desk.succeed({"report", "x.json"});
  const std::string page = desk.file("report.html");
  CHECK_THAT(page, Contains("<figure id=\"ipc\">") && !Contains("Over time"));
}

TEST_CASE("report: figures are files of their own, as SVG and PDF") {
  const Desk desk;
  make_runs(desk);
  const Outcome o = desk.succeed({"report", "one", "--figures", "f", "-o", "f/r.html"});
  const std::set<std::string> files = desk.files();
  const char* const ids[] = {"ipc_ratio", "ipc",          "hits",       "energy",        "stalls",
                             "traffic",   "front_energy", "front_area", "intervals_1_t", "intervals_2_u"};
  for (const std::string id : ids) {
    CAPTURE(id);
    const std::string svg = desk.file("f/" + id + ".svg");
    CHECK(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0) == 0);
    CHECK_THAT(desk.file("f/r.html"), Contains(svg));
    CHECK(files.count("f/" + id + ".pdf") == (has_converter() ? 1 : 0));
  }
  CHECK_THAT(o.out,
             Contains(has_converter() ? "figures: f, 11 as SVG and PDF\n" : "figures: f, 11 as SVG; no PDF"));
  if (has_converter()) {
    const std::string pdf = desk.file("f/energy.pdf");
    CHECK(pdf.rfind("%PDF-", 0) == 0);
    desk.succeed({"report", "one", "--figures", "f", "-o", "f/r.html"});
    CHECK(desk.file("f/energy.pdf") == pdf);
  }
}

TEST_CASE("report: without a converter there are SVGs, and a line that says so") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "--json", "x.json"});
  const Outcome o = desk.run({"report", "x.json", "--figures", "f"}, "PATH=/nowhere");
  CHECK(o.code == 0);
  CHECK_THAT(o.out, Contains("as SVG; no PDF, for want of rsvg-convert"));
  CHECK(desk.files().count("f/ipc.svg") == 1);
  CHECK(desk.files().count("f/ipc.pdf") == 0);
}

TEST_CASE("report: bad input") {
  const Desk desk;
  make_runs(desk);
  desk.write("bad.json", "{");
  desk.write("file", "");
  desk.refuse({"report"}, {"no results; expected folders of --results, or files of --json"});
  desk.refuse({"report", "nowhere"}, {"nowhere: is not there; expected"});
  desk.refuse({"report", "t"}, {"t: has no results.json; expected"});
  desk.refuse({"report", "one", "bad.json"}, {"bad.json: is no JSON; expected"});
  desk.refuse({"report", "one", "one"}, {"one/results.json: is given twice; expected"});
  desk.refuse({"report", "one", "-o", "none/r.html"}, {"none/r.html"});
  desk.refuse({"report", "one", "-o", "none/r.html", "--figures", "f"}, {"none/r.html"});
  desk.refuse({"report", "one", "-o", "t"}, {"t: it is a directory"});
  desk.refuse({"report", "one", "-o", "one/results.json"},
              {"--output one/results.json: this file is read as results"});
  desk.refuse({"report", "one", "-o", "one/malekeh/t/intervals.csv"}, {"this file is read as results"});
  desk.refuse({"report", "one", "-o", "f/ipc.svg", "--figures", "f"}, {"--figures", "f/ipc.svg", "--output"});
  desk.refuse({"report", "one", "-o", "-", "--figures", "f"},
              {"--figures and a page to standard output; expected"});
  desk.refuse({"report", "one", "--figures", "file"},
              {"file: cannot be made: ", "expected a folder for figures"});
  desk.refuse({"report", "one", "--figures", "a/b"},
              {"a/b: cannot be made: ", "expected a folder for figures"});
  desk.refuse({"report", "one", "--figures", "f"}, {"cannot write"}, "ulimit -f 1");
}

}  // namespace report_test
