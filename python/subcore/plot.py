"""Figures of runs, each drawn on an axis of matplotlib: `ax`, or one of a new figure. All return the axis.

    with subcore.plot.paper("ieee"):
        ax = subcore.plot.ratios(runs)
        subcore.plot.save(ax, "ipc.pdf")

The numbers are those of the function of the same name in `subcore.compare`, which says what `value` and `against` are.
"""
import matplotlib.pyplot
import numpy

from . import compare, drawing, looks, tables
from .errors import SubcoreError
from .paper import paper, save
from .units import unit_of

WORDS = {"ipc": "IPC", "ipc_busy": "IPC while busy", "energy_pj.total": "energy", "read_hit_ratio": "read hits",
         "area_mm2.total": "area of sub-cores", "sthld": "STHLD", "power_mw": "power"}
COURSES = ["ipc", "read_hit_ratio", "sthld", "power_mw", "energy_pj", "instructions"]  # what has a course over time


def ratios(runs, value="ipc", against=None, ax=None):
    """Bars of a column against a platform by trace, their mean first, with 95 % intervals over seeds."""
    ax = drawing.bars(compare.ratios(runs, value, against), "trace", "platform", looks.of_systems, ax,
                      mean="geo. mean")
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, value, against))
    return drawing.finish(ax, runs)


def values(runs, value="ipc", ax=None):
    """Bars of a column as it is, in its unit, otherwise as `ratios()`."""
    ax = drawing.bars(compare.values(runs, value), "trace", "platform", looks.of_systems, ax)
    unit = unit_of(value)
    ax.set_ylabel(_words(runs, value) + (f" ({unit})" if unit else ""))
    return drawing.finish(ax, runs)


def energy(runs, against=None, trace=compare.MEAN, ax=None):
    """Bars of energy by event, over the total of `against`, of the mean over traces or of one trace. Lines go from the least
    to the most of the shipped energy tables."""
    table = _of_trace(compare.energy(runs, against), trace)
    parts = [c for c in table if c not in ("platform", "system", "trace", "least", "most")]
    ax, tops = drawing.stacks(table, parts, looks.of_event, ax)
    places = numpy.arange(len(table))
    ends = numpy.abs([tops - table["least"], table["most"] - tops])
    ax.errorbar(places, tops, ends, fmt="none", ecolor="black", elinewidth=0.8, capsize=2, label="range over tables")
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, "energy_pj.total", against))
    return drawing.finish(ax, runs)


def energy_by_table(runs, against=None, ax=None):
    """Groups of bars for each platform: its energy by each shipped energy table against a platform, means over traces."""
    table = compare.energy_by_table(runs, against)
    ax = drawing.bars(table, "platform", "table", looks.of_tables, ax)
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, "energy_pj.total", against))
    return drawing.finish(ax, runs)


def stalls(runs, detail=(), against=None, trace=compare.MEAN, ax=None):
    """Bars of the schedulers' cycles by what they did, in eight groups, over the cycles of `against`, of the mean over traces
    or of one trace. `detail`: groups that are split into their causes, or True for all."""
    table = _of_trace(compare.stalls(runs, detail, against), trace)
    parts = [c for c in table if c not in ("platform", "system", "trace")]
    ax, _ = drawing.stacks(table, parts, lambda part: looks.of_stall(part, compare.STALL_GROUPS), ax)
    ax.set_ylabel(_ratio_words(runs, "cycles", against))
    return drawing.finish(ax, runs)


def traffic(runs, against=None, trace=compare.MEAN, ax=None):
    """Bars of operands that are read from and written to banks and caches, over all those of `against`, of the mean over
    traces or of one trace."""
    table = _of_trace(compare.traffic(runs, against), trace)
    ax, _ = drawing.stacks(table, list(compare.TRAFFIC), looks.of_traffic, ax)
    ax.set_ylabel(f"operand traffic, {against or runs['platform'].iloc[0]} = 1")
    return drawing.finish(ax, runs)


