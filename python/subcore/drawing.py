"""What figures are drawn with: bars, stacks, cells, and words where there is room for them."""
import textwrap

import matplotlib.pyplot
import numpy
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath
from matplotlib.transforms import Bbox

from . import compare, looks
from .paper import says_cautions


def axis(ax):
    """The axis, or one of a new figure."""
    return ax if ax is not None else matplotlib.pyplot.subplots(constrained_layout=True)[1]


def bars(table, group, bar, looks_of, ax, mean=compare.MEAN):
    """Groups of bars by two columns; the mean, which is called `mean`, stands a little apart. `looks_of` is called with what
    the bars are of: the systems of platforms."""
    ax = axis(ax)
    groups, kinds = list(table[group].unique()), table.drop_duplicates(bar)
    places = numpy.arange(len(groups)) + (0.35 * (numpy.arange(len(groups)) > 0) if groups[0] == compare.MEAN else 0)
    width = 0.84 / len(kinds)
    for number, (name, look) in enumerate(zip(kinds[bar], looks_of(kinds["system" if bar == "platform" else bar]))):
        rows = table[table[bar] == name]
        ends = numpy.array([rows["value"] - rows["low"], rows["high"] - rows["value"]])
        ax.bar(places - 0.42 + width * (number + 0.5), rows["value"], width, color=look.colour, hatch=look.hatch,
               edgecolor="black", linewidth=0.4, yerr=None if numpy.isnan(ends).all() else ends, label=name,
               error_kw={"elinewidth": 0.6, "capsize": min(1.5, 20 * width), "capthick": 0.6})
    names = [mean if name == compare.MEAN else name for name in groups]
    ax.set_xticks(places, names)
    slant(ax, names)
    ax.tick_params(axis="x", length=0)
    ax.margins(x=0.01)
    ax.grid(axis="y")
    return ax


def stacks(table, parts, look_of, ax):
    """A bar for each row, stacked from its parts; those that are small everywhere are one. The tops of the bars, too."""
    ax = axis(ax)
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
    slant(ax, list(table["platform"]))
    ax.tick_params(axis="x", length=0)
    ax.grid(axis="y")
    return ax, tops


def letter_size():
    """The size of small letters: of labels of ticks, and in legends."""
    return FontProperties(size=matplotlib.rcParams["xtick.labelsize"]).get_size_in_points()


def width_of(words):
    """The width of small words, in points."""
    family = FontProperties(family=matplotlib.rcParams["font.family"])
    return TextPath((0, 0), words.replace("$", "S"), size=letter_size(), prop=family).get_extents().width


def room(ax):
    """The width of a plot, in points, before labels have taken some of it."""
    return ax.get_position().width * ax.figure.get_figwidth() * 72


def cells(ax, table, x_words, y_words, limits=(None, None)):
    """Draws a grid, with holes where it has no number; `limits` are those of the colours. Gives what a scale is made of."""
    ax.set_facecolor("white")
    ax.patch.set(hatch="/////", edgecolor="0.6")
    mesh = ax.pcolormesh(numpy.ma.masked_invalid(table.to_numpy()), cmap="cividis", edgecolor="face", linewidth=0.3,
                         vmin=limits[0], vmax=limits[1])
    across, up = [compare.word(v) for v in table.columns], [compare.word(v) for v in table.index]
    name_cells(ax.xaxis, across, max(map(width_of, across)) + 4, 0.75 * room(ax))
    name_cells(ax.yaxis, up, 1.2 * letter_size(), 0.75 * ax.figure.get_figheight() * 72)
    ax.set_xlabel(x_words)
    ax.set_ylabel(y_words)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    decimals = 2 if numpy.nanmax(table) - numpy.nanmin(table) >= 0.2 else 3
    if width_of(f"{numpy.nanmax(table):.{decimals}f} ") < 0.75 * room(ax) / table.shape[1]:
        for (row, column), number in numpy.ndenumerate(table.to_numpy()):
            if numpy.isfinite(number):
                ax.text(column + 0.5, row + 0.5, f"{number:.{decimals}f}", ha="center", va="center",
                        fontsize=0.85 * letter_size(), color="white" if mesh.norm(number) < 0.5 else "black")
    return mesh


def name_cells(axis, names, size, room):
    """Names cells along an axis, or as many of them as there is room for where a name takes `size`."""
    every = max(1, int(numpy.ceil(size * len(names) / room)))
    axis.set_ticks(numpy.arange(0, len(names), every) + 0.5, names[::every])


def name_points(ax, points):
    """Writes names beside points, but for those that would stand on another one."""
    taken = []
    for name, point in points.items():
        left, bottom = ax.transData.transform((point["less"], point["more"])) / ax.figure.dpi * 72 + (4, -8)
        box = Bbox.from_bounds(left, bottom, 1.4 * width_of(name), 1.4 * letter_size())  # labels will make the plot smaller
        if not any(box.overlaps(other) for other in taken):
            taken.append(box)
            ax.annotate(name, (point["less"], point["more"]), (4, -8), textcoords="offset points",
                        fontsize=0.85 * letter_size())


def slant(ax, names):
    """Slants the names below groups where they have no room."""
    if max(map(width_of, names)) + 3 > room(ax) / len(names):
        for label in ax.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")


def legend(ax):
    """A legend above the axis, in as many columns as there is room for, with each label once."""
    found = {}
    for handle, label in zip(*ax.get_legend_handles_labels()):
        found.setdefault(label, handle)
    labels, handles = list(found), list(found.values())
    params = matplotlib.rcParams
    beside = sum(params[f"legend.{key}"] for key in ("handlelength", "handletextpad", "columnspacing")) * letter_size()
    columns = max(1, int(1.1 * room(ax) // (max(map(width_of, labels)) + beside)))
    columns = -(-len(labels) // -(-len(labels) // columns))  # rows of equal length
    ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.01), ncol=columns)


def finish(ax, runs, with_legend=True):
    """Says the runs' cautions under the figure, which may have those of another axis, and puts a legend above the axis."""
    if with_legend:
        legend(ax)
    figure, said = ax.figure, compare.cautions(runs) if says_cautions() else []
    if said:
        figure.cautions = list(dict.fromkeys([*getattr(figure, "cautions", []), *said]))
        size = 0.75 * letter_size()
        letters = int(figure.get_figwidth() * 72 / (0.45 * size))
        lines = textwrap.wrap("cautions: " + "; ".join(figure.cautions), letters)
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=size, color="0.3")
    return ax
