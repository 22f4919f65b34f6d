"""The parts of figures: bars, stacks, cells, and words where there is room for them."""
import functools
import textwrap

import matplotlib.pyplot
import numpy
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.textpath import TextToPath
from matplotlib.transforms import Bbox

from . import compare, looks
from .paper import says_cautions


def axis(ax):
    """The given axis, or the axis of a new figure."""
    return ax if ax is not None else matplotlib.pyplot.subplots(constrained_layout=True)[1]


def bars(table, group, bar, looks_of, ax, mean=compare.MEAN):
    """Groups of bars by two columns. The mean, which is called `mean`, stands a little apart. `looks_of` is called with
    the names of the bars, such as the systems of platforms."""
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
    if not (table["value"] > 0).any():
        ax.set_ylim(0, 1)
    ax.grid(axis="y")
    return ax


def large_parts(table, parts):
    """The parts that are large in some row. A part is small if it is below a hundredth of the sum in every row."""
    table = table.dropna(subset=parts)
    total = table[parts].sum(axis=1)
    return [part for part in parts if not (table[part] < 0.01 * total).all()]


def stacks(table, parts, large, look_of, ax, lying=False):
    """A bar for each row, stacked from its parts. Parts that are not in `large` become one part. With `lying`, bars are
    horizontal, the first on top. Also returns the tops of the bars."""
    ax = axis(ax)
    small = [p for p in parts if p not in large]
    tops = numpy.zeros(len(table))
    places = numpy.arange(len(table))
    for part in large + (["other"] if small else []):
        look = looks.Look("white") if part == "other" else look_of(part)
        ends = tops + (table[small].sum(axis=1) if part == "other" else table[part]).to_numpy()
        ax.add_patch(_boxes(places, tops, ends, lying, color=look.colour, hatch=look.hatch, label=part))
        tops = ends
    ax.autoscale_view()
    if lying:
        ax.set_yticks(places, table["platform"])
        ax.set_ylim(len(table) - 0.4, -0.6)
    else:
        ax.set_xticks(places, table["platform"])
        ax.set_xlim(-0.6, len(table) - 0.4)
        slant(ax, list(table["platform"]))
    ax.tick_params(axis="y" if lying else "x", length=0)
    ax.grid(axis="x" if lying else "y")
    return ax, tops


def _boxes(places, begins, ends, lying, color, hatch, label):
    """The boxes of a part in all bars, as one path, because many single boxes would take long."""
    places, begins, ends = (values[ends > begins] for values in (places, begins, ends))
    left, right = places - 0.36, places + 0.36
    corners = numpy.array([[left, begins], [right, begins], [right, ends], [left, ends]])  # corner, x or y, box
    corners = corners[:, ::-1] if lying else corners
    patch = PathPatch(Path.make_compound_path_from_polys(corners.transpose(2, 0, 1)), facecolor=color, hatch=hatch,
                      edgecolor="black", linewidth=0.4, label=label)
    (patch.sticky_edges.x if lying else patch.sticky_edges.y).append(0)
    return patch


def cells_of(table, columns, ax, mean=compare.MEAN):
    """A heat map of `value` by platform and another column, the first platform on top. Returns the axis, and the object
    from which a scale is made."""
    grid = table.pivot(index="platform", columns=columns, values="value")
    grid = grid.reindex(index=table["platform"].unique()[::-1], columns=table[columns].unique())
    if ax is None:
        figure = matplotlib.pyplot.figure(constrained_layout=True)
        below = max(map(width_of, map(str, grid.columns)))
        figure.set_figheight(max(figure.get_figheight(), (1.5 * letter_size() * len(grid) + below) / 72 + 0.3))
        ax = figure.subplots()
    left = ax.figure.get_figwidth() * 72 - max(map(width_of, grid.index)) - 75  # room beside names and a scale
    mesh = cells(ax, grid.rename(columns={compare.MEAN: mean}), "", "", width=left)
    if compare.MEAN in grid:
        ax.axvline(1, color="white", linewidth=2.5)
    return ax, mesh


def letter_size():
    """The size of small letters, for labels of ticks and in legends."""
    return FontProperties(size=matplotlib.rcParams["xtick.labelsize"]).get_size_in_points()


def width_of(words):
    """The width of small words, in points."""
    return _width(words.replace("$", "S"), letter_size(), tuple(matplotlib.rcParams["font.family"]))


