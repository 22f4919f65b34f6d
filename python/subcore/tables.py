"""The files of runs as tables. Columns have the names of docs/results.md. `table.attrs["units"]` has their units."""
import functools
import json
import pathlib

import pandas
import yaml

from .errors import ResultsError
from .units import unit_of

# Columns that name a run. All tables have them.
RUN = ["platform", "machine", "system", "trace", "member"]
# Lists of objects, which have their own tables.
LISTS = ["per_kernel"]
# Columns that depend on the other runs of a folder, or on the computer.
NOT_OF_RUN = ["ipc_normalised", "energy_normalised", "area_normalised", "area_overhead", "chip_area_overhead",
              "energy_by_preset_normalised", "spread", "sample_intervals", "cautions", "notes", "wall_seconds"]


def load(*results):
    """All runs of results, with a row for each: shape (runs, columns), in the order of the files.

    `results`: folders of `--results`, or files of `--json`. The columns are

    * `platform`, `machine`, `system`: the platform's full name, its machine and its register system;
    * a column for each parameter that a sweep or a variation has set. Its name is the fewest last words of the key that
      are unique (`entries`). `attrs["swept"]` has the keys. A run without such a value has a missing value;
    * `trace`, and `kernel_group`: `tensor` if tensor units took an instruction, else `CUDA cores`;
    * `member`: 0, or with `--seeds` the number among the runs of the platform on the trace, which share its name;
    * the keys of a run's object in docs/results.md. An object becomes a column for each member: `energy_pj.total`,
      `stall_cycles.raw_long`. `notes` and `cautions` are tuples of texts;
    * `file`, and `folder` with the run's files. A run from a file of `--json` has no folder.

    Units are in `attrs["units"]`: {column: unit}. Runs that are in several results with the same numbers are one row.
    Raises ResultsError.
    """
    if not results:
        raise ResultsError("no results; expected folders of --results, or files of --json")
    runs = {}
    for path in results:
        for run, row in _rows(pathlib.Path(path)):
            name = _name_of(run)
            if name in runs and _identity(runs[name][0]) != _identity(run):
                raise ResultsError(f"{row['platform']} on {row['trace']} is in {runs[name][1]['file']} and in {row['file']}, "
                                   "with other results; expected one run of a platform on a trace, or other names")
            runs.setdefault(name, (run, row))
    rows = [row for _, row in runs.values()]
    swept = _short_names({key for row in rows for key in row["swept"]}, {column for row in rows for column in row})
    for row in rows:
        row.update({swept[key]: value for key, value in row.pop("swept").items()})
    table = pandas.DataFrame(rows)
    for column in swept.values():
        table[column] = _numbers(table[column])
    _name_systems_apart(table, list(swept.values()))
    first = ["platform", "machine", "system", *swept.values(), "trace", "kernel_group", "member"]
    table = table[first + [c for c in table if c not in first]]
    table.attrs["swept"] = {column: key for key, column in swept.items()}
    return _with_units(table)


def stalls(runs):
    """Cycles of schedulers by state and cause, with a row for each run and cause: `state`, `cause`, `stall_cycles`."""
    table = _members_of(runs, "stall_cycles", "cause")
    table.insert(len(RUN), "state", table["cause"].map(STATE_OF))
    return _with_units(table)


def energy(runs):
    """Energy by event in pJ, with a row for each run and event: `event` and `energy_pj`."""
    table = _members_of(runs, "energy_pj", "event")
    return _with_units(table[table["event"] != "total"].reset_index(drop=True))


def energy_by_table(runs):
    """The cost of the same events by each shipped energy table, with a row for each run and table. The columns are
    `table`, `energy_by_preset_pj` in pJ and, if the results have several platforms, `energy_by_preset_normalised`."""
    table = _members_of(runs, "energy_by_preset_pj", "table")
    if any(c.startswith("energy_by_preset_normalised.") for c in runs):
        table = table.merge(_members_of(runs, "energy_by_preset_normalised", "table"), "left", [*RUN, "table"])
    return _with_units(table)


