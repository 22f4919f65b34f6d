"""Figures of runs, each drawn on an axis of matplotlib: `ax`, or one of a new figure. All return the axis.

    with subcore.plot.paper("ieee"):
        ax = subcore.plot.ratios(runs)
        subcore.plot.save(ax, "ipc.pdf")

The numbers are those of the function of the same name in `subcore.compare`, which says what `value` and `against` are.
"""
import contextlib
import pathlib
import textwrap

import matplotlib
import matplotlib.pyplot
import numpy
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.transforms import Bbox

from . import compare, looks, tables
from .errors import SubcoreError
from .units import unit_of

# Widths in inches of one column, and of the text, which both have (IEEEtran; acmart's sigconf).
WIDTHS = {"ieee": (3.5, 7.16), "acm": (3.33, 7.0)}
WORDS = {"ipc": "IPC", "ipc_busy": "IPC while busy", "energy_pj.total": "energy", "read_hit_ratio": "read hits",
         "area_mm2.total": "area of sub-cores", "sthld": "STHLD", "power_mw": "power"}


_says_cautions = True


@contextlib.contextmanager
def paper(publisher="ieee", columns=1, height=None, cautions=True):
    """Figures inside are for a paper: as wide as one or two columns of `publisher` ("ieee", "acm"), with letters of 8 points
    and embedded fonts. `height` in inches; if it is left out, of one column 0.62 times the width, of two 0.3 times.
    `cautions=False`: they are not said under figures, since the paper says what matters of `compare.cautions(runs)`."""
    global _says_cautions
    if publisher not in WIDTHS or columns not in (1, 2):
        raise SubcoreError(f"paper of '{publisher}' with {columns} columns; expected {' or '.join(WIDTHS)}, 1 or 2 columns")
    width = WIDTHS[publisher][columns - 1]
    size = (width, height or width * (0.62 if columns == 1 else 0.3))
    style = pathlib.Path(__file__).with_name("paper.mplstyle")
    # Loads the backend: what a notebook's sets when its first figure comes would end with the context.
    matplotlib.pyplot.draw_if_interactive()
    with matplotlib.pyplot.style.context([str(style), {"figure.figsize": size}]):
        before, _says_cautions = _says_cautions, cautions
        try:
            yield
        finally:
            _says_cautions = before


def save(ax, path):
    """Writes the figure of an axis: as large as it is, the same bytes for the same figure."""
    path = pathlib.Path(path)
    undated = {".pdf": {"CreationDate": None, "ModDate": None}, ".svg": {"Date": None}}
    ax.figure.savefig(path, metadata=undated.get(path.suffix))


def ratios(runs, value="ipc", against=None, ax=None):
    """Bars of a column against a platform by trace, their mean first, with 95 % intervals over seeds."""
    ax = _bars(compare.ratios(runs, value, against), "trace", "platform", looks.of_systems, ax)
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, value, against))
    return _finish(ax, runs)


def values(runs, value="ipc", ax=None):
    """Bars of a column as it is, in its unit, otherwise as `ratios()`."""
    ax = _bars(compare.values(runs, value), "trace", "platform", looks.of_systems, ax)
    unit = unit_of(value)
    ax.set_ylabel(_words(runs, value) + (f" ({unit})" if unit else ""))
    return _finish(ax, runs)


def energy(runs, against=None, trace=compare.MEAN, ax=None):
    """Bars of energy by event, over the total of `against`, of the mean over traces or of one trace. Lines go from the least
    to the most of the shipped energy tables."""
    table = _of_trace(compare.energy(runs, against), trace)
    parts = [c for c in table if c not in ("platform", "system", "trace", "least", "most")]
    ax, tops = _stacks(table, parts, looks.of_event, ax)
    places = numpy.arange(len(table))
    ends = numpy.abs([tops - table["least"], table["most"] - tops])
    ax.errorbar(places, tops, ends, fmt="none", ecolor="black", elinewidth=0.8, capsize=2, label="range over tables")
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, "energy_pj.total", against))
    return _finish(ax, runs)


def energy_by_table(runs, against=None, ax=None):
    """Groups of bars for each platform: its energy by each shipped energy table against a platform, means over traces."""
    table = compare.energy_by_table(runs, against)
    ax = _bars(table, "platform", "table", looks.of_tables, ax)
    ax.axhline(1, color="black", linewidth=0.8)
    ax.set_ylabel(_ratio_words(runs, "energy_pj.total", against))
    return _finish(ax, runs)


