"""Figures of runs. A figure is drawn on an axis of matplotlib, `ax`, or on the axis of a new figure. All functions return
the axis.

    with subcore.plot.paper("ieee"):
        ax = subcore.plot.ratios(runs)
        subcore.plot.save(ax, "ipc.pdf")

The numbers are those of the function of the same name in `subcore.compare`, which explains `value` and `against`.
"""
import matplotlib.pyplot
import numpy
import pandas

from . import compare, drawing, looks, tables
from .errors import SubcoreError
from .paper import paper, save
from .units import unit_of

WORDS = {"ipc": "IPC", "ipc_busy": "IPC while busy", "energy_pj.total": "energy", "read_hit_ratio": "read hits",
         "area_mm2.total": "area of sub-cores", "sthld": "STHLD", "power_mw": "power"}
MOST_LINES = 8  # over time; for more platforms there is a heat map
COLUMNS_OVER_TIME = 240  # of that heat map
MOST_GROUPS = 12  # groups of bars, by platform; for more there is a heat map
MOST_PANELS = 36  # most heat maps of a sweep
COURSES = ["ipc", "read_hit_ratio", "sthld", "power_mw", "energy_pj", "instructions"]  # columns with a course over time


def ratios(runs, value="ipc", against=None, cells=None, ax=None):
    """Bars of a column against a platform by trace, the traces' mean first, with 95 % intervals over seeds. With
    `cells` True, a heat map of platforms by traces instead; with None, if bars would have no room."""
    table = compare.ratios(runs, value, against)
    if _wants_cells(table, cells, ax):
        return _cells_of(runs, table, "trace", _ratio_words(runs, value, against), ax, "geo. mean")
    ax = drawing.bars(table, "trace", "platform", looks.of_systems, ax, mean="geo. mean")
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, value, against))
    return drawing.finish(ax, runs)


def values(runs, value="ipc", cells=None, ax=None):
    """Bars of a column in its own unit, otherwise as `ratios()`."""
    table, unit = compare.values(runs, value), unit_of(value)
    words = _words(runs, value) + (f" ({unit})" if unit else "")
    if _wants_cells(table, cells, ax):
        return _cells_of(runs, table, "trace", words, ax)
    ax = drawing.bars(table, "trace", "platform", looks.of_systems, ax)
    ax.set_ylabel(words)
    return drawing.finish(ax, runs)


def energy(runs, against=None, trace=compare.MEAN, lying=False, ax=None):
    """Bars of energy by event, over the total of `against`, for the mean over traces or for one trace. Lines go from
    the least to the most of the shipped energy tables. With `lying`, bars are horizontal, the first on top, for many
    platforms."""
    return drawing.finish(_energy(compare.energy(runs, against), trace, _base(runs, against), lying, ax), runs)


def energy_by_table(runs, against=None, cells=None, ax=None):
    """Groups of bars for each platform: its energy by each shipped energy table against a platform, as means over
    traces. With `cells` True, a heat map of platforms by tables instead; with None, for more than MOST_GROUPS
    platforms."""
    table = compare.energy_by_table(runs, against)
    if cells or (cells is None and table["platform"].nunique() > MOST_GROUPS):
        return _cells_of(runs, table, "table", _ratio_words(runs, "energy_pj.total", against), ax)
    ax = drawing.bars(table, "platform", "table", looks.in_order, ax)
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, "energy_pj.total", against))
    return drawing.finish(ax, runs)


def stalls(runs, detail=(), against=None, trace=compare.MEAN, lying=False, ax=None):
    """Bars of the schedulers' cycles by what they did, in eight groups, over the cycles of `against`, for the mean over
    traces or for one trace. `detail` has the groups that are split into their causes, or is True for all. `lying` is as
    in `energy()`."""
    return drawing.finish(_stalls(compare.stalls(runs, detail, against), trace, _base(runs, against), lying, ax), runs)


def traffic(runs, against=None, trace=compare.MEAN, lying=False, ax=None):
    """Bars of operands that are read from and written to banks and caches, over all those of `against`, for the mean
    over traces or for one trace. `lying` is as in `energy()`."""
    return drawing.finish(_traffic(compare.traffic(runs, against), trace, _base(runs, against), lying, ax), runs)


