"""The errors of this package. An error has one line that says where the mistake is and what was expected."""
import difflib


class SubcoreError(Exception):
    """Any error of this package. Its text is one line."""


class ResultsError(SubcoreError):
    """Results cannot be read, or lack what was asked of them."""


class ProgramError(SubcoreError):
    """The program has failed. The text is the program's own line, and `code` its exit code."""

    def __init__(self, line, code):
        super().__init__(line)
        self.code = code


class ProgramNote(UserWarning):
    """A remark of the program on a request that it carries out, such as a parameter that some platforms do not have."""


def did_you_mean(wrong, words, before=""):
    """Words of a message for an unknown name: the nearest known name, if one is near. `before` stands before it."""
    near = difflib.get_close_matches(str(wrong), list(map(str, words)), 1, 0.8)
    return f"{before} did you mean '{near[0]}'?" if near else ""
