"""Figures that experiments describe: their numbers, reckoned apart, and how they are drawn."""
import math

import matplotlib.pyplot
import pandas
import pytest

import subcore
from subcore import compare, experiments, plot

EVERY_KEY = {"id": "f_1", "paper": "Paper, Fig. 1", "title": "a title", "kind": "bars", "axis": "IPC", "value": "ipc", "parts": {},
             "traces": [], "where": None, "against": "", "mean": "arithmetic", "split": None, "group": "all traces", "beside": {},
             "changes": {}, "stated": [], "because": "", "note": ""}


def table(*rows):
    """Runs of (platform, trace, ipc, more columns)."""
    runs = pandas.DataFrame([
        {"platform": platform, "machine": "", "system": platform.split("/")[-1], "trace": trace, "member": 0, "ipc": ipc,
         "energy_pj.total": 100.0, "operand_storage_bytes": 1024, "cautions": (), "ctas": 12, **dict(*more)}
        for platform, trace, ipc, *more in rows])
    runs.attrs["swept"] = {}
    return runs


def figure(*series, **keys):
    series = [{"name": s.upper(), "platform": s, "against": ""} if isinstance(s, str) else s for s in series]
    return {**EVERY_KEY, "series": series, **keys}


def number(says, of, value, **keys):
    return {"says": says, "of": of, "value": value, "over": "", "minus": "", "part": [], "at": "mean", "because": "", **keys}


def by_trace(runs, described, series="P", part="value"):
    return experiments.values(runs, described)[0][series, part].to_dict()


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture
def three_traces():
    """IPC of p against b: 2, 0.5 and 1.6; of q: 1, 1 and 1."""
    return table(*((platform, trace, ipc, {"energy_pj.bank_rd": energy / 4, "energy_pj.bank_wr": 3 * energy / 4,
                                           "energy_pj.total": energy})
                   for trace, of_p in (("t", 4.0), ("u", 1.0), ("v", 3.2))
                   for platform, ipc, energy in (("b", 2.0, 100.0), ("p", of_p, 50.0), ("q", 2.0, 100.0))))


def test_a_value_is_a_column_a_sum_or_a_share():
    runs = table(("p", "t", 1.5, {"bank_reads": 10, "bank_writes": 30, "counts.a": 1.0, "storage_bits.x": 6.0, "storage_bits.y": 1.0}),
                 ("q", "t", 2.0, {"bank_reads": 0, "bank_writes": 0, "counts.b": 1.0, "storage_bits.y": 2.0}))
    assert list(compare.column(runs, "ipc")) == [1.5, 2]
    assert list(compare.column(runs, "bank_reads + bank_writes")) == [40, 0]
    shares = compare.column(runs, "ipc + bank_writes / bank_reads + bank_writes")
    assert shares[0] == 31.5 / 40 and math.isnan(shares[1])  # nothing is divided by 0
    assert list(compare.column(runs, "storage_bits.x")) == [6, 0]  # a part that only the other has
    assert math.isnan(compare.column(runs, "counts.a")[1])  # this run has no such count
    with pytest.raises(subcore.ResultsError, match="^'ipcs': no run has this column; did you mean 'ipc'\\? expected a column"):
        compare.column(runs, "ipcs")
    with pytest.raises(subcore.ResultsError, match="more than one '/'; expected a sum"):
        compare.column(runs, "ipc / ipc / ipc")
    assert plot.ratios(runs, "bank_reads + bank_writes + ipc").get_ylabel()


