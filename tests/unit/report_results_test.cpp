// Saved results as a report reads them, and what it makes of them.
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "subcore/program/report/figures.h"
#include "subcore/program/report/page.h"
#include "tests/unit/config_text.h"

namespace report_results_test {

using namespace subcore;
using Catch::Contains;
using subcore::test::error_of;
using Json = nlohmann::ordered_json;

namespace {

RunResult run(const std::string& platform, const std::string& trace, double ipc, double energy) {
  RunResult r;
  r.platform = platform;
  r.trace = trace;
  r.cycles = 1000;
  r.ipc = ipc;
  r.schedulers = 4;
  r.stall_cycles = {{"issue", 3000}, {"raw_long", 1000}};
  r.bank_reads = 30;
  r.bank_writes = 10;
  r.energy_pj = {{"bank_rd", energy / 4}, {"bank_wr", 3 * energy / 4}};
  r.energy_total_pj = energy;
  r.energy_by_preset_pj = {{"cacti22", energy}};
  return r;
}

class Folder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = folder_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }
  std::string json(const std::string& name, const std::vector<RunResult>& runs) const {
    return write(name, to_json(runs));
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string error(const std::vector<std::string>& results) const {
    const std::string message = error_of([&] { saved_runs(results); });
    CHECK(message.find('\n') == std::string::npos);
    return message;
  }
  // The error of a results.json in which the first run has another value at a key; "" takes the key away.
  std::string error_with(const std::string& key, const std::string& value) const {
    Json j = Json::parse(to_json(std::vector{run("p", "t", 1, 1)}));
    if (value.empty())
      j[0].erase(key);
    else
      j[0][key] = Json::parse(value);
    return error({write("changed.json", j.dump())});
  }

 private:
  test::TemporaryFolder folder_;
};

const std::string heading = intervals_csv({});

}  // namespace

TEST_CASE("report: results that cannot be used are refused with file, key and what was expected") {
  const Folder f;
  CHECK(f.error({f.path("none")}) ==
        f.path("none") + ": is not there; expected a folder of --results, or a file of --json");
  f.write("empty/x", "");
  CHECK_THAT(f.error({f.path("empty")}), Contains("empty: has no results.json; expected"));
  CHECK_THAT(f.error({f.write("bad.json", "{\"a\": ")}), Contains("bad.json: is no JSON; expected"));
  CHECK_THAT(f.error({f.write("void.json", "")}), Contains("void.json: is no JSON; expected"));
  CHECK_THAT(f.error({f.write("no.json", "[]")}), Contains("no.json: has no run; expected at least one"));
  CHECK_THAT(f.error({f.write("odd.json", "[3]")}), Contains("odd.json: run 1: is no JSON object; expected"));
  for (const char* key : {"platform", "trace", "cycles", "ipc", "energy_pj"})
    CHECK_THAT(f.error_with(key, ""),
               Contains("changed.json: run 1: no key '" + std::string(key) + "'; expected results"));
  CHECK_THAT(f.error_with("cycles", "-1"), Contains("run 1: 'cycles' is -1; expected a whole number from 0"));
  CHECK_THAT(f.error_with("ipc", "\"x\""), Contains("'ipc' is \"x\"; expected a number"));
  CHECK_THAT(f.error_with("trace", "7"), Contains("'trace' is 7; expected text"));
  CHECK_THAT(f.error_with("stall_cycles", "{\"issue\": 1.5}"),
             Contains("'stall_cycles'") && Contains("expected an object"));
  CHECK_THAT(f.error_with("energy_pj", "{\"bank_rd\": 1}"),
             Contains("'energy_pj'") && Contains("with a total"));
  CHECK_THAT(f.error_with("notes", "[1]"), Contains("'notes' is [1]; expected a list of texts"));
  CHECK_THAT(f.error_with("swept", "{\"a\": 1}"),
             Contains("'swept'") && Contains("expected an object of texts"));
  CHECK(f.error_with("swept", "{\"a\": \"1\"}") == "(no error)");
  CHECK(f.error_with("ipc", "2") == "(no error)");
}

