"""The numbers of `subcore report` against those that are reckoned here from results.json, without the package; and its notes."""
import csv
import html.parser
import json
import math
import os
import pathlib
import statistics
import subprocess

import pytest

import subcore
from subcore import compare, notes, report, tables

QUANTILE_OF_TWO = 12.706204736174698  # Student's t, one degree of freedom, 97.5 %


class Page(html.parser.HTMLParser):
    """The tables of a page, those of its figures, too: {id: rows}, the first of which is the headings; and its notes."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.cell, self.value, self.data, self.notes = {}, None, None, None, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.rows = self.tables[attributes["id"]] = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th", "li"):
            self.cell, self.value = "", attributes.get("data-value")
        elif tag == "script" and attributes.get("class") == "data":
            self.data = ""

    def handle_data(self, words):
        if self.cell is not None:
            self.cell += words
        if self.data is not None:
            self.data += words

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.cell if self.value is None else self.value)
            self.cell = None
        elif tag == "li":
            self.notes.append(self.cell)
            self.cell = None
        elif tag == "script" and self.data is not None:
            table = json.loads(self.data)
            self.tables[table["id"]] = [[name for name, *_ in table["columns"]], *table["rows"]]
            self.data = None


def numbers_of(rows, names):
    """{(the row's first cells, column): number}; `names` is how many these are. Words and what is missing are left out."""
    numbers = {}
    for row in rows[1:]:
        for column, cell in list(zip(rows[0], row))[names:]:
            try:
                numbers[(*row[:names], column)] = float(cell)
            except (TypeError, ValueError):
                pass
    return numbers


def equal(shown, reckoned):
    assert reckoned and shown == pytest.approx(reckoned, rel=1e-9, abs=1e-12)


@pytest.fixture(scope="module")
def shown(results, tmp_path_factory):
    page = tmp_path_factory.mktemp("report") / "report.html"
    subprocess.run([os.environ["SUBCORE"], "report", results, "-o", page], check=True, stdout=subprocess.DEVNULL)
    return Page(page.read_text()).tables


@pytest.fixture(scope="module")
def objects(results):
    """{(platform, trace, member): the run's object}; the baseline is first."""
    return {(r.get("member_of", r["platform"]), r["trace"], r["member"]): r for r in json.loads((results / "results.json").read_text())}


PLATFORMS, TRACES, MEMBERS = ["baseline", "malekeh", "rfc"], ["nn", "igemm"], [0, 1]


def ratio(objects, value, platform, trace, member):
    return value(objects[platform, trace, member]) / value(objects["baseline", trace, member])


def test_ratios_and_their_intervals(shown, objects):
    rows = shown["ipc_ratio_numbers"]
    assert [row[0] for row in rows[1:]] == ["geo. mean", *TRACES]
    reckoned, said = {}, {}
    for platform in PLATFORMS:
        of_members = {trace: [ratio(objects, lambda r: r["ipc"], platform, trace, m) for m in MEMBERS] for trace in TRACES}
        of_members["geo. mean"] = [math.sqrt(a * b) for a, b in zip(*of_members.values())]
        for trace, (a, b) in of_members.items():
            mean, half = (a + b) / 2, QUANTILE_OF_TWO * abs(a - b) / 2
            reckoned[trace, platform] = mean
            said[trace, f"{platform}, 95 %"] = f"{mean - half:.3f} to {mean + half:.3f}"
    equal(numbers_of(rows, 1), reckoned)
    assert {(row[0], c): cell for row in rows[1:] for c, cell in zip(rows[0], row) if c.endswith("95 %")} == said


@pytest.mark.parametrize("table, value", [("ipc_numbers", lambda r: r["ipc"]), ("hits_numbers", lambda r: 100 * r["read_hit_ratio"])])
def test_values(shown, objects, table, value):
    reckoned = {(t, p): statistics.mean(value(objects[p, t, m]) for m in MEMBERS) for p in PLATFORMS for t in TRACES}
    reckoned.update({("mean", p): statistics.mean(reckoned[t, p] for t in TRACES) for p in PLATFORMS})
    equal(numbers_of(shown[table], 1), reckoned)


STACKS = {
    "energy": (lambda r: {k: v for k, v in r["energy_pj"].items() if k != "total"}, lambda r: r["energy_pj"]["total"]),
    "stalls": (lambda r: {k: v / r["schedulers"] for k, v in r["stall_cycles"].items()}, lambda r: r["cycles"]),
    "traffic": (lambda r: {"bank reads": r["bank_reads"], "bank writes": r["bank_writes"], "cache reads": r["cache_read_hits"],
                           "cache writes": r["cache_writes"]}, lambda r: r["bank_reads"] + r["bank_writes"] + r["cache_read_hits"]
                + r["cache_writes"])}


@pytest.mark.parametrize("name", STACKS)
def test_stacks(shown, objects, name):
    parts, whole = STACKS[name]
    reckoned = {}
    for platform in PLATFORMS:
        for trace in TRACES:
            for part, value in parts(objects[platform, trace, 0]).items():
                reckoned[trace, platform, part] = value / whole(objects["baseline", trace, 0])
        for part in parts(objects[platform, "nn", 0]):
            reckoned["mean", platform, part] = statistics.mean(reckoned[t, platform, part] for t in TRACES)
    some = {part for (_, _, part), value in reckoned.items() if value > 0}
    reckoned = {place: value for place, value in reckoned.items() if place[2] in some}
    for (trace, platform, _), value in list(reckoned.items()):
        reckoned[trace, platform, "sum"] = reckoned.get((trace, platform, "sum"), 0) + value
    numbers = numbers_of(shown[f"{name}_numbers"], 2)
    equal({place: value for place, value in numbers.items() if not place[2].endswith("of tables")}, reckoned)
    assert shown[f"{name}_numbers"][1][0] == "mean"


def by_table(objects, platform, table, member):
    return math.sqrt(math.prod(ratio(objects, lambda r: r["energy_by_preset_pj"][table], platform, t, member) for t in TRACES))


def test_energy_by_table(shown, objects):
    names = objects["baseline", "nn", 0]["energy_by_preset_pj"]
    equal(numbers_of(shown["energy_by_table_numbers"], 1), {
        (p, table): statistics.mean(by_table(objects, p, table, m) for m in MEMBERS) for p in PLATFORMS for table in names})


@pytest.mark.parametrize("figure, less", [("front_energy", "energy_pj"), ("front_area", "area_mm2")])
def test_fronts(shown, objects, figure, less):
    points = {}
    for p in PLATFORMS:
        means = [math.sqrt(math.prod(ratio(objects, value, p, t, 0) for t in TRACES))
                 for value in (lambda r: r[less]["total"], lambda r: r["ipc"])]
        points[p] = (*means, objects[p, "nn", 0]["operand_storage_bytes"] / 1024)
    rows = shown[f"{figure}_numbers"]
    equal(numbers_of(rows, 1), {(p, column): n for p, point in points.items() for column, n in zip(rows[0][1:], point)})
    unbeaten = {p for p, (x, y, kb) in points.items()
                if not any(q != p and a <= x and b >= y and c <= kb for q, (a, b, c) in points.items())}
    assert {row[0] for row in rows[1:] if row[-1] == "none"} == unbeaten


def test_course_over_time(shown, results):
    for number, trace in enumerate(TRACES, 1):
        reckoned = {}
        for platform in PLATFORMS:
            begin = 0
            for row in csv.DictReader((results / platform / trace / "intervals.csv").read_text().splitlines()):
                row = {key: float(value) for key, value in row.items()}
                end = int(row["cycle"])
                reckoned[platform, end, "IPC"] = row["instructions"] / (end - begin)
                reckoned[platform, end, "read hits %"] = 100 * row["cache_read_hits"] / max(1, row["source_operands"])
                reckoned[platform, end, "STHLD cycles"] = row["sthld"]
                reckoned[platform, end, "power mW"] = row["energy_pj"] / (end - begin)  # of clocks of 1 ns
                begin = end
        numbers = numbers_of(shown[f"intervals_{number}_{trace}_numbers"], 2)
        if not any(value for (*_, column), value in reckoned.items() if column == "STHLD cycles"):
            reckoned = {place: value for place, value in reckoned.items() if place[2] != "STHLD cycles"}
        equal(numbers, reckoned)


def test_table_of_means(shown, objects):
    reckoned = {}
    for p in PLATFORMS:
        def geometric(value, m=0):
            return math.sqrt(math.prod(ratio(objects, value, p, t, m) for t in TRACES))
        ipc = [geometric(lambda r: r["ipc"], m) for m in MEMBERS]
        reckoned.update({(p, "traces"): 2, (p, "IPC vs first"): statistics.mean(ipc), (p, "worst"): min(ipc),
                         (p, "read hits %"): 100 * statistics.mean(objects[p, t, 0]["read_hit_ratio"] for t in TRACES),
                         (p, "bank reads vs first"): geometric(lambda r: r["bank_reads"]),
                         (p, "bank writes vs first"): geometric(lambda r: r["bank_writes"]),
                         (p, "energy vs first"): geometric(lambda r: r["energy_pj"]["total"])})
    equal(numbers_of(shown["means"], 1), reckoned)
    assert shown["means"][0][-1] == "cautions" and "few_waves (2)" in shown["means"][1][-1]


def test_table_of_runs(shown, objects):
    numbers = numbers_of(shown["runs"], 2)
    assert [row[:2] for row in shown["runs"][1:]] == [[t, p] for t in TRACES for p in PLATFORMS]
    for p in PLATFORMS:
        for t in TRACES:
            r = objects[p, t, 0]
            reckoned = {"cycles": r["cycles"], "IPC": r["ipc"], "IPC busy": r["ipc_busy"], "read hits %": 100 * r["read_hit_ratio"],
                        "bank reads": r["bank_reads"], "bank writes": r["bank_writes"], "cache writes": r["cache_writes"],
                        "energy \N{MICRO SIGN}J": 1e-6 * r["energy_pj"]["total"], "waves": r["waves"],
                        "IPC vs first": ratio(objects, lambda r: r["ipc"], p, t, 0),
                        "energy vs first": ratio(objects, lambda r: r["energy_pj"]["total"], p, t, 0),
                        "storage KB per SM": r["operand_storage_bytes"] / 1024, "tensor_instructions": r["tensor_instructions"]}
            equal({column: numbers[t, p, column] for column in reckoned}, reckoned)


def test_groups_of_stalls_are_sums_of_causes(runs):
    groups, causes = compare.stalls(runs), compare.stalls(runs, True)
    for name, group in compare.STALL_GROUPS.items():
        there = [c for c in group if c in causes]
        assert groups[name].tolist() == pytest.approx(causes[there].sum(axis=1).tolist())
    assert sorted(cause for group in compare.STALL_GROUPS.values() for cause in group) == sorted(tables.STATE_OF)
    assert len(compare.STALL_GROUPS) == 8


def test_spread_is_that_of_the_results(runs):
    table = compare.ratios(runs)
    for _, run in runs[runs["member"] == 0].iterrows():
        row = table[(table["platform"] == run["platform"]) & (table["trace"] == run["trace"])].iloc[0]
        for end, key in (("value", "mean"), ("low", "low"), ("high", "high")):
            assert row[end] == pytest.approx(run[f"spread.ipc_normalised_{key}"])


def run(platform, trace, ipc, energy, **more):
    return {"platform": platform, "trace": trace, "cycles": 1000, "ipc": ipc, "ipc_busy": ipc, "read_hit_ratio": 0.5, "schedulers": 4,
            "stall_cycles": {"issue": 3000, "raw_long": 1000}, "bank_reads": 30, "bank_writes": 10, "cache_read_hits": 0,
            "cache_writes": 0, "operand_storage_bytes": 1024, "energy_pj": {"bank_rd": energy / 4, "bank_wr": 3 * energy / 4,
                                                                            "total": energy},
            "energy_by_preset_pj": {"cacti22": energy}, "area_mm2": {"total": 1.0}, "notes": [], "cautions": [], "seed": 0, **more}


def write(path, *runs):
    path.write_text(json.dumps(runs))
    return path


def page_of(folder, *results):
    folder.mkdir()
    report.make(folder, list(map(str, results)))
    return (folder / "page.html").read_text()


def test_cautions_and_notes_are_those_of_the_results(runs):
    again = notes.compared(runs)
    assert again["cautions"].tolist() == runs["cautions"].tolist()
    first = runs["member"] == 0
    assert again["notes"][first].tolist() == runs["notes"][first].tolist()


def test_runs_made_apart_are_compared_with_the_first(tmp_path):
    presets = {"x": 8, "y": 8}
    one = write(tmp_path / "a.json", run("p", "t", 2, 8, energy_by_preset_pj=presets))
    other = run("q", "t", 2.01, 8, energy_by_preset_pj={"x": 4, "y": 9}, cautions=["limit", "energy_within_noise"], notes=["n"])
    two = write(tmp_path / "b.json", run("p", "t", 2, 8, wall_seconds=9, energy_by_preset_pj=presets), other)
    page = Page(page_of(tmp_path / "f", one, two))
    assert page.tables["runs"][2][:2] == ["t", "q"] and page.tables["runs"][2][-1] == "limit, within_noise"
    assert page.notes[:3] == [
        f"p on t is in {one} and in {two}, with the same results: it is shown once",
        "energies are by different tables and do not compare: p on t by x; q on t by a table of its own", "q on t: n"]
    assert "q on t: energy presets disagree: less than p by x (0.500); more by y (1.125)" in page.notes
    assert f"caution: q on t: {notes.CAUTIONS['limit']}" in page.notes
    with pytest.raises(subcore.ResultsError, match="a.json: is given twice; expected each of the results once"):
        page_of(tmp_path / "g", one, one)


def test_means_are_over_the_traces_that_both_have(tmp_path):
    file = write(tmp_path / "a.json", run("p", "t", 1, 10), run("p", "u", 2, 10), run("q", "t", 4, 5), run("q", "v", 9, 5, seed=3),
                 run("p", "w", 1, 10, notes=["scaled"]), run("q", "w", 1, 10, notes=["scaled"]), run("q", "u", 4, 5, notes=["scaled"]))
    page = Page(page_of(tmp_path / "f", file))
    numbers = numbers_of(page.tables["means"], 1)
    assert numbers["q", "traces"] == 3 and numbers["q", "IPC vs first"] == pytest.approx((4 * 1 * 2) ** (1 / 3))
    assert page.tables["ipc_numbers"][1] == ["mean", pytest.approx(4 / 3), pytest.approx(3)]  # the mean of those that both ran
    assert page.notes == ["seeds differ: p on t with 0; q on v with 3", "p on w: scaled", "q on w, u: scaled",
                          "p did not run v: nothing is compared on such traces, and no mean has them"]


def test_what_nothing_was_counted_of_has_no_figure(tmp_path):
    empty = run("p", "t", 0, 0, bank_reads=0, bank_writes=0, area_mm2={})
    del empty["stall_cycles"]
    page = page_of(tmp_path / "f", write(tmp_path / "a.json", empty))
    assert list(Page(page).tables) == ["means", "ipc_ratio_numbers", "ipc_numbers", "hits_numbers", "runs", "platforms"]
    assert "has no stall_cycles: results of another version of the program" in page and ">nan<" not in page and "inf<" not in page


def test_a_page_takes_any_name(tmp_path):
    nasty = "</script><img src=\"http://x\">&'$\\frac"
    file = write(tmp_path / "a.json", run(nasty, nasty, 1, 10, notes=[nasty]), run("q", nasty, 2, 10))
    page = page_of(tmp_path / "f", file)
    assert "<img" not in page and "&lt;/script&gt;&lt;img src=" in page
    assert page.count("</script>") == 9  # the page's own, and one for each figure's numbers
    for word in ("@import", '<link rel="stylesheet', "<script src", "url(http"):
        assert word not in page
    assert Page(page).tables["ipc_numbers"][0][1] == nasty
    assert page == page_of(tmp_path / "g", file)


def test_headings_are_short_and_wide_comparisons_are_cells(tmp_path):
    runs = [run(f"p{p}", f"t{t}", 1 + p / 10 + t / 100, 10) for p in range(24) for t in range(16)]
    page = page_of(tmp_path / "f", write(tmp_path / "a.json", *runs))
    assert "<h1>subcore: p0, p1, p2, p3, p4, p5, p6 and 17 more</h1>" in page
    assert "<p>On t0, t1, t2, t3, t4, t5, t6 and 9 more, against p0.</p>" in page
    assert len(page) < 5e6
    assert numbers_of(Page(page).tables["ipc_numbers"], 1)["t15", "p23"] == pytest.approx(3.45)


@pytest.mark.parametrize("files, words", [
    ({}, "r/p/t: is not there, although .*r/results.json lists the run; expected all files of a finished run"),
    ({"stats.csv": "", "run.json": '{"files": {"stats.json": ""}, "result": {"cycles": 1000}}'},
     "p/t/stats.json: is not there, although run.json in its folder names it; expected all files"),
    ({"run.json": '{"files": {}, "result": {"cycles": 7}}'}, "has another result of p on t than .*run.json; expected results as they"),
    ({"intervals.csv": "a,b\n"}, "intervals.csv:1: another heading; expected 'cycle,instructions"),
    ({"intervals.csv": "HEAD1,2,x,4,5,6,7,8,9\n"}, "intervals.csv:2: ipc is 'x'; expected a number"),
    ({"intervals.csv": "HEAD1,2,3,4,5,6,7,8\n"}, "intervals.csv:2: energy_pj is 'nan'; expected a number"),
    ({"intervals.csv": "HEAD5,2,3,4,5,6,7,8,9\n5,2,3,4,5,6,7,8,9\n"}, "intervals.csv:3: cycle 5; expected one after that of the line"),
    ({"intervals.csv": "HEAD5,2,3,4,5,6,7,8,9\n"}, "platform.yaml: is not there"),
    ({"intervals.csv": "HEAD5,2,3,4,5,6,7,8,9\n", "platform.yaml": "name: p\n"}, "platform.yaml: clock_period_ns: nothing; expected")])
def test_folders_that_are_not_whole_are_refused(tmp_path, files, words):
    for name, text in files.items():
        (tmp_path / "r/p/t").mkdir(parents=True, exist_ok=True)
        (tmp_path / "r/p/t" / name).write_text(text.replace("HEAD", ",".join(tables.INTERVAL_COLUMNS) + "\n"))
    (tmp_path / "r").mkdir(exist_ok=True)
    write(tmp_path / "r/results.json", run("p", "t", 2, 8))
    with pytest.raises(subcore.ResultsError, match=words) as error:
        page_of(tmp_path / "f", tmp_path / "r")
    assert "\n" not in str(error.value)


def test_power_is_by_the_platform_s_clock(tmp_path):
    folder = tmp_path / "r/p/t"
    folder.mkdir(parents=True)
    write(tmp_path / "r/results.json", run("p", "t", 2, 8))
    assert f"{folder}/intervals.csv: is not there, so that run has no course over time" in page_of(tmp_path / "f", tmp_path / "r")
    (folder / "intervals.csv").write_text(",".join(tables.INTERVAL_COLUMNS) + "\n100,200,2,50,25,0.5,3,4,800\n150,50,1,0,0,0,3,4,1.5\n")
    (folder / "platform.yaml").write_text("name: p\nclock_period_ns: 0.5\n")
    rows = Page(page_of(tmp_path / "g", tmp_path / "r")).tables["intervals_1_t_numbers"]
    assert [row[-1] for row in rows[1:]] == pytest.approx([16, 0.06])


def test_neighbouring_intervals_together_say_the_same_of_their_time(runs):
    rows = subcore.intervals(runs).iloc[:3].assign(
        member=0, platform="p", trace="t", begin=[0, 100, 150], cycle=[100, 150, 160], instructions=[200, 25, 1],
        source_operands=[40, 10, 0], cache_read_hits=[10, 10, 0], sthld=[4, 1, 7], energy_pj=[30, 6, 1])
    two = compare.over_time(rows, 2)
    assert two["cycle"].tolist() == [150, 160] and two["ipc"].tolist() == [1.5, 0.1]
    assert two["read_hit_ratio"].tolist() == [0.4, 0] and two["sthld"].tolist() == [3, 7] and two["energy_pj"].tolist() == [36, 1]
    assert len(compare.over_time(rows, 3)) == 3