def stalls(runs, detail=(), against=None, trace=compare.MEAN, ax=None):
    """Bars of the schedulers' cycles by what they did, in eight groups, over the cycles of `against`, of the mean over traces
    or of one trace. `detail`: groups that are split into their causes, or True for all."""
    table = _of_trace(compare.stalls(runs, detail, against), trace)
    parts = [c for c in table if c not in ("platform", "system", "trace")]
    ax, _ = _stacks(table, parts, lambda part: looks.of_stall(part, compare.STALL_GROUPS), ax)
    ax.set_ylabel(_ratio_words(runs, "cycles", against))
    return _finish(ax, runs)


def traffic(runs, against=None, trace=compare.MEAN, ax=None):
    """Bars of operands that are read from and written to banks and caches, over all those of `against`, of the mean over
    traces or of one trace."""
    table = _of_trace(compare.traffic(runs, against), trace)
    ax, _ = _stacks(table, list(compare.TRAFFIC), looks.of_traffic, ax)
    ax.set_ylabel(f"operand traffic, {against or runs['platform'].iloc[0]} = 1")
    return _finish(ax, runs)


def curve(runs, x, value="ipc", against=None, ax=None):
    """Lines of a column over a swept parameter, one for each system: means over traces, with a band from the least to the
    most of the traces. A system that does not have the parameter is a line across."""
    table = compare.curve(runs, x, value, against)
    ax = _axis(ax)
    for system, rows in table.groupby("system", sort=False):
        look, rows = looks.of_system(system.split("/")[-1]), rows.dropna(subset=[x])
        if rows.empty:
            ax.axhline(table[table["system"] == system]["value"].iloc[0], color=look.ink, linestyle="--", label=system)
            continue
        ax.plot(rows[x], rows["value"], color=look.ink, marker=look.mark, linestyle=look.dashes, label=system)
        if (rows["most"] > rows["least"]).any():
            ax.fill_between(rows[x], rows["least"], rows["most"], color=look.ink, alpha=0.18, linewidth=0)
    ax.set_xlabel(_words(runs, x))
    ax.set_ylabel(_ratio_words(runs, value, against))
    ax.grid(axis="y")
    return _finish(ax, runs)


def heatmap(runs, x, y, value="ipc", against=None, ax=None):
    """A column over two swept parameters: means over traces, in cells, with their numbers where there is room. What did not
    run is a hatched hole."""
    ax = _axis(ax)
    cells = _cells(ax, compare.grid(runs, x, y, value, against), runs, x, y)
    ax.figure.colorbar(cells, ax=ax, pad=0.02).set_label(_ratio_words(runs, value, against))
    return _finish(ax, runs, legend=False)


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
        cells = _cells(ax, table, runs, x, y if ax is axes[0] else None, limits)
        ax.set_title(f"{_words(runs, panel)} = {compare.word(number)}")
    axes[0].figure.colorbar(cells, ax=axes, pad=0.02).set_label(_ratio_words(runs, value, against))
    _finish(axes[0], runs, legend=False)
    return axes


