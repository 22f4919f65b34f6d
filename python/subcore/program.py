"""Runs of the program `subcore`."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings

import tqdm

from .errors import ProgramError, ProgramNote, SubcoreError
from .tables import load

_folders = []  # results that the user has not asked to keep; removed when Python ends


def run(platforms=None, traces=None, gpu=None, set=None, sweep=None, vary=None, seeds=None, jobs=None, *,
        skip_refused=False, scenario=None, results=None, profile=False, progress=True, program=None):
    """Runs every platform on every trace. Returns the runs as `load()` does, with a row for each run.

    * `platforms`: names of shipped register systems, or YAML files; `MACHINE/SYSTEM` is a system on a machine
    * `traces`: folders with a `kernelslist.g`, or with such folders below them; or {name: folder}
    * `gpu`: machines, as names of shipped ones or files; every platform runs on each
    * `set`: parameters that differ from the platforms': {"sub_core.collector.count": 4}
    * `sweep`: {parameter: values}; every combination of values runs. A platform that does not read a parameter runs
      without it
    * `vary`: {name: {parameter: value, ...}}; each platform runs unchanged, and once more with each of these variations
    * `seeds`: runs of each platform on each trace, with other seeds and starts
    * `jobs`: runs at once; the default is one for each processor
    * `skip_refused`: leaves out values of `sweep` and `vary` that a platform refuses, which are otherwise an error. A
      warning has the reasons. Values that no platform has taken are in `attrs["refused"]`, and grids have holes there
    * `scenario`: a scenario file. The arguments above replace its entries as the program's options do
    * `results`: the folder that keeps the results. Finished runs in it are taken and do not run again. By default the
      results are removed when Python ends
    * `profile`: profile.json for each run, for `profile()`
    * `progress`: a bar on standard error
    * `program`: the program's file; by default that of the variable SUBCORE, of the checkout around this package, or of
      PATH

    One name, folder or value may stand for a list of one. Raises ProgramError, whose text is the program's line. The
    program's notes are warnings of the kind ProgramNote.
    """
    if scenario is not None and (sweep or vary):
        raise SubcoreError("sweep and vary with a scenario; expected them in the scenario file, or no scenario")
    if skip_refused and not (sweep or vary):
        raise SubcoreError("skip_refused without sweep and vary; expected one of them, or skip_refused in the scenario file")
    sweep = {key: _listed(values) for key, values in (sweep or {}).items()}
    if results is None:
        _folders.append(tempfile.TemporaryDirectory(prefix="subcore-"))
        results = os.path.join(_folders[-1].name, "results")
    with tempfile.TemporaryDirectory(prefix="subcore-") as work:
        if sweep or vary:
            scenario = os.path.join(work, "sweep.yaml")
            _write_scenario(scenario, sweep, vary or {}, skip_refused)
        command = [program_file(program), "run", *([os.fspath(scenario)] if scenario else [])]
        for option, given in (("--platform", platforms), ("--trace", traces), ("--gpu", gpu)):
            command += [word for name in _names(given) for word in (option, name)]
        command += [word for assignment in _assignments(set or {}) for word in ("--set", assignment)]
        for option, number in (("--seeds", seeds), ("--jobs", jobs)):
            command += [option, str(number)] if number is not None else []
        command += ["--results", os.fspath(results), "--resume", "--quiet"] + (["--profile"] if profile else [])
        ran = os.path.join(work, "runs.json")
        total = _number_of_runs(command, work) if progress else None
        with tqdm.tqdm(total=total, unit="run", file=sys.stderr, disable=not progress) as bar:
            notes = _call([*command, "--lines", "--json", ran], work, bar.update)
        for note in notes:
            warnings.warn(note, ProgramNote, stacklevel=2)
        runs = json.loads(pathlib.Path(ran).read_text())
    # The folder may also have runs of other commands.
    names = {(r.get("member_of", r["platform"]), r["trace"]) for r in (runs if isinstance(runs, list) else [runs])}
    table = load(results)
    mine = [name in names for name in zip(table["platform"], table["trace"])]
    table = table[mine].dropna(axis=1, how="all").reset_index(drop=True)
    tried = {column: sweep.get(key, []) for column, key in table.attrs["swept"].items() if column in table}
    table.attrs["refused"] = {c: [v for v in values if not (table[c] == v).any()] for c, values in tried.items()}
    return table


def program_file(program=None):
    """The program that `run()` calls: `program`, or else that of $SUBCORE, of the checkout around this package, or of
    PATH."""
    checkout = pathlib.Path(__file__).resolve().parents[2] / "build/release/bin/subcore"
    found = program or os.environ.get("SUBCORE") or (checkout if checkout.exists() else shutil.which("subcore"))
    if found is None or not os.access(found, os.X_OK):
        raise SubcoreError(f"{found or 'subcore'}: no such program; expected it built by scripts/demo, in PATH, or in SUBCORE")
    return os.fspath(found)


def _names(given):
    if isinstance(given, dict):
        return [f"{name}={os.fspath(folder)}" for name, folder in given.items()]
    return [os.fspath(name) for name in _listed(given)]


def _listed(given):
    """The values of a list. A single value stands for a list of one."""
    if given is None:
        return []
    return [given] if isinstance(given, (str, bytes, os.PathLike)) or not hasattr(given, "__iter__") else list(given)


def _word(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _assignments(parameters):
    return [f"{key}={_word(value)}" for key, value in parameters.items()]


def _write_scenario(file, sweep, vary, skip_refused):
    """Writes a scenario with only a sweep. A scenario needs a platform and a trace, and options replace these two."""
    scenario = {"platforms": ["baseline"], "traces": ["."],
                "sweep": {key: [_word(value) for value in values] for key, values in sweep.items()},
                "vary": {name: _assignments(parameters) for name, parameters in vary.items()},
                "skip_refused": _word(skip_refused)}
    pathlib.Path(file).write_text(json.dumps({key: value for key, value in scenario.items() if value}))


def _number_of_runs(command, work):
    """The number of runs that have to run."""
    plan = os.path.join(work, "plan.json")
    _call([*command, "--dry-run", "--json", plan], work)
    return sum(not run["finished"] for run in json.loads(pathlib.Path(plan).read_text())["runs"])


def _call(command, work, on_run=None):
    """Runs the program, calls `on_run` at the end of each run, and returns the program's notes. `work` is a folder that
    the user does not know, so no line of the program's names a file in it."""
    with tempfile.TemporaryFile("w+") as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL, text=True) as process:
            try:
                for line in process.stdout:
                    if on_run and re.search(r" operands checked, | instructions counted$", line.rstrip()):
                        on_run()
                code = process.wait()
            except BaseException:  # an interrupt, which the program may not have received
                process.terminate()
                raise
        errors.seek(0)
        said = errors.read().replace(f"{work}/sweep.yaml: ", "")
    if code != 0:
        ours = re.findall("^subcore: error: (.*)", said, re.MULTILINE)
        raise ProgramError(ours[0] if ours else f"{command[0]}: ended with {code}", code)
    return re.findall("^subcore: note: (.*)", said, re.MULTILINE)