TEST_CASE("report: what an older version did not write is noted, not refused") {
  const Folder f;
  Json j = Json::parse(to_json(run("p", "t", 1, 1)));  // a file of --json of one run is no list
  j.erase("stall_cycles");
  const SavedRuns saved = saved_runs({f.write("old.json", j.dump())});
  REQUIRE(saved.runs.size() == 1);
  CHECK(saved.runs[0].result.stall_cycles.empty());
  REQUIRE(saved.notes.size() == 1);
  CHECK_THAT(saved.notes[0], Contains("old.json: run 1: has no stall_cycles: results of another version"));
}

TEST_CASE("report: waves are of kernels, where results say how many CTAs were there at once") {
  const Folder f;
  const auto waves = [&](const std::string& kernels) {
    Json j = Json::parse(to_json(run("p", "t", 1, 1)));
    j["per_kernel"] = Json::parse(kernels);
    return saved_runs({f.write("r.json", j.dump())}).runs.at(0).waves;
  };
  CHECK(waves("[{\"ctas\": 7, \"ctas_at_once\": 5}, {\"ctas\": 10, \"ctas_at_once\": 5}]") == 4);
  CHECK(waves("[{\"ctas\": 0, \"ctas_at_once\": 0}]") == 0);
  CHECK(waves("[{\"ctas\": 7}, 3, {\"ctas\": \"x\", \"ctas_at_once\": -1}]") == 0);
}

TEST_CASE("report: the same run in two places is shown once, another one of its name refused") {
  const Folder f;
  RunResult again = run("p", "t", 2, 8);
  again.wall_seconds = 9;
  again.ipc_normalised = 1;
  const std::string a = f.json("a.json", {run("p", "t", 2, 8)}),
                    b = f.json("b.json", {again, run("q", "t", 3, 4)});
  const SavedRuns saved = saved_runs({a, b});
  REQUIRE(saved.runs.size() == 2);
  REQUIRE(saved.notes.size() == 1);
  CHECK(saved.notes[0] == "p on t is in " + a + " and in " + b + ", with the same results: it is shown once");
  CHECK(saved.runs[1].result.ipc_normalised == 1.5);
  CHECK(saved.runs[1].result.energy_normalised == 0.5);

  again.cycles = 1001;
  const std::string c = f.json("c.json", {again});
  CHECK_THAT(f.error({a, c}),
             Contains("p on t is in " + a + " and in " + c + ", with other results; expected one run"));
  CHECK_THAT(f.error({a, a}), Contains("a.json: is given twice; expected"));
  CHECK_THAT(f.error({f.json("d.json", {again, again})}),
             Contains("p on t is in") && Contains("expected one run"));
}

TEST_CASE("report: runs of different seeds or energy tables are noted") {
  const Folder f;
  RunResult other = run("q", "t", 2, 8);
  other.seed = 5;
  other.energy_by_preset_pj = {{"cacti22", 3}, {"bow_table4", 8}};
  const SavedRuns saved = saved_runs({f.json("a.json", {run("p", "t", 2, 8)}), f.json("b.json", {other})});
  REQUIRE(saved.notes.size() == 2);
  CHECK(saved.notes[0] ==
        "energies are by different tables and do not compare: p on t by cacti22; q on t by bow_table4");
  CHECK(saved.notes[1] == "seeds differ: p on t with 0; q on t with 5");
}

