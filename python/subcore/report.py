"""The report: saved results as one page of tables and figures, compared with the first platform of the first results.

`subcore report` makes it, and in Python `report.make(folder, results)`.
"""
import datetime
import hashlib
import json
import math
import pathlib

import numpy
import pandas

from . import __version__, compare, notes, page, plot, tables
from .compare import MEAN, word
from .errors import SubcoreError

MOST_NAMES = 8  # in a heading
HEADINGS = {"ipc_ratio": "IPC against the first platform", "ipc": "IPC", "hits": "Hits", "energy_by_table": "Energy by table",
            "front_energy": "IPC and energy", "front_area": "IPC and area of sub-cores", "energy": "Energy",
            "stalls": "Stall causes", "traffic": "Traffic"}  # titles of figures, in order; low figures come first and pair on wide screens
POINTS_OVER_TIME = 30000  # in all figures over time together
# Columns of runs that are no sums of counters, or that have their own heading in the table of runs.
NO_SUMS = set("""platform machine system trace kernel_group member member_of file folder cycles instructions_retired ipc ipc_busy
    source_operands cache_read_hits read_hit_ratio bank_reads bank_writes cache_writes bank_read_wait_cycles prefetches schedulers
    operand_storage_bytes area_normalised area_overhead chip_area_ratio chip_area_overhead energy_normalised ipc_normalised
    operands_checked stale_operands instructions_traced kernels ctas waves sthld_mean l1_hit_ratio l2_hit_ratio l1_stall_ratio
    l2_stall_ratio dram_stall_ratio notes cautions seed start_cycle wall_seconds""".split())
COURSES = {"ipc": ("IPC", 1, 3), "read_hit_ratio": ("read hits %", 100, 1), "sthld": ("STHLD cycles", 1, 0),
           "power_mw": ("power mW", 1, 2)}  # columns of figures' numbers: heading, scale, decimals


def make(folder, results, figures=False):
    """Writes page.html into an existing folder, from folders of --results and files of --json. With `figures`, also
    writes ID.svg, ID.pdf and ID.csv of each figure. Raises SubcoreError."""
    folder = pathlib.Path(folder)
    runs = notes.compared(tables.load(*results))
    texts = notes.of_files(results) + notes.of_runs(runs)
    sections = [page.Section("summary", "Summary", [table_of_means(runs)]), *_swept_section(runs, texts)]
    sections += [page.Section(f"{f.id}_section", HEADINGS[f.id], [f]) for f in compared_figures(runs)]
    if over_time := time_figures(runs):
        sections.append(page.Section("time", "Over time", over_time, folded=True))
    sections += [page.Section("runs_section", "Runs", [table_of_runs(runs)], link="Runs"),
                 page.Section("notes", "Notes", [texts, table_of_platforms(runs)])]
    drawn = [part for section in sections for part in section.parts if isinstance(part, page.Figure)]
    page.draw(drawn)
    (folder / "page.html").write_text(page.html(title_of(runs), _about(runs), sections, footer(runs)))
    if figures:
        page.write_figures(drawn, folder)


def title_of(runs):
    """The systems and the swept parameters, in at most two lines of a page."""
    swept = [f"{c} {_values(runs[c])}" for c in runs.attrs["swept"] if runs[c].nunique() > 1]
    return f"subcore: {_listed(runs['system'].unique())}" + (f", over {_listed(swept)}" if swept else "")


def _about(runs):
    return f"On {_listed(runs['trace'].unique())}, against {runs['platform'].iloc[0]}."