@functools.lru_cache(maxsize=None)
def _width(words, size, family):
    font = FontProperties(family=list(family), size=size)
    return TextToPath().get_text_width_height_descent(words, font, ismath=False)[0]


def room(ax):
    """The width of a plot, in points, before labels take some of it."""
    return ax.get_position().width * ax.figure.get_figwidth() * 72


def cells(ax, table, x_words, y_words, limits=(None, None), width=None):
    """Draws a grid, with holes where a number is missing. `limits` are those of the colours. `width` is that of the
    grid, in points. Returns the object from which a scale is made."""
    width = width or 0.75 * room(ax)
    ax.set_facecolor("white")
    ax.patch.set(hatch="/////", edgecolor="0.6")
    mesh = ax.pcolormesh(numpy.ma.masked_invalid(table.to_numpy()), cmap="cividis", edgecolor="face", linewidth=0.3,
                         vmin=limits[0], vmax=limits[1])
    across, up = [compare.word(v) for v in table.columns], [compare.word(v) for v in table.index]
    if max(map(width_of, across)) > min(4 * letter_size(), width / len(across)) and not is_number(across):
        name_cells(ax.xaxis, across, 1.1 * letter_size(), width)
        for label in ax.get_xticklabels():  # long names, which are vertical
            label.set(rotation=90)
    else:
        name_cells(ax.xaxis, across, max(map(width_of, across)) + 4, width)
    name_cells(ax.yaxis, up, 1.2 * letter_size(), 0.75 * ax.figure.get_figheight() * 72)
    ax.set_xlabel(x_words)
    ax.set_ylabel(y_words)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    decimals = 2 if numpy.nanmax(table) - numpy.nanmin(table) >= 0.2 else 3
    if 0.85 * width_of(f"{numpy.nanmax(table):.{decimals}f}") + 2 < width / table.shape[1]:
        for (row, column), number in numpy.ndenumerate(table.to_numpy()):
            if numpy.isfinite(number):
                ax.text(column + 0.5, row + 0.5, f"{number:.{decimals}f}", ha="center", va="center",
                        fontsize=0.85 * letter_size(), color="#fafafa" if mesh.norm(number) < 0.5 else "#111111")
    return mesh


def is_number(words):
    return all(word.replace(".", "").isdigit() for word in words)


def name_cells(axis, names, size, room):
    """Names cells along an axis, or as many as there is room for if a name takes `size`."""
    every = max(1, int(numpy.ceil(size * len(names) / room)))
    axis.set_ticks(numpy.arange(0, len(names), every) + 0.5, names[::every])


def name_points(ax, named, others=None):
    """Writes names, {name: point}, beside their points. A name may cover no earlier name, and no point of `others`, a
    table. If no corner is free, the name is left out."""
    def place(point):
        return ax.transData.transform((point["less"], point["more"])) / ax.figure.dpi * 72
    ax.autoscale_view()
    taken = [Bbox.from_bounds(*(place(p) - 3), 6, 6) for _, p in others.iterrows()] if others is not None else []
    for name, point in named.items():
        width, height = 1.4 * width_of(name), 1.4 * letter_size()  # labels will make the plot smaller
        for right, up in ((1, -1), (1, 1), (-1, -1), (-1, 1)):
            left, bottom = place(point) + (4 if right > 0 else -4 - width, 4 if up > 0 else -4 - height)
            box = Bbox.from_bounds(left, bottom, width, height)
            inside = ax.bbox.transformed(ax.figure.dpi_scale_trans.inverted()).x0 * 72 < left
            if inside and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                ax.annotate(name, (point["less"], point["more"]), (4 * right, 4 * up), textcoords="offset points",
                            ha="left" if right > 0 else "right", va="bottom" if up > 0 else "top",
                            fontsize=0.85 * letter_size())
                break


def points(ax, table, looks_of_points, labels, size=5.5):
    """Points by `less` and `more`. A line joins the points that none beats in the two. A point that another beats also
    in storage is hollow, and a limit is a cross."""
    joined = table[table["on_front"]].sort_values("less")
    ax.plot(joined["less"], joined["more"], color="0.4", linewidth=0.9, zorder=1)
    for (_, point), look, label in zip(table.iterrows(), looks_of_points, labels):
        ax.plot(point["less"], point["more"], "x" if point["is_limit"] else look.mark, markersize=size, zorder=2, label=label,
                markeredgecolor=look.ink, markerfacecolor=look.ink if point["on_front_with_storage"] else "none")
    ax.grid()


