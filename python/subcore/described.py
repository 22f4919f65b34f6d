"""Figures that experiments describe (`subcore.experiments`). For each kind, one function draws the numbers."""
import matplotlib.pyplot
import numpy

from . import compare, drawing, experiments, looks, plot

BAR = 4.2  # the least width of a bar in points


def draw(runs, figure):
    """Draws the figure on axes of a new matplotlib figure. Returns the axes as a list."""
    axes = KINDS[figure["kind"]](runs, figure)
    if figure["kind"] != "intervals":
        shown = runs["platform"].isin(experiments.platforms(figure)) & runs["trace"].isin(experiments.traces(runs, figure))
        drawing.finish(axes[0], runs[shown], with_legend=bool(axes[0].get_legend_handles_labels()[1]))
        _give_room(axes[0])
    return axes


def _give_room(ax):
    """Makes the figure higher for a legend and cautions of more than two lines."""
    legend, figure = ax.get_legend(), ax.figure
    lines = -(-len(legend.get_texts()) // legend._ncols) if legend else 0
    lines += figure._supxlabel.get_text().count("\n") if figure._supxlabel else 0
    figure.set_figheight(figure.get_figheight() + max(0, lines - 2) * 1.3 * drawing.letter_size() / 72)


def _bars(runs, figure):
    table = experiments.bars(runs, figure)
    return _rows_of_bars(figure, table, "trace", "series", _looks_of_series(table))


def _means(runs, figure):
    table = experiments.means(runs, figure)
    return _rows_of_bars(figure, table, "series", "group", looks.in_order(table["group"].unique()))


def _rows_of_bars(figure, table, group, bar, looks_of_bars):
    """Bars in groups, in as many rows as they need."""
    rows = _in_rows(list(table[group].unique()), BAR * table[bar].nunique() / 0.84)
    axes = _axes_below(len(rows), sharey=True)
    for ax, groups in zip(axes, rows):
        drawing.bars(table[table[group].isin(groups)], group, bar, lambda _: looks_of_bars, ax, mean=_mean_word(figure))
        ax.set_xlim(-0.6, len(rows[0]) - 0.4 + 0.35 * (rows[0][0] == compare.MEAN))
        _name_values(ax, figure)
    return axes


def _stacks(runs, figure):
    """Plots of the series with a bar for each trace, or plots of the traces with a bar for each series: whichever needs
    fewer plots."""
    table = experiments.stacks(runs, figure)
    series, traces, parts = table["series"].unique(), table["trace"].unique(), list(figure["parts"])
    plot, bar = ("series", "trace") if len(series) <= len(traces) else ("trace", "series")
    look_of = dict(zip(parts, looks.in_order(parts)))
    rows = [(name, bars) for bars in _in_rows(list(table[bar].unique()), 0) for name in table[plot].unique()]
    axes = _axes_below(len(rows), sharey=True)
    for ax, (name, bars) in zip(axes, rows):
        shown = table[(table[plot] == name) & table[bar].isin(bars)].assign(platform=table[bar])
        shown["platform"] = shown["platform"].replace(compare.MEAN, _mean_word(figure))
        drawing.stacks(shown, parts, parts, look_of.get, ax)
        ax.set_xlim(-0.6, len(rows[0][1]) - 0.4)
        if table[plot].nunique() > 1:
            ax.set_title(_mean_word(figure) if name == compare.MEAN else name, loc="right")
        _name_values(ax, figure)
    return axes


def _lines(runs, figure):
    """A line for the mean, and a thin line for each trace."""
    table = experiments.bars(runs, figure)
    ax = drawing.axis(None)
    series = [s["name"] for s in figure["series"]]
    places, ends = numpy.arange(len(series)), {}
    for trace, rows in table.groupby("trace", sort=False):
        is_mean = trace == table["trace"].iloc[0]
        ax.plot(places, rows["value"], color="black" if is_mean else "0.4", linewidth=1.8 if is_mean else 0.6,
                marker="o" if is_mean else "", zorder=3 if is_mean else 2)
        ends[_mean_word(figure) if trace == compare.MEAN else trace] = rows["value"].iloc[-1]
    ax.set_xticks(places, series)
    drawing.slant(ax, series)
    ax.grid(axis="y")
    ax.set_xlim(-0.2, len(series) - 0.8)
    _name_values(ax, figure)
    ax.set_ylim(bottom=0)
    drawing.name_ends(ax, ends)
    return [ax]


def _intervals(runs, figure):
    table = experiments.intervals(runs, figure)
    names = table.drop_duplicates("platform").set_index("platform")["series"]
    named = runs[runs["platform"].isin(names.index)]
    named = named.assign(platform=named["platform"].map(names))
    return plot.courses(named, table["trace"].iloc[0], intervals=table.assign(platform=table["series"]))


def _pareto(runs, figure):
    table = experiments.front(runs, figure)
    ax = drawing.axis(None)
    limits = table["is_limit"].map({True: " (limit)", False: ""})
    labels = table["series"] + limits + ", " + table["storage_kb"].map("{:g} KB".format)
    drawing.points(ax, table, looks.of_systems(table["system"]), labels)
    named = table[table["on_front_with_storage"]].sort_values("on_front", ascending=False, kind="stable")
    drawing.name_points(ax, {p["series"]: p for _, p in named.iterrows()}, table)
    less, more = figure["parts"]
    ax.set_xlabel(less)
    ax.set_ylabel(more)
    return [ax]


def _tornado(runs, figure):
    table = experiments.tornado(runs, figure)
    parts = list(table["part"].unique())
    axes = _axes_below(len(parts))
    for ax, part in zip(axes, parts):
        rows = table[table["part"] == part]
        middle = rows["middle"].iloc[0]
        moves = rows[(rows["value"] != middle).groupby(rows["change"]).transform("any")]
        drawing.tornado(ax, compare.widest_first(moves, middle), middle)
        ax.set_xlabel(part)
    return axes


KINDS = {"bars": _bars, "means": _means, "stacks": _stacks, "lines": _lines, "intervals": _intervals, "pareto": _pareto,
         "tornado": _tornado}


def _in_rows(names, width):
    """Names of groups in rows of about equal length. A group takes `width` points, or the width of its slanted name."""
    room = 0.88 * 72 * matplotlib.rcParams["figure.figsize"][0]
    most = max(1, int(room // max(width, 2.1 * drawing.letter_size())))
    length = -(-len(names) // -(-len(names) // most))
    return [names[begin:begin + length] for begin in range(0, len(names), length)]


def _axes_below(count, share=0.55, **shared):
    """Axes one below the other. If there are several, each has this share of the height of a single one."""
    width, height = matplotlib.rcParams["figure.figsize"]
    size = (width, height * (0.3 + share * count if count > 1 else 1))
    return list(matplotlib.pyplot.subplots(count, 1, figsize=size, squeeze=False, constrained_layout=True, **shared)[1][:, 0])


def _looks_of_series(table):
    """The looks of series in their order, by the systems of their platforms."""
    return looks.of_systems(table.drop_duplicates("series")["system"])


def _mean_word(figure):
    return "geo. mean" if figure["mean"] == "geometric" else compare.MEAN


def _name_values(ax, figure):
    ax.set_ylabel(figure["axis"])
    if figure["against"]:
        ax.axhline(1, color="black", linewidth=0.8)
