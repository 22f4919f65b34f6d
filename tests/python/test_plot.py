"""Figures: what they show, in which looks, how large, and with which fonts."""
import itertools
import re

import matplotlib
import matplotlib.colors
import matplotlib.pyplot
import numpy
import pandas
import pytest

import subcore
from subcore import compare, looks, plot


@pytest.fixture(autouse=True)
def figures_are_closed():
    yield
    matplotlib.pyplot.close("all")


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def heights_of(ax):
    return [[bar.get_height() for bar in container] for container in ax.containers if hasattr(container, "patches")]


def test_bars_are_the_ratios(runs):
    ax, table = plot.ratios(runs), compare.ratios(runs)
    assert legend_of(ax) == ["baseline", "malekeh", "rfc"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["geo. mean", "nn", "igemm"]
    assert heights_of(ax) == [table[table["platform"] == p]["value"].tolist() for p in legend_of(ax)]
    assert ax.get_ylabel() == "IPC, baseline = 1"
    ends = [c for c in ax.containers if not hasattr(c, "patches")]
    assert len(ends) == 3  # intervals over seeds
    assert plot.values(runs).get_ylabel() == "IPC (per cycle)"


def test_stacks_are_as_high_as_all_energy(runs):
    ax, table = plot.energy(runs), compare.energy(runs)
    means = table[table["trace"] == "mean"].drop(columns=["platform", "system", "trace", "least", "most"])
    tops = {}
    for patch in ax.patches:  # a path of boxes for each part
        for box in patch.get_path().to_polygons(closed_only=False):
            tops[round(box[:, 0].mean())] = max(tops.get(round(box[:, 0].mean()), 0), box[:, 1].max())
    assert [tops[place] for place in range(3)] == pytest.approx(means.sum(axis=1).tolist())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["baseline", "malekeh", "rfc"]
    assert legend_of(ax)[-1] == "range over tables"
    ends = [sorted(line[:, 1]) for line in ax.collections[0].get_segments()]
    assert numpy.ravel(ends).tolist() == pytest.approx(
        numpy.ravel(table[table["trace"] == "mean"][["least", "most"]]).tolist())
    assert plot.energy(runs, trace="nn").get_ylabel() == "energy, baseline = 1"
    with pytest.raises(subcore.SubcoreError, match="'lud': no such trace; expected one of mean, nn, igemm"):
        plot.energy(runs, trace="lud")


def test_stalls_have_detail_on_demand(runs):
    ax = plot.stalls(runs)
    assert set(legend_of(ax)) <= {*compare.STALL_GROUPS, "other"}
    assert [patch.get_label() for patch in ax.patches] == legend_of(ax)
    for name, patch in zip(legend_of(ax), ax.patches):
        if name != "other":
            assert matplotlib.colors.to_hex(patch.get_facecolor()) == looks.STALLS[name][0]
    detailed = legend_of(plot.stalls(runs, "no collector"))
    assert "turn_around" in detailed and "no collector" not in detailed and "long results" in detailed
    assert "raw_long" in legend_of(plot.stalls(runs, True))
    with pytest.raises(subcore.ResultsError, match="detail 'bank': no such group of stalls; expected one of issued"):
        plot.stalls(runs, "bank")


def test_energy_by_table_and_traffic_are_bars(runs):
    ax, table = plot.energy_by_table(runs), compare.energy_by_table(runs)
    assert legend_of(ax) == list(table["table"].unique())
    assert heights_of(ax) == [table[table["table"] == t]["value"].tolist() for t in legend_of(ax)]
    assert legend_of(plot.traffic(runs)) == list(compare.TRAFFIC)


def test_curves_have_bands_and_lines_across(swept):
    ax = plot.curve(swept[swept["count"] == 2], "entries", against="baseline")
    assert legend_of(ax) == ["malekeh", "baseline"]
    assert ax.lines[0].get_xdata().tolist() == [7, 8, 10] and len(ax.collections) == 1
    assert ax.get_xlabel() == "collector entries" and [t.get_text() for t in ax.get_xticklabels()] == ["7", "8", "10"]
    words = subcore.run("malekeh", "scenarios/traces/nn", sweep={"sub_core.collector.replacement": ["lru", "near_aware"]},
                        progress=False)
    assert [t.get_text() for t in plot.curve(words, "replacement").get_xticklabels()] == ["lru", "near_aware"]
    machines = pandas.concat([swept.assign(machine=m, platform=m + "/" + swept["platform"]) for m in ("m", "n")])
    machines.attrs = swept.attrs
    lines = plot.curve(machines[machines["count"] == 2], "entries", against="baseline").lines
    assert len({line.get_color() for line in lines}) == len(lines) == 4


def test_a_heat_map_has_cells_and_holes(swept):
    rows = swept[~((swept["entries"] == 8) & (swept["count"] == 1))]
    ax = plot.heatmap(rows, "entries", "count", against="baseline")
    cells = ax.collections[0].get_array()
    assert cells.mask.tolist() == [False, True, False, False, False, False]
    assert cells.compressed().tolist() == [v for v in numpy.ravel(compare.grid(rows, "entries", "count", against="baseline"))
                                           if numpy.isfinite(v)]
    assert ax.patch.get_hatch()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["7", "8", "10"]


def test_a_sweep_gets_the_figure_for_it(swept, tmp_path):
    one, = plot.sweep(swept[swept["count"] == 1], against="baseline")
    assert one.get_xlabel() == "collector entries" and len(one.lines) == 2
    two, = plot.sweep(swept, against="baseline")
    assert (two.get_xlabel(), two.get_ylabel()) == ("collector entries", "collector count")
    three = pandas.concat([swept.assign(banks=banks, ipc=banks * swept["ipc"], platform=f"{banks}" + swept["platform"])
                           for banks in (1, 2)])
    three.attrs = {**swept.attrs, "swept": {**swept.attrs["swept"], "banks": "register_file.banks"}}
    three = three[~((three["banks"] == 2) & (three["entries"] == 7))]
    with plot.paper(columns=2):
        axes = plot.sweep(three, against="1malekeh,entries=8,count=1")
    assert [ax.get_title() for ax in axes] == ["register file banks = 1", "register file banks = 2"]
    first, second = (ax.collections[0] for ax in axes)
    assert first.get_clim() == second.get_clim() and first.get_clim()[0] < 1 + 1e-9
    assert second.get_array().compressed().max() == first.get_clim()[1]
    assert axes[0].get_ylabel() == "collector count" and axes[1].get_ylabel() == ""
    with pytest.raises(subcore.SubcoreError, match="a sweep of nothing; expected runs with parameters of several values"):
        plot.sweep(swept[(swept["count"] == 1) & (swept["entries"] == 7)])


def test_a_heat_map_of_many_cells_names_some(swept):
    entries = swept[(swept["system"] == "malekeh") & (swept["entries"] == 7)]
    many = pandas.concat([entries.assign(entries=n, platform=entries["platform"] + str(n)) for n in range(7, 47)])
    many.attrs = swept.attrs
    with plot.paper():
        ax = plot.heatmap(many, "entries", "count")
        ax.figure.canvas.draw()
    names = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert 8 < len(names) < 40 and not any(a.overlaps(b) for a, b in zip(names, names[1:]))
    assert ax.get_xticklabels()[0].get_text() == "7"


def test_a_front_is_joined_and_filled(runs):
    ax, table = plot.front(runs), compare.front(runs)
    assert len(ax.lines[0].get_xdata()) == table["on_front"].sum()
    filled = [line.get_markerfacecolor() != "none" for line in ax.lines[1:]]
    assert filled == table["on_front_with_storage"].tolist()
    assert legend_of(ax)[1].startswith("malekeh, ")


def test_a_front_of_many_names_those_on_it(swept):
    many = pandas.concat([swept.assign(platform=swept["platform"] + f"{n}", ipc=swept["ipc"] / n) for n in (1, 2)])
    many.attrs = swept.attrs
    with plot.paper():
        ax, table = plot.front(many), compare.front(many)
        ax.figure.canvas.draw()
    [others] = [line for line in ax.lines if line.get_marker() == "."]
    assert len(table) == 16 and len(others.get_xdata()) == 16 - table["on_front"].sum()
    assert set(legend_of(ax)) <= {"malekeh by count/entries", "baseline by count/entries"}
    names = [text.get_text() for text in ax.texts]
    assert names and set(names) <= {f"{c}/{e}" for c in (1, 2) for e in (7, 8, 10)} | {"1", "2"}
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for n, a in enumerate(boxes) for b in boxes[:n])


