"""Notes on runs that stand beside each other: runs' own notes, cautions, and differences that forbid a comparison."""
import json
import pathlib

import numpy

from . import compare
from .errors import ResultsError

# Cautions in the program's own words. The last two are of a comparison.
CAUTIONS = {
    "limit": "limit: near bits know the future, as no compiler does; the limit is not a scheme, and other platforms are compared with it",
    "few_decisions": "few STHLD decisions: fewer than 100, so the adaptive STHLD may not have settled",
    "few_waves": "few waves of CTAs: fewer than 10, so the end, where schedulers run out of warps, distorts IPC; compare ipc_busy, "
                 "the IPC over cycles in which schedulers had a warp",
    "within_noise": "within noise: the IPC does not differ from the first platform's by more than chance does",
    "energy_within_noise": "energy within noise: the energy does not differ from the first platform's by more than chance does",
}
NOISE_OF_ONE_RUN = 0.02  # a ratio of two IPCs that is closer to 1 may be chance
PRESETS_DISAGREE = "energy presets disagree: "
MARGIN = 0.005  # the least distance of a ratio of energies from 1


def compared(runs):
    """The runs with their cautions and notes against the first platform of this table. Cautions and notes against the first platform
    of the runs' own results are removed."""
    runs = runs.reset_index(drop=True)
    ipc, energy = compare.normalised(runs, "ipc"), compare.normalised(runs, "energy_pj.total")
    groups = runs.groupby(["platform", "trace"], sort=False).indices
    first, cautions, notes = runs["platform"].iloc[0], [], []
    for at, (_, run) in enumerate(runs.iterrows()):
        kept = [c for c in run["cautions"] if c in ("limit", "few_decisions", "few_waves")]
        members = groups[run["platform"], run["trace"]]
        if run["platform"] != first:
            if run["member"] == 0 and len(members) > 1:
                kept += ["within_noise"] * _may_be_one(ipc[members])
                kept += ["energy_within_noise"] * _may_be_one(energy[members])
            else:
                kept += ["within_noise"] * bool(ipc[at] != 1 and abs(ipc[at] - 1) < NOISE_OF_ONE_RUN)
        cautions.append(tuple(kept))
        notes.append(tuple(n for n in run["notes"] if not n.startswith(PRESETS_DISAGREE)))
    runs["cautions"], runs["notes"] = cautions, notes
    tables = {c.split(".")[1]: compare.normalised(runs, c) for c in runs if c.startswith("energy_by_preset_pj.")}
    for at, notes_of_run in enumerate(notes):
        ratios = {table: ratio[at] for table, ratio in tables.items()}
        saves = ", ".join(f"{table} ({ratio:.3f})" for table, ratio in ratios.items() if ratio < 1 - MARGIN)
        costs = ", ".join(f"{table} ({ratio:.3f})" for table, ratio in ratios.items() if ratio > 1 + MARGIN)
        if saves and costs:
            notes[at] = (*notes_of_run, f"{PRESETS_DISAGREE}less than {first} by {saves}; more by {costs}")
    runs["notes"] = notes
    return runs


def of_runs(runs):
    """All notes, with a text for each: runs' own notes, cautions, missing runs, and differences that forbid a
    comparison."""
    first = runs[runs["member"] == 0]
    texts = _differences(first)
    said = {}
    for _, run in first.iterrows():
        for note in run["notes"]:
            said.setdefault((run["platform"], note), []).append(run["trace"])
    texts += [f"{platform} on {', '.join(traces)}: {note}" for (platform, note), traces in said.items()]
    for name, words in CAUTIONS.items():
        has = first[first["cautions"].map(lambda names: name in names)]
        texts += [f"caution: {platform} on {', '.join(rows['trace'])}: {words}"
                  for platform, rows in has.groupby("platform", sort=False)]
    ran = set(zip(first["platform"], first["trace"]))
    for number, platform in enumerate(first["platform"].unique()):
        missing = [trace for trace in first["trace"].unique() if (platform, trace) not in ran]
        if missing:
            what = "its means are over the other traces" if number else "nothing is compared on such traces, and no mean has them"
            texts.append(f"{platform} did not run {', '.join(missing)}: {what}")
    return texts