def front(runs, less="energy_pj.total", more="ipc", against=None, ax=None):
    """Points of platforms by two columns, of which less and more is better, each against a platform. Joined are those that
    none beats in the two; those that one beats in storage, too, are hollow, and limits crossed. Of a sweep with more than a
    dozen platforms those on the front are named by their parameters, where there is room."""
    table = compare.front(runs, less, more, against)
    ax = _axis(ax)
    joined = table[table["on_front"]].sort_values("less")
    ax.plot(joined["less"], joined["more"], color="0.4", linewidth=0.9, zorder=1)
    swept = [c for c in runs.attrs.get("swept", {}) if c in runs]
    if is_many := len(table) > 12 and bool(swept):
        others = table.drop(joined.index)
        ax.plot(others["less"], others["more"], ".", color="0.7", markersize=3, zorder=0)
        parameters = runs.drop_duplicates("platform").set_index("platform")[swept]
        _name_points(ax, {"/".join(compare.word(v) for v in parameters.loc[point["platform"]].dropna()): point
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
    return _finish(ax, runs)


def tornado(runs, value="ipc", against=None, ax=None):
    """Bars of how far a column goes from where it is when one thing changes, the widest on top."""
    table = compare.tornado(runs, value, against)
    middle = table.attrs["middle"]
    ax = _axis(ax)
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
                        ha="right" if left else "left", va="center", fontsize=_points())
    ax.axvline(middle, color="black", linewidth=0.8)
    ax.set_yticks(range(len(changes)), [", ".join(_words(runs, c) for c in change.split(", ")) for change in changes])
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.set_xlabel(_ratio_words(runs, value, against or table.attrs["base"]))
    ax.grid(axis="x")
    return _finish(ax, runs, legend=False)


def over_time(runs, value="ipc", trace=None, ax=None):
    """Steps of a column of `subcore.intervals()` over the cycles of one trace, a line for each platform."""
    traces = list(runs["trace"].unique())
    if trace is None and len(traces) > 1:
        raise SubcoreError(f"over_time of {len(traces)} traces; expected trace= one of {', '.join(traces)}")
    rows = runs[(runs["trace"] == (trace or traces[0])) & (runs["member"] == 0)]
    table = compare.over_time(tables.intervals(rows))
    ax = _axis(ax)
    platforms = table.drop_duplicates("platform")
    for (platform, of_platform), look in zip(table.groupby("platform", sort=False), looks.of_systems(platforms["system"])):
        ax.stairs(of_platform[value], [of_platform["begin"].iloc[0], *of_platform["cycle"]], baseline=None,
                  color=look.ink, linestyle=look.dashes, linewidth=1.1, label=platform)
    ax.set_xlabel("cycle")
    unit = unit_of(value)
    ax.set_ylabel(_words(runs, value) + (f" ({unit})" if unit else ""))
    ax.set_ylim(bottom=0)
    ax.grid(axis="y")
    return _finish(ax, runs)


def _axis(ax):
    return ax if ax is not None else matplotlib.pyplot.subplots(constrained_layout=True)[1]


def _finish(ax, runs, legend=True):
    """Says the runs' cautions under the figure, which may have those of another axis, and puts a legend above the axis, in
    as many columns as there is room for."""
    if legend:
        _legend(ax)
    figure, said = ax.figure, compare.cautions(runs) if _says_cautions else []
    if said:
        figure.cautions = list(dict.fromkeys([*getattr(figure, "cautions", []), *said]))
        size = 0.75 * _points()
        letters = int(figure.get_figwidth() * 72 / (0.45 * size))
        lines = textwrap.wrap("cautions: " + "; ".join(figure.cautions), letters)
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=size, color="0.3")
    return ax


def _words(runs, column):
    """A column in words: a swept parameter by the end of its key."""
    key = runs.attrs.get("swept", {}).get(column)
    return " ".join(key.split(".")[-2:]).replace("_", " ") if key else WORDS.get(column, column.replace("_", " "))


def _ratio_words(runs, value, against):
    return f"{_words(runs, value)}, {against or runs['platform'].iloc[0]} = 1"


def _of_trace(table, trace):
    """The rows of a trace; of the only one where there is no mean."""
    if trace == compare.MEAN and trace not in set(table["trace"]):
        trace = table["trace"].iloc[0]
    if trace not in set(table["trace"]):
        raise SubcoreError(f"'{trace}': no such trace; expected one of {', '.join(table['trace'].unique())}")
    return table[table["trace"] == trace].reset_index(drop=True)


def _bars(table, group, bar, looks_of, ax):
    """Groups of bars by two columns; the mean stands a little apart. `looks_of` is called with what the bars are of: the
    systems of platforms."""
    ax = _axis(ax)
    groups, bars = list(table[group].unique()), table.drop_duplicates(bar)
    places = numpy.arange(len(groups)) + (0.35 * (numpy.arange(len(groups)) > 0) if groups[0] == compare.MEAN else 0)
    width = 0.84 / len(bars)
    for number, (name, look) in enumerate(zip(bars[bar], looks_of(bars["system" if bar == "platform" else bar]))):
        rows = table[table[bar] == name]
        ends = numpy.array([rows["value"] - rows["low"], rows["high"] - rows["value"]])
        ax.bar(places - 0.42 + width * (number + 0.5), rows["value"], width, color=look.colour, hatch=look.hatch,
               edgecolor="black", linewidth=0.4, yerr=None if numpy.isnan(ends).all() else ends, label=name,
               error_kw={"elinewidth": 0.6, "capsize": min(1.5, 20 * width), "capthick": 0.6})
    ax.set_xticks(places, groups)
    _slant(ax, groups)
    ax.tick_params(axis="x", length=0)
    ax.margins(x=0.01)
    ax.grid(axis="y")
    return ax


