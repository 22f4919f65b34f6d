"""A page: one HTML file of figures and tables. Any browser shows it without a network, light and dark, on screens of
400 to 2,000 pixels and on paper.

    table = page.Table("ipc_numbers", "IPC by platform", frame, {"IPC": 3})
    figure = page.Figure("ipc", "IPC", "More is better.", lambda: plot.values(runs), table)
    text = page.html("Results", "On two traces.", [page.Section("ipc_section", "IPC", [figure])], ["By subcore 0.2.0."])
    page.write_figures([figure], "figures")

All texts are plain, and characters of HTML are escaped. Texts of type `markupsafe.Markup` are HTML.
"""
import base64
import dataclasses
import functools
import io
import itertools
import json
import os
import pathlib
import pickle
import re
from typing import Callable, Optional

import jinja2
import markupsafe
import matplotlib.pyplot
import numpy
import pandas

NARROW, WIDE = 3.75, 7.5  # widths of figures in inches of 96 pixels: for telephones and for all other screens
INKS = {"#000000": "ink", "#d9d9d9": "grid", "#4c4c4c": "soft", "#666666": "soft", "#444444": "dark"}  # names of colours in the page's style


@dataclasses.dataclass
class Table:
    """A table that its readers can sort.

    `id` has letters, digits and _, and is unique in a page. `rows` has the contents, and its columns are the headings.
    `decimals` is {column: places behind the point}. Sorting and CSV files use exact values. Missing values are dashes.
    With `folded`, the table in a page is closed until a reader opens it, and shows only its caption.
    """
    id: str
    caption: str
    rows: pandas.DataFrame
    decimals: dict = dataclasses.field(default_factory=dict)
    folded: bool = False

    @property
    def columns(self):
        """(heading, whether it has numbers) of each column."""
        return [(str(c), pandas.api.types.is_numeric_dtype(self.rows[c])) for c in self.rows]

    @property
    def cells(self):
        """Rows of (text, exact number as text, or None for words)."""
        for row in self._values():
            yield [(self._text(c, v), None if isinstance(v, str) else "" if v is None else repr(v))
                   for c, v in zip(self.rows, row)]

    @property
    def data(self):
        """The table as JSON, with exact numbers, for contents that are drawn only on demand."""
        table = {"id": self.id, "caption": self.caption, "rows": list(self._values()),
                 "columns": [[name, is_number, self.decimals.get(name)] for name, is_number in self.columns]}
        text = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
        return markupsafe.Markup(text.replace("<", "\\u003c"))

    @property
    def csv(self):
        """The table as CSV, with exact numbers."""
        return self.rows.to_csv(index=False, lineterminator="\n")

    def _values(self):
        rows = self.rows.astype(object).where(self.rows.notna(), None)
        return [[v.item() if hasattr(v, "item") else v for v in row] for row in rows.itertuples(index=False, name=None)]

    def _text(self, column, value):
        if value is None:
            return "\N{EN DASH}"
        return f"{value:.{self.decimals[column]}f}" if column in self.decimals and not isinstance(value, str) else str(value)


@dataclasses.dataclass
class Figure:
    """A figure with its numbers.

    `id` has letters, digits and _, is unique in a page, and names the figure's files. `draw` is a function without
    arguments that draws the figure by matplotlib, as the functions of `subcore.plot` do. The figure is as large as
    rcParams["figure.figsize"] says, or higher. `draw` returns the axis, a list of axes, or the figure, and is called
    for each width. `numbers` is the figure's contents as a table.
    """
    id: str
    title: str
    caption: str
    draw: Callable
    numbers: Optional[Table] = None

    @functools.cached_property
    def narrow(self):
        """The figure for telephones, as HTML."""
        return _inline(_saved(self, NARROW, "svg")[0].decode(), self.title)

    @functools.cached_property
    def files(self):
        """The figure's SVG and PDF, as bytes. The same figure has the same bytes."""
        return _saved(self, WIDE, "svg", "pdf")

    @property
    def wide(self):
        """The figure for all other screens, as HTML."""
        return _inline(self.files[0].decode(), self.title)

    @property
    def pdf(self):
        """The PDF as base64 text, for a link."""
        return base64.b64encode(self.files[1]).decode()