def test_what_the_paper_states_and_what_the_runs_say(three_traces):
    described = figure("p", "q", against="b", mean="geometric", because="as the figure", stated=[
        number("a", "P", 1.2), number("b", "P", 1.3, at="highest"), number("c", "P", 0.5, at="u"),
        number("d", "P", 2, over="Q", at="lowest"), number("e", "Q", 0, minus="P"), number("f", "Q", 1, at="nowhere"),
        number("g", "Q", 1.01, because="of its own")])
    assert by_trace(three_traces, described) == {"t": 2, "u": 0.5, "v": pytest.approx(1.6)}
    stated = experiments.stated(three_traces, described).set_index("says")
    mean = 1.6 ** (1 / 3)
    spread = math.sqrt(sum((x - 4.1 / 3) ** 2 for x in (2, 0.5, 1.6)) / 2)
    assert stated["ours"]["a"] == pytest.approx(mean) and stated["difference"]["a"] == pytest.approx(mean - 1.2)
    assert stated["spread"]["a"] == pytest.approx(spread) and not stated["exceeds"]["a"]
    assert [stated["ours"][x] for x in "bcd"] == [2, 0.5, 0.5] and stated["exceeds"]["d"]
    assert stated["ours"]["e"] == pytest.approx(1 - 4.1 / 3)
    assert math.isnan(stated["ours"]["f"]) and not stated["exceeds"]["f"]
    assert stated["exceeds"]["g"] and stated["spread"]["g"] == 0  # the spread is 0
    assert stated["because"]["g"] == "of its own" and stated["because"]["a"] == "as the figure"


def test_a_number_at_a_trace_is_that_of_all_traces_which_are_called_so():
    runs = table(("p", "old/lud", 4.0), ("p", "new/lud", 1.0), ("p", "lud_x5", 9.0))
    stated = experiments.stated(runs, figure("p", stated=[number("a", "P", 1, at="lud"), number("b", "P", 1, at="lud_x5")]))
    assert list(stated["ours"]) == [2.5, 9]


def test_parts_of_a_stack_are_shares_of_their_sum_or_of_that_of_another_platform(three_traces):
    stack = figure("p", kind="stacks", value="", parts={"read": "energy_pj.bank_rd", "write": "energy_pj.bank_wr"})
    assert by_trace(three_traces, stack, part="write") == dict.fromkeys("tuv", 0.75)
    against = {**stack, "against": "b", "stated": [number("a", "P", 0.4, part=["write"]), number("b", "P", 1, part=["read", "write"])]}
    assert by_trace(three_traces, against, part="write") == dict.fromkeys("tuv", 0.375)
    assert list(experiments.stated(three_traces, against)["ours"]) == [0.375, 0.5]
    shown = experiments.shown(three_traces, against)
    assert list(shown["trace"]) == ["mean", "t", "u", "v"] and list(shown["sum"]) == [0.5] * 4


def test_traces_are_chosen_by_name_and_by_value(three_traces):
    def traces(**keys):
        return experiments.traces(three_traces, figure("p", "q", **keys))
    assert traces() == ["t", "u", "v"]
    assert traces(traces=["t", "w*"]) == ["t"]
    assert traces(traces=["?"]) == ["t", "u", "v"]
    assert traces(where={"value": "ipc", "above": True, "than": 3.2}) == ["t"]  # the IPC of p, the first series
    assert traces(where={"value": "ipc", "above": False, "than": 3.2}) == ["u"]
    assert traces(where={"value": "counts.read_hits", "above": True, "than": 0}) == []  # no run has a count of read hits
    none = figure("p", traces=["w"], stated=[number("a", "P", 1)])
    assert experiments.stated(three_traces, none)["ours"].isna().all()


def test_what_is_missing_is_an_error(three_traces):
    runs = table(("b", "t", 2.0), ("p", "t", 2.0), ("p", "u", 2.0, {"l1_hit_ratio": None}))
    for described, words in (
            (figure("p", "r"), "^no run of r; expected results of every platform of the figure"),
            (figure("p", "b"), "^no run of b on u; expected every platform of the figure on the same traces"),
            (figure("p", value="l1_hit_ratio"), "^no run of p has a value for P; expected results with 'l1_hit_ratio'")):
        with pytest.raises(subcore.ResultsError, match=words):
            experiments.values(runs, described)