TEST_CASE("report: intervals come with the clock of their platform") {
  const Folder f;
  f.json("r/results.json", {run("p", "t/u", 2, 8)});
  CHECK_THAT(f.error({f.path("r")}), Contains("r/p/t/u: is not there, although"));
  f.write("r/p/t/u/stats.csv", "");
  CHECK_THAT(saved_runs({f.path("r")}).notes.at(0), Contains("intervals.csv: is not there"));
  f.write("r/p/t/u/intervals.csv", heading + "100,200,2,50,25,0.5,3,4,800\n150,50,1,0,0,0,3,4,1.5\n");
  CHECK_THAT(f.error({f.path("r")}), Contains("platform.yaml: is not there; expected the platform"));
  f.write("r/p/t/u/platform.yaml", "name: p\n");
  CHECK_THAT(f.error({f.path("r")}),
             Contains("platform.yaml") && Contains("clock_period_ns: nothing; expected"));
  f.write("r/p/t/u/platform.yaml", "name: p\nclock_period_ns: fast\n");
  CHECK_THAT(f.error({f.path("r")}),
             Contains("platform.yaml:2: clock_period_ns: 'fast'; expected a number above 0"));
  f.write("r/p/t/u/platform.yaml", "name: p\nclock_period_ns: 0.5\n");
  const SavedRuns saved = saved_runs({f.path("r")});
  CHECK(saved.notes.empty());
  const SavedRun& r = saved.runs.at(0);
  CHECK(r.clock_period_ns == 0.5);
  REQUIRE(r.intervals.size() == 2);
  CHECK(r.intervals[0].ipc == 2);
  CHECK(r.intervals[1].cycle == 150);
  CHECK(r.intervals[1].energy_pj == 1.5);
  // 800 pJ in 100 cycles of 0.5 ns are 16 mW, 1.5 pJ in 50 cycles 0.06 mW.
  const std::vector<Figure> figures = interval_figures(Comparison(saved));
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].id == "intervals_1_t_u");
  REQUIRE(figures[0].numbers.rows.size() == 2);
  CHECK(figures[0].numbers.rows[0].back().value == "16");
  CHECK(figures[0].numbers.rows[1].back().value == "0.06");
}

TEST_CASE("report: intervals that cannot be read are refused with their line") {
  const auto error = [](const std::string& text) {
    return error_of([&] { intervals_from_csv(text, "i.csv"); });
  };
  CHECK_THAT(error("a,b\n"), Contains("i.csv:1: another heading; expected 'cycle,instructions"));
  CHECK_THAT(error(heading + "1,2,3,4,5,6,7,8\n"),
             Contains("i.csv:2: column 8 at '8'; expected a number, nine"));
  CHECK_THAT(error(heading + "1,2,3,4,5,6,7,8,9,10\n"), Contains("i.csv:2: column 9"));
  CHECK_THAT(error(heading + "1,2,x,4,5,6,7,8,9\n"), Contains("i.csv:2: column 3 at 'x,4,5,6,7,8,9'"));
  CHECK_THAT(error(heading + "5,2,3,4,5,6,7,8,9\n5,2,3,4,5,6,7,8,9\n"),
             Contains("i.csv:3: cycle 5; expected one after"));
  CHECK(error(heading) == "(no error)");
}

TEST_CASE("report: neighbouring intervals together say the same of their time") {
  // 100 cycles with 200 instructions, then 50 with 25; STHLD 4 and then 1.
  const std::vector<IntervalRow> rows{{100, 200, 2, 40, 10, 0.25, 4, 1, 30},
                                      {150, 25, 0.5, 10, 10, 1, 1, 2, 6},
                                      {160, 1, 0.1, 0, 0, 0, 7, 3, 1}};
  CHECK(merged(rows, 3).size() == 3);
  const std::vector<IntervalRow> two = merged(rows, 2);
  REQUIRE(two.size() == 2);
  CHECK(two[0].cycle == 150);
  CHECK(two[0].ipc == 1.5);
  CHECK(two[0].read_hit_ratio == 0.4);
  CHECK(two[0].sthld == 3);
  CHECK(two[0].energy_pj == 36);
  CHECK(two[1].cycle == 160);
  CHECK(two[1].ipc == 0.1);
  CHECK(merged({}, 2).empty());
}

