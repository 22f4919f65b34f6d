// Papers' figures: what experiments say about them, and the form in which the Python package gets them.
#include <stdexcept>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "subcore/program/runs/paper_figure.h"
#include "subcore/program/runs/result_value.h"
#include "tests/unit/config_text.h"

namespace paper_figures_test {

using namespace subcore;
using Catch::Contains;
using subcore::test::error_of;

namespace {

PaperFigure figure(const std::string& more) {
  const YamlSource source("figures:\n- {id: f_1, paper: 'Paper, Fig. 1', title: a title, " + more + "}\n",
                          "the text");
  return read_figures(source, source.entries(source.root(), source.root(), "").front()).front();
}

const std::string bars = "kind: bars, axis: IPC, value: ipc, against: b, series: {P: p, Q: q}";
const std::string axes = "parts: {energy: energy_pj.total, IPC: ipc}, against: b, ";
const std::string tornado =
    "kind: tornado, " + axes + "series: {P: p}, changes: {banks: [banks=1, banks=4], entries: [entries=9]}";
const std::string means =
    "kind: means, axis: IPC, value: ipc, series: {P: p, Q: {platform: q, against: c}}, against: b";

std::string refused(const std::string& more) {
  return error_of([&] { figure(more); });
}
std::string value_refused(const std::string& text) {
  try {
    checked_result_value(text);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("paper figures: a value is a key of a run, a member, a sum, or a share") {
  for (const char* text :
       {"ipc", "energy_pj.bank_wr", "energy_pj.total", "sthld_decisions", "memory_stall_ratios.l1_line",
        "scheduler_cycles.issue / scheduler_cycles.issue + scheduler_cycles.hazard",
        "storage_bits.ocu.operands / storage_bits.bank.registers"})
    CHECK(checked_result_value(text) == text);
  CHECK(checked_result_value(" cache_read_hits / source_operands ") == "cache_read_hits / source_operands");
}

TEST_CASE("paper figures: a value that results do not have is refused") {
  CHECK_THAT(value_refused("ipcs"),
             Contains("'ipcs': not a number of a run; did you mean 'ipc'? expected one of "));
  CHECK_THAT(value_refused("trace"), Contains("not a number of a run"));
  CHECK_THAT(value_refused("ipc.total"), Contains("ipc has no members; expected 'ipc'"));
  CHECK_THAT(value_refused("energy_pj"), Contains("no member; expected 'energy_pj.' and one of"));
  CHECK_THAT(value_refused("energy_pj.bank_read"), Contains("no such member; did you mean 'bank_rd'?"));
  CHECK_THAT(value_refused("stall_cycles.wars"), Contains("did you mean 'war'?"));
  CHECK_THAT(value_refused("ipc / cycles / cycles"), Contains("more than one '/'; expected"));
  CHECK_THAT(value_refused("ipc +"), Contains("'': not a number of a run"));
}

TEST_CASE("paper figures: mistakes in an experiment") {
  CHECK_THAT(refused("kinds: bars"),
             Contains("the text: figures.kinds: unknown key; did you mean 'kind'? expected one of id"));
  CHECK_THAT(refused("kind: bar"),
             Contains("figures.kind: 'bar'; did you mean 'bars'? expected one of bars, stacks"));
  CHECK_THAT(refused("kind: bars, axis: a, series: {P: p}"),
             Contains("figures.value: nothing; expected a key"));
  CHECK_THAT(refused("kind: bars, axis: a, value: ipx, series: {P: p}"),
             Contains("figures.value: 'ipx': not a number"));
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
  CHECK_THAT(refused(bars + ", where: ipx > 1"), Contains("figures.where: 'ipx': not a number of a run;"));
  for (const char* number : {"one", "1 or so", ""})
    CHECK_THAT(refused(bars + ", where: 'ipc > " + number + "'"), Contains("'; expected a number"));
  CHECK_THAT(value_refused("counts"), Contains("no member; expected 'counts.' and one of"));
  CHECK_THAT(value_refused("counts.file_write"),
             Contains("no such member; did you mean 'file_writes'? expected"));
}

TEST_CASE("scheme figures: mistakes in an experiment") {
  CHECK_THAT(refused("kind: pareto, parts: {energy: energy_pj.total, IPC: ipc}, series: {P: p}"),
             Contains("figures.against: nothing; expected a platform"));
  CHECK_THAT(refused("kind: pareto, parts: {IPC: ipc}, against: b, series: {P: p}"),
             Contains("figures.parts: expected two, the two axes"));
  CHECK_THAT(refused("kind: pareto, against: b, series: {P: p}"), Contains("figures.parts: nothing"));
  CHECK_THAT(refused("kind: tornado, " + axes + "series: {P: p}"), Contains("figures.changes: nothing"));
  CHECK_THAT(refused("kind: tornado, " + axes + "series: {P: p, Q: q}, changes: {a: [b]}"),
             Contains("figures.series: expected a single series"));
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

TEST_CASE("paper figures: the Python package gets all keys, and the series of a tornado with both ends") {
  const auto f = json_of(figure(bars + ", where: counts.instructions > 2.5, traces: 'w*', because: reason, "
                                       "stated: [{says: a, of: P, over: Q, at: highest, value: 1.2}]"));
  CHECK(f["id"] == "f_1");
  CHECK(f["paper"] == "Paper, Fig. 1");
  CHECK(f["kind"] == "bars");
  CHECK(f["value"] == "ipc");
  CHECK(f["mean"] == "geometric");
  CHECK(f["where"] ==
        nlohmann::ordered_json{{"value", "counts.instructions"}, {"above", true}, {"than", 2.5}});
  CHECK(f["traces"] == std::vector<std::string>{"w*"});
  CHECK(f["split"].is_null());
  CHECK(f["stated"][0]["over"] == "Q");
  CHECK(f["stated"][0]["value"] == 1.2);
  CHECK(json_of(figure(bars + ", mean: arithmetic"))["mean"] == "arithmetic");
  CHECK(json_of(figure("kind: bars, axis: IPC, value: ipc, series: {P: p}"))["mean"] == "arithmetic");
  const auto of_means =
      json_of(figure(means + ", beside: {new: [m, n]}, split: {value: ipc, with: a, without: b}"));
  CHECK(of_means["series"][1]["against"] == "c");
  CHECK(of_means["beside"]["new"] == std::vector<std::string>{"m", "n"});
  CHECK(of_means["split"]["without"] == "b");
  CHECK(of_means["group"] == "all traces");
  const auto of_tornado = json_of(figure(tornado));
  CHECK(of_tornado["parts"]["energy"] == "energy_pj.total");
  CHECK(of_tornado["changes"]["banks"] == std::vector<std::string>{"banks=1", "banks=4"});
  REQUIRE(of_tornado["series"].size() == 4);
  CHECK(of_tornado["series"][2] ==
        nlohmann::ordered_json{{"name", "banks=4"}, {"platform", "p,banks=4"}, {"against", "b,banks=4"}});
}

}  // namespace paper_figures_test
