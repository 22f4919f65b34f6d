"""What goes wrong, each with one line that says where and what was expected."""


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