TEST_CASE("report: means are over the traces that both have, and what is missing is said") {
  SavedRuns saved;
  for (const RunResult& r :
       {run("p", "t", 1, 10), run("p", "u", 2, 10), run("q", "t", 4, 5), run("q", "v", 9, 5)})
    saved.runs.push_back({r, {}, 1, "a.json"});
  const Comparison c(saved);
  CHECK(c.platforms() == std::vector<std::string>{"p", "q"});
  CHECK(c.traces() == std::vector<std::string>{"t", "u", "v"});
  const auto ipc = [](const RunResult& r) { return r.ipc; };
  CHECK(c.ratio(1, 0, ipc) == 4);
  CHECK_FALSE(c.ratio(1, 1, ipc).has_value());
  CHECK_FALSE(c.ratio(1, 2, ipc).has_value());
  CHECK(c.mean_ratio(1, ipc) == Approx(4));
  CHECK(c.mean(1, ipc) == 4.0);
  CHECK(c.mean(0, ipc) == 1.5);
  CHECK(c.mean_of_common(0, ipc) == 1.0);
  CHECK(c.mean_of_common(1, ipc) == 4.0);
  REQUIRE(c.notes().size() == 2);
  CHECK(c.notes()[0] == "p did not run v: nothing is compared there, and no mean has it");
  CHECK(c.notes()[1] == "q did not run u: its means are over the other traces");
  CHECK_FALSE(c.ratio(1, 0, [](const RunResult&) { return 0.0; }).has_value());
}

TEST_CASE("report: what several runs of a platform note is said once") {
  SavedRuns saved;
  for (const RunResult& r : {run("p", "t", 1, 10), run("p", "u", 2, 10), run("q", "t", 4, 5)}) {
    saved.runs.push_back({r, {}, 1, "a.json"});
    saved.runs.back().result.notes = {"scaled"};
  }
  saved.runs.back().result.notes.push_back("other");
  saved.notes = {"first"};
  const Comparison c(saved);
  const std::vector<std::string> expected{"first", "p on t, u: scaled", "q on t: scaled", "q on t: other",
                                          "q did not run u: its means are over the other traces"};
  CHECK(c.notes() == expected);
}

TEST_CASE("report: the geometric mean of 4 and 1 is 2, the parts of a stack have arithmetic ones") {
  SavedRuns saved;
  for (const RunResult& r :
       {run("p", "t", 1, 10), run("p", "u", 1, 10), run("q", "t", 4, 5), run("q", "u", 1, 10)})
    saved.runs.push_back({r, {}, 1, "a.json"});
  const std::vector<Figure> figures = comparison_figures(Comparison(saved));
  std::vector<std::string> ids;
  for (const Figure& f : figures) ids.push_back(f.id);
  CHECK(ids ==
        std::vector<std::string>{"ipc_ratio", "ipc", "hits", "energy", "stalls", "traffic", "front_energy"});
  CHECK(figures[0].numbers.rows.back().back().value == "2");
  // trace, platform, sum, bank_rd, bank_wr: 0.5 and 1 of the first platform's, a quarter of them reads
  const auto& energy = figures[3].numbers.rows.back();
  CHECK(energy[1].text == "q");
  CHECK(energy[2].value == "0.75");
  CHECK(energy[3].value == "0.1875");
  const auto& stalls = figures[4].numbers.rows.front();
  CHECK(stalls[2].value == "1");
  CHECK(stalls[3].value == "0.75");
  std::string columns;
  for (const ReportTable::Column& column : table_of_runs(Comparison(saved)).columns)
    columns += column.name + ',';
  CHECK_THAT(columns, Contains("trace,platform,cycles,IPC,") && !Contains("L1 hits") && !Contains("STHLD"));
}

TEST_CASE("report: fronts of IPC with energy and area say whom nobody beats") {
  SavedRuns saved;
  for (const RunResult& r : {run("p", "t", 1, 10), run("q", "t", 4, 10), run("r", "t", 3, 10)})
    saved.runs.push_back({r, {}, 1, "a.json"});
  for (std::size_t n = 0; n < 3; ++n) {
    saved.runs[n].result.area_total_mm2 = static_cast<double>(n) + 1;
    saved.runs[n].result.operand_storage_bytes = 1024 * (n + 1) + n % 2;
  }
  const std::vector<Figure> figures = comparison_figures(Comparison(saved));
  REQUIRE(figures.back().id == "front_area");
  CHECK_THAT(figures.back().caption, Contains("Beaten by none in all three: p, 1 KB; q, 2.0 KB."));
  const auto& rows = figures.back().numbers.rows;
  REQUIRE(rows.size() == 3);
  CHECK(rows[1][1].value == "2");
  CHECK(rows[1][2].value == "4");
  CHECK(rows[2].back().text == "q, 2.0 KB");
  // A report of one platform has no front.
  saved.runs.resize(1);
  CHECK(comparison_figures(Comparison(saved)).back().id == "traffic");
}

