"""What goes wrong, each with one line that says where and what was expected."""
import difflib


class SubcoreError(Exception):
    """Any error of this package; its text is one line."""


class ResultsError(SubcoreError):
    """Results cannot be read, or have not what was asked of them."""


class ProgramError(SubcoreError):
    """The program has failed. The text is its own line, and `code` its exit code."""

    def __init__(self, line, code):
        super().__init__(line)
        self.code = code


class ProgramNote(UserWarning):
    """What the program says of a request that it carries out, such as a parameter that some platforms do not have."""


def did_you_mean(wrong, words, before=""):
    """Words of a message for a name that is not there: the nearest of those that are, if one is near; `before` stands
    before them."""
    near = difflib.get_close_matches(str(wrong), list(map(str, words)), 1, 0.8)
    return f"{before} did you mean '{near[0]}'?" if near else ""
