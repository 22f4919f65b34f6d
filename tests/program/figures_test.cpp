// subcore figures: papers' figures of the results of experiments, whole or not at all.
#include <cmath>
#include <map>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace figures_test {

using namespace subcore::test;
using Catch::Contains;

namespace {

const std::string runs = "platforms: [baseline, malekeh]\ntraces: [t, u]\n";
const std::string two_figures =
    "figures:\n"
    "  - id: one_1\n"
    "    paper: One, Fig. 1\n"
    "    title: IPC\n"
    "    kind: bars\n"
    "    axis: IPC\n"
    "    value: ipc\n"
    "    against: baseline\n"
    "    series: {Malekeh: malekeh}\n"
    "    stated:\n"
    "      - {says: on average, of: Malekeh, value: 9}\n"
    "      - {says: on t, of: Malekeh, at: t, value: 1}\n"
    "  - id: two_2\n"
    "    paper: Two, Fig. 2\n"
    "    title: over time\n"
    "    kind: intervals\n"
    "    series: {Malekeh: malekeh}\n";

void make_results(const Desk& desk) {
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines() + sound_lines());
  desk.write("x.yaml", runs + two_figures);
  desk.succeed({"run", "x.yaml", "-r", "all/x"});
}

}  // namespace

TEST_CASE("figures: a page with the papers' numbers and ours") {
  const Desk desk;
  make_results(desk);
  const Outcome o = desk.succeed({"figures", "x.yaml", "-r", "all", "-o", "f.html", "-j", "f.json"});
  CHECK(o.out == "figures: 2 in f.html, for any browser\n");
  const std::string page = desk.file("f.html");
  for (const char* words :
       {"<figure id=\"one_1\">", "<figure id=\"two_2\">", "One, Fig. 1: IPC</h2>", "id=\"one_1_stated\"",
        "id=\"two_2_transitions\"", "The figure rests on 2 traces of 1 CTA in 1 wave and ",
        "on average; on t: <strong>no reason is given", "too short for an adaptive STHLD"})
    CHECK_THAT(page, Contains(words));
  std::map<std::string, double> gain;
  double product = 1;
  for (const auto& r : desk.json("all/x/results.json"))
    if (r["platform"] == "malekeh") gain[r["trace"]] = r["ipc_normalised"], product *= gain[r["trace"]];
  const auto stated = desk.json("f.json");
  REQUIRE(stated.size() == 2);
  CHECK(stated[0]["ours"] == Approx(std::sqrt(product)));
  CHECK(stated[0]["difference"] == Approx(std::sqrt(product) - 9));
  CHECK(stated[0]["spread"] == Approx(std::abs(gain["t"] - gain["u"]) / std::sqrt(2)));
  CHECK(stated[0]["exceeds"] == true);
  CHECK(stated[1]["ours"] == Approx(gain["t"]));
  CHECK_THAT(page, Contains("data-value=\"" + stated[0]["ours"].dump() + "\""));

  CHECK(desk.succeed({"figures", "x.yaml", "-r", "all", "-o", "-"}).out == page);
  desk.succeed({"figures", "x.yaml", "-r", "all", "-o", "one.html", "--only", "one"});
  CHECK_THAT(desk.file("one.html"), Contains("\"one_1\"") && !Contains("two_2"));
  const std::string line = "x.yaml\tx\ttwo_2\tTwo, Fig. 2: over time\n";
  CHECK(desk.succeed({"figures", "x.yaml", "--list", "--only", "two_2"}).out == line);
  CHECK(desk.succeed({"figures", "x.yaml", "--list", "--only", "two_2", "-j", "d.json"}).out == line);
  const auto described = desk.json("d.json");
  CHECK(described[0]["name"] == "x");
  CHECK(described[0]["figures"][0]["id"] == "two_2");
  CHECK(desk.succeed({"figures", "x.yaml", "--list", "--only", "two_2", "-j", "-"}).out ==
        desk.file("d.json"));
}

TEST_CASE("figures: results may be a file of --json, without a course over time") {
  const Desk desk;
  make_results(desk);
  desk.write("files/other", "");
  desk.succeed({"run", "x.yaml", "-j", "files/x"});
  desk.succeed({"figures", "x.yaml", "-r", "files", "-o", "f.html", "--only", "one"});
  CHECK_THAT(desk.file("f.html"),
             Contains("The figure rests on 2 traces of 1 CTA in 1 wave and ") && !Contains("on 1 SM"));
  desk.refuse({"figures", "x.yaml", "-r", "files", "-o", "g.html"},
              {"figure two_2: files/x: malekeh on t: files/x is a file of --json, without intervals.csv;"});
  desk.refuse({"figures", "x.yaml", "-r", "files", "-o", "files/x"}, {"--output", "files/x"});
}