def kernels(runs):
    """Kernels in the order in which they ran, with a row for each run and kernel. The columns are `kernel` from 1,
    `name`, and the keys of a kernel's object in docs/results.md."""
    read = {}
    for file in runs["file"].unique():
        for run in _objects(pathlib.Path(file)):
            read[(file, *_name_of(run))] = run["per_kernel"]
    return _of_runs(runs, lambda row: [{"kernel": n, **kernel}
                                       for n, kernel in enumerate(read[(row["file"], *_name_of(row))], 1)])


def intervals(runs):
    """The course of runs over time, with a row for each run and interval, in order. The columns are those of
    intervals.csv, `begin` (the interval's first cycle) and `power_mw` (its energy over its time)."""
    def rows(row):
        table = _read_intervals(_file_of(row, "intervals.csv"))
        if table.empty:  # of counts without a run
            return table
        table.insert(0, "begin", table["cycle"].shift(fill_value=0))
        nanoseconds = (table["cycle"] - table["begin"]) * platform(row)["clock_period_ns"]
        return table.assign(power_mw=table["energy_pj"] / nanoseconds)
    return _of_runs(runs, rows)


def power(runs):
    """Energy by module and event, with a row for each of a run's modules and events, and the columns of power.csv."""
    return _of_runs(runs, lambda row: pandas.read_csv(_file_of(row, "power.csv")))


def profile(runs, of="instructions"):
    """The contents of profile.json, for runs with `--profile`, with a row for each static instruction, bank or warp
    slot (`of`: "instructions", "banks", "warps"). With `--seeds` only member 0 has a profile. An object becomes
    columns: `warp_cycles.raw_long`, in cycles of warps."""
    if of not in ("instructions", "banks", "warps"):
        raise ResultsError(f"profile of '{of}': is not there; expected instructions, banks or warps")
    first = runs[runs["member"] == 0]
    return _of_runs(first, lambda row: [_flat(o) for o in json.loads(_file_of(row, "profile.json").read_text())[of]])


def platform(run):
    """The platform of a run, which is a row of `load()`: the keys of its platform.yaml, as dictionaries."""
    return _read_platform(_file_of(run, "platform.yaml"))


@functools.lru_cache(maxsize=None)
def _read_platform(file):
    read = yaml.load(file.read_text(), yaml.CSafeLoader)
    if not isinstance(read, dict) or not isinstance(read.get("clock_period_ns"), (int, float)):
        raise ResultsError(f"{file}: clock_period_ns: nothing; expected a number above 0")
    return read


STATES = {
    "issue": ["issue"],
    "waiting": ["waiting"],
    "no_collector": ["turn_around", "dispatch", "operands", "unit_queue"],
    "pending_ready": ["pending_ready"],
    "hazard": ["not_active", "port_hold", "unit_busy", "stall_count", "memory_order", "war", "waw", "control",
               "buffer_empty", "raw_short", "sb0", "sb1", "sb2", "sb3", "sb4", "sb5", "window_full", "raw_long",
               "copy_groups", "products", "mbarrier", "barrier", "draining"],
    "empty": ["fetch", "no_warp", "drained"],
}
STATE_OF = {cause: state for state, causes in STATES.items() for cause in causes}


def _objects(path):
    """The runs' objects in a folder or a file, in their written form."""
    file = path / "results.json" if path.is_dir() else path
    if not file.exists():
        problem = "has no results.json" if path.is_dir() else "is not there"
        raise ResultsError(f"{path}: {problem}; expected a folder of --results, or a file of --json")
    try:
        objects = json.loads(file.read_text())
    except (OSError, ValueError, RecursionError) as e:
        raise ResultsError(f"{file}: is not JSON ({e}); expected results as --results and --json write them") from None
    objects = objects if isinstance(objects, list) else [objects]
    if not objects:
        raise ResultsError(f"{file}: has no run; expected at least one")
    for number, run in enumerate(objects, 1):
        _check_object(run, f"{file}: run {number}")
    return objects