def test_a_tornado_begins_at_the_middle(varied):
    ax = plot.tornado(varied)
    assert {round(min(b.get_x(), b.get_x() + b.get_width()), 9) for b in ax.patches if b.get_width() > 0} <= {1}
    assert [label.get_text() for label in ax.get_yticklabels()][0] == "collector count"
    assert ax.get_xlabel() == "IPC, malekeh = 1"


def test_a_time_line_ends_where_its_run_does(runs):
    ax = plot.over_time(runs, trace="nn")
    rows = runs[(runs["trace"] == "nn") & (runs["member"] == 0)]
    assert [steps.get_data().edges[-1] for steps in ax.patches] == rows["cycles"].tolist()
    with pytest.raises(subcore.SubcoreError, match="over_time of 2 traces; expected trace= one of nn, igemm"):
        plot.over_time(runs)
    with pytest.raises(subcore.SubcoreError, match="'lud': no such trace; expected one of nn, igemm"):
        plot.over_time(runs, trace="lud")
    with pytest.raises(subcore.SubcoreError, match="'cycles': has no course over time; expected one of ipc, read_hit_ratio"):
        plot.over_time(runs, "cycles", trace="nn")


def test_a_figure_is_drawn_on_the_axis_that_is_given(runs):
    figure, axes = matplotlib.pyplot.subplots(1, 2)
    assert plot.ratios(runs, ax=axes[1]) is axes[1] and not axes[0].containers


