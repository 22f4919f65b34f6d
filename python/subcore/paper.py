"""The style of papers: widths, letters and fonts, and the writing of figures."""
import contextlib
import pathlib

import matplotlib.pyplot

from .errors import SubcoreError

# Widths in inches of one column and of the text (IEEEtran; acmart's sigconf).
WIDTHS = {"ieee": (3.5, 7.16), "acm": (3.33, 7.0)}

_says_cautions = True


@contextlib.contextmanager
def paper(publisher="ieee", columns=1, height=None, cautions=True):
    """Figures inside are for a paper: as wide as one or two columns of `publisher` ("ieee", "acm"), with letters of 8
    points and embedded fonts. `height` is in inches. The default is 0.62 times the width of one column, or 0.3 times
    the width of two. With `cautions=False` figures have no cautions, because the paper says what matters of
    `compare.cautions(runs)`."""
    global _says_cautions
    if publisher not in WIDTHS or columns not in (1, 2):
        raise SubcoreError(f"paper of '{publisher}' with {columns} columns; expected {' or '.join(WIDTHS)}, 1 or 2 columns")
    width = WIDTHS[publisher][columns - 1]
    size = (width, height or width * (0.62 if columns == 1 else 0.3))
    style = pathlib.Path(__file__).with_name("paper.mplstyle")
    # Loads the backend now. Settings of a notebook's backend at its first figure would end with the context.
    matplotlib.pyplot.draw_if_interactive()
    with matplotlib.pyplot.style.context([str(style), {"figure.figsize": size}]):
        before, _says_cautions = _says_cautions, cautions
        try:
            yield
        finally:
            _says_cautions = before


def save(ax, path):
    """Writes the figure of an axis in its own size. The same figure has the same bytes."""
    path = pathlib.Path(path)
    undated = {".pdf": {"CreationDate": None, "ModDate": None}, ".svg": {"Date": None}}
    ax.figure.savefig(path, metadata=undated.get(path.suffix))


def says_cautions():
    """Whether figures have their cautions under them."""
    return _says_cautions
