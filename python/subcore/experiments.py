"""Figures that experiments describe (docs/reproduction.md): their numbers, and the numbers that papers state.

    figure = subcore.experiments.figures("experiments/papers/malekeh_arxiv.yaml")["malekeh_arxiv_12"]
    runs = subcore.load("reproduction/results/malekeh_arxiv")
    subcore.plot.described(runs, figure)
    subcore.experiments.stated(runs, figure)

A figure is a dictionary with the keys of docs/reproduction.md. Functions raise ResultsError if the runs lack a run or a
value of the figure.
"""
import fnmatch
import json
import posixpath
import subprocess

import numpy
import pandas

from . import compare, tables
from .errors import ProgramError, ResultsError, did_you_mean
from .program import program_file

NO_PART = "value"  # the part of a figure without parts


def figures(*experiments, program=None):
    """The figures of scenario files: {id: figure}. `program` and ProgramError are as in `subcore.run()`."""
    command = [program_file(program), "figures", *map(str, experiments), "--list", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ProgramError(done.stderr.strip().removeprefix("subcore: error: "), done.returncode)
    return {figure["id"]: figure for experiment in json.loads(done.stdout) for figure in experiment["figures"]}


def values(runs, figure):
    """The values of a figure: a table for each member of the runs. A table has a row for each trace, and a column for
    each series and part, (name, name). The part of a figure without parts is NO_PART.

    With `against` the values are ratios, and for `stacks` shares of a sum. A value is missing if a run does not have
    it, or would divide by 0.
    """
    series = _series(runs, figure)
    needed = list(dict.fromkeys([of for of, _ in series.values()] + [base for _, base in series.values() if base]))
    traces = _traces(runs, figure, needed)
    own = runs[runs["platform"].isin(needed) & runs["trace"].isin(traces)]
    parts = figure["parts"] or {NO_PART: figure["value"]}
    columns = pandas.MultiIndex.from_product([series, parts])
    if own.empty or figure["kind"] == "intervals":
        return [pandas.DataFrame(index=traces, columns=columns, dtype=float)]
    members = sorted(own["member"].unique())
    if own.groupby(["platform", "trace"])["member"].nunique().nunique() > 1:
        members = members[:1]
    place = [members, needed, traces]
    numbers = pandas.DataFrame({part: compare.column(own, value) for part, value in parts.items()})
    numbers = numbers.set_axis(pandas.MultiIndex.from_frame(own[["member", "platform", "trace"]]))
    numbers = numbers.reindex(pandas.MultiIndex.from_product(place)).to_numpy().reshape(*map(len, place), len(parts))
    shown = numbers[:, [needed.index(platform) for platform, _ in series.values()]]
    whole = numbers[:, [needed.index(base or platform) for platform, base in series.values()]]
    if figure["kind"] == "stacks":
        shown = quotient(shown, whole.sum(axis=3, keepdims=True))
    elif figure["against"]:
        shown = quotient(shown, whole)
    for name, platform, of_series in zip(series, series.values(), shown[0]):
        if not numpy.isfinite(of_series).any():
            raise ResultsError(f"no run of {platform[0]} has a value for {name}; expected results with "
                               f"'{figure['value'] or ', '.join(parts.values())}'")
    return [pandas.DataFrame(member.transpose(1, 0, 2).reshape(len(traces), -1), traces, columns) for member in shown]


def quotient(a, b):
    """a / b, of numbers or arrays. Missing if b is not above 0."""
    with numpy.errstate(all="ignore"):
        ratio = numpy.where(b > 0, a / b, numpy.nan)
    return numpy.where(numpy.isfinite(ratio), ratio, numpy.nan)


def mean(table, figure):
    """Means over the rows of `values()`: a series, by column. Geometric means are over values above 0."""
    return means_of(table, figure["mean"] == "geometric")


def means_of(table, geometric):
    """Means, by column, over the values that exist and are finite. Geometric means are over values above 0."""
    table = table.where(numpy.isfinite(table))
    return numpy.exp(numpy.log(table.where(table > 0)).mean()) if geometric else table.mean()


def stated(runs, figure):
    """The paper's numbers of a figure beside those of the runs, with a row for each number. The columns are `says`,
    `stated`, `ours`, `difference`, `spread` (the standard deviation over traces), `exceeds` (whether the difference is
    larger than that) and `because`. The runs' numbers are those of member 0. A number that no trace has is missing."""
    table = values(runs, figure)[0]
    rows = []
    for number in figure["stated"]:
        by_trace = _by_trace(table, number)
        ours = _at(by_trace, number, figure)
        spread = by_trace[numpy.isfinite(by_trace)].std(ddof=1)
        difference = ours - number["value"]
        rows.append({"says": number["says"], "stated": number["value"], "ours": ours, "difference": difference,
                     "spread": spread, "exceeds": bool(abs(difference) > spread),
                     "because": number["because"] or figure["because"]})
    columns = {"says": object, "stated": float, "ours": float, "difference": float, "spread": float, "exceeds": bool,
               "because": object}
    return pandas.DataFrame(rows, columns=list(columns)).astype(columns)


def bars(runs, figure):
    """Bars by trace, for `bars` and `lines`, with a row for each trace and series. The columns are `trace`, `series`,
    `system`, `value`, and `low` and `high`, the 95 % interval of a mean over seeds (missing for one run). If there are
    several traces, the first, `compare.MEAN`, is their mean. `lines` are of member 0."""
    tables = [_with_mean(table, figure).droplevel(1, axis=1) for table in values(runs, figure)]
    tables = tables[:1] if figure["kind"] == "lines" else tables
    return _long(runs, figure, tables, "trace")


def stacks(runs, figure):
    """Stacks by trace, with a row for each trace and series, the traces' mean first. The columns are `trace`, `series`
    and one for each part. With seeds, the numbers are those of member 0, and so is the mean."""
    table = _with_mean(values(runs, figure)[0], figure)
    rows = [{"trace": trace, "series": s["name"], **row[s["name"]]}
            for trace, row in table.iterrows() for s in figure["series"]]
    return pandas.DataFrame(rows)


def means(runs, figure):
    """Means of groups of traces, for `means`, with a row for each group and series. The column `group` replaces
    `trace`; the other columns are as of `bars()`."""
    of_groups = {name: tables for name, (tables, _) in groups(runs, figure).items()}
    members = min(map(len, of_groups.values()))
    tables = [pandas.DataFrame({name: mean(tables[m], figure).droplevel(1) for name, tables in of_groups.items()}).T
              for m in range(members)]
    return _long(runs, figure, tables, "group")


def shown(runs, figure):
    """The contents of a figure, as a table for readers. Its first columns are names."""
    kind = figure["kind"]
    if kind in ("bars", "lines"):
        return _wide(bars(runs, figure), "trace").reset_index()
    if kind == "means":
        means_of_groups, rows = _wide(means(runs, figure), "group"), []
        for name, (tables, has_rows) in groups(runs, figure).items():
            rows += [tables[0].droplevel(1, axis=1)] if has_rows else []
            rows.append(means_of_groups.loc[[name]])
        return pandas.concat(rows)[list(means_of_groups)].rename_axis("traces").reset_index()
    if kind == "stacks":
        table = stacks(runs, figure)
        return table.assign(sum=table[list(figure["parts"])].sum(axis=1))
    if kind == "pareto":
        less, more = figure["parts"]
        table = front(runs, figure)
        beaten_by = table["beaten_by"].replace("", "none").mask(table["is_limit"], "a limit, no scheme")
        return pandas.DataFrame({"scheme": table["series"], less: table["less"], more: table["more"],
                                 "KB per SM": table["storage_kb"], "beaten in all three by": beaten_by})
    if kind == "tornado":
        return tornado(runs, figure).set_axis(["value", "change", "end", "gain", "gain as it is", "against"], axis=1)
    table = intervals(runs, figure)
    return pandas.DataFrame({"platform": table["series"], "to cycle": table["cycle"], "IPC": table["ipc"],
                             "read hits": table["read_hit_ratio"], "STHLD cycles": table["sthld"], "power mW": table["power_mw"]})


def caption(runs, figure):
    """A remark that readers of a figure of this kind need. Empty for most kinds."""
    seeds = "Lines are 95 % intervals over seeds and starts (Student's t)."
    has_seeds = len(values(runs, figure)) > 1
    if figure["kind"] == "bars":
        return seeds if has_seeds else ""
    if figure["kind"] == "means":
        return "Means over traces; the numbers have each trace." + (f" {seeds}" if has_seeds else "")
    if figure["kind"] == "pareto":
        table = front(runs, figure)
        best = "; ".join(table[table["on_front_with_storage"]]["series"])
        return ("Means over traces. A line joins the schemes that no other beats in the two axes. Filled marks are schemes that "
                f"no other beats if storage counts, too: {best}.")
    if figure["kind"] == "tornado":
        return ("Against the baseline with the same change, if the baseline has what changes. Means over traces. A change "
                "without an effect has no bar.")
    if figure["kind"] == "intervals":
        table = intervals(runs, figure)
        return (f"The longest trace, {table['trace'].iloc[0]}. Means of intervals. A line ends with its run. Of more "
                "than 400 intervals, neighbours are drawn together.")
    return ""


def groups(runs, figure):
    """The traces that a figure of `means` averages together: {name with their number: (tables as of `values()`, whether
    the traces are in no other group)}."""
    tables = values(runs, figure)
    split, found = figure["split"], {}
    if split:
        has = _split(runs, figure, tables[0].index)
        found = {split["with"]: [t[has] for t in tables], split["without"]: [t[~has] for t in tables]}
    found[figure["group"]] = tables
    machines = runs["platform"].str.split("/").str[0].unique()
    for name, wanted in figure["beside"].items():
        there = [values(runs, _on_machine(figure, machine)) for machine in wanted if machine in machines]
        if there:
            found[name] = [pandas.concat(of_member) for of_member in zip(*there)]
    return {f"{name} ({len(of_group[0])})": (of_group, not split or name != figure["group"])
            for name, of_group in found.items()}


def front(runs, figure):
    """The points of `pareto`, with a row for each series. The columns are:

    * `series`, `system`, `less` and `more` (means over traces, of member 0);
    * `storage_kb` (of an SM), and `is_limit`, `on_front`, `on_front_with_storage` as of `compare.front()`;
    * `beaten_by`: the names of points that are as good in all three and better in one."""
    table = values(runs, figure)[0]
    less, more = (mean(table.xs(part, axis=1, level=1), figure) for part in figure["parts"])
    first = runs[(runs["trace"] == table.index[0]) & (runs["member"] == runs["member"].min())].set_index("platform")
    rows = [{"series": s["name"], "system": first["system"][s["platform"]], "less": less[s["name"]], "more": more[s["name"]],
             "storage_kb": first["operand_storage_bytes"][s["platform"]] / 1024,
             "is_limit": "limit" in first["cautions"][s["platform"]]} for s in figure["series"]]
    points = compare.with_front(pandas.DataFrame(rows).dropna(subset=["less", "more"]).reset_index(drop=True))
    others = points[~points["is_limit"]]
    points["beaten_by"] = ["; ".join(others[compare.beats(others, point, ["storage_kb"])]["series"])
                           for _, point in points.iterrows()]
    return points


def tornado(runs, figure):
    """The ends of `tornado`, with a row for each part, change and end. The columns are `part`, `change`, `setting` (the
    text behind `=` in the end's name), `value`, `middle` (the unchanged value) and `against` (the divisor). The numbers
    are means over traces, of member 0."""
    of_all, series = mean(values(runs, figure)[0], figure), _series(runs, figure)
    rows = [{"part": part, "change": change, "setting": end.partition("=")[2] or end, "value": of_all[end, part],
             "middle": of_all[figure["series"][0]["name"], part], "against": series[end][1]}
            for part in figure["parts"] for change, ends in figure["changes"].items() for end in ends]
    return pandas.DataFrame(rows).dropna(subset=["middle"]).reset_index(drop=True)


def intervals(runs, figure):
    """The course of `intervals`: rows of `compare.over_time()`, with `series`, for the trace that has most of them.
    Raises ResultsError if no platform has a course, as for files of --json."""
    traces = values(runs, figure)[0].index
    names = {s["platform"]: s["name"] for s in figure["series"]}
    own = runs[runs["platform"].isin(names) & runs["trace"].isin(traces) & (runs["member"] == runs["member"].min())]
    table = tables.intervals(own)
    if table.empty:
        raise ResultsError("no intervals of its platforms; expected a folder of --results")
    longest = table.groupby(["platform", "trace"]).size().reset_index(name="rows")
    longest["order"] = longest["trace"].map({t: n for n, t in enumerate(traces)})
    trace = longest.sort_values(["rows", "order"], ascending=[False, True])["trace"].iloc[0]
    course = compare.over_time(table[table["trace"] == trace])
    return course.assign(series=course["platform"].map(names))


def platforms(figure):
    """The platforms of a figure's series, including those on its other machines."""
    own = [s["platform"] for s in figure["series"]]
    machines = [machine for of_group in figure["beside"].values() for machine in of_group]
    return own + [_of_machine(machine, platform) for machine in machines for platform in own]


def means_by_table(runs, figure):
    """The means of a figure's energies, which are ratios, by each shipped energy table that all runs have. There is a
    row for each series (and part), and a column for each table. Without such energies, or with one table, there are no
    rows."""
    wanted = "energy_by_preset_pj."
    tables = [c for c in runs if c.startswith(wanted) and (runs[c] > 0).all()]
    energies = [value for value in figure["parts"].values() or [figure["value"]]
                if value == "energy_pj.total" or value.startswith(wanted)]
    if not figure["against"] or figure["kind"] == "stacks" or len(tables) < 2:
        return pandas.DataFrame()
    by_table = {t: mean(values(runs, {**figure, "parts": {}, "value": t})[0], figure).droplevel(1) for t in tables}
    means = pandas.DataFrame({t.removeprefix(wanted): numbers for t, numbers in by_table.items()})
    return pandas.concat([means] * len(energies)) if energies else pandas.DataFrame()


def _with_mean(table, figure):
    """The table, with the mean of its traces in front if there are several."""
    if len(table) < 2:
        return table
    return pandas.concat([mean(table, figure).to_frame(compare.MEAN).T, table])


def _long(runs, figure, tables, row):
    """The tables of members as one, with a row for each of their rows and columns, and with means and intervals over
    members."""
    middle, half = compare.spread(numpy.array(tables))
    middle = numpy.where(numpy.isfinite(middle), middle, tables[0])  # where a member lacks the value
    systems = runs.drop_duplicates("platform").set_index("platform")["system"]
    return pandas.DataFrame([
        {row: name, "series": s["name"], "system": systems[s["platform"]], "value": middle[r, n],
         "low": middle[r, n] - half[r, n], "high": middle[r, n] + half[r, n]}
        for r, name in enumerate(tables[0].index) for n, s in enumerate(figure["series"])])


def _wide(table, rows):
    """Values with a column for each series, and two more columns for its interval if there are intervals."""
    names, of_rows = list(table["series"].unique()), list(table[rows].unique())
    wide = table.pivot(index=rows, columns="series", values=["value", "low", "high"]).reindex(of_rows)
    columns = {}
    for name in names:
        columns[name] = wide["value", name]
        if wide["low", name].notna().any():
            columns.update({f"{name}, {end}": wide[end, name] for end in ("low", "high")})
    return pandas.DataFrame(columns)


def _split(runs, figure, traces):
    """Whether each trace has the value of `split`, by the first series."""
    first, value = figure["series"][0]["platform"], figure["split"]["value"]
    rows = runs[(runs["platform"] == first) & (runs["member"] == runs["member"].min())]
    has = pandas.Series(compare.column(rows, value).to_numpy(), rows["trace"]).reindex(traces)
    if has.isna().any():
        raise ResultsError(f"{first} on {traces[has.isna()][0]} has no value for split; expected results with '{value}'")
    return has > 0


def _series(runs, figure):
    """{name: (platform, the platform by which its values are divided, or nothing)}"""
    known = list(runs["platform"].unique())

    def there(platform):
        if platform not in known:
            raise ResultsError(f"no run of {platform}; expected results of every platform of the figure"
                               + did_you_mean(platform, known, ";"))
        return platform

    found = {}
    for s in figure["series"]:
        base = s["against"] or figure["against"] if figure["against"] else ""
        # The other platform may lack the part that a change is about. The change is then compared with that platform
        # unchanged.
        if figure["kind"] == "tornado" and base not in known:
            base = figure["against"]
        found[s["name"]] = (there(s["platform"]), base and there(base))
    return found


def traces(runs, figure):
    """The traces of a figure, in the order of the runs."""
    return list(values(runs, figure)[0].index)


def _traces(runs, figure, needed):
    """The traces of a figure with these platforms."""
    first = runs[runs["member"] == runs["member"].min()]
    have = {platform: set(rows["trace"]) for platform, rows in first.groupby("platform")}
    found = []
    for trace in runs["trace"].unique():
        called_for = not figure["traces"] or any(fnmatch.fnmatchcase(trace, pattern) for pattern in figure["traces"])
        if not called_for or not any(trace in have[p] for p in needed):
            continue
        for platform in needed:
            if trace not in have[platform]:
                raise ResultsError(f"no run of {platform} on {trace}; expected every platform of the figure on the same traces")
        found.append(trace)
    if not figure["where"]:
        return found
    rows = first[first["platform"] == needed[0]]
    try:
        numbers = pandas.Series(compare.column(rows, figure["where"]["value"]).to_numpy(), rows["trace"])
    except ResultsError:  # no run has counted it
        return []
    than = figure["where"]["than"]
    wanted = numbers > than if figure["where"]["above"] else numbers < than
    return [trace for trace in found if wanted[trace]]


def _by_trace(table, number):
    """The values of a stated number by trace, summed over its parts."""
    def of(series):
        return table[series][number["part"]].sum(axis=1, skipna=False) if number["part"] else table[series].iloc[:, 0]
    if number["over"]:
        return pandas.Series(quotient(of(number["of"]), of(number["over"])), table.index)
    return of(number["of"]) - of(number["minus"]) if number["minus"] else of(number["of"])


def _at(by_trace, number, figure):
    """The runs' value for a stated number, from its values by trace."""
    finite = by_trace[numpy.isfinite(by_trace)]
    if number["at"] == "mean":
        geometric = not number["minus"] and (figure["mean"] == "geometric" or bool(number["over"]))
        return means_of(by_trace.to_frame(), geometric).iloc[0]
    if number["at"] in ("highest", "lowest"):
        return finite.max() if number["at"] == "highest" else finite.min()
    # Several traces may have this name, if their folders differ: old/lud, new/lud.
    return finite[[number["at"] in (trace, posixpath.basename(trace)) for trace in finite.index]].mean()


def _of_machine(machine, platform):
    return f"{machine}/{platform.split('/', 1)[-1]}" if platform else ""


def _on_machine(figure, machine):
    """The figure for the same systems on another machine."""
    series = [{**s, "platform": _of_machine(machine, s["platform"]), "against": _of_machine(machine, s["against"])}
              for s in figure["series"]]
    return {**figure, "series": series, "against": _of_machine(machine, figure["against"])}