def test_bars_are_means_of_members_with_their_intervals_and_lines_of_the_first(three_traces):
    runs = pandas.concat([three_traces, three_traces.assign(member=1, ipc=three_traces["ipc"] + (three_traces["platform"] == "p"))],
                         ignore_index=True)
    described = figure("p", against="b", mean="geometric")
    bars = experiments.bars(runs, described).set_index("trace")
    assert list(bars.index) == ["mean", "t", "u", "v"]
    assert bars["value"]["t"] == pytest.approx((2 + 2.5) / 2)
    assert bars["high"]["t"] - bars["value"]["t"] == pytest.approx(12.706204736 * 0.25)  # Student's t of one degree
    lines = experiments.bars(runs, {**described, "kind": "lines"}).set_index("trace")
    assert lines["value"]["t"] == 2 and math.isnan(lines["low"]["t"])
    assert list(experiments.shown(runs, described)) == ["trace", "P", "P, low", "P, high"]


def means_runs():
    return table(*((platform, trace, ipc, {"prefetches": 5 * (trace == "t")}) for platform, of_traces in (
        ("b", (1, 2, 2)), ("p", (3, 4, 16)), ("q", (6, 6, 6)), ("c", (2, 4, 4))) for trace, ipc in zip("tuv", of_traces)))


MEANS = figure("p", {"name": "Q", "platform": "q", "against": "c"}, kind="means", against="b", mean="geometric")


def test_means_are_of_the_traces_that_have_something_of_the_others_and_of_all():
    def means(**keys):
        return experiments.means(means_runs(), {**MEANS, **keys}).set_index(["group", "series"])["value"]
    assert means()["all traces (3)", "P"] == pytest.approx(48 ** (1 / 3))
    assert means()["all traces (3)", "Q"] == pytest.approx((3 * 1.5 * 1.5) ** (1 / 3))
    split = means(split={"value": "prefetches", "with": "some", "without": "none"})
    assert split["some (1)", "P"] == pytest.approx(3) and split["none (2)", "P"] == pytest.approx(4) and split["none (2)", "Q"] == pytest.approx(1.5)
    with pytest.raises(subcore.ResultsError, match="p on t has no value for split; expected results with 'l1_hit_ratio'"):
        experiments.means(means_runs().assign(l1_hit_ratio=None), {**MEANS, "split": {"value": "l1_hit_ratio", "with": "a", "without": "b"}})


def test_a_group_beside_is_of_the_same_systems_on_other_machines():
    beside = {**MEANS, "beside": {"new": ["m", "n"], "absent": ["k"]}}
    assert set(experiments.means(means_runs(), beside)["group"]) == {"all traces (3)"}
    others = table(("m/b", "w", 1), ("m/p", "w", 5), ("m/q", "w", 6), ("m/c", "w", 3), ("n/b", "x", 2), ("n/p", "x", 40),
                   ("n/q", "x", 8), ("n/c", "x", 1))
    runs = pandas.concat([means_runs(), others], ignore_index=True)
    means = experiments.means(runs, beside).set_index(["group", "series"])["value"]
    assert means["new (2)", "P"] == pytest.approx(10) and means["new (2)", "Q"] == pytest.approx(4)
    assert means["all traces (3)", "P"] == pytest.approx(48 ** (1 / 3))
    assert list(experiments.shown(runs, beside)["traces"]) == ["t", "u", "v", "all traces (3)", "w", "x", "new (2)"]
    with pytest.raises(subcore.ResultsError, match="^no run of n/c; expected results of every platform"):
        experiments.means(runs[runs["platform"] != "n/c"], beside)