def _check_object(run, where):
    """Raises ResultsError if no run has written this. Each key with a unit must be a number, or an object of
    numbers."""
    if not isinstance(run, dict):
        raise ResultsError(f"{where}: is no run's object; expected results as --results and --json write them")
    for key in ("platform", "trace", "cycles", "ipc", "energy_pj"):
        if key not in run:
            raise ResultsError(f"{where}: is no run's object, for it has no '{key}'; expected results as --results and --json write "
                               "them")
    kinds = {**dict.fromkeys(["platform", "trace", "machine", "system", "member_of"], (str, "text")),
             **dict.fromkeys(["notes", "cautions"], (_is_list_of_texts, "a list of texts")),
             "energy_pj": (lambda v: _is_numbers(v) and "total" in v and _lies_within(v, LARGEST),
                           "an object of numbers from 0 to 1e18 with a total"),
             "swept": (lambda v: isinstance(v, dict), "an object")}
    for key, value in run.items():
        fits, expected = kinds.get(key) or _quantity(unit_of(key))
        if value is not None and not (isinstance(value, fits) if isinstance(fits, type) else fits(value)):
            raise ResultsError(f"{where}: '{key}' is {json.dumps(value)}; expected {expected}")
    if run["cycles"] == 0 and not run.get("counts"):
        raise ResultsError(f"{where}: 'cycles' is 0; expected at least 1")


LARGEST = 1e18  # no count, time or energy of a run is larger


def _quantity(unit):
    """A test of values for a column with this unit, and its words. Only ratios, whose overheads may be savings, may be
    below 0."""
    if unit is None:
        return object, ""
    if unit == "ratio":
        return _is_number_or_numbers, "a number"
    most, words = (1, "1") if unit == "0 to 1" else (LARGEST, "1e18")
    return lambda v: _is_number_or_numbers(v) and _lies_within(v, most), f"a number from 0 to {words}"


def _lies_within(value, most):
    return all(v is None or 0 <= v <= most for v in (value.values() if isinstance(value, dict) else [value]))


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_numbers(value):
    return isinstance(value, dict) and all(v is None or _is_number(v) for v in value.values())


def _is_number_or_numbers(value):
    return _is_number(value) or _is_numbers(value)


def _is_list_of_texts(value):
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


INTERVAL_COLUMNS = ["cycle", "instructions", "ipc", "source_operands", "cache_read_hits", "read_hit_ratio", "sthld", "state",
                    "energy_pj"]


def _read_intervals(file):
    """The rows of an intervals.csv. Raises ResultsError with the wrong line."""
    try:
        table = pandas.read_csv(file)
    except (ValueError, OSError) as e:
        raise ResultsError(f"{file}: is not CSV ({' '.join(str(e).split())}); expected intervals as a run writes them") from None
    if list(table) != INTERVAL_COLUMNS:
        raise ResultsError(f"{file}:1: another heading; expected '{','.join(INTERVAL_COLUMNS)}'")
    numbers = table.apply(pandas.to_numeric, errors="coerce")
    for row, column in zip(*numbers.isna().to_numpy().nonzero()):
        raise ResultsError(f"{file}:{row + 2}: {table.columns[column]} is '{table.iloc[row, column]}'; expected a number")
    late = numbers["cycle"].diff().fillna(numbers["cycle"]) <= 0
    if late.any():
        raise ResultsError(f"{file}:{late.idxmax() + 2}: cycle {numbers['cycle'][late.idxmax()]}; expected one after that of the "
                           "line before")
    return numbers