def tornado(ax, table, middle):
    """Bars from the middle to `value`, with one place for each `change`, and `setting` at their ends."""
    changes = list(table["change"].unique())
    for place, change in enumerate(changes):
        rows = table[table["change"] == change]
        for number, (_, row) in enumerate(rows.iterrows()):
            height = 0.8 / len(rows)
            at = place - 0.4 + height * (number + 0.5)
            look = looks.Look("#0072b2").lighter([0.1, 0.6][number % 2])
            ax.barh(at, row["value"] - middle, height * 0.9, middle, color=look.colour, edgecolor="black")
            left = row["value"] < middle
            ax.annotate(row["setting"], (row["value"], at), (-2 if left else 2, 0), textcoords="offset points",
                        ha="right" if left else "left", va="center", fontsize=letter_size())
    ax.axvline(middle, color="black", linewidth=0.8)
    ax.set_yticks(range(len(changes)), changes)
    ax.invert_yaxis()
    ax.margins(x=0.15)
    ax.grid(axis="x")


def steps(ax, intervals, column, look, label):
    """A line with a step for each interval."""
    ax.stairs(intervals[column], [intervals["begin"].iloc[0], *intervals["cycle"]], baseline=None, color=look.ink,
              linestyle=look.dashes, linewidth=1.1, label=label)
    ax.set_ylim(bottom=0)
    ax.grid(axis="y")


def name_ends(ax, ends):
    """Writes names of lines to the right of their ends, {name: value}. A name that would cover an earlier one is left
    out."""
    taken = []
    for name, value in ends.items():
        at = ax.transData.transform((0, value))[1] / ax.figure.dpi * 72
        if all(abs(at - other) > 1.1 * letter_size() for other in taken):
            taken.append(at)
            ax.annotate(name, (1, value), (4, 0), xycoords=("axes fraction", "data"), textcoords="offset points", va="center",
                        fontsize=0.85 * letter_size())


def slant(ax, names):
    """Slants the names below groups if they have no room."""
    if max(map(width_of, names)) + 3 > room(ax) / len(names):
        for label in ax.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")


def legend(ax):
    """A legend above the axis, with each label once, in as many columns as there is room for."""
    found = {}
    for handle, label in zip(*ax.get_legend_handles_labels()):
        found.setdefault(label, handle)
    labels, handles = list(found), list(found.values())
    ax.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1.01), ncol=columns_of_legend(labels, 1.1 * room(ax)))


def one_legend(figure, axes):
    """One legend above all axes, in place of one above each."""
    found = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels()):
            found.setdefault(label, handle)
        if ax.get_legend():
            ax.get_legend().remove()
    labels = list(found)
    columns = columns_of_legend(labels, 0.95 * figure.get_figwidth() * 72)
    rows = -(-len(labels) // columns)
    figure.set_figheight(figure.get_figheight() + rows * 1.35 * letter_size() / 72)
    figure.suptitle("\n" * rows, fontsize=1.1 * letter_size())  # makes room for the legend
    figure.legend(list(found.values()), labels, loc="upper left", bbox_to_anchor=(0, 1), ncol=columns)


def columns_of_legend(labels, width):
    """The number of columns of a legend of this width, in points, so that its rows have equal length."""
    params = matplotlib.rcParams
    beside = sum(params[f"legend.{key}"] for key in ("handlelength", "handletextpad", "columnspacing")) * letter_size()
    columns = max(1, int(width // (max(map(width_of, labels)) + beside)))
    return -(-len(labels) // -(-len(labels) // columns))


def finish(ax, runs, with_legend=True):
    """Writes the runs' cautions under the figure, which may have those of another axis, and puts a legend above the
    axis."""
    if with_legend:
        legend(ax)
    figure, said = ax.figure, compare.cautions(runs) if says_cautions() else []
    if said:
        figure.cautions = list(dict.fromkeys([*getattr(figure, "cautions", []), *said]))
        words, size = "cautions: " + "; ".join(figure.cautions), 0.85 * letter_size()
        letters = int(0.95 * figure.get_figwidth() * 72 / (0.85 * width_of(words) / len(words)))
        lines = textwrap.wrap(words, letters)
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=size, color="0.3")
    return ax