def test_a_front_is_of_those_that_none_beats():
    runs = table(*((platform, "t", ipc, {"energy_pj.total": energy, "operand_storage_bytes": 1024 * kb, "cautions": cautions})
                   for platform, ipc, energy, kb, cautions in (
                       ("b", 2.0, 100.0, 1, ()), ("good", 3.0, 80.0, 2, ()), ("bad", 2.5, 90.0, 4, ()), ("big", 4.0, 80.0, 8, ()),
                       ("most", 9.0, 1.0, 1, ("limit",)))))
    described = figure("b", "good", "bad", "big", "most", kind="pareto", value="", against="b", mean="geometric",
                       parts={"energy": "energy_pj.total", "IPC": "ipc"})
    front = experiments.front(runs, described).set_index("series")
    assert (front["less"]["GOOD"], front["more"]["GOOD"], front["storage_kb"]["GOOD"]) == (pytest.approx(0.8), pytest.approx(1.5), 2)
    assert list(front.index[front["on_front"]]) == ["BIG"]
    assert list(front.index[front["on_front_with_storage"]]) == ["B", "GOOD", "BIG"]
    assert front["beaten_by"]["BAD"] == "GOOD" and front["is_limit"]["MOST"]
    assert list(experiments.shown(runs, described)["beaten in all three by"]) == ["none", "none", "GOOD", "none", "a limit, no scheme"]
    [ax] = plot.described(runs, described)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("energy", "IPC")


def test_a_gain_is_over_the_baseline_with_the_same_change_where_it_has_that():
    runs = table(*((platform, "t", ipc, {"energy_pj.total": energy}) for platform, ipc, energy in (
        ("b", 1.0, 10.0), ("p", 2.0, 8.0), ("b,banks=1", 2.0, 10.0), ("p,banks=1", 3.0, 5.0), ("b,banks=4", 1.0, 10.0),
        ("p,banks=4", 2.1, 8.0), ("p,entries=9", 4.0, 8.0))))
    ends = ("banks=1", "banks=4", "entries=9")
    described = figure("p", *({"name": end, "platform": f"p,{end}", "against": f"b,{end}"} for end in ends), kind="tornado",
                       value="", against="b", mean="geometric", parts={"energy": "energy_pj.total", "IPC": "ipc"},
                       changes={"banks": ["banks=1", "banks=4"], "entries": ["entries=9"]})
    found = experiments.tornado(runs, described).set_index(["part", "setting"])
    assert found["middle"]["IPC", "1"] == 2 and found["value"]["IPC", "1"] == 1.5 and found["value"]["energy", "1"] == 0.5
    assert found["value"]["IPC", "4"] == pytest.approx(2.1) and found["value"]["IPC", "9"] == 4
    assert list(found["against"]["IPC"]) == ["b,banks=1", "b,banks=4", "b"]  # b has no entries
    energy, ipc = plot.described(runs, described)
    # Entries move IPC more than banks do. For energy the order is the other way around. Entries, which do nothing, have no bar.
    assert [label.get_text() for label in ipc.get_yticklabels()] == ["entries", "banks"]
    assert [label.get_text() for label in energy.get_yticklabels()] == ["banks"]
    with pytest.raises(subcore.ResultsError, match="^no run of p,banks=1; expected"):
        experiments.tornado(runs[runs["platform"] != "p,banks=1"], described)


def test_means_of_energy_by_each_table_are_of_figures_of_energy(three_traces):
    runs = three_traces.assign(**{f"energy_by_preset_pj.{t}": three_traces["energy_pj.total"] * f
                                  for t, f in (("one", 1), ("two", (three_traces["platform"] == "p") + 1))})
    of_energy = figure("p", value="energy_pj.total", against="b")
    assert experiments.means_by_table(runs, of_energy).loc["P"].to_dict() == {"one": 0.5, "two": 1}
    assert experiments.means_by_table(runs, figure("p", against="b")).empty
    assert experiments.means_by_table(runs, {**of_energy, "against": ""}).empty