def _listed(names, most=MOST_NAMES):
    names = list(names)
    if len(names) > most:
        names[most - 1:] = [f"{len(names) - most + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _values(column):
    values = sorted(column.dropna().unique(), key=lambda v: (isinstance(v, str), v))
    return word(values[0]) + " to " + word(values[-1]) if not isinstance(values[0], str) and len(values) > 3 else \
        "/".join(map(word, values))


def _first(runs):
    return runs[runs["member"] == 0]


def _has_spread(runs):
    """Whether all platforms ran with the same number of seeds, and with several."""
    counts = runs.groupby(["platform", "trace"])["member"].nunique()
    return counts.nunique() == 1 and counts.iloc[0] > 1


def _range(low, high, decimals=3):
    return None if pandas.isna(low) or pandas.isna(high) else f"{low:.{decimals}f} to {high:.{decimals}f}"


# Tables

def table_of_means(runs):
    """A row for each platform: its means over the traces that it and the first platform ran."""
    first, base = _first(runs), runs["platform"].iloc[0]
    ipc, worst = _mean_ratios(runs, "ipc"), _worst_ipc(runs)
    ratio = {v: _mean_ratios(first, v)["value"] for v in ("bank_reads", "bank_writes", "energy_pj.total")}
    by_table = [_mean_ratios(first, c)["value"] for c in first if c.startswith("energy_by_preset_pj.")]
    has_spread, rows = _has_spread(runs), []
    traces = set(first[first["platform"] == base]["trace"])
    for platform, of_platform in first.groupby("platform", sort=False):
        shared = of_platform[of_platform["trace"].isin(traces)]
        energies = [e for t in by_table if not math.isnan(e := t[platform])]
        row = {"platform": platform, "machine": of_platform["machine"].iloc[0], "traces": len(shared),
               "IPC vs first": ipc["value"][platform]}
        if has_spread:
            row |= {"95 %": _range(ipc["low"][platform], ipc["high"][platform]), "worst": worst[platform]}
        row |= {"read hits %": 100 * shared["read_hit_ratio"].mean(),
                "bank reads vs first": ratio["bank_reads"][platform],
                "bank writes vs first": ratio["bank_writes"][platform],
                "energy vs first": ratio["energy_pj.total"][platform],
                "energy by tables": _range(min(energies), max(energies)) if len(energies) > 1 else None,
                "L1 hits %": 100 * shared["l1_hit_ratio"].mean() if "l1_hit_ratio" in shared else None,
                "cautions": ", ".join(f"{name} ({n})" for name in notes.CAUTIONS
                                      if (n := sum(name in c for c in of_platform["cautions"]))) or None}
        rows.append(row)
    decimals = {"read hits %": 1, "L1 hits %": 1, **dict.fromkeys(["IPC vs first", "worst", "bank reads vs first",
                                                                  "bank writes vs first", "energy vs first"], 3)}
    return page.Table("means", f"Means over traces, against {base} (geometric; of hits arithmetic)", _filled(rows), decimals)


def _mean_ratios(runs, value):
    """Rows of `compare.ratios()` for the mean, or for the only trace, by platform."""
    table = compare.ratios(runs, value)
    return table[table["trace"] == table["trace"].iloc[0]].set_index("platform")


def _worst_ipc(runs):
    """The worst of the seeds' mean ratios of IPC, by platform."""
    logs = numpy.log(compare.normalised(runs, "ipc"))
    return numpy.exp(logs.groupby([runs["platform"], runs["member"]]).mean()).groupby("platform").min()


def table_of_runs(runs):
    """A row for each run, of member 0."""
    first = _first(runs).reset_index(drop=True)
    table = pandas.DataFrame({"trace": first["trace"], "platform": first["platform"], "machine": first["machine"]})

    def take(heading, column, scale=1):
        if column in first:
            table[heading] = first[column] if scale == 1 else scale * first[column]
    take("cycles", "cycles")
    take("IPC", "ipc")
    take("IPC busy", "ipc_busy")
    table["IPC vs first"] = compare.normalised(first, "ipc")
    take("read hits %", "read_hit_ratio", 100)
    for column in ("bank_reads", "bank_writes", "cache_writes"):
        take(column.replace("_", " "), column)
    energy = first["energy_pj.total"]
    table["energy \N{MICRO SIGN}J"] = (1e-6 * energy).where(energy > 0)
    table["energy vs first"] = compare.normalised(first, "energy_pj.total")
    take("STHLD mean", "sthld_mean")
    take("L1 hits %", "l1_hit_ratio", 100)
    take("L2 hits %", "l2_hit_ratio", 100)
    take("storage KB per SM", "operand_storage_bytes", 1 / 1024)
    take("waves", "waves")
    by_table = pandas.DataFrame({c: compare.normalised(first, c) for c in first if c.startswith("energy_by_preset_pj.")})
    if by_table.shape[1] > 1:
        table["energy by tables"] = [_range(row.min(), row.max()) if row.notna().sum() > 1 else None
                                     for _, row in by_table.iterrows()]
    table["cautions"] = [", ".join(names) or None for names in first["cautions"]]
    for column in first:  # sums of counters, also those of a user's own main program
        if "." not in column and column not in NO_SUMS and column not in runs.attrs["swept"] and (first[column].notna().any()):
            take(column, column)
    order = {trace: number for number, trace in enumerate(first["trace"].unique())}
    table = table.iloc[sorted(range(len(table)), key=lambda n: order[first["trace"][n]])].reset_index(drop=True)
    decimals = {"read hits %": 1, "L1 hits %": 1, "L2 hits %": 1, "storage KB per SM": 1, "waves": 1, "STHLD mean": 2,
                **dict.fromkeys(["IPC", "IPC busy", "IPC vs first", "energy \N{MICRO SIGN}J", "energy vs first"], 3)}
    return page.Table("runs", "All runs", _filled(table), decimals)


def table_of_platforms(runs):
    """The origin of each platform: its machine's file, its energy table, and a hash of all its parameters."""
    first = _first(runs)
    rows = []
    for (platform, of_platform), table in zip(first.groupby("platform", sort=False), first.assign(
            table=notes.energy_tables(first)).groupby("platform", sort=False)["table"].first()):
        rows.append({"platform": platform, "machine file": of_platform["machine"].iloc[0], "energy table": table,
                     "hash of parameters and energy table": _short(_recorded(of_platform, "platform"))})
    return page.Table("platforms", "What ran", _filled(rows))


def _filled(rows):
    """The table without columns that no row has."""
    return pandas.DataFrame(rows).replace("", None).dropna(axis=1, how="all")


# Figures

def compared_figures(runs):
    """Figures of IPC, hits, energy, stalls and traffic by trace, and of fronts. Figures without runs are left out."""
    base, first = runs["platform"].iloc[0], _first(runs)
    several, is_wide = first["platform"].nunique() > 1, first["platform"].nunique() > plot.MOST_LINES
    shared = f"The mean is geometric, over the traces that a platform and {base} both ran."
    stack = "The mean is arithmetic, over the traces that a platform and the first one both ran."
    seeds = " Bars are means over seeds and starts, lines their 95 % intervals (Student's t)." if _has_spread(runs) else ""

    def figure(name, title, caption, draw, numbers, decimals):
        numbers = page.Table(name + "_numbers", title, numbers, {c: decimals for c in numbers})
        return page.Figure(name, title, caption, draw, numbers)

    made = [
        figure("ipc_ratio", f"IPC against {base}", f"More is better. {shared}{seeds}", lambda: plot.ratios(runs),
               _wide(compare.ratios(runs), "geo. mean"), 3),
        figure("ipc", "IPC", "Warp instructions per cycle, of the whole GPU. The mean is arithmetic, over the traces that all "
               f"platforms ran.{seeds}", lambda: plot.values(runs), _wide(compare.values(runs)), 3),
        figure("hits", "Read hits", "Source operands that came out of a collector or a register cache, not out of a bank. The mean "
               f"is over the traces that all platforms ran.{seeds}", lambda: plot.values(runs, "read_hit_ratio"),
               _wide(compare.values(runs, "read_hit_ratio"), scale=100, decimals=1), 1)]
    if (first["energy_pj.total"] > 0).any():
        made.append(figure(
            "energy", f"Energy by event, against {base}", f"Of the register-operand path, over the total of {base} on the same trace. "
            f"Absolute values are uncertain by about a factor of two. {stack}", lambda: plot.by_trace(plot.energy, runs),
            _stack_table(compare.energy(runs)), 3))
        by_table = [c for c in runs if c.startswith("energy_by_preset_pj.")]
        if len(by_table) > 1:
            made.append(figure(
                "energy_by_table", f"Energy by table, against {base}", "The same events by each shipped energy table: geometric means "
                f"over the traces that a platform and {base} both ran. Where a platform's bars are on both sides of 1, the "
                f"table decides whether the platform saves energy.{seeds}", lambda: plot.energy_by_table(runs),
                _wide(compare.energy_by_table(runs), row="platform", column="table"), 3))
    if any(c.startswith("stall_cycles.") for c in runs):
        made.append(figure(
            "stalls", f"Scheduler cycles by cause, against {base}", "The causes on which issue schedulers spent their cycles. A whole bar is "
            f"the run's time over that of {base} on the same trace. {stack}" + (" The numbers have each group's causes." * is_wide),
            lambda: plot.by_trace(plot.stalls, runs, detail=() if is_wide else True), _stack_table(compare.stalls(runs, True)), 3))
    if (first[list(compare.TRAFFIC.values())].sum(axis=1) > 0).any():
        made.append(figure(
            "traffic", f"Operand traffic, against {base}", "Operands read from and written to register banks and caches, over all "
            f"those of {base} on the same trace. {stack}", lambda: plot.by_trace(plot.traffic, runs),
            _stack_table(compare.traffic(runs)), 3))
    for name, less, what in (("front_energy", "energy_pj.total", "energy"), ("front_area", "area_mm2.total", "area of sub-cores")):
        if several and less in runs and len(front := compare.front(runs, less)) > 1:
            unbeaten = front[front["on_front_with_storage"]]
            made.append(figure(
                name, f"IPC and {what}", "Means over traces. Platforms that no other beats in IPC, costs and storage: " + _listed(
                    [f"{p['platform']}, {p['storage_kb']:g} KB" for _, p in unbeaten.iterrows()], 24) + ".",
                lambda less=less: plot.front(runs, less), _front_table(front, what, base), 3))
    return sorted(made, key=lambda f: list(HEADINGS).index(f.id))


def _wide(table, mean=MEAN, row="trace", column="platform", scale=1, decimals=3):
    """Rows of `compare.ratios()` as a table of traces by platforms, with their intervals."""
    columns = {}
    for name in table[column].unique():
        of_name = table[table[column] == name].set_index(row)
        columns[name] = scale * of_name["value"]
        if of_name["low"].notna().any():
            columns[f"{name}, 95 %"] = pandas.Series({
                at: _range(scale * r["low"], scale * r["high"], decimals) for at, r in of_name.iterrows()})
    wide = pandas.DataFrame(columns).reindex(table[row].unique()).rename(index={MEAN: mean})
    return wide.rename_axis(row).reset_index()


def _stack_table(table):
    parts = [c for c in table if c not in ("platform", "system", "trace", "least", "most")]
    out = table[["trace", "platform"]].assign(sum=table[parts].sum(axis=1))
    out = out.join(table[[p for p in parts if (table[p] > 0).any()]])
    return out.join(table[["least", "most"]].add_suffix(" of tables")) if "least" in table else out


def _front_table(front, what, base):
    def beaten_by(point):
        if point["is_limit"]:
            return "a limit, no scheme"
        better = front[~front["is_limit"] & compare.beats(front, point, ["storage_kb"])]
        return "; ".join(better["platform"]) or "none"
    return pandas.DataFrame({"platform": front["platform"], f"{what}, {base} = 1": front["less"], f"IPC, {base} = 1": front["more"],
                             "KB per SM": front["storage_kb"], "beaten in all three by": [beaten_by(p) for _, p in front.iterrows()]})


def _swept_section(runs, texts):
    """A section about the sweep, if there was one. `texts` names the parts that cannot be drawn."""
    swept = [c for c in runs.attrs["swept"] if runs[c].nunique() > 1]
    if not swept:
        return []
    base, parts, is_curve = runs["platform"].iloc[0], [], False
    for system in runs[runs[swept].notna().any(axis=1)]["system"].unique():
        rows = runs[runs["system"] == system]
        own = [c for c in swept if rows[c].nunique() > 1]
        is_varied = len(own) > 1 and rows[own].isna().all(axis=1).any()
        is_swept = rows[own].notna().all(axis=1).all()
        try:
            if is_varied:
                numbers = compare.tornado(runs[runs["system"].isin([system])], "ipc")
                draw = lambda rows=rows: plot.tornado(rows)
                what = "How far IPC moves when one parameter or variation changes, against the unchanged system."
            elif is_swept and len(own) == 1 and not is_curve:
                numbers, is_curve = compare.curve(runs, own[0]), True
                draw = lambda own=own: plot.curve(runs, own[0])
                what = "IPC: means over traces, and a band from the least to the most of them."
            elif is_swept and len(own) > 1:
                x, y, *panels = sorted(own, key=lambda c: -rows[c].nunique())
                numbers = _grid_table(runs, x, y, panels, system)
                draw = lambda system=system: plot.sweep(runs, system=system)
                what = "IPC: geometric means over traces. A hatched cell did not run, or was refused."
            else:
                continue
            name = "sweep_" + "".join(c if c.isalnum() else "_" for c in system)
            title = f"{system} over {_listed(own)}"
            parts.append(page.Figure(name, title, f"{what} {base} is 1." if not is_varied else what, draw,
                                     page.Table(name + "_numbers", title, numbers.drop(columns="width", errors="ignore"),
                                                dict.fromkeys(["value", "least", "most"], 3))))
        except SubcoreError as e:
            texts.append(f"no figure of the sweep of {system}: {e}")
    return [page.Section("sweep", f"Sweep of {_listed(runs.attrs['swept'][c] for c in swept)}", parts, link="Sweep")] if parts else []


def _grid_table(runs, x, y, panels, system):
    """The cells of a sweep's heat maps, with a row for each."""
    grids = compare.grids(runs, x, y, panels, system=system) if panels else {(): compare.grid(runs, x, y, system=system)}
    return pandas.DataFrame([
        {**dict(zip(panels, values)), y: at_y, x: at_x, "value": grid.loc[at_y, at_x]}
        for values, grid in grids.items() for at_y in grid.index for at_x in grid.columns])


def time_figures(runs):
    """Figures over time, one for each trace for which some run has intervals."""
    first = _first(runs)
    has = [folder is not None and (pathlib.Path(folder) / "intervals.csv").exists() for folder in first["folder"]]
    timed = first[has]
    for column in [c for c in timed if c.startswith("counts.")]:  # a count has no course over time
        timed = timed[timed[column].isna()]
    if timed.empty:
        return []
    most = max(20, min(400, POINTS_OVER_TIME // len(timed)))
    every = tables.intervals(timed)
    together = compare.over_time(every, most)
    made, traces = [], list(first["trace"].unique())
    for number, trace in enumerate(traces, 1):
        rows, of_trace = timed[timed["trace"] == trace], together[together["trace"] == trace]
        if of_trace.empty:
            continue
        name = f"intervals_{number:0{len(str(len(traces)))}}_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in trace)
        columns = {"platform": of_trace["platform"], "to cycle": of_trace["cycle"]}
        decimals = {}
        for column, (heading, scale, places) in COURSES.items():
            if (of_trace[column] != 0).any() or column in ("ipc", "read_hit_ratio"):
                columns[heading], decimals[heading] = scale * of_trace[column], places
        caption = "Means of intervals. A line ends with its run."
        if (every[every["trace"] == trace].groupby("platform").size() > most).any():
            caption += f" Of more than {most} intervals, neighbours are drawn together."
        made.append(page.Figure(name, trace, caption, lambda rows=rows, trace=trace, of_trace=of_trace: plot.courses(
            rows, trace, intervals=of_trace), page.Table(name + "_numbers", f"{trace} over time", pandas.DataFrame(columns), decimals)))
    return made


# The origin of the page

def footer(runs):
    """The program and the files from which the page was made."""
    of = origin(runs)
    texts = [f"Made by subcore {__version__} of {of['results']}, the newest of {of['newest']} UTC."]
    texts += [f"Machine files: {of['machine files']}."] if of["machine files"] else []
    texts += [f"Energy tables: {of['energy tables']}."] if of["energy tables"] else []
    if hashes := ", ".join(f"{what} {of[what]}" for what in ("program", "platforms", "traces") if of[what]):
        texts.append(f"Hashes: {hashes}. Those of each platform are in the table of what ran.")
    return texts


def origin(runs):
    """The origin of the runs, in words: `results`, `newest` (a date of their files), `machine files`, `energy tables`,
    and hashes of `program`, `platforms` and `traces`."""
    files = [pathlib.Path(f) for f in runs["file"].unique()]
    newest = datetime.datetime.fromtimestamp(max(f.stat().st_mtime for f in files), datetime.timezone.utc)
    machines = [m for m in runs["machine"].unique() if m]
    energies = [t for t in dict.fromkeys(notes.energy_tables(runs)) if t]
    hashes = {what: dict.fromkeys(filter(None, (_recorded(rows, key) for _, rows in runs.groupby(by, sort=False))))
              for what, key, by in (("program", "program", "platform"), ("platforms", "platform", "platform"), ("traces", "trace", "trace"))}
    return {"results": _listed(map(str, files)), "newest": f"{newest:%Y-%m-%d %H:%M}",
            "machine files": _listed(machines) if machines else "", "energy tables": _listed(energies) if energies else "",
            **{what: _short(_joined(all_of)) if all_of else "" for what, all_of in hashes.items()}}


def _recorded(rows, key):
    """A hash of the first run.json of these runs."""
    for folder in rows["folder"].dropna():
        try:
            return json.loads((pathlib.Path(folder) / "run.json").read_text())[key]
        except (OSError, ValueError, RecursionError, KeyError):
            continue
    return None


def _joined(hashes):
    """The hash, if there is one. A hash of the hashes, if there are several."""
    return next(iter(hashes)) if len(hashes) == 1 else hashlib.sha1("\n".join(hashes).encode()).hexdigest()


def _short(text):
    return text and text[:8]