def curve(runs, x, value="ipc", against=None, ax=None):
    """Lines of a column over a swept parameter, one for each system: means over traces, with a band from the least to the
    most of the traces. A system that does not have the parameter is a line across."""
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


def heatmap(runs, x, y, value="ipc", against=None, ax=None):
    """A column over two swept parameters: means over traces, in cells, with their numbers where there is room. What did not
    run is a hatched hole."""
    ax = drawing.axis(ax)
    cells = drawing.cells(ax, compare.grid(runs, x, y, value, against), _words(runs, x), _words(runs, y))
    ax.figure.colorbar(cells, ax=ax, pad=0.02).set_label(_ratio_words(runs, value, against))
    return drawing.finish(ax, runs, with_legend=False)


def sweep(runs, value="ipc", against=None):
    """What was swept, in the figure for it: one parameter as `curve()`, two as `heatmap()`, of three a heat map for each value
    of the one that has the fewest, beside each other in one scale. Returns the new figure's axes, a list."""
    swept = sorted((c for c in runs.attrs.get("swept", {}) if c in runs and runs[c].nunique() > 1),
                   key=lambda column: -runs[column].nunique())
    if len(swept) == 1:
        return [curve(runs, *swept, value, against)]
    if len(swept) == 2:
        return [heatmap(runs, *swept, value, against)]
    if len(swept) != 3:
        raise SubcoreError(f"a sweep of {', '.join(swept) or 'nothing'}; expected one to three parameters, or front()")
    x, y, panel = swept
    grids = compare.grids(runs, x, y, panel, value, against)
    axes = list(matplotlib.pyplot.subplots(1, len(grids), sharey=True, squeeze=False, constrained_layout=True)[1][0])
    limits = [end([end(table) for table in map(numpy.ravel, grids.values())]) for end in (numpy.nanmin, numpy.nanmax)]
    for ax, (number, table) in zip(axes, grids.items()):
        cells = drawing.cells(ax, table, _words(runs, x), _words(runs, y) if ax is axes[0] else "", limits)
        ax.set_title(f"{_words(runs, panel)} = {compare.word(number)}")
    axes[0].figure.colorbar(cells, ax=axes, pad=0.02).set_label(_ratio_words(runs, value, against))
    drawing.finish(axes[0], runs, with_legend=False)
    return axes


def front(runs, less="energy_pj.total", more="ipc", against=None, ax=None):
    """Points of platforms by two columns, of which less and more is better, each against a platform. Joined are those that
    none beats in the two; those that one beats in storage, too, are hollow, and limits crossed. Of a sweep with more than a
    dozen platforms those on the front are named by their parameters, where there is room."""
    table = compare.front(runs, less, more, against)
    ax = drawing.axis(ax)
    joined = table[table["on_front"]].sort_values("less")
    ax.plot(joined["less"], joined["more"], color="0.4", linewidth=0.9, zorder=1)
    swept = [c for c in runs.attrs.get("swept", {}) if c in runs]
    if is_many := len(table) > 12 and bool(swept):
        others = table.drop(joined.index)
        ax.plot(others["less"], others["more"], ".", color="0.7", markersize=3, zorder=0)
        parameters = runs.drop_duplicates("platform").set_index("platform")[swept]
        drawing.name_points(ax, {"/".join(compare.word(v) for v in parameters.loc[point["platform"]].dropna()): point
                                 for _, point in joined.iterrows()})
        table = joined
    for (_, point), look in zip(table.iterrows(), looks.of_systems(table["system"])):
        label = f"{point['platform']}, {point['storage_kb']:g} KB"
        if is_many:
            look, label = looks.of_system(point["system"]), f"{point['system']} by {'/'.join(swept)}"
        mark = "x" if point["is_limit"] else look.mark
        ax.plot(point["less"], point["more"], mark, markersize=4.5 if is_many else 5.5, markeredgecolor=look.ink, zorder=2,
                markerfacecolor=look.ink if point["on_front_with_storage"] else "none", label=label)
    ax.set_xlabel(_ratio_words(runs, less, against))
    ax.set_ylabel(_ratio_words(runs, more, against))
    ax.grid()
    return drawing.finish(ax, runs)


