// subcore report: one page of saved results, whole or not at all.
#include <catch2/catch.hpp>
#include <signal.h>
#include <unistd.h>

#include "tests/program/program.h"

namespace report_test {

using namespace subcore::test;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

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

// A Python that is not the user's: a script that does this.
std::string python(const Desk& desk, const std::string& does) {
  const std::filesystem::path file = desk.write("python", "#!/bin/sh\n" + does + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return "PYTHON=$PWD/python; export PYTHON";
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
  // Each figure is there once for wide windows and once for narrow ones, with its files and its numbers.
  for (const char* id : {"ipc_ratio", "ipc", "hits", "energy", "energy_by_table", "stalls", "traffic",
                         "front_energy", "front_area", "intervals_1_t", "intervals_2_u"})
    CHECK(count_of(page, "<figure id=\"" + std::string(id) + "\">") == 1);
  CHECK(count_of(page, "<svg class=\"chart\"") == 22);
  CHECK(count_of(page, "data:application/pdf;base64,") == 11);
  CHECK(count_of(page, "<summary>The numbers</summary>") == 11);
  const auto results = desk.json("one/results.json");
  for (const auto& run : results)
    CHECK_THAT(page, Contains("<td class=\"n\" data-value=\"" + run["ipc"].dump() + "\">"));
  for (const char* words : {"Made by subcore ", "of one/results.json and two/results.json",
                            "Machine files: rtx2060_sm.", "Energy tables: cacti22.", "Hashes: program "})
    CHECK_THAT(page, Contains(words));
  const auto key = desk.json("one/malekeh/t/run.json");
  CHECK_THAT(page, Contains(">" + key["platform"].get<std::string>().substr(0, 8) + "<"));

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

TEST_CASE("report: figures are files of their own, as SVG, PDF and CSV") {
  const Desk desk;
  make_runs(desk);
  const Outcome o = desk.succeed({"report", "one", "--figures", "f", "-o", "f/r.html"});
  CHECK_THAT(o.out, Contains("figures: f, as SVG, PDF and CSV\n"));
  const std::set<std::string> files = desk.files();
  for (const std::string id : {"ipc_ratio", "ipc", "hits", "energy", "energy_by_table", "stalls", "traffic",
                               "front_energy", "front_area", "intervals_1_t", "intervals_2_u"}) {
    CAPTURE(id);
    for (const char* ending : {".svg", ".pdf", ".csv"}) CHECK(files.count("f/" + id + ending) == 1);
  }
  CHECK_THAT(desk.file("f/energy.svg"), Contains("<svg ") && Contains("bank_rd</text>"));
  const std::string pdf = desk.file("f/energy.pdf"), numbers = desk.file("f/ipc.csv");
  CHECK(pdf.rfind("%PDF-", 0) == 0);
  CHECK_THAT(numbers, StartsWith("trace,baseline,malekeh\nmean,"));
  for (const auto& run : desk.json("one/results.json")) CHECK_THAT(numbers, Contains(run["ipc"].dump()));
  desk.succeed({"report", "one", "--figures", "f", "-o", "f/r.html"});
  CHECK(desk.file("f/energy.pdf") == pdf);
}

TEST_CASE("report: what was swept has a figure, and a heading of one line") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("x.yaml",
             "platforms: [malekeh]\ntraces: [t]\nsweep: {sub_core.collector.entries: [7, 8, 9, 10], "
             "sub_core.collector.count: [1, 2]}\n");
  desk.succeed({"run", "x.yaml", "-r", "r"});
  desk.succeed({"report", "r"});
  const std::string page = desk.file("report.html");
  CHECK_THAT(page, Contains("<h1>subcore: malekeh, over count 1/2 and entries 7 to 10</h1>"));
  CHECK_THAT(page, Contains("Sweep of sub_core.collector.count and sub_core.collector.entries</h2>"));
  CHECK(count_of(page, "<figure id=\"sweep_malekeh\">") == 1);
}

TEST_CASE("report: without Python, or its packages, a line says what to install") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "--json", "x.json"});
  const Strings report{"report", "x.json", "--figures", "f"};
  desk.refuse(report, {"nowhere: no such program; expected python3 (scripts/setup installs it)"},
              "PYTHON=nowhere; export PYTHON");
  const std::string bare = python(desk, "exec /usr/bin/python3 -S \"$@\"");
  desk.refuse(report,
              {"python: has no jinja2, matplotlib, ",
               "expected scripts/setup, or apt install python3-jinja2 python3-matplotlib ", "PYTHON to name"},
              bare);
  desk.refuse(report, {"python: failed: oops; expected figures"},
              python(desk, "echo oops >&2; echo; exit 9"));
  desk.refuse(report, {"python: ended by signal 9 (Killed); expected figures"}, python(desk, "kill -9 $$"));
}

TEST_CASE("report: an interrupted one leaves nothing, and no Python") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"run", "-p", "malekeh", "-t", "t", "--json", "x.json"});
  const std::string slow = python(desk, "echo $$ >$PWD/pid; exec sleep 600");
  const std::set<std::string> before = desk.files();
  for (const int signal : {SIGTERM, SIGINT}) {
    const pid_t child = desk.start({"report", "x.json", "--figures", "f"}, slow);
    while (desk.files().count("pid") == 0 || desk.file("pid").empty()) usleep(10000);
    const pid_t sleeper = std::stoi(desk.file("pid"));
    kill(child, signal);
    const Outcome o = desk.finish(child);
    CHECK(o.code == 128 + signal);
    CHECK_THAT(o.err, StartsWith("subcore: error: interrupted by signal ") && EndsWith(")\n"));
    CHECK(is_dead(sleeper));
    std::filesystem::remove(desk.path() / "pid");
    CHECK(desk.files() == before);
  }
}

TEST_CASE("report: bad input") {
  const Desk desk;
  make_runs(desk);
  desk.write("bad.json", "{");
  desk.write("file", "");
  desk.refuse({"report"}, {"no results; expected folders of --results, or files of --json"});
  desk.refuse({"report", "nowhere"}, {"nowhere: is not there; expected"});
  desk.refuse({"report", "t"}, {"t: has no results.json; expected"});
  desk.refuse({"report", "one", "bad.json"}, {"bad.json: is not JSON (", "); expected results as"});
  desk.refuse({"report", "one", "one"}, {"one/results.json: is given twice; expected"});
  desk.refuse({"report", "one", "-o", "none/r.html"}, {"none/r.html"});
  desk.refuse({"report", "one", "-o", "none/r.html", "--figures", "f"}, {"none/r.html"});
  desk.refuse({"report", "one", "-o", "t"}, {"t: the path is a directory"});
  desk.refuse({"report", "one", "-o", "one/results.json"},
              {"--output one/results.json: this file is read as results"});
  desk.refuse({"report", "one", "-o", "one/malekeh/t/intervals.csv"}, {"expected a name that ends in .html"});
  desk.refuse({"report", "one", "-o", "f/ipc.svg", "--figures", "f"},
              {"--output f/ipc.svg: ", "expected a name that ends in .html"});
  desk.refuse({"report", "one", "-o", "-", "--figures", "f"},
              {"--figures and a page to standard output; expected"});
  desk.refuse({"report", "one", "--figures", "file"},
              {"file: cannot be made: ", "expected a folder for figures"});
  desk.refuse({"report", "one", "--figures", "a/b"},
              {"a/b: cannot be made: ", "expected a folder for figures"});
  desk.refuse({"report", "one", "--figures", "f"},
              {"File too large; expected results that can be read, and room for figures"}, "ulimit -f 1");
}

}  // namespace report_test