def _rows(path):
    """The object and the row of each run in a folder or a file."""
    for run in _objects(path):
        row = _flat({k: v for k, v in run.items() if k not in LISTS and k != "swept"})
        row["platform"] = run.get("member_of", run["platform"])
        row.pop("member_of", None)
        row.setdefault("member", 0)
        row.setdefault("machine", "")
        row.setdefault("system", _without_machine(row))  # results of older versions lack it
        row["swept"] = run.get("swept", {})
        row["kernel_group"] = "tensor" if run.get("tensor_instructions", 0) > 0 else "CUDA cores"
        row["file"] = str(path / "results.json" if path.is_dir() else path)
        row["folder"] = str(path / run["platform"] / run["trace"]) if path.is_dir() else None
        yield run, row


def _flat(an_object):
    """The object without objects in it. Their members are called OBJECT.MEMBER. Lists in them, such as a sample's
    kernels, are left out."""
    flat = {}
    for key, value in an_object.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{name}": member for name, member in value.items() if not isinstance(member, list)})
        else:
            flat[key] = tuple(value) if isinstance(value, list) else value
    return flat


def _identity(run):
    return {key: value for key, value in run.items() if key not in NOT_OF_RUN}


def _without_machine(row):
    on = row["machine"] + "/"
    return row["platform"][len(on):] if row["platform"].startswith(on) else row["platform"]


def _name_of(run):
    """The identity of a run, from an object or a row. The members of a platform share its name, and have a number."""
    return run.get("member_of", run["platform"]), run["trace"], run.get("member", 0)


def _numbers(column):
    """The column as numbers, if all its values are numbers."""
    try:
        return pandas.to_numeric(column)
    except ValueError:
        return column


def _short_names(keys, taken):
    """{key: the fewest of its last words in which no other key ends, and which are no column of results}"""
    names = {}
    for key in sorted(keys):
        words = key.split(".")
        ends = (".".join(words[-n:]) for n in range(1, len(words) + 1))
        free = (e for e in ends if e not in taken and not any(o != key and ("." + o).endswith("." + e) for o in keys))
        names[key] = next(free, f"set.{key}")
    return names


def _name_systems_apart(table, swept):
    """Platforms with no other difference, such as those that a folder has renamed, become systems of their own."""
    platforms = table.drop_duplicates("platform").fillna({c: "" for c in swept})
    alike = platforms[platforms.duplicated(["machine", "system", *swept], keep=False)]["platform"]
    rows = table["platform"].isin(alike)
    table.loc[rows, "system"] = [_without_machine(row) for _, row in table[rows].iterrows()]


def _with_units(table):
    table.attrs["units"] = {column: unit_of(column) for column in table if unit_of(column)}
    return table


def _members_of(runs, column, name):
    """A row for each run and member of one of its objects."""
    members = [c for c in runs if c.startswith(column + ".")]
    if not members:
        raise ResultsError(f"no run has {column}; expected rows of load() with all columns")
    table = runs.melt(RUN, members, name, column, ignore_index=False).dropna(subset=[column]).sort_index(kind="stable")
    table[name] = table[name].str[len(column) + 1:]
    return table.reset_index(drop=True)


def _of_runs(runs, rows_of):
    """The tables of all runs below each other, with the columns that name the runs."""
    tables = []
    for _, row in runs.iterrows():
        table = pandas.DataFrame(rows_of(row))
        if table.empty and len(runs) > 1:  # an empty table has no types that other runs' tables could have
            continue
        for place, column in enumerate(RUN):
            table.insert(place, column, row[column])
        tables.append(table)
    return _with_units(pandas.concat(tables, ignore_index=True) if tables else pandas.DataFrame(columns=RUN))


def _file_of(row, name):
    where = f"{row['platform']} on {row['trace']}"
    if not row["folder"]:
        raise ResultsError(f"{where}: {row['file']} is a file of --json, without {name}; expected a folder of --results")
    file = pathlib.Path(row["folder"]) / name
    if not file.exists():
        hint = "runs with --profile" if name == "profile.json" else "all files of a finished run"
        raise ResultsError(f"{file}: is not there; expected {hint}")
    return file