def energy_tables(runs):
    """The shipped energy table behind each run's energy. None if no table gives that energy."""
    columns = [c for c in runs if c.startswith("energy_by_preset_pj.")]
    tables = [None] * len(runs)
    for column in reversed(columns):
        fits = numpy.isclose(runs[column].astype(float), runs["energy_pj.total"].astype(float), rtol=1e-9, atol=0)
        tables = [column.split(".")[1] if fit else table for fit, table in zip(fits, tables)]
    return tables


def of_files(results):
    """Notes on files of results: runs that are in several files, and keys that a file lacks. Raises ResultsError for
    files that are given twice, and for runs whose files are incomplete."""
    texts, seen, files = [], {}, []
    for path in map(pathlib.Path, results):
        file = path / "results.json" if path.is_dir() else path
        if any(file.samefile(other) for other in files):
            raise ResultsError(f"{file}: is given twice; expected each of the results once")
        files.append(file)
        objects = json.loads(file.read_text())
        for number, run in enumerate(objects if isinstance(objects, list) else [objects], 1):
            lacks = [key for key in ("ipc_busy", "stall_cycles", "energy_by_preset_pj", "area_mm2") if key not in run]
            if lacks and not run.get("counts"):
                texts.append(f"{file}: run {number}: has no {', '.join(lacks)}: results of another version of the program")
            name = f"{run['platform']} on {run['trace']}"
            if name in seen:
                texts.append(f"{name} is in {seen[name]} and in {file}, with the same results: it is shown once")
            seen.setdefault(name, file)
            if path.is_dir():
                texts += _of_folder(path / run["platform"] / run["trace"], file, run)
    return texts


def _of_folder(folder, file, run):
    """Notes on a run's folder, which must have the files that its record names."""
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is not there, although {file} lists the run; expected all files of a finished run")
    record = folder / "run.json"
    if record.exists():
        try:
            finished = json.loads(record.read_text())
            named, cycles = list(finished["files"]), finished["result"]["cycles"]
        except (ValueError, RecursionError, KeyError, TypeError):
            named, cycles = [], run.get("cycles")  # another version's
        for name in named:
            if not (folder / name).exists():
                raise ResultsError(f"{folder / name}: is not there, although run.json in its folder names it; expected all files of a "
                                   "finished run")
        if cycles != run.get("cycles"):
            raise ResultsError(f"{file}: has another result of {run['platform']} on {run['trace']} than {record}; expected "
                               "results as they were written")
    if not (folder / "intervals.csv").exists() and not run.get("counts"):
        return [f"{folder / 'intervals.csv'}: is not there, so that run has no course over time"]
    return []


def _differences(runs):
    """Differences between runs that forbid a comparison."""
    texts, one = [], runs.iloc[0]
    tables = energy_tables(runs)
    name = [f"{run['platform']} on {run['trace']}" for _, run in runs.iterrows()]
    others = [f"; {n} by {t or 'a table of its own'}" for n, t, pj in zip(name, tables, runs["energy_pj.total"])
              if t != tables[0] and pj > 0 and one["energy_pj.total"] > 0]
    if others:
        texts.append(f"energies are by different tables and do not compare: {name[0]} by {tables[0] or 'a table of its own'}"
                     + "".join(others))
    if "seed" in runs:
        others = [f"; {n} with {seed}" for n, seed in zip(name, runs["seed"]) if seed != one["seed"]]
        texts += [f"seeds differ: {name[0]} with {one['seed']}" + "".join(others)] if others else []
    return texts


def _may_be_one(ratios):
    """Whether the interval of a mean over seeds includes 1. An interval that is exactly a point does not."""
    if ratios.isna().any():
        return False
    half = compare.half_width(ratios.to_numpy())
    return bool(0 < half and abs(ratios.mean() - 1) <= half)
