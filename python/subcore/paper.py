"""The style of papers: widths, letters, fonts, and how figures are written."""
import contextlib
import pathlib

import matplotlib.pyplot

from .errors import SubcoreError

# Widths in inches of one column, and of the text, which both have (IEEEtran; acmart's sigconf).
WIDTHS = {"ieee": (3.5, 7.16), "acm": (3.33, 7.0)}

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


def says_cautions():
    """Whether figures have their cautions under them."""
    return _says_cautions