TEST_CASE("report: the L1s' hit ratio is in both tables where there are any") {
  SavedRuns saved;
  for (const RunResult& r :
       {run("p", "t", 1, 10), run("p", "u", 1, 10), run("q", "t", 4, 5), run("q", "u", 1, 10)})
    saved.runs.push_back({r, {}, 1, "a.json"});
  const auto last = [](const ReportTable& t) { return t.columns.back().name; };
  CHECK(last(table_of_means(Comparison(saved))) == "energy vs first");
  saved.runs[2].result.l1_hit_ratio = 0.25;
  saved.runs[3].result.l1_hit_ratio = 0.5;
  const ReportTable means = table_of_means(Comparison(saved)), runs = table_of_runs(Comparison(saved));
  CHECK(last(means) == "L1 hits %");
  CHECK(means.rows[0].back().value.empty());
  CHECK(means.rows[1].back().text == "37.5");
  std::vector<std::string> names;
  for (const ReportTable::Column& c : runs.columns) names.push_back(c.name);
  CHECK(std::count(names.begin(), names.end(), "L1 hits %") == 1);
}

TEST_CASE("report: small parts of all stacks are one") {
  StackChart chart{{"s", "t", "a"}, {"g"}, {"a", "b", "c"}, {"large", "tiny", "small", "once"}, {}, {}};
  chart.values = {{{96, 0.5, 0.5, 3}, {}, {99.5, 0.5, 0, 0}}};
  const StackChart less = without_small_parts(chart, 0.01);
  CHECK(less.parts == std::vector<std::string>{"large", "once", "other (tiny, small)"});
  CHECK(less.values[0][0] == std::vector<double>{96, 3, 1});
  CHECK(less.values[0][1].empty());
  CHECK(less.values[0][2] == std::vector<double>{99.5, 0, 0.5});
  chart.parts = {"large", "tiny", "small", "only"};
  chart.values = {{{50, 2, 48, 0.1}}};
  CHECK(without_small_parts(chart, 0.01).parts == chart.parts);
}

TEST_CASE("report: what is not a number, or was not counted, is left out") {
  SavedRuns saved;
  RunResult r = run("p", "t", std::nan(""), 0);
  r.energy_pj.clear();
  r.stall_cycles.clear();
  r.bank_reads = r.bank_writes = 0;
  saved.runs.push_back({r, {}, 1, "a.json"});
  const Comparison c(saved);
  const std::vector<Figure> figures = comparison_figures(c);
  CHECK(figures.size() == 3);
  const std::string page = report_page(c, figures, interval_figures(c));
  CHECK_THAT(page, !Contains(">nan<") && !Contains("inf<") && Contains("</html>"));
}

TEST_CASE("report: a page is whole, fetches nothing, and takes any name") {
  const std::string nasty = "</script><img src=\"http://x/\">&'";
  SavedRuns saved;
  for (const RunResult& r : {run(nasty, nasty, 1, 10), run("q", nasty, 2, 10)})
    saved.runs.push_back({r, {{100, 200, 2, 50, 25, 0.5, 3, 4, 800}}, 1, nasty});
  saved.notes = {nasty};
  const Comparison c(saved);
  const std::string page = report_page(c, comparison_figures(c), interval_figures(c));
  CHECK_THAT(page,
             !Contains("<img") && Contains("&lt;/script&gt;&lt;img src=&quot;http://x/&quot;&gt;&amp;&#39;"));
  CHECK(page.find("</script>") == page.rfind("</script>"));
  for (const char* word : {"@import", "<link rel=\"stylesheet", "<script src", "url(http"})
    CHECK_THAT(page, !Contains(word));
  CHECK(page == report_page(c, comparison_figures(c), interval_figures(c)));
}

}  // namespace report_results_test