TEST_CASE("figures: a reason for what was seen on the experiment's own traces is said to be that on others") {
  const Desk desk;
  make_results(desk);
  std::string reasoned = runs + two_figures;
  reasoned.replace(reasoned.find("    stated:"), 0, "    because: we looked\n");
  desk.write("x.yaml", reasoned);
  const auto page = [&] {
    desk.succeed({"figures", "x.yaml", "-r", "all", "-o", "f.html"});
    return desk.file("f.html");
  };
  CHECK_THAT(page(), Contains("on average; on t: we looked"));
  desk.trace("v", sound_lines());
  for (const char* traces : {"[t, v]", "[t, missing]"}) {
    std::string other = reasoned;
    other.replace(other.find("[t, u]"), 6, traces);
    desk.write("x.yaml", other);
    CHECK_THAT(page(), Contains("on average; on t: of the experiment&#39;s own traces: we looked"));
  }
}

TEST_CASE("figures: what is missing or wrong is said in a line, and nothing is written") {
  const Desk desk;
  make_results(desk);
  const auto refuse = [&](const std::string& text, const Strings& words) {
    desk.write("y.yaml", text);
    desk.refuse({"figures", "y.yaml", "-r", "all", "-o", "f.html"}, words);
  };
  desk.refuse({"figures"}, {"no experiment; expected scenario files"});
  desk.refuse({"figures", "x.yaml"}, {"no results; expected --results FOLDER"});
  desk.refuse({"figures", "x.yaml", "-r", "none"}, {"figure one_1: none/x: is not there; expected"});
  desk.refuse({"figures", "x.yaml", "-r", "all", "--only", "one_2"},
              {"--only one_2: no such figure; did you mean 'one_1'? expected an id"});
  desk.refuse({"figures", "x.yaml", "x.yaml", "-r", "all"}, {"an experiment named 'x' was given before"});
  desk.refuse({"figures", "x.yaml", "-r", "all", "-o", "x.yaml"}, {"--output", "x.yaml"});
  desk.refuse({"figures", "x.yaml", "-r", "all", "-o", "all/x/results.json"},
              {"this file is read as results"});
  desk.refuse({"figures", "x.yaml", "-r", "all", "-o", "none/f.html"}, {"none/f.html"});
  desk.refuse({"figures", "x.yaml", "--list", "-r", "all"}, {"--list with --results; expected"});
  desk.refuse({"figures", "x.yaml", "--list", "-j", "x.yaml"}, {"--json", "x.yaml"});
  refuse(runs, {"y.yaml: no figures; expected a list under 'figures'"});
  refuse("name: x\n" + runs + "figures: []\n", {"y.yaml:4: figures: ", "expected a list of figures"});
  refuse("name: x\n" + runs + "figures:\n  - {id: a, value: ipcs}\n",
         {"y.yaml:5: figures.value: 'ipcs': not a number of a run; did you mean 'ipc'?"});
  refuse("name: x\n" + runs +
             "figures:\n  - {id: a, paper: p, title: t, axis: x, value: ipc, series: {B: bow}}\n",
         {"figure a: all/x: no run of bow; expected results"});
  refuse("name: x\n" + runs +
             "figures:\n  - {id: a, paper: p, title: t, axis: x, value: area_mm2.bank.registres, "
             "series: {M: malekeh}}\n",
         {"figure a: all/x: 'area_mm2.bank.registres': no run has this column; did you mean "
          "'area_mm2.bank.registers'? expected"});
  refuse("name: x\n" + runs + "figures:\n  - {id: a, value: storage_bits.banks}\n",
         {"y.yaml:5: figures.value: 'storage_bits.banks': no such member;", "MODULE.PART"});
  refuse("name: x\n" + runs +
             "figures:\n  - {id: a, title: t, kind: tornado, parts: {IPC: ipc}, against: baseline, series: "
             "{B: bow},\n"
             "     changes: {banks: [a, b, c]}}\n",
         {"y.yaml:6: figures.changes.banks: 3 ends; expected one or two"});
  desk.write("z.yaml", "name: z\n" + runs + two_figures);
  desk.refuse({"figures", "x.yaml", "z.yaml", "-r", "all"},
              {"z.yaml: a figure 'one_1' was given before; expected"});
  refuse("name: x\n" + runs + two_figures +
             "  - {id: one_1, paper: p, title: t, axis: x, value: ipc, series: {B: bow}}\n",
         {"y.yaml:", "figures.id: 'one_1' was given before; expected distinct ids"});
  // A long run should not end at a figure that cannot be drawn.
  desk.write("y.yaml", runs + "figures:\n  - {id: a, vlaue: ipc}\n");
  desk.refuse({"run", "y.yaml", "-r", "r"}, {"y.yaml:4: figures.vlaue: unknown key; did you mean 'value'?"});
}

TEST_CASE("figures: every experiment that is shipped can be read, and has ids of its own") {
  const Desk desk;
  Strings list{"figures", "--list"};
  for (const char* folder : {"/experiments/papers", "/experiments/comparison"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(SUBCORE_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".yaml") list.push_back(entry.path());
  REQUIRE(list.size() > 9);
  CHECK(lines_of(desk.succeed(list).out) >= 20);
}

}  // namespace figures_test