def tornado(runs, value="ipc", against=None, ax=None):
    """Bars of how far a column goes from where it is when one thing changes, the widest on top."""
    table = compare.tornado(runs, value, against)
    middle = table.attrs["middle"]
    ax = drawing.axis(ax)
    changes = list(dict.fromkeys(table["change"]))
    for place, change in enumerate(changes):
        rows = table[table["change"] == change]
        for number, (_, row) in enumerate(rows.iterrows()):
            height = 0.8 / len(rows)
            at = place - 0.4 + height * (number + 0.5)
            look = looks.Look("#0072b2").lighter([0.1, 0.6][number % 2])
            ax.barh(at, row["value"] - middle, height * 0.9, middle, color=look.colour, edgecolor="black")
            left = row["value"] < middle
            ax.annotate(row["setting"], (row["value"], at), (-2 if left else 2, 0), textcoords="offset points",
                        ha="right" if left else "left", va="center", fontsize=drawing.letter_size())
    ax.axvline(middle, color="black", linewidth=0.8)
    ax.set_yticks(range(len(changes)), [", ".join(_words(runs, c) for c in change.split(", ")) for change in changes])
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.set_xlabel(_ratio_words(runs, value, against or table.attrs["base"]))
    ax.grid(axis="x")
    return drawing.finish(ax, runs, with_legend=False)


def over_time(runs, value="ipc", trace=None, ax=None):
    """Steps of a column of `subcore.intervals()` over the cycles of one trace, a line for each platform."""
    traces = list(runs["trace"].unique())
    if trace is None and len(traces) > 1:
        raise SubcoreError(f"over_time of {len(traces)} traces; expected trace= one of {', '.join(traces)}")
    if trace is not None and trace not in traces:
        raise SubcoreError(f"'{trace}': no such trace; expected one of {', '.join(traces)}")
    rows = runs[(runs["trace"] == (trace or traces[0])) & (runs["member"] == 0)]
    table = compare.over_time(tables.intervals(rows))
    if value not in COURSES:
        raise SubcoreError(f"'{value}': has no course over time; expected one of {', '.join(COURSES)}")
    ax = drawing.axis(ax)
    platforms = table.drop_duplicates("platform")
    for (platform, of_platform), look in zip(table.groupby("platform", sort=False), looks.of_systems(platforms["system"])):
        ax.stairs(of_platform[value], [of_platform["begin"].iloc[0], *of_platform["cycle"]], baseline=None,
                  color=look.ink, linestyle=look.dashes, linewidth=1.1, label=platform)
    ax.set_xlabel("cycle")
    unit = unit_of(value)
    ax.set_ylabel(_words(runs, value) + (f" ({unit})" if unit else ""))
    ax.set_ylim(bottom=0)
    ax.grid(axis="y")
    return drawing.finish(ax, runs)


def _words(runs, column):
    """A column in words: a swept parameter by the end of its key."""
    key = runs.attrs.get("swept", {}).get(column)
    return " ".join(key.split(".")[-2:]).replace("_", " ") if key else WORDS.get(column, column.replace("_", " "))


def _ratio_words(runs, value, against):
    words, base = _words(runs, value), against or runs["platform"].iloc[0]
    return f"{words},{' ' if len(words + base) < 24 else chr(10)}{base} = 1"


def _of_trace(table, trace):
    """The rows of a trace; of the only one where there is no mean."""
    if trace == compare.MEAN and trace not in set(table["trace"]):
        trace = table["trace"].iloc[0]
    if trace not in set(table["trace"]):
        raise SubcoreError(f"'{trace}': no such trace; expected one of {', '.join(table['trace'].unique())}")
    return table[table["trace"] == trace].reset_index(drop=True)