@dataclasses.dataclass
class Section:
    """A part of a page with a heading, to which the page's head links.

    `id` is as for figures. `parts` has Figures, Tables and texts, in order. A section with a single figure stands
    beside other such sections if there is room, and so does a section that is `beside`. With `folded`, each figure but
    the first is closed until a reader opens it. `link` has the words of the link, if the heading is too long for it.
    """
    id: str
    heading: str
    parts: list
    folded: bool = False
    link: str = ""
    beside: bool = False


def draw(figures):
    """Draws figures ahead, as many at once as there are processors."""
    several = min(len(os.sched_getaffinity(0)), len(figures))
    if several < 2:
        return
    parent, children = os.getpid(), []
    for first in range(several):
        reading, writing = os.pipe()
        if os.fork() == 0:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                _draw_some(figures, range(first, len(figures), several), parent, pipe)
            os._exit(0)
        os.close(writing)
        children.append(os.fdopen(reading, "rb"))
    for pipe in children:  # figures that a child has not drawn are drawn later, and then raise their errors
        with pipe:
            for number, drawings in pickle.loads(pipe.read() or pickle.dumps([])):
                figures[number].narrow, figures[number].files = drawings
        os.wait()


def _draw_some(figures, numbers, parent, pipe):
    drawn = []
    for number in numbers:
        if os.getppid() != parent:  # the parent has been ended
            os._exit(1)
        try:
            drawn.append((number, (figures[number].narrow, figures[number].files)))
        except Exception:
            break
    pickle.dump(drawn, pipe)


def html(title, about, sections, footer=()):
    """The page, as text. The same parts give the same text. `about` is a text, or a list of texts, below the title.
    `footer` has texts about the page's origin."""
    loader = jinja2.FileSystemLoader(pathlib.Path(__file__).parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True,
                                     undefined=jinja2.StrictUndefined)
    environment.tests.update(figure=lambda part: isinstance(part, Figure), table=lambda part: isinstance(part, Table))
    return environment.get_template("page.html").render(
        title=title, about=[about] if isinstance(about, str) else about, sections=sections, footer=footer,
        script=_own_text("page.js"), style=_own_text("page.css"))


def write_figures(figures, folder):
    """Writes each figure's ID.svg and ID.pdf, and ID.csv if it has numbers, into an existing folder."""
    for figure in figures:
        files = zip((".svg", ".pdf"), figure.files)
        for ending, content in files:
            (pathlib.Path(folder) / (figure.id + ending)).write_bytes(content)
        if figure.numbers is not None:
            (pathlib.Path(folder) / (figure.id + ".csv")).write_text(figure.numbers.csv)


def _own_text(name):
    return markupsafe.Markup(pathlib.Path(__file__).with_name(name).read_text())


def _saved(figure, width, *formats):
    """The figure's files in these formats, newly drawn, `width` inches wide."""
    style = [str(pathlib.Path(__file__).with_name("page.mplstyle")), {
        "figure.figsize": (width, width * (0.75 if width == NARROW else 0.48)), "svg.hashsalt": f"{figure.id} {width}"}]
    with matplotlib.pyplot.style.context(["default", *style]):
        drawn = figure.draw()
        drawn = drawn[0] if isinstance(drawn, (list, tuple)) else drawn
        drawn = getattr(drawn, "figure", None) or drawn
        _lay_out(drawn, 0.4 * width if width == NARROW else 0.3 * width)
        try:
            return [_file(drawn, form) for form in formats]
        finally:
            matplotlib.pyplot.close(drawn)


def _lay_out(drawn, height):
    """Lays the figure out once for all formats. If the legend and names of a single plot leave it less than `height`
    inches, the figure becomes higher."""
    legend = drawn.axes[0].get_legend()
    if legend is not None:
        drawn.set_figheight(drawn.get_figheight() + max(0, legend.get_window_extent().height / drawn.dpi - 0.5))
    drawn.draw_without_rendering()
    plot = drawn.axes[0].get_subplotspec()
    if plot is not None and plot.get_gridspec().nrows == 1:
        lacks = height - drawn.axes[0].get_position().height * drawn.get_figheight()
        if lacks > 0:
            drawn.set_figheight(drawn.get_figheight() + lacks)
            drawn.draw_without_rendering()
    with matplotlib.rc_context({"figure.constrained_layout.use": False}):
        drawn.set_layout_engine(None)


