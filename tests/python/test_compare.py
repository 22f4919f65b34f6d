"""Ratios, means, sweeps and fronts of tables whose answers are known."""
import math

import pandas
import pytest

import subcore
from subcore import compare


def table(rows, swept=()):
    """Rows of platform, trace, IPC, and what else is said of them."""
    runs = pandas.DataFrame([{"platform": p, "system": p.split(",")[0], "machine": "m", "trace": t, "member": 0, "ipc": ipc,
                              "cautions": (), **more} for p, t, ipc, more in rows])
    runs.attrs["swept"] = {column: f"a.{column}" for column in swept}
    return runs


TWO = table([("a", "t", 2, {}), ("b", "t", 4, {}), ("a", "u", 1, {}), ("b", "u", 8, {}), ("a", "v", 1, {})])
SWEPT = table([("a,x=1,y=1", "t", 1, {"x": 1, "y": 1}), ("a,x=2,y=1", "t", 2, {"x": 2, "y": 1}),
               ("a,x=1,y=2", "t", 3, {"x": 1, "y": 2}), ("b,y=1", "t", 2, {"y": 1}), ("b,y=2", "t", 6, {"y": 2})], ["x", "y"])


def test_means_of_ratios_are_geometric_over_common_traces():
    ratios = compare.ratios(TWO).set_index(["platform", "trace"])["value"]
    assert ratios["b", "t"] == 2 and ratios["b", "u"] == 8 and math.isnan(ratios["b", "v"])
    assert ratios["b", "mean"] == pytest.approx(4)
    assert list(compare.ratios(TWO)["trace"].unique()) == ["mean", "t", "u", "v"]


def test_means_of_values_are_arithmetic_over_traces_of_all():
    values = compare.values(TWO).set_index(["platform", "trace"])["value"]
    assert values["a", "mean"] == 1.5 and values["b", "mean"] == 6


def test_tables_that_were_put_together_are_as_good():
    both = pandas.concat([TWO[TWO["platform"] == "a"], TWO[TWO["platform"] == "b"].set_axis([0, 2])])
    pandas.testing.assert_frame_equal(compare.ratios(both), compare.ratios(TWO))
    assert compare.normalised(both).index.tolist() == [0, 2, 4, 0, 2]


def test_a_trace_alone_has_no_mean():
    assert list(compare.ratios(TWO[TWO["trace"] == "t"])["trace"].unique()) == ["t"]


def test_against_a_system_is_with_the_same_parameters():
    assert compare.normalised(SWEPT, against="b").tolist() == [0.5, 1, 0.5, 1, 1]
    assert compare.normalised(SWEPT, against="b,y=1").tolist() == [0.5, 1, 1.5, 1, 3]
    with pytest.raises(subcore.ResultsError, match="'c': no such platform or system; expected one of a, b"):
        compare.normalised(SWEPT, against="c")
    with pytest.raises(subcore.ResultsError, match="'hits': no run has this column; expected a column"):
        compare.normalised(SWEPT, "hits")


def test_a_grid_has_holes_where_nothing_ran():
    grid = compare.grid(SWEPT, "x", "y", against="b")
    assert grid.loc[1].tolist() == [0.5, 1] and grid.loc[2, 1] == 0.5 and math.isnan(grid.loc[2, 2])
    with pytest.raises(subcore.ResultsError, match="'z' was not swept; expected one of x, y"):
        compare.grid(SWEPT, "x", "z")


def test_a_curve_is_of_one_value_of_all_else():
    curve = compare.curve(SWEPT[SWEPT["y"] == 1], "x", against="b")
    assert curve["system"].tolist() == ["a", "a", "b"] and curve["value"].tolist() == [0.5, 1, 1]
    with pytest.raises(subcore.ResultsError, match="a,x=1,y=1 and a,x=1,y=2 are one point of x; expected one value of y"):
        compare.curve(SWEPT, "x")


def test_a_curve_has_the_least_and_the_most_of_traces():
    runs = table([("a,x=1", "t", 1, {"x": 1}), ("a,x=2", "t", 2, {"x": 2}), ("a,x=1", "u", 1, {"x": 1}),
                  ("a,x=2", "u", 8, {"x": 2})], ["x"])
    assert compare.curve(runs, "x").iloc[1][["value", "least", "most"]].tolist() == pytest.approx([4, 2, 8])


def test_a_tornado_puts_the_widest_first():
    runs = table([("a", "t", 4, {}), ("a,s", "t", 3, {"x": 1}), ("a,l", "t", 5, {"x": 3}), ("a,w", "t", 1, {"y": 1})],
                 ["x", "y"])
    tornado = compare.tornado(runs)
    assert tornado["change"].tolist() == ["y", "x", "x"] and tornado["setting"].tolist() == ["1", "1", "3"]
    assert tornado["value"].tolist() == [0.25, 0.75, 1.25] and tornado.attrs["middle"] == 1
    with pytest.raises(subcore.ResultsError, match="a did not run as it is; expected variations"):
        compare.tornado(runs[runs["platform"] != "a"])


def test_a_front_is_what_nothing_beats():
    def point(name, energy, ipc, kilobytes, cautions=()):
        return name, "t", ipc, {"energy_pj.total": energy, "operand_storage_bytes": 1024 * kilobytes, "cautions": cautions}

    front = compare.front(table([point("a", 2, 2, 1), point("b", 1, 2, 4), point("c", 1, 2, 4), point("d", 3, 4, 4),
                                 point("e", 3, 3, 4), point("limit", 1, 9, 1, ("limit",))])).set_index("platform")
    assert list(front.index[front["on_front"]]) == ["b", "c", "d"]
    assert list(front.index[front["on_front_with_storage"]]) == ["a", "b", "c", "d"]
    assert front["is_limit"].tolist() == [False] * 5 + [True]


def test_neighbouring_intervals_are_put_together_by_their_times():
    intervals = pandas.DataFrame({"platform": "a", "machine": "m", "system": "a", "trace": "t", "member": 0,
                                  "begin": [0, 10, 20], "cycle": [10, 20, 25], "instructions": [10, 30, 5],
                                  "source_operands": [10, 10, 0], "cache_read_hits": [0, 5, 0], "energy_pj": [1.0, 1, 1],
                                  "sthld": [0, 4, 1], "power_mw": [1.0, 3, 5]})
    merged = compare.over_time(intervals, most=2)
    assert merged["cycle"].tolist() == [20, 25] and merged["ipc"].tolist() == [2, 1]
    assert merged["read_hit_ratio"].tolist() == [0.25, 0] and merged["sthld"].tolist() == [2, 1]
    assert merged["power_mw"].tolist() == [2, 5]


def test_cautions_say_whose_they_are():
    runs = table([("a", "t", 1, {"cautions": ("few_waves",)}), ("b", "t", 1, {"cautions": ("few_waves", "within_noise")}),
                  ("a", "u", 1, {"cautions": ("few_waves",)}), ("b", "u", 1, {"cautions": ("within_noise", "few_waves")})])
    assert compare.cautions(runs) == ["few_waves: all", "within_noise: b"]
    of_one = runs[runs["trace"] == "t"].assign(system="s")
    assert compare.cautions(of_one) == ["few_waves: all", "within_noise: s (1 of 2 runs)"]
    assert compare.cautions(TWO) == []