def test_every_shipped_system_has_a_look_of_its_own(project):
    shipped = [p.stem for p in (project / "platforms").glob("*.yaml")]
    assert sorted(shipped) == sorted(s for *_, systems in looks.FAMILIES.values() for s in systems)
    of_bars = {(look.colour, look.hatch) for look in map(looks.of_system, shipped)}
    of_lines = {(look.colour, look.mark) for look in map(looks.of_system, shipped)}
    assert len(of_bars) == len(of_lines) == len(shipped)
    assert looks.of_system("malekeh_of_mine").mark in looks.MARKS
    assert looks.of_system("mine") == looks.of_system("mine") != looks.of_system("yours")


def test_bars_are_told_apart_in_grey():
    demo = [looks.of_system(s) for s in ("baseline", "traditional", "bow", "rfc", "malekeh", "malekeh_private")]
    groups = [looks.of_stall(name, compare.STALL_GROUPS) for name in compare.STALL_GROUPS]
    # Events with more than a hundredth of the energy of one of these systems.
    events = [looks.of_event(e) for e in "bank_rd bank_wr xbar_rd xbar_wr buf_rd buf_wr fwd_rd fwd_wr cache_rd cache_wr "
              "cache_path cache_out".split()]
    for bars in (demo, groups, events):
        for a, b in itertools.combinations(bars, 2):
            assert abs(looks.luminance(a.colour) - looks.luminance(b.colour)) > 0.08 or a.hatch != b.hatch
    assert all(looks.luminance(look.ink) <= looks.BRIGHTEST + 0.01 for look in demo)


def test_swept_forms_of_a_system_are_tints_of_it(swept):
    ours = looks.of_systems(["malekeh", "baseline", "malekeh"])
    assert ours[0] == looks.of_system("malekeh") and looks.luminance(ours[2].colour) > looks.luminance(ours[0].colour)
    assert ours[1] == looks.of_system("baseline") and ours[0].dashes != ours[2].dashes


@pytest.mark.parametrize("publisher, columns, points", [("ieee", 1, 252), ("ieee", 2, 515.52), ("acm", 1, 239.76),
                                                        ("acm", 2, 504)])
def test_papers_get_their_width_and_fonts(runs, tmp_path, publisher, columns, points):
    with plot.paper(publisher, columns):
        plot.save(plot.ratios(runs), tmp_path / "a.pdf")
        plot.save(plot.ratios(runs), tmp_path / "b.pdf")
    pdf = (tmp_path / "a.pdf").read_bytes()
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", pdf)
    assert float(box[1]) == pytest.approx(points, abs=0.01)
    assert b"/Subtype /Type3" not in pdf and b"/FontFile2" in pdf and b"STIXGeneral" in pdf
    assert pdf == (tmp_path / "b.pdf").read_bytes()
    assert matplotlib.rcParams["font.family"] == ["sans-serif"]  # outside all is as before


def test_cautions_stand_under_figures(runs):
    said = plot.ratios(runs).figure.cautions
    assert said == compare.cautions(runs) and "few_waves: all" in said
    with plot.paper():
        ax = plot.energy(runs)
        assert "few_waves: all" in ax.figure._supxlabel.get_text().replace("\n", " ")
        figure, axes = matplotlib.pyplot.subplots(1, 2)
        plot.ratios(runs, ax=axes[0])
        plot.ratios(runs[runs["platform"] == "baseline"], ax=axes[1])
        assert figure.cautions == compare.cautions(runs) and figure._supxlabel.get_text().count("few_waves") == 1
    with plot.paper(cautions=False):
        assert plot.energy(runs).figure._supxlabel is None
    assert plot.energy(runs).figure._supxlabel is not None