def _file(drawn, form):
    undated = {"svg": {"Date": None, "Creator": None, "Type": None, "Format": None}, "pdf": {"CreationDate": None, "ModDate": None}}
    content = io.BytesIO()
    drawn.savefig(content, format=form, metadata=undated[form])
    return content.getvalue()


def _inline(svg, title):
    """The SVG as a part of a page. Its inks are the page's, and it contains only what is visible."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>|<style type=\"text/css\">.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*\)"', "", svg)
    svg = re.sub(r"(font: [0-9.]+px) [^;\"]*", r"\1 var(--letters)", svg)
    hatches, svg = re.findall(r"<pattern .*?</pattern>", svg, re.DOTALL), re.sub(r"<pattern .*?</pattern>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(fill|stroke): (#[0-9a-f]{6})", lambda m: f"{m[1]}: var(--{INKS[m[2]]})" if m[2] in INKS else m[0], svg)
    svg = svg.replace("</svg>", f"<defs>{''.join(map(_smaller_hatch, hatches))}</defs></svg>")  # black in either theme
    svg = re.sub(r'(<use [^>]*?) style="stroke[^"]*"', r"\1", svg)  # uses have the stroke of their element
    svg = re.sub(r"\s*\n\s*", "\n", re.sub(r"<text [^>]*/>", "", svg))
    svg = re.sub(r"([ MLQCHV]-?\d+\.\d\d)\d+", r"\1", svg)
    svg = re.sub(r"M (\S+) (\S+)\nL (\S+) \2\nL \3 (\S+)\nL \1 \4\nz\n", r"M\1 \2H\3V\4H\1z", svg)
    svg = re.sub(r"M (\S+) (\S+)\nL \1 (\S+)\nL (\S+) \3\nL \4 \2\nz\n", r"M\1 \2V\3H\4V\2z", svg)
    svg = re.sub(r"M (\S+) (\S+)\nL (\S+) \2\nL \3 (\S+)\nL \1 \4\nL \1 \2\n", r"M\1 \2H\3V\4H\1z", svg)
    svg = re.sub(r"<g>\n((?:<path [^>]*/>\n)+)</g>\n", _by_look, svg)
    svg = re.sub(r"(?:<path [^>]*/>\n){2,}", _neighbours, svg)
    head = f'<svg class="chart" role="img" aria-label="{markupsafe.escape(title)}" '
    return markupsafe.Markup(svg.replace("<svg ", head, 1))


PATH = re.compile(r'<path d="([^"]*)" ?([^>]*)/>')


def _by_look(group):
    """Merges the paths of one thing, such as lines or cells, into one path for each look."""
    looks = {}
    for shape, look in PATH.findall(group[1]):
        looks.setdefault(look, []).append(shape)
    return "".join(f'<path d="{"".join(shapes)}" {look}/>\n' for look, shapes in looks.items())


def _neighbours(paths):
    """Merges consecutive paths of one look, such as the bars of one platform, into one path."""
    return "".join(f'<path d="{"".join(shape for shape, _ in same)}" {look}/>\n'
                   for look, same in itertools.groupby(PATH.findall(paths[0]), key=lambda path: path[1]))


def _smaller_hatch(pattern):
    """The repeating tile of a pattern of 72 points: 8 points for dots, 24 for lines."""
    tile = 8 if "\nC " in pattern else 24

    def is_seen(stroke):
        ends = numpy.array(re.findall(r"-?[0-9.]+", stroke), dtype=float).reshape(-1, 2)
        if len(ends) == 2:  # a line; a long line goes through many tiles
            ends = ends[0] + numpy.linspace(0, 1, 73)[:, None] * (ends[1] - ends[0])
        return ((ends > -1) & (ends < tile + 1)).all(axis=1).any()
    text = re.sub(r' d="([^"]*)"', lambda path: ' d="' + "".join(filter(is_seen, re.findall(r"M[^M]*", path[1]))) + '"', pattern)
    return text.replace('"72"', f'"{tile}"').replace('"73"', f'"{tile + 1}"')