@pytest.mark.parametrize("groups", [3, 80])
def test_bars_are_as_large_as_their_values_in_as_many_rows_as_they_need(groups):
    runs = table(*((platform, f"trace {n}", ipc) for n in range(groups) for platform, ipc in (("b", 2.0), ("p", 3.0))))
    axes = plot.described(runs, figure("p", "b", against="b", mean="geometric"))
    assert len(axes) == 1 if groups == 3 else len(axes) > 2
    bars = [bar.get_height() for ax in axes for container in ax.containers for bar in getattr(container, "patches", [])]
    assert sorted(bars) == pytest.approx([1] * (groups + 1) + [1.5] * (groups + 1))
    assert axes[0].get_xticklabels()[0].get_text() == "geo. mean"
    assert [text.get_text() for text in axes[0].get_legend().get_texts()] == ["P", "B"]


def test_stacks_are_plots_of_series_or_of_traces_whichever_are_fewer(three_traces):
    parts = {"read": "energy_pj.bank_rd", "write": "energy_pj.bank_wr"}
    of_two = plot.described(three_traces, figure("p", "q", kind="stacks", value="", parts=parts))
    assert [ax.get_title(loc="right") for ax in of_two] == ["P", "Q"]
    one = plot.described(three_traces, figure("p", "q", kind="stacks", value="", parts=parts, traces=["t"]))
    assert [label.get_text() for ax in one for label in ax.get_xticklabels()] == ["P", "Q"]


def test_lines_have_a_name_at_their_ends(three_traces):
    [ax] = plot.described(three_traces, figure("b", "p", kind="lines", against="b", mean="geometric"))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["B", "P"]
    assert {"geo. mean", "t", "u"} <= {text.get_text() for text in ax.texts}
    assert list(ax.lines[0].get_ydata()) == pytest.approx([1, 1.6 ** (1 / 3)])


def test_figures_of_a_scenario_file_are_those_that_the_program_reads(project, tmp_path):
    found = experiments.figures(project / "experiments/papers/malekeh_arxiv.yaml", project / "experiments/papers/bow.yaml")
    assert found["malekeh_arxiv_12"]["series"][0] == {"name": "Malekeh", "platform": "rtx2060_third/malekeh", "against": ""}
    assert found["bow_10"]["stated"][0]["value"] == 1.11
    (tmp_path / "x.yaml").write_text("platforms: [baseline]\ntraces: [t]\nfigures:\n  - {id: a, vlaue: ipc}\n")
    with pytest.raises(subcore.ProgramError, match="x.yaml:4: figures.vlaue: unknown key; did you mean 'value'"):
        experiments.figures(tmp_path / "x.yaml")


def test_the_course_is_that_of_the_longest_trace(monkeypatch):
    def rows(trace, ends):
        return [{"platform": "p", "machine": "", "system": "p", "trace": trace, "member": 0, "begin": begin, "cycle": end,
                 "instructions": 10, "source_operands": 4, "cache_read_hits": 1, "energy_pj": 1.0, "sthld": 2, "power_mw": 3.0,
                 "ipc": 10 / (end - begin), "read_hit_ratio": 0.25} for begin, end in zip((0, *ends), ends)]
    every = pandas.DataFrame(rows("t", (100,)) + rows("u", (10, 20, 40)) + rows("v", (1, 2, 3)))
    monkeypatch.setattr(experiments.tables, "intervals", lambda runs: every[every["trace"].isin(runs["trace"])])
    runs = table(("p", "t", 1.0), ("p", "u", 1.0), ("p", "v", 1.0))
    described = figure("p", kind="intervals", value="")
    course = experiments.intervals(runs, described)
    assert list(course["trace"]) == ["u"] * 3 and list(course["ipc"]) == [1, 1, 0.5] and set(course["series"]) == {"P"}
    assert list(experiments.shown(runs, described)["to cycle"]) == [10, 20, 40]
    axes = plot.described(runs, described)
    assert axes[0].get_ylabel().startswith("IPC") and axes[-1].get_xlabel() == "cycle"
    monkeypatch.setattr(experiments.tables, "intervals", lambda runs: pandas.DataFrame())
    with pytest.raises(subcore.ResultsError, match="^no intervals of its platforms; expected a folder of --results"):
        experiments.intervals(runs, described)
