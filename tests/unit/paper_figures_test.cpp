// Papers' figures: what experiments say of them, and the arithmetic of ours beside theirs.
#include <algorithm>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "subcore/program/report/paper_page.h"
#include "subcore/program/runs/paper_figure.h"
#include "tests/unit/config_text.h"

namespace paper_figures_test {

using namespace subcore;
using Catch::Contains;
using subcore::test::error_of;

namespace {

RunResult result(const std::string& platform, const std::string& trace, double ipc, double energy) {
  RunResult r;
  r.platform = platform;
  r.trace = trace;
  r.cycles = 250000;
  r.ipc = ipc;
  r.source_operands = 400;
  r.cache_read_hits = 100;
  r.ctas = 12;
  r.instructions_traced = 3456;
  r.scheduler_cycles = {{"issue", 30}, {"hazard", 10}};
  r.energy_pj = {{"bank_rd", energy / 4}, {"bank_wr", 3 * energy / 4}};
  r.energy_total_pj = energy;
  return r;
}

SavedRun saved(RunResult r) {
  SavedRun run;
  run.result = std::move(r);
  run.sms = 10;
  run.waves = 3;
  run.file = "results.json";
  return run;
}

// IPC of p against b: 2, 0.5 and 1.6; of q: 1, 1 and 1.
Comparison three_traces() {
  SavedRuns s;
  const double of_p[] = {4, 1, 3.2};
  const char* const traces[] = {"t", "u", "v"};
  for (int t = 0; t < 3; ++t) {
    s.runs.push_back(saved(result("b", traces[t], 2, 100)));
    s.runs.push_back(saved(result("p", traces[t], of_p[t], 50)));
    s.runs.push_back(saved(result("q", traces[t], 2, 100)));
  }
  return Comparison(s);
}

PaperFigure figure(const std::string& more) {
  const YamlSource source("figures:\n- {id: f_1, paper: 'Paper, Fig. 1', title: a title, " + more + "}\n",
                          "the text");
  return read_figures(source, source.entries(source.root(), source.root(), "").front()).front();
}

const std::string bars = "kind: bars, axis: IPC, value: ipc, against: b, series: {P: p, Q: q}";

std::string refused(const std::string& more) {
  return error_of([&] { figure(more); });
}
std::string value_refused(const std::string& text) {
  try {
    ResultValue value(text);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("paper figures: a value is a key of a run, a member, a sum, or a share") {
  RunResult r = result("p", "t", 1.5, 80);
  CHECK(ResultValue("ipc").of(r) == 1.5);
  CHECK(ResultValue(" cache_read_hits / source_operands ").of(r) == 0.25);
  CHECK(ResultValue("energy_pj.bank_wr").of(r) == 60.0);
  CHECK(ResultValue("energy_pj.total").of(r) == 80.0);
  CHECK(ResultValue("scheduler_cycles.issue / scheduler_cycles.issue + scheduler_cycles.hazard").of(r) ==
        0.75);
  CHECK(ResultValue("scheduler_cycles.empty").of(r) == 0.0);  // a state that the run leaves out
  CHECK_FALSE(ResultValue("stall_cycles.war").of(r).has_value());
  r.memory_stall_ratios = {{"l1_line", 0.5}, {"l2_mshr", 0.25}, {"dram_queue", 0.125}};
  for (const auto& [cause, share] : r.memory_stall_ratios)
    CHECK(ResultValue("memory_stall_ratios." + cause).of(r) == share);
  CHECK_FALSE(ResultValue("l1_hit_ratio").of(r).has_value());
  RunResult other = r;
  other.storage_bits = {{"ocu.operands", 6}};
  r.storage_bits = {{"bank.registers", 8}};
  const ResultValue parts("storage_bits.ocu.operands / storage_bits.bank.registers");
  CHECK(parts.of(r) == 0.0);  // a part that only the other has
  CHECK(parts.part_of_none({&r, &other}).empty());
  CHECK(parts.part_of_none({&r}) == "storage_bits.ocu.operands");
  CHECK_FALSE(ResultValue("ipc / bank_writes").of(r).has_value());
}

TEST_CASE("paper figures: a value that results do not have is refused") {
  CHECK_THAT(value_refused("ipcs"),
             Contains("'ipcs': no number of a run; did you mean 'ipc'? expected one of "));
  CHECK_THAT(value_refused("trace"), Contains("no number of a run"));
  CHECK_THAT(value_refused("ipc.total"), Contains("ipc has no members; expected 'ipc'"));
  CHECK_THAT(value_refused("energy_pj"), Contains("which of its members? expected 'energy_pj.' and one of"));
  CHECK_THAT(value_refused("energy_pj.bank_read"), Contains("no such member; did you mean 'bank_rd'?"));
  CHECK_THAT(value_refused("stall_cycles.wars"), Contains("did you mean 'war'?"));
  CHECK_THAT(value_refused("ipc / cycles / cycles"), Contains("more than one '/'; expected"));
  CHECK_THAT(value_refused("ipc +"), Contains("'': no number of a run"));
}

TEST_CASE("paper figures: means and the spread over traces") {
  CHECK(*mean_of({1.0, 4.0}, false) == 2.5);
  CHECK(*mean_of({1.0, 4.0}, true) == Approx(2));
  CHECK(*mean_of({1.0, {}, 4.0, std::numeric_limits<double>::quiet_NaN()}, false) == 2.5);
  CHECK(*mean_of({1.0, 0.0, 4.0}, true) == Approx(2));
  CHECK_FALSE(mean_of({{}, {}}, false).has_value());
  CHECK_FALSE(mean_of({0.0}, true).has_value());
  CHECK(*spread_of({1.0, 2.0, {}, 3.0}) == 1.0);
  CHECK(*spread_of({2.0, 2.0}) == 0.0);
  CHECK_FALSE(spread_of({2.0}).has_value());
}

TEST_CASE("paper figures: what the paper states, and what we have") {
  const PaperFigure f =
      figure(bars +
             ", stated: [{says: a, of: P, value: 1.2}, {says: b, of: P, at: highest, value: 1.3},"
             "{says: c, of: P, at: u, value: 0.5}, {says: d, of: P, over: Q, at: lowest, value: 2},"
             "{says: e, of: Q, minus: P, value: 0}, {says: f, of: Q, at: nowhere, value: 1},"
             "{says: g, of: Q, value: 1.01}]");
  const PaperNumbers n = paper_numbers(f, three_traces(), "r");
  CHECK(n.values[0][0] == MaybeNumbers{2.0, 0.5, 1.6});
  const double mean = std::cbrt(1.6), spread = std::sqrt((0.4 + 0.75111111 + 0.05444444 + 0.00111111) / 2);
  REQUIRE(n.stated.size() == 7);
  CHECK(*n.stated[0].ours == Approx(mean));
  CHECK(*n.stated[0].difference == Approx(mean - 1.2));
  CHECK(*n.stated[0].spread == Approx(spread).epsilon(0.001));
  CHECK_FALSE(n.stated[0].exceeds());
  CHECK(*n.stated[1].ours == 2.0);
  CHECK_FALSE(n.stated[1].exceeds());
  CHECK(*n.stated[2].ours == 0.5);
  CHECK(*n.stated[3].ours == 0.5);
  CHECK(n.stated[3].exceeds());
  CHECK(*n.stated[4].ours == Approx(1 - 4.1 / 3));
  CHECK_FALSE(n.stated[5].ours.has_value());
  CHECK_FALSE(n.stated[5].exceeds());
  CHECK(n.stated[6].exceeds());  // there is no spread at all
}

TEST_CASE("paper figures: a number at a trace is that of all traces which are called so") {
  SavedRuns s;
  for (const auto& [trace, ipc] : {std::pair{"old/lud", 4.0}, {"new/lud", 1.0}, {"lud_x5", 9.0}})
    s.runs.push_back(saved(result("p", trace, ipc, 1)));
  const auto at = [&](const std::string& trace) {
    return *paper_numbers(figure("kind: bars, axis: a, value: ipc, series: {P: p}, "
                                 "stated: [{says: a, of: P, value: 1, at: " +
                                 trace + "}]"),
                          Comparison(s), "r")
                .stated[0]
                .ours;
  };
  CHECK(at("lud") == 2.5);
  CHECK(at("lud_x5") == 9);
}

TEST_CASE("paper figures: the parts of a stack are shares of their sum, or of another platform's") {
  const std::string parts =
      "kind: stacks, axis: energy, parts: {read: energy_pj.bank_rd, write: energy_pj.bank_wr}, "
      "series: {P: p}";
  const PaperNumbers own = paper_numbers(figure(parts), three_traces(), "r");
  CHECK(own.values[0] == std::vector<MaybeNumbers>{{0.25, 0.25, 0.25}, {0.75, 0.75, 0.75}});
  const PaperFigure against =
      figure(parts + ", against: b, stated: [{says: a, of: P, part: write, value: 0.4}]");
  const PaperNumbers other = paper_numbers(against, three_traces(), "r");
  CHECK(other.values[0] == std::vector<MaybeNumbers>{{0.125, 0.125, 0.125}, {0.375, 0.375, 0.375}});
  CHECK(*other.stated[0].ours == 0.375);
}

TEST_CASE("paper figures: data that is missing is an error that names the figure") {
  SavedRuns s;
  s.runs = {saved(result("b", "t", 2, 100)), saved(result("p", "t", 2, 100)),
            saved(result("p", "u", 2, 100))};
  const Comparison c(s);
  const auto missing = [&](const std::string& more) {
    return error_of([&] { paper_numbers(figure(more), c, "place"); });
  };
  CHECK_THAT(missing(bars), Contains("figure f_1: place: no run of q; expected results of every platform"));
  CHECK_THAT(missing("kind: bars, axis: a, value: ipc, series: {P: p, B: b}"),
             Contains("figure f_1: place: no run of b on u; expected every platform"));
  CHECK_THAT(
      missing("kind: bars, axis: a, value: l1_hit_ratio, series: {P: p}"),
      Contains("figure f_1: place: no run of p has a value for P; expected results with 'l1_hit_ratio'"));
}

TEST_CASE("paper figures: a reason stands where the difference is larger than the spread, and only there") {
  const auto section = [](const std::string& more) {
    return made_figure(figure(bars + more), three_traces(), "r").section;
  };
  const std::string large = "{says: g, of: Q, value: 1.01", small = "{says: a, of: P, value: 1.2";
  CHECK_THAT(section(", because: reason, stated: [" + large + "}]"), Contains("<li>g: reason</li>"));
  CHECK_THAT(section(", because: reason, stated: [" + large + ", because: mine}]"),
             Contains("<li>g: mine</li>"));
  CHECK_THAT(section(", stated: [" + large + "}]"), Contains("<li>g: <strong>no reason is given"));
  CHECK_THAT(section(", because: reason, stated: [" + small + "}]"), !Contains("reason"));
  CHECK_THAT(section(""), Contains("The paper states no number of this figure"));
}

TEST_CASE("paper figures: what a figure rests on, and what is too short for an adaptive STHLD") {
  SavedRuns s;
  for (const char* trace : {"t", "u"}) {
    s.runs.push_back(saved(result("b", trace, 2, 100)));
    s.runs.push_back(saved(result("p", trace, 2, 100)));
    s.runs.back().sthld_interval = trace == std::string("t") ? 10000 : 2500;
  }
  const std::string section =
      made_figure(figure("kind: bars, axis: a, value: ipc, series: {B: b, P: p}"), Comparison(s), "r")
          .section;
  CHECK_THAT(
      section,
      Contains(
          "It rests on 2 traces of 12 CTAs in 3 waves and 3456 warp instructions on 10 SMs, with 25 to 100 "
          "decisions on STHLD. <strong>1 of 2 traces are too short"));
}

TEST_CASE("paper figures: mistakes in an experiment") {
  CHECK_THAT(refused("kinds: bars"),
             Contains("the text: figures.kinds: unknown key; did you mean 'kind'? expected one of id"));
  CHECK_THAT(refused("kind: bar"),
             Contains("figures.kind: 'bar'; did you mean 'bars'? expected one of bars, stacks"));
  CHECK_THAT(refused("kind: bars, axis: a, series: {P: p}"),
             Contains("figures.value: nothing; expected a key"));
  CHECK_THAT(refused("kind: bars, axis: a, value: ipx, series: {P: p}"),
             Contains("figures.value: 'ipx': no number"));
  CHECK_THAT(refused("kind: bars, axis: a, value: ipc"), Contains("figures.series: nothing; expected"));
  CHECK_THAT(refused("kind: bars, value: ipc, series: {P: p}"), Contains("figures.axis: nothing; expected"));
  CHECK_THAT(refused("kind: stacks, axis: a, value: ipc, series: {P: p}"),
             Contains("figures.value: given; expected none"));
  CHECK_THAT(refused("kind: intervals, axis: a, series: {P: p}"),
             Contains("figures.axis: given; expected none"));
  CHECK_THAT(refused(bars + ", id: a-b"), Contains("id"));
  CHECK_THAT(refused(bars + ", mean: median"), Contains("figures.mean: 'median'; expected one of geometric"));
  const auto stated = [](const std::string& text) { return refused(bars + ", stated: [" + text + "]"); };
  CHECK_THAT(stated("{says: a, of: R, value: 1}"), Contains("figures.stated.of: 'R': no series of f_1;"));
  CHECK_THAT(stated("{says: a, of: P, value: one}"),
             Contains("figures.stated.value: 'one'; expected a number"));
  CHECK_THAT(stated("{says: a, of: P}"),
             Contains("figures.stated.value: is missing; expected all of says, value, of"));
  CHECK_THAT(stated("{says: a, of: P, value: 1, over: Q, minus: Q}"),
             Contains("both over and minus; expected one"));
  CHECK_THAT(stated("{says: a, of: P, value: 1, part: x}"),
             Contains("figures.stated.part: 'x': no part of f_1"));
  CHECK_THAT(stated("{says: a, of: P, value: 1, at: t, why: x}"),
             Contains("figures.stated.why: unknown key;"));
  CHECK_THAT(refused(bars + ", where: ipc"), Contains("figures.where: 'ipc'; expected VALUE > NUMBER"));
  CHECK_THAT(refused(bars + ", where: ipx > 1"), Contains("figures.where: 'ipx': no number of a run;"));
  for (const char* number : {"one", "1 or so", ""})
    CHECK_THAT(refused(bars + ", where: 'ipc > " + number + "'"), Contains("'; expected a number"));
  CHECK_THAT(value_refused("counts"), Contains("which of its members? expected 'counts.' and one of"));
  CHECK_THAT(value_refused("counts.file_write"),
             Contains("no such member; did you mean 'file_writes'? expected"));
}

TEST_CASE("paper figures: some of the traces, and several parts") {
  const auto numbers = [](const std::string& more) {
    return paper_numbers(figure(more + ", stated: [{says: a, of: P, value: 1}]"), three_traces(), "r");
  };
  const std::size_t t = 0, u = 1, v = 2;
  using Places = std::vector<std::size_t>;
  CHECK(numbers(bars).traces == Places{t, u, v});
  CHECK(numbers(bars + ", traces: [t, 'w*']").traces == Places{t});
  CHECK(numbers(bars + ", traces: '?'").traces == Places{t, u, v});
  CHECK(numbers(bars + ", where: ipc > 3.2").traces == Places{t});  // the IPC of p, the first series
  CHECK(numbers(bars + ", where: ipc < 3.2").traces == Places{u});
  CHECK(numbers(bars + ", where: ipc < 3.2").stated[0].ours == Approx(0.5));
  CHECK(numbers(bars + ", where: ipc < 3.2, traces: t").traces.empty());
  CHECK(!numbers(bars + ", traces: w").stated[0].ours);
  CHECK(numbers(bars + ", where: counts.read_hits > 0").traces.empty());  // nobody has counted read hits

  const PaperFigure stack = figure(
      "kind: stacks, axis: a, series: {P: p}, parts: {x: energy_pj.bank_rd, y: energy_pj.bank_wr}, stated: "
      "[{says: a, of: P, part: y, value: 1}, {says: b, of: P, part: [x, y], value: 1}]");
  const PaperNumbers of_stack = paper_numbers(stack, three_traces(), "r");
  CHECK(of_stack.stated[0].ours == Approx(0.75));
  CHECK(of_stack.stated[1].ours == Approx(1));
}

TEST_CASE("report: lines go through the points that are there") {
  const LineChart chart{{"c", "title", "axis"},
                        {"0", "1", "2", "3"},
                        {{"a<b", {1.0, 2.0, {}, 4.0}}, {"none", {{}, {}, {}, {}}}},
                        {}};
  const std::string svg = svg_of(chart);
  CHECK_THAT(svg, Contains("a&lt;b, 0: 1</title>") && Contains("a&lt;b, 3: 4</title>") && !Contains("a<b"));
  const std::size_t begin = svg.find("<path d=\"M") + 9;
  const std::string path = svg.substr(begin, svg.find('"', begin) - begin);
  CHECK(std::count(path.begin(), path.end(), 'M') == 2);  // after the hole a line begins again
  CHECK(std::count(path.begin(), path.end(), 'L') == 1);
  CHECK(svg.find("<path d=", begin) == std::string::npos);  // a line without points leaves nothing
  CHECK_THAT(svg, !Contains("nan"));
}

}  // namespace paper_figures_test
