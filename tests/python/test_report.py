"""The package's numbers against those of `subcore report`, which are reckoned apart from them."""
import html.parser
import math
import os
import subprocess

import pytest

import subcore
from subcore import compare, tables


class Tables(html.parser.HTMLParser):
    """The tables of a page: {id: rows}, the first of which is the headings. Numbers are as exact as the page has them."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.cell, self.value = {}, None, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.rows = self.tables[attributes["id"]] = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell, self.value = "", attributes.get("data-value")

    def handle_data(self, words):
        if self.cell is not None:
            self.cell += words

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.value if self.value else self.cell)
            self.cell = None


@pytest.fixture(scope="module")
def report(results, tmp_path_factory):
    page = tmp_path_factory.mktemp("report") / "report.html"
    subprocess.run([os.environ["SUBCORE"], "report", results, "-o", page], check=True, stdout=subprocess.DEVNULL)
    return Tables(page.read_text()).tables


def numbers_of(rows, names):
    """{(the row's first cells, column): number}; `names` is how many these are. Ranges and words are left out."""
    head, numbers = rows[0], {}
    for row in rows[1:]:
        place = tuple(compare.MEAN if cell == "geo. mean" else cell for cell in row[:names])
        for column, cell in zip(head[names:], row[names:]):
            if not column.endswith("95 %"):
                numbers[(*place, column)] = float(cell)
    return numbers


def equal(ours, theirs):
    assert theirs and {k: v for k, v in ours.items() if not math.isnan(v)} == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def by_trace(table, column="value", scale=1):
    return {(row["trace"], row["platform"]): scale * row[column] for _, row in table.iterrows()}


def test_ratios(report, runs):
    table = compare.ratios(runs)
    equal(by_trace(table), numbers_of(report["ipc_ratio_numbers"], 1))
    said = {(compare.MEAN if row[0] == "geo. mean" else row[0], name[:-len(", 95 %")]): cell
            for row in report["ipc_ratio_numbers"][1:] for name, cell in zip(report["ipc_ratio_numbers"][0], row)
            if name.endswith("95 %")}
    assert {(row["trace"], row["platform"]): f"{row['low']:.3f} to {row['high']:.3f}" for _, row in table.iterrows()} == said


def test_values(report, runs):
    equal(by_trace(compare.values(runs)), numbers_of(report["ipc_numbers"], 1))
    equal(by_trace(compare.values(runs, "read_hit_ratio"), scale=100), numbers_of(report["hits_numbers"], 1))


@pytest.mark.parametrize("figure, ours", [("energy", compare.energy), ("traffic", compare.traffic),
                                          ("stalls", lambda runs: compare.stalls(runs, True))])
def test_stacks(report, runs, figure, ours):
    table = ours(runs)
    parts = [c for c in table if c not in ("platform", "system", "trace", "least", "most")]
    table["sum"] = table[parts].sum(axis=1)
    equal({(row["trace"], row["platform"], part): row[part] for _, row in table.iterrows() for part in [*parts, "sum"]
           if part == "sum" or (table[part] > 0).any()}, numbers_of(report[figure + "_numbers"], 2))


def test_groups_of_stalls_are_sums_of_causes(runs):
    groups, causes = compare.stalls(runs), compare.stalls(runs, True)
    for name, group in compare.STALL_GROUPS.items():
        there = [c for c in group if c in causes]
        assert groups[name].tolist() == pytest.approx(causes[there].sum(axis=1).tolist())
    assert sorted(cause for group in compare.STALL_GROUPS.values() for cause in group) == sorted(tables.STATE_OF)
    assert len(compare.STALL_GROUPS) == 8


def test_energy_by_table(report, runs):
    ours = {(row["platform"], row["table"]): row["value"] for _, row in compare.energy_by_table(runs).iterrows()}
    equal(ours, numbers_of(report["energy_by_table_numbers"], 1))


@pytest.mark.parametrize("figure, less", [("front_energy", "energy_pj.total"), ("front_area", "area_mm2.total")])
def test_fronts(report, runs, figure, less):
    table = compare.front(runs, less)
    rows = report[figure + "_numbers"][1:]
    equal({(row["platform"], c): row[c] for _, row in table.iterrows() for c in ("less", "more", "storage_kb")},
          {(row[0].split(", ")[0], c): float(cell) for row in rows for c, cell in zip(("less", "more", "storage_kb"), row[1:])})
    on_front = {row[0].split(", ")[0] for row in rows if row[-1] == "none"}
    assert set(table[table["on_front_with_storage"]]["platform"]) == on_front


def test_course_over_time(report, runs):
    table = compare.over_time(subcore.intervals(runs))
    for number, trace in enumerate(runs["trace"].unique(), 1):
        rows = table[table["trace"] == trace]
        columns = {"IPC": ("ipc", 1), "read hits %": ("read_hit_ratio", 100), "STHLD cycles": ("sthld", 1),
                   "power mW": ("power_mw", 1)}
        theirs = numbers_of(report[f"intervals_{number}_{trace}_numbers"], 2)
        equal({(row["platform"], str(row["cycle"]), name): scale * row[column] for _, row in rows.iterrows()
               for name, (column, scale) in columns.items() if (rows[column] != 0).any()}, theirs)


def test_spread_is_that_of_the_results(runs):
    table = compare.ratios(runs)
    for _, run in runs[runs["member"] == 0].iterrows():
        row = table[(table["platform"] == run["platform"]) & (table["trace"] == run["trace"])].iloc[0]
        for end, key in (("value", "mean"), ("low", "low"), ("high", "high")):
            assert row[end] == pytest.approx(run[f"spread.ipc_normalised_{key}"])