def test_svg_is_the_same_each_time(runs, tmp_path):
    for name in ("a.svg", "b.svg"):
        with plot.paper():
            plot.save(plot.front(runs), tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_other_papers_are_refused():
    with pytest.raises(subcore.SubcoreError, match="paper of 'nature' with 1 columns; expected ieee or acm, 1 or 2 columns"):
        with plot.paper("nature"):
            pass


def test_names_are_slanted_where_they_have_no_room(runs):
    with plot.paper():
        for name, angle in (("", 0), ("a_name_that_is_long_", 30)):
            ax = plot.stalls(runs.assign(platform=name + runs["platform"]))
            assert {label.get_rotation() for label in ax.get_xticklabels()} == {angle}


@pytest.mark.parametrize("columns", [1, 2])
def test_no_words_are_cut_or_overlap(runs, columns):
    with plot.paper("ieee", columns):
        for ax in (plot.ratios(runs), plot.energy_by_table(runs), plot.traffic(runs), plot.energy(runs),
                   plot.stalls(runs, True), plot.front(runs)):
            ax.figure.canvas.draw()
            page, (left, right) = ax.figure.bbox, ax.get_xlim()
            labels = [t for t in ax.get_xticklabels() if left <= t.get_position()[0] <= right]
            boxes = [t.get_window_extent() for t in [*ax.get_legend().get_texts(), *labels, ax.yaxis.label]]
            assert all(page.x0 <= b.x0 and b.x1 <= page.x1 and page.y0 <= b.y0 and b.y1 <= page.y1 for b in boxes)
            texts = [t.get_window_extent() for t in ax.get_legend().get_texts()]
            assert not any(a.overlaps(b) for n, a in enumerate(texts) for b in texts[:n])


def test_many_platforms_are_cells_and_small_pictures(runs):
    one = runs[runs["platform"] == "malekeh"]
    many = pandas.concat([one.assign(platform=f"p{n}", ipc=n * one["ipc"]) for n in range(1, 46)], ignore_index=True)
    ax, table = plot.values(many), compare.values(many)
    cells = ax.collections[0].get_array().reshape(45, 3)
    assert cells[::-1].tolist() == table["value"].to_numpy().reshape(3, 45).T.tolist()  # the first platform on top
    assert [label.get_text() for label in ax.get_xticklabels()] == ["mean", "nn", "igemm"]
    assert plot.values(many, cells=False).containers
    table = compare.stalls(many)
    axes = plot.by_trace(plot.stalls, many)
    assert [ax.get_title() for ax in axes] == ["mean", "nn", "igemm"] and axes[0].get_legend() is None
    assert [label.get_text() for label in axes[0].get_yticklabels()] == [f"p{n}" for n in range(1, 46)]
    issued = axes[1].patches[0]
    assert issued.get_label() == "issued"
    lengths = [box[:, 0].max() for box in issued.get_path().to_polygons(closed_only=False)]
    assert lengths == pytest.approx(table[table["trace"] == "nn"]["issued"].tolist())
    assert plot.by_trace(plot.traffic, runs)[0].get_ylabel() == "operand traffic, baseline = 1"


def test_what_did_not_run_leaves_its_place(runs):
    some = runs[~((runs["platform"] == "malekeh") & (runs["trace"] == "nn"))]
    axes = plot.by_trace(plot.energy, some)
    assert [label.get_text() for label in axes[1].get_xticklabels()] == ["baseline", "rfc", "malekeh"]
    places = {round(box[:, 0].mean()) for patch in axes[1].patches for box in patch.get_path().to_polygons(closed_only=False)}
    assert axes[1].get_title() == "nn" and places == {0, 1}


def test_courses_stand_below_each_other(runs):
    axes = plot.courses(runs[runs["member"] == 0], "nn")
    assert [ax.get_ylabel() for ax in axes][:2] == ["IPC (per cycle)", "read hits (0 to 1)"]
    one = runs[(runs["member"] == 0) & (runs["platform"] == "malekeh")]
    many = pandas.concat([one.assign(platform=f"p{n}") for n in range(9)], ignore_index=True)
    image = plot.over_time(many, trace="nn").images[0].get_array()
    assert image.shape == (9, plot.COLUMNS_OVER_TIME)


def test_four_parameters_are_heat_maps_of_two(swept):
    four = pandas.concat([swept.assign(banks=banks, slots=slots, platform=f"{banks}{slots}" + swept["platform"])
                          for banks in (1, 2) for slots in (3, 4)])
    four.attrs = {**swept.attrs, "swept": {**swept.attrs["swept"], "banks": "register_file.banks", "slots": "collector.slots"}}
    titles = [ax.get_title() for ax in plot.sweep(four, against="13baseline,count=1", system="malekeh")]
    assert titles == [f"register file banks = {b}, collector slots = {s}" for b in (1, 2) for s in (3, 4)]
