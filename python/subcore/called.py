"""How the program calls this package: `python3 -B called.py MODULE FOLDER` calls `subcore.MODULE.make(out, **request)`.

FOLDER has a file request.json, whose object has the arguments of make(). `out` is the path of FOLDER/out, which is
empty. The program moves the files that make() writes there to their places, whole. The exit code is 0; 1, with one line
for the user in FOLDER/error; or LACKS, with the names of missing Python packages in FOLDER/error, separated by blanks.
"""
import importlib
import importlib.util
import json
import os
import pathlib
import sys

LACKS = 3
NEEDS = ["jinja2", "matplotlib", "numpy", "pandas", "scipy", "tqdm", "yaml"]


def call(module, folder):
    """Carries out the program's request. Returns the exit code."""
    lacking = [name for name in NEEDS if importlib.util.find_spec(name) is None]
    if lacking:
        (folder / "error").write_text(" ".join(lacking))
        return LACKS
    os.environ["MPLBACKEND"] = "agg"  # figures go to files, whatever backend the caller's Python uses
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])  # in place of the folder inside this package
    try:
        importlib.import_module("subcore." + module).make(folder / "out", **json.loads((folder / "request.json").read_text()))
    except Exception as e:
        (folder / "error").write_text(_line(e))
        return 1
    return 0


def _line(error):
    """The error as one line: the package's own text, or for other errors Python's."""
    from subcore.errors import SubcoreError
    if isinstance(error, SubcoreError):
        return str(error)
    if isinstance(error, OSError):
        return (f"{error.filename or 'a figure'}: {error.strerror}; expected results that can be read, and room for figures where "
                "TMPDIR names it")
    where = error.__traceback__
    while where.tb_next:
        where = where.tb_next
    place = f"{pathlib.Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}"
    return f"{type(error).__name__} at {place}: {' '.join(str(error).split())}; expected no such error, which is a mistake of the package"


if __name__ == "__main__":
    sys.exit(call(sys.argv[1], pathlib.Path(sys.argv[2])))
