// Figures of schemes against each other: means by groups of traces, fronts, and what gains depend on.
#include <cmath>

#include <catch2/catch.hpp>

#include "subcore/program/report/paper_page.h"
#include "subcore/program/runs/paper_figure.h"
#include "tests/unit/config_text.h"

namespace scheme_figures_test {

using namespace subcore;
using Catch::Contains;
using subcore::test::error_of;

namespace {

SavedRun run(const std::string& platform, const std::string& trace, double ipc, double energy,
             std::uint64_t bytes = 1024) {
  SavedRun saved;
  saved.result.platform = platform;
  saved.result.trace = trace;
  saved.result.ipc = ipc;
  saved.result.energy_pj = {{"bank_rd", energy}};
  saved.result.energy_total_pj = energy;
  saved.result.operand_storage_bytes = bytes;
  saved.result.prefetches = trace == "t" ? 5 : 0;
  saved.sms = 10;
  saved.file = "results.json";
  return saved;
}

PaperFigure figure(const std::string& more) {
  const YamlSource source("figures:\n- {id: f_1, title: a title, " + more + "}\n", "the text");
  return read_figures(source, source.entries(source.root(), source.root(), "").front()).front();
}
std::string refused(const std::string& more) {
  return error_of([&] { figure(more); });
}

MadeFigure made(const std::string& more, const std::vector<SavedRun>& runs) {
  SavedRuns saved;
  saved.runs = runs;
  return made_figure(figure(more), Comparison(saved), "r");
}

const std::string axes = "parts: {energy: energy_pj.total, IPC: ipc}, against: b, ";
const std::string tornado =
    "kind: tornado, " + axes + "series: {P: p}, changes: {banks: [banks=1, banks=4], entries: [entries=9]}";
const std::string means =
    "kind: means, axis: IPC, value: ipc, series: {P: p, Q: {platform: q, against: c}}, against: b";

}  // namespace

TEST_CASE("scheme figures: means of the traces that have something, of the others, and of all") {
  const std::vector<SavedRun> runs = {run("b", "t", 1, 1), run("b", "u", 2, 1), run("b", "v", 2, 1),
                                      run("p", "t", 3, 1), run("p", "u", 4, 1), run("p", "v", 16, 1),
                                      run("q", "t", 6, 1), run("q", "u", 6, 1), run("q", "v", 6, 1),
                                      run("c", "t", 2, 1), run("c", "u", 4, 1), run("c", "v", 4, 1)};
  const MadeFigure whole = made(means, runs);
  CHECK_THAT(whole.svg, Contains("all traces (3), P: 3.634<") && Contains("all traces (3), Q: 1.89<"));
  CHECK_THAT(whole.section, Contains("a title</h2>") && !Contains("The paper states"));
  const MadeFigure split = made(means + ", split: {value: prefetches, with: some, without: none}", runs);
  CHECK_THAT(split.svg, Contains("some (1), P: 3<") && Contains("none (2), P: 4<") &&
                            Contains("none (2), Q: 1.5<") && Contains("all traces (3), P: 3.634<"));
  CHECK_THAT(
      error_of([&] { made(means + ", split: {value: l1_hit_ratio, with: some, without: none}", runs); }),
      Contains("figure f_1: p on t has no value for split; expected results with 'l1_hit_ratio'"));
}

TEST_CASE(
    "scheme figures: a group beside is of the same systems on other machines, and leaves the others as they "
    "are") {
  std::vector<SavedRun> runs = {run("b", "t", 1, 1), run("b", "u", 2, 1), run("p", "t", 3, 1),
                                run("p", "u", 4, 1), run("q", "t", 6, 1), run("q", "u", 6, 1),
                                run("c", "t", 2, 1), run("c", "u", 4, 1)};
  const std::string split = means + ", split: {value: prefetches, with: some, without: none}, group: both";
  const std::string beside = ", beside: {new: [m, n], absent: [k]}";
  const MadeFigure none = made(split + beside, runs);
  CHECK_THAT(none.svg, Contains("both (2), P: 2.449<") && !Contains("new (") && !Contains("absent ("));
  for (SavedRun& r : std::vector<SavedRun>{
           run("m/b", "v", 1, 1), run("m/p", "v", 5, 1), run("m/q", "v", 6, 1), run("m/c", "v", 3, 1),
           run("n/b", "w", 2, 1), run("n/p", "w", 40, 1), run("n/q", "w", 8, 1), run("n/c", "w", 1, 1)})
    runs.push_back(std::move(r));
  const MadeFigure m = made(split + beside, runs);
  CHECK_THAT(m.svg, Contains("some (1), P: 3<") && Contains("none (1), P: 2<") &&
                        Contains("both (2), P: 2.449<") && Contains("new (2), P: 10<") &&
                        Contains("new (2), Q: 4<") && !Contains("absent ("));
  CHECK_THAT(m.section, Contains("<td>v</td>") && Contains("<td>w</td>"));
  CHECK_THAT(made(means + beside, runs).svg,
             Contains("all traces (2), P: 2.449<") && Contains("new (2), P: 10<"));
  runs.pop_back();
  // A trace that ran on both machines has its caution once.
  for (const char* platform : {"k/b", "k/p", "k/q", "k/c"}) runs.push_back(run(platform, "t", 1, 1));
  for (SavedRun& r : runs)
    if (r.result.platform == "p" && r.result.trace == "t") r.result.cautions = {"few_waves"};
  CHECK_THAT(made(means + ", beside: {again: [k]}", runs).svg, Contains("few_waves: p (1)<"));
  CHECK_THAT(error_of([&] { made(split + beside, runs); }),
             Contains("figure f_1: r: no run of n/c; expected results of every platform"));
}

TEST_CASE("scheme figures: a front is of those that none beats") {
  using Point = ParetoChart::Point;
  const Point base{"", 1, 1, 1};
  CHECK(ParetoChart::beats({"", 0.9, 1, 1}, base));
  CHECK(ParetoChart::beats({"", 1, 1.1, 1}, base));
  CHECK(ParetoChart::beats({"", 1, 1, 0.9}, base));
  CHECK_FALSE(ParetoChart::beats(base, base));
  CHECK_FALSE(ParetoChart::beats({"", 0.9, 0.9, 1}, base));
  CHECK_FALSE(ParetoChart::beats({"", 0.9, 1.1, 2}, base));
  CHECK(ParetoChart::beats({"", 0.9, 1.1, 2}, base, true));

  const MadeFigure m = made("kind: pareto, " + axes + "series: {base: b, good: p, bad: q, big: c}",
                            {run("b", "t", 2, 100), run("p", "t", 3, 80, 2048), run("q", "t", 2.5, 90, 4096),
                             run("c", "t", 4, 80, 8192)});
  CHECK_THAT(m.svg, Contains("<title>good, 2 KB: 0.800, 1.500</title>"));
  CHECK_THAT(m.section, Contains("Beaten by none in all three: base, 1 KB; good, 2 KB; big, 8 KB."));
  CHECK_THAT(m.section, Contains("<td>good, 2 KB</td></tr>"));  // bad is beaten by it
  const std::string hollow = "fill=\"none\"><title>";
  CHECK_THAT(m.svg, Contains(hollow + "bad") && !Contains(hollow + "good") && !Contains(hollow + "big"));
  // Without storage the big one beats them all: a front of one, and no line.
  const std::size_t path = m.svg.find("<path d=\"M");
  CHECK(m.svg.substr(path, m.svg.find('/', path) - path).find('L') == std::string::npos);
}

TEST_CASE("scheme figures: a gain is over the baseline with the same change, where it has that") {
  const MadeFigure m = made(tornado, {run("b", "t", 1, 10), run("p", "t", 2, 8), run("b,banks=1", "t", 2, 10),
                                      run("p,banks=1", "t", 3, 5), run("b,banks=4", "t", 1, 10),
                                      run("p,banks=4", "t", 2.1, 8), run("p,entries=9", "t", 4, 8)});
  REQUIRE(m.numbers.values.size() == 4);
  CHECK(*m.numbers.mean(0, 1, true) == Approx(2));
  CHECK(*m.numbers.mean(1, 1, true) == Approx(1.5));
  CHECK(*m.numbers.mean(1, 0, true) == Approx(0.5));
  CHECK(*m.numbers.mean(2, 1, true) == Approx(2.1));
  CHECK(*m.numbers.mean(3, 1, true) == Approx(4));
  CHECK_THAT(m.svg,
             Contains("<title>banks, 1: 1.500</title>") && Contains("<title>entries, 9: 4.000</title>"));
  CHECK_THAT(m.svg, Contains("IPC; as it is: 2.000"));
  // Entries are wider than banks for IPC; for energy it is the other way round.
  const std::size_t ipc = m.svg.find("IPC; as it is");
  CHECK(m.svg.find(">banks<") < m.svg.find(">entries<"));
  CHECK(m.svg.find(">entries<", ipc) < m.svg.find(">banks<", ipc));
  CHECK_THAT(m.section, Contains("<td>b,banks=1</td>"));

  CHECK_THAT(error_of([&] {
               made(tornado, {run("b", "t", 1, 10), run("p", "t", 2, 8)});
             }),
             Contains("figure f_1: r: no run of p,banks=1; expected results of every platform"));
}

TEST_CASE("scheme figures: mistakes in an experiment") {
  CHECK_THAT(refused("kind: pareto, parts: {energy: energy_pj.total, IPC: ipc}, series: {P: p}"),
             Contains("figures.against: nothing; expected a platform"));
  CHECK_THAT(refused("kind: pareto, parts: {IPC: ipc}, against: b, series: {P: p}"),
             Contains("figures.parts: expected two, the two axes"));
  CHECK_THAT(refused("kind: pareto, against: b, series: {P: p}"), Contains("figures.parts: nothing"));
  CHECK_THAT(refused("kind: tornado, " + axes + "series: {P: p}"), Contains("figures.changes: nothing"));
  CHECK_THAT(refused("kind: tornado, " + axes + "series: {P: p, Q: q}, changes: {a: [b]}"),
             Contains("figures.series: expected one alone"));
  CHECK_THAT(refused("kind: tornado, " + axes + "series: {P: p}, changes: {a: [b, c, d]}"),
             Contains("the text: figures.changes.a: 3 ends; expected one or two"));
  CHECK_THAT(refused(means + ", changes: {a: [b]}"), Contains("figures.changes: given; expected none"));
  CHECK_THAT(refused(tornado + ", split: {value: ipc, with: a, without: b}"),
             Contains("figures.split: given; expected none"));
  CHECK_THAT(refused(tornado + ", stated: [{says: a, of: P, value: 1}]"),
             Contains("figures.stated: given; expected none"));
  CHECK_THAT(refused(means + ", split: {value: ipc, with: a}"),
             Contains("figures.split.without: is missing; expected all of value, with, without"));
  CHECK_THAT(refused(tornado + ", beside: {new: [m]}"), Contains("figures.beside: given; expected none"));
  CHECK_THAT(refused(means + ", split: {when: ipc}"), Contains("figures.split.when: unknown key;"));
  CHECK_THAT(refused("kind: bars, axis: a, value: ipc, series: {P: {against: b}}"),
             Contains("figures.series.P.platform: is missing; expected a key 'platform'"));
}

TEST_CASE("scheme figures: labels of a front cover neither each other nor a point") {
  ParetoChart chart{{"c", "t", "IPC"}, "energy", {}};
  for (int i = 0; i < 20; ++i)
    chart.points.push_back({"a scheme " + std::to_string(i), 1 + i % 3 * 1e-3, 1, 1});
  const std::string svg = svg_of(chart);
  std::vector<std::pair<double, double>> places;
  for (std::size_t at = 0; (at = svg.find("\">a scheme ", at)) != std::string::npos; ++at) {
    const std::size_t begin = svg.rfind("<text", at), x = svg.find("x=\"", begin),
                      y = svg.find(" y=\"", begin);
    places.emplace_back(std::stod(svg.substr(x + 3)), std::stod(svg.substr(y + 4)));
  }
  REQUIRE(places.size() == 20);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK((std::abs(places[i].first - places[j].first) > 60 ||
             std::abs(places[i].second - places[j].second) >= 12 - 0.02));
  CHECK_THAT(svg, !Contains("nan"));
}

}  // namespace scheme_figures_test