def _stacks(table, parts, look_of, ax):
    """A bar for each row, stacked from its parts; those that are small everywhere are one. The tops of the bars, too."""
    ax = _axis(ax)
    total = table[parts].sum(axis=1)
    small = [p for p in parts if (table[p] < 0.01 * total).all()]
    large = [p for p in parts if p not in small]
    places, tops = numpy.arange(len(table)), numpy.zeros(len(table))
    for part in large + (["other"] if small else []):
        look = looks.Look("white") if part == "other" else look_of(part)
        heights = (table[small].sum(axis=1) if part == "other" else table[part]).to_numpy()
        ax.bar(places, heights, 0.72, tops, color=look.colour, hatch=look.hatch, edgecolor="black", linewidth=0.4,
               label=part)
        tops = tops + heights
    ax.set_xticks(places, table["platform"])
    _slant(ax, list(table["platform"]))
    ax.tick_params(axis="x", length=0)
    ax.grid(axis="y")
    return ax, tops


def _points():
    """The size of small letters: of labels of ticks, and in legends."""
    return FontProperties(size=matplotlib.rcParams["xtick.labelsize"]).get_size_in_points()


def _width(words):
    """The width of small words, in points."""
    family = FontProperties(family=matplotlib.rcParams["font.family"])
    return TextPath((0, 0), words.replace("$", "S"), size=_points(), prop=family).get_extents().width


def _room(ax):
    """The width of a plot, in points, before labels have taken some of it."""
    return ax.get_position().width * ax.figure.get_figwidth() * 72


def _cells(ax, table, runs, x, y, limits=(None, None)):
    """Draws a grid, with the names of its columns, and of its rows unless `y` is None."""
    ax.set_facecolor("white")
    ax.patch.set(hatch="/////", edgecolor="0.6")
    cells = ax.pcolormesh(numpy.ma.masked_invalid(table.to_numpy()), cmap="cividis", edgecolor="face", linewidth=0.3,
                          vmin=limits[0], vmax=limits[1])
    across, up = [compare.word(v) for v in table.columns], [compare.word(v) for v in table.index]
    _name_cells(ax.xaxis, across, max(map(_width, across)) + 4, 0.75 * _room(ax))
    _name_cells(ax.yaxis, up, 1.2 * _points(), 0.75 * ax.figure.get_figheight() * 72)
    ax.set_xlabel(_words(runs, x))
    if y is not None:
        ax.set_ylabel(_words(runs, y))
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    decimals = 2 if numpy.nanmax(table) - numpy.nanmin(table) >= 0.2 else 3
    if _width(f"{numpy.nanmax(table):.{decimals}f} ") < 0.75 * _room(ax) / table.shape[1]:
        for (row, column), number in numpy.ndenumerate(table.to_numpy()):
            if numpy.isfinite(number):
                ax.text(column + 0.5, row + 0.5, f"{number:.{decimals}f}", ha="center", va="center", fontsize=0.85 * _points(),
                        color="white" if cells.norm(number) < 0.5 else "black")
    return cells


def _name_cells(axis, names, size, room):
    """Names cells along an axis, or as many of them as there is room for where a name takes `size`."""
    every = max(1, int(numpy.ceil(size * len(names) / room)))
    axis.set_ticks(numpy.arange(0, len(names), every) + 0.5, names[::every])


def _name_points(ax, points):
    """Writes names beside points, but for those that would stand on another one."""
    taken = []
    for name, point in points.items():
        left, bottom = ax.transData.transform((point["less"], point["more"])) / ax.figure.dpi * 72 + (4, -8)
        box = Bbox.from_bounds(left, bottom, 1.4 * _width(name), 1.4 * _points())  # labels will make the plot smaller
        if not any(box.overlaps(other) for other in taken):
            taken.append(box)
            ax.annotate(name, (point["less"], point["more"]), (4, -8), textcoords="offset points", fontsize=0.85 * _points())


def _slant(ax, names):
    """Slants the names below groups where they have no room."""
    if max(map(_width, names)) + 3 > _room(ax) / len(names):
        for label in ax.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")


def _legend(ax):
    found = {}  # each label once
    for handle, label in zip(*ax.get_legend_handles_labels()):
        found.setdefault(label, handle)
    labels, handles = list(found), list(found.values())
    params = matplotlib.rcParams
    beside = sum(params[f"legend.{key}"] for key in ("handlelength", "handletextpad", "columnspacing")) * _points()
    columns = max(1, int(1.1 * _room(ax) // (max(map(_width, labels)) + beside)))
    columns = -(-len(labels) // -(-len(labels) // columns))  # rows of equal length
    ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.01), ncol=columns)