def by_trace(of, runs, against=None, **options):
    """Small pictures of `energy`, `stalls` or `traffic` (`of`), for the mean and for each trace, beside each other and
    in one scale. `options` are further options of that function. Many platforms have horizontal bars. Returns the new
    figure's axes, a list."""
    numbers, draw = {energy: (compare.energy, _energy), stalls: (compare.stalls, _stalls), traffic: (compare.traffic, _traffic)}[of]
    table = numbers(runs, against=against, **options)
    names, platforms = list(table["trace"].unique()), list(runs["platform"].unique())
    places = pandas.MultiIndex.from_product([names, platforms], names=["trace", "platform"])
    table = table.set_index(["trace", "platform"]).reindex(places).reset_index()  # also for platforms that did not run a trace
    lying = len(platforms) > 8
    figure = matplotlib.pyplot.figure(constrained_layout=True)
    width, longest = figure.get_figwidth() * 72, max(map(drawing.width_of, platforms))
    if lying:
        columns, height = int((width - longest) // 85), 1.15 * drawing.letter_size() * len(platforms) + 20
    else:
        columns, height = int(width // max(115, 15 * len(platforms))), 110
    columns = max(1, min(columns, len(names)))
    rows = -(-len(names) // columns)
    figure.set_figheight((rows * height + (20 if lying else 0.6 * longest + 10) + 40) / 72)
    axes = list(figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat)
    for ax, name in zip(axes, names):
        draw(table, name, _base(runs, against), lying, ax)
        ax.set_title(name, pad=3)
    drawing.one_legend(figure, axes[:len(names)])
    drawing.finish(axes[0], runs, with_legend=False)
    for number, ax in enumerate(axes):
        is_last_row = number >= len(axes) - columns
        if number % columns:
            ax.set_ylabel("")
        if not is_last_row or number % columns:
            ax.set_xlabel("")
        if is_last_row and not lying:
            drawing.slant(ax, platforms)
        if number >= len(names):  # the picture above has the names of the bars
            ax.set_frame_on(False)
            ax.grid(False)
            ax.tick_params(axis="both", length=0, labelbottom=not lying)
    return axes[:len(names)]


def curve(runs, x, value="ipc", against=None, ax=None):
    """Lines of a column over a swept parameter, one for each system: means over traces, with a band from the least to
    the most of the traces. A system without the parameter is a horizontal line."""
    table = compare.curve(runs, x, value, against)
    ax = drawing.axis(ax)
    of_systems = table.groupby("system", sort=False)
    for (system, rows), look in zip(of_systems, looks.of_systems(name.split("/")[-1] for name in of_systems.groups)):
        rows = rows.dropna(subset=[x])
        if rows.empty:
            ax.axhline(table[table["system"] == system]["value"].iloc[0], color=look.ink, linestyle="--", label=system)
            continue
        ax.plot(rows[x], rows["value"], color=look.ink, marker=look.mark, linestyle=look.dashes, label=system)
        if (rows["most"] > rows["least"]).any():
            ax.fill_between(rows[x], rows["least"], rows["most"], color=look.ink, alpha=0.18, linewidth=0)
    if len(values := table[x].dropna().unique()) <= 12:
        ax.set_xticks(values, [compare.word(v) for v in values])
    ax.set_xlabel(_words(runs, x))
    ax.set_ylabel(_ratio_words(runs, value, against))
    ax.grid(axis="y")
    return drawing.finish(ax, runs)


def heatmap(runs, x, y, value="ipc", against=None, system=None, ax=None):
    """A column over two swept parameters: means over traces, in cells, with their numbers if there is room. A missing
    run is a hatched hole. The numbers are of `system`, or of the only system that has both parameters."""
    ax = drawing.axis(ax)
    cells = drawing.cells(ax, compare.grid(runs, x, y, value, against, system), _words(runs, x), _words(runs, y))
    ax.figure.colorbar(cells, ax=ax, pad=0.02).set_label(_ratio_words(runs, value, against))
    return drawing.finish(ax, runs, with_legend=False)


def sweep(runs, value="ipc", against=None, system=None):
    """The figure that fits the sweep: `curve()` for one parameter, and `heatmap()` for two. For more parameters there
    are heat maps of the two with the most values, one for each combination of the others, beside each other and in one
    scale. `system` is as in `heatmap()`. Returns the new figure's axes, a list."""
    rows = runs if system is None else runs[runs["system"] == system]
    swept = sorted((c for c in runs.attrs.get("swept", {}) if c in runs and rows[c].nunique() > 1),
                   key=lambda column: -rows[column].nunique())
    if not swept:
        raise SubcoreError("a sweep of nothing; expected runs with parameters of several values")
    if len(swept) == 1:
        return [curve(runs, *swept, value, against)]
    if len(swept) == 2:
        return [heatmap(runs, *swept, value, against, system)]
    x, y, *panels = swept
    grids = compare.grids(runs, x, y, panels, value, against, system)
    if len(grids) > MOST_PANELS:
        raise SubcoreError(f"a sweep of {', '.join(swept)}: has {len(grids)} heat maps; expected at most {MOST_PANELS}, or front()")
    figure = matplotlib.pyplot.figure(constrained_layout=True)
    names = [", ".join(f"{_words(runs, p)} = {compare.word(v)}" for p, v in zip(panels, numbers)) for numbers in grids]
    columns = max(1, min(len(grids), int(figure.get_figwidth() * 72 // max(110, *map(drawing.width_of, names)))))
    rows = -(-len(grids) // columns)
    if rows > 1:
        figure.set_figheight(1.6 * rows)
    axes = list(figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).flat)
    limits = [end([end(table) for table in map(numpy.ravel, grids.values())]) for end in (numpy.nanmin, numpy.nanmax)]
    for number, (ax, name, table) in enumerate(zip(axes, names, grids.values())):
        is_last = number + columns >= len(grids)
        cells = drawing.cells(ax, table, _words(runs, x) if is_last else "", _words(runs, y) if number % columns == 0 else "",
                              limits)
        ax.tick_params(labelbottom=is_last)
        ax.set_title(name)
    for ax in axes[len(grids):]:
        ax.remove()
    axes = axes[:len(grids)]
    figure.colorbar(cells, ax=axes, pad=0.02).set_label(_ratio_words(runs, value, against))
    drawing.finish(axes[0], runs, with_legend=False)
    return axes


def front(runs, less="energy_pj.total", more="ipc", against=None, ax=None):
    """Points of platforms by two columns, each against a platform. One column is better if it is less, and the other if
    it is more. A line joins the points that none beats in the two. A point that another beats also in storage is
    hollow, and a limit is a cross. For a sweep with more than a dozen platforms, those on the front are named by their
    parameters, if there is room."""
    table = compare.front(runs, less, more, against)
    ax = drawing.axis(ax)
    swept = [c for c in runs.attrs.get("swept", {}) if c in runs]
    if len(table) > 12 and swept:
        joined, others = table[table["on_front"]], table[~table["on_front"]]
        drawing.points(ax, joined, map(looks.of_system, joined["system"]), joined["system"] + f" by {'/'.join(swept)}", 4.5)
        parameters = runs.drop_duplicates("platform").set_index("platform")[swept]
        drawing.name_points(ax, {"/".join(compare.word(v) for v in parameters.loc[point["platform"]].dropna()): point
                                 for _, point in joined.sort_values("less").iterrows()})
        ax.plot(others["less"], others["more"], ".", color="0.7", markersize=3, zorder=0)
    else:
        labels = table["platform"] + table["storage_kb"].map(", {:g} KB".format)
        drawing.points(ax, table, looks.of_systems(table["system"]), labels)
    ax.set_xlabel(_ratio_words(runs, less, against))
    ax.set_ylabel(_ratio_words(runs, more, against))
    return drawing.finish(ax, runs)


def tornado(runs, value="ipc", against=None, ax=None):
    """Bars of how far a column goes from its unchanged value when one thing changes, the widest on top."""
    table = compare.tornado(runs, value, against)
    middle = table.attrs["middle"]
    ax = drawing.axis(ax)
    words = {change: ", ".join(_words(runs, c) for c in change.split(", ")) for change in table["change"]}
    drawing.tornado(ax, table.assign(change=table["change"].map(words)), middle)
    ax.set_xlabel(_ratio_words(runs, value, against or table.attrs["base"]))
    return drawing.finish(ax, runs, with_legend=False)


def over_time(runs, value="ipc", trace=None, intervals=None, cells=None, ax=None):
    """Steps of a column of `subcore.intervals()` over the cycles of one trace, with a line for each platform. With
    `cells` True, a heat map of platforms over cycles instead; with None, for more than MOST_LINES platforms.
    `intervals` are the intervals of any runs, if they have been read already."""
    traces = list(runs["trace"].unique())
    if trace is None and len(traces) > 1:
        raise SubcoreError(f"over_time of {len(traces)} traces; expected trace= one of {', '.join(traces)}")
    if trace is not None and trace not in traces:
        raise SubcoreError(f"'{trace}': no such trace; expected one of {', '.join(traces)}")
    if value not in COURSES:
        raise SubcoreError(f"'{value}': has no course over time; expected one of {', '.join(COURSES)}")
    rows = runs[(runs["trace"] == (trace or traces[0])) & (runs["member"] == 0)]
    if intervals is None:
        intervals = tables.intervals(rows)
    table = compare.over_time(intervals[intervals["trace"] == rows["trace"].iloc[0]])
    unit = unit_of(value)
    words = _words(runs, value) + (f" ({unit})" if unit else "")
    platforms = table.drop_duplicates("platform")
    if cells or (cells is None and len(platforms) > MOST_LINES):
        return _cells_over_time(rows, table, value, words, ax)
    ax = drawing.axis(ax)
    for (platform, of_platform), look in zip(table.groupby("platform", sort=False), looks.of_systems(platforms["system"])):
        drawing.steps(ax, of_platform, value, look, platform)
    ax.set_xlabel("cycle")
    ax.set_ylabel(words)
    return drawing.finish(ax, rows)


def courses(runs, trace=None, values=("ipc", "read_hit_ratio", "sthld", "power_mw"), intervals=None):
    """The course of one trace over its cycles: `over_time()` of each of the values, below each other. Values that are 0
    throughout are left out. Returns the new figure's axes, a list."""
    if intervals is None:
        intervals = tables.intervals(runs[runs["trace"] == (trace or runs["trace"].iloc[0])])
    of_trace = intervals[intervals["trace"] == trace] if trace else intervals
    values = [value for value in values if (of_trace[value] != 0).any()]
    platforms = list(of_trace["platform"].unique())
    figure = matplotlib.pyplot.figure(constrained_layout=True)
    is_many = len(platforms) > MOST_LINES
    height = 1.15 * drawing.letter_size() * len(platforms) + 15 if is_many else 85
    figure.set_figheight((len(values) * height + 60) / 72)
    axes = list(figure.subplots(len(values), 1, sharex=True, squeeze=False).flat)
    for ax, value in zip(axes, values):
        over_time(runs, value, trace, intervals, ax=ax)
        if ax is not axes[-1]:
            ax.set_xlabel("")
    if not is_many:
        drawing.one_legend(figure, axes)
    return axes


def described(runs, figure):
    """The figure that an experiment describes (`subcore.experiments.figures()`), of any kind. Returns the new figure's
    axes, a list."""
    from .described import draw  # imported here, because it uses the functions above
    return draw(runs, figure)


def _cells_over_time(runs, table, value, words, ax):
    """A heat map of platforms over cycles, the first platform on top."""
    ax = drawing.axis(ax)
    platforms, end = list(table["platform"].unique()), table["cycle"].max()
    points = end * (numpy.arange(COLUMNS_OVER_TIME) + 0.5) / COLUMNS_OVER_TIME
    grid = numpy.full((len(platforms), len(points)), numpy.nan)
    for row, platform in zip(grid, platforms):
        of_platform = table[table["platform"] == platform]
        place = numpy.searchsorted(of_platform["cycle"], points)  # the interval of each point
        runs_still = place < len(of_platform)
        row[runs_still] = of_platform[value].to_numpy()[place[runs_still]]
    image = ax.imshow(numpy.ma.masked_invalid(grid), aspect="auto", cmap="cividis", interpolation="none",
                      extent=(0, end, len(platforms) - 0.5, -0.5))
    ax.set_yticks(range(len(platforms)), platforms)
    ax.tick_params(axis="y", length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("cycle")
    ax.figure.colorbar(image, ax=ax, pad=0.02).set_label(words)
    return drawing.finish(ax, runs, with_legend=False)


def _wants_cells(table, cells, ax):
    """Whether values by platform and trace are cells of a heat map: by default, if bars would be thinner than 3
    points."""
    if cells is not None:
        return cells
    width = drawing.room(ax) if ax is not None else 0.8 * matplotlib.rcParams["figure.figsize"][0] * 72
    return table["platform"].nunique() * table["trace"].nunique() > width / 3


def _cells_of(runs, table, columns, words, ax, mean=compare.MEAN):
    ax, mesh = drawing.cells_of(table, columns, ax, mean)
    ax.figure.colorbar(mesh, ax=ax, pad=0.02).set_label(words)
    return drawing.finish(ax, runs, with_legend=False)


def _energy(table, trace, base, lying, ax):
    table, large = _of_trace(table, trace)
    ax, tops = drawing.stacks(table, _parts(table), large, looks.of_event, ax, lying)
    places, ends = numpy.arange(len(table)), numpy.abs([tops - table["least"], table["most"] - tops])
    style = {"fmt": "none", "ecolor": "black", "elinewidth": 0.8, "capsize": 0 if lying else 2, "label": "range over tables"}
    ax.errorbar(tops, places, xerr=ends, **style) if lying else ax.errorbar(places, tops, yerr=ends, **style)
    return _against(ax, "energy", base, lying)


def _stalls(table, trace, base, lying, ax):
    table, large = _of_trace(table, trace)
    ax, _ = drawing.stacks(table, _parts(table), large, lambda part: looks.of_stall(part, compare.STALL_GROUPS), ax, lying)
    return _against(ax, "cycles", base, lying)


def _traffic(table, trace, base, lying, ax):
    table, large = _of_trace(table, trace)
    ax, _ = drawing.stacks(table, _parts(table), large, looks.of_traffic, ax, lying)
    return _against(ax, "operand traffic", base, lying)


def _parts(table):
    return [c for c in table if c not in ("platform", "system", "trace", "least", "most")]


def _against(ax, words, base, lying):
    """Names what is stacked, and marks where the whole of the first platform ends."""
    (ax.axvline if lying else ax.axhline)(1, color="black", linewidth=0.8)
    (ax.set_xlabel if lying else ax.set_ylabel)(_is_one(words, base))
    return ax


def _words(runs, column):
    """A column in words. A swept parameter is called by the end of its key."""
    key = runs.attrs.get("swept", {}).get(column)
    return " ".join(key.split(".")[-2:]).replace("_", " ") if key else WORDS.get(column, column.replace("_", " "))


def _ratio_words(runs, value, against):
    return _is_one(_words(runs, value), _base(runs, against))


def _base(runs, against):
    return against or runs["platform"].iloc[0]


def _is_one(words, base):
    between = " " if len(words + base) < 24 else "\n"
    return f"{words}{between}against {base}" if "=" in base else f"{words},{between}{base} = 1"


def _of_trace(table, trace):
    """The rows of a trace, or of the only trace if there is no mean, and the parts that are large in some trace."""
    if trace == compare.MEAN and trace not in set(table["trace"]):
        trace = table["trace"].iloc[0]
    if trace not in set(table["trace"]):
        raise SubcoreError(f"'{trace}': no such trace; expected one of {', '.join(table['trace'].unique())}")
    return table[table["trace"] == trace].reset_index(drop=True), drawing.large_parts(table, _parts(table))
