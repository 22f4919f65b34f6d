"""The numbers of figures: runs against each other, means over traces, intervals over seeds.

All functions take a table of `subcore.load()`, or rows of it. Each run is divided by a run of `against`, on the same
trace, with the same seed and start. `against` is a platform, or a register system. For a register system, the other run
is the one with the same swept parameters on the same machine. The default is the platform of the first row. `value` is
a number of runs, as `column()` takes it.
"""
import numpy
import pandas
from scipy import special

from .errors import ResultsError, did_you_mean

MEAN = "mean"  # in place of a trace: the mean over traces, which always comes first
CONFIDENCE = 0.95  # of intervals over seeds
TRAFFIC = {"bank reads": "bank_reads", "bank writes": "bank_writes", "cache reads": "cache_read_hits",
           "cache writes": "cache_writes"}
OPTIONAL = ["counts", "memory_stall_cycles", "memory_stall_ratios"]  # members that such an object lacks are unknown
STALL_GROUPS = {
    "issued": ["issue"],
    "held back": ["waiting", "not_active", "pending_ready"],
    "no collector": ["turn_around", "dispatch", "operands", "unit_queue"],
    "short results": ["raw_short", "war", "waw", "stall_count"],
    "long results": ["raw_long", "sb0", "sb1", "sb2", "sb3", "sb4", "sb5", "memory_order", "copy_groups", "products"],
    "barriers": ["barrier", "mbarrier"],
    "units and windows": ["unit_busy", "port_hold", "window_full"],
    "no instruction": ["fetch", "buffer_empty", "control", "draining", "no_warp", "drained"],
}


def normalised(runs, value="ipc", against=None):
    """Each run's value over that of `against`: a series with the index of `runs`. Missing if one of the two values is
    missing or not above 0. `value` is a column."""
    index, runs = runs.index, _numbered(runs)
    numbers = column(runs, value)
    base = _base(runs, numbers, against)
    return (numbers / base).where((numbers > 0) & (base > 0)).set_axis(index)


def ratios(runs, value="ipc", against=None):
    """A column against a platform, with a row for each platform and trace. The columns are `platform`, `system`,
    `trace`, `value` (a ratio), `low` and `high`. The last two are the 95 % interval of a mean over seeds (Student's t),
    and missing for one run.

    The first rows, with trace `mean`, are geometric means over the traces that a platform and `against` both ran.
    """
    runs = _numbered(runs)
    tables = _by_member(runs, normalised(runs, value, against))
    return _spread(runs, [_with_mean(t, numpy.exp(numpy.log(t).mean(axis=1))) for t in tables])


def values(runs, value="ipc"):
    """A column in its own unit: rows as of `ratios()`. Means are arithmetic, over the traces that all platforms ran."""
    runs = _numbered(runs)
    tables = _by_member(runs, column(runs, value))
    return _spread(runs, [_with_mean(t, t.dropna(axis=1).mean(axis=1)) for t in tables])


def energy(runs, against=None):
    """Energy by event over the total of `against`, with a row for each platform and trace. The columns are `platform`,
    `system`, `trace`, one for each event that some run has, `least` and `most`. The last two are the total's range over
    the shipped energy tables.

    The first rows are arithmetic means over the traces that a platform and `against` both ran. With seeds, the numbers
    are those of member 0.
    """
    first = _first_members(runs)
    stack = _stack(first, _parts(first, "energy_pj", without="total"), first["energy_pj.total"], against)
    tables = [c for c in first if c.startswith("energy_by_preset_pj.")]
    by_table = pandas.concat([_of_groups(first, normalised(first, t, against)) for t in tables], axis=1)
    for name, ends in (("least", by_table.min(axis=1)), ("most", by_table.max(axis=1))):
        stack[name] = ends.reindex(pandas.MultiIndex.from_frame(stack[["trace", "platform"]])).to_numpy()
    return stack


def energy_by_table(runs, against=None):
    """The same events by each shipped energy table, with a row for each platform and table. The columns are `platform`,
    `system`, `table`, `value` (the geometric mean over traces of ratios to `against`), and `low` and `high` as of
    `ratios()`."""
    columns = [c for c in runs if c.startswith("energy_by_preset_pj.")]
    tables = [ratios(runs, c, against).assign(table=c.split(".")[1]) for c in columns]
    means = [t[t["trace"] == t["trace"].iloc[0]] for t in tables]
    return pandas.concat(means, ignore_index=True)[["platform", "system", "table", "value", "low", "high"]]


def stalls(runs, detail=(), against=None):
    """Cycles of the issue schedulers by what they did, over the cycles of `against`, with a row for each platform and
    trace. The columns are `platform`, `system`, `trace`, and one for each of the eight STALL_GROUPS.

    `detail` has the groups that are split into their causes, or is True for all groups. Means and seeds are as of
    `energy()`.
    """
    detail = list(STALL_GROUPS) if detail is True else [detail] if isinstance(detail, str) else detail
    for name in detail:
        if name not in STALL_GROUPS:
            raise ResultsError(f"detail '{name}': no such group of stalls; expected one of {', '.join(STALL_GROUPS)}")
    first = _first_members(runs)
    causes = _parts(first, "stall_cycles").div(first["schedulers"], axis=0)
    parts = pandas.DataFrame(index=first.index)
    for name, group in STALL_GROUPS.items():
        group = [c for c in group if c in causes]
        parts = parts.join(causes[group] if name in detail else causes[group].sum(axis=1).rename(name))
    return _stack(first, parts, first["cycles"], against)


def traffic(runs, against=None):
    """Operands read and written, over all those of `against`, with a row for each platform and trace. The columns are
    `platform`, `system`, `trace`, and one for each of TRAFFIC. Means and seeds are as of `energy()`."""
    first = _first_members(runs)
    parts = first[list(TRAFFIC.values())].set_axis(list(TRAFFIC), axis=1)
    return _stack(first, parts, parts.sum(axis=1), against)


def curve(runs, x, value="ipc", against=None):
    """A column against a platform, over a swept parameter, with a row for each system and value of `x`. The columns are
    `system`, `x`, `value` (the geometric mean over traces), and `least` and `most` of the traces. A system without the
    parameter has one row, whose `x` is missing."""
    _require_swept(runs, x)
    runs = _numbered(runs)
    table = _means(runs, normalised(runs, value, against), [x])
    return table.sort_values(["order", x], kind="stable").drop(columns="order").reset_index(drop=True)


def grid(runs, x, y, value="ipc", against=None, system=None):
    """A column against a platform, over two swept parameters: a table of geometric means over traces. Its index has the
    values of `y`, and its columns those of `x`. Runs that are missing or were refused leave a missing value. The table
    is of `system`, or of the only system that has both parameters."""
    _require_swept(runs, x, y)
    runs = _numbered(runs)
    return _grid(runs, normalised(runs, value, against), x, y, system)


def grids(runs, x, y, panels, value="ipc", against=None, system=None):
    """A grid as of `grid()` for each value of a third swept parameter, or for all values of a list of parameters. The
    result is {values: table}, in which `values` is a tuple."""
    panels = [panels] if isinstance(panels, str) else list(panels)
    _require_swept(runs, x, y, *panels)
    runs = _numbered(runs)
    ratio = normalised(runs, value, against)
    of_system = runs if system is None else runs[runs["system"] == system]
    places = of_system.dropna(subset=[x, y, *panels])[panels].drop_duplicates().sort_values(panels)
    return {values: _grid(of_system[(of_system[panels] == values).all(axis=1)], ratio, x, y, system)
            for values in places.itertuples(index=False, name=None)}


def front(runs, less="energy_pj.total", more="ipc", against=None):
    """Platforms by two columns, one better if it is less and the other if it is more, with a row for each platform. The
    columns are:

    * `platform` and `system`;
    * `less` and `more`: geometric means of ratios over traces, of member 0;
    * `storage_kb`: of an SM;
    * `is_limit`: the platform knows the future, and counts as beating none;
    * `on_front`: no platform is better in one column and as good in the other;
    * `on_front_with_storage`: the same with storage as a third column."""
    first = _first_members(runs)
    table = pandas.DataFrame({name: _of_groups(first, normalised(first, value, against), geometric=True).loc[MEAN]
                              for name, value in (("less", less), ("more", more))})
    both = first[normalised(first, more, against).notna()]
    table["storage_kb"] = both.groupby("platform")["operand_storage_bytes"].mean() / 1024
    table["is_limit"] = first["cautions"].map(lambda names: "limit" in names).groupby(first["platform"]).any()
    table = table.dropna(subset=["less", "more"])
    table = with_front(table)
    table.insert(0, "system", _systems(first).reindex(table.index))
    return table.rename_axis("platform").reset_index()


def with_front(points):
    """The points with their columns `less`, `more`, `storage_kb` and `is_limit`, and with `on_front` and
    `on_front_with_storage`."""
    others = points[~points["is_limit"]]
    def on_front(also_less):
        return [not point["is_limit"] and not beats(others, point, also_less).any() for _, point in points.iterrows()]
    return points.assign(on_front=on_front([]), on_front_with_storage=on_front(["storage_kb"]))


def tornado(runs, value="ipc", against=None):
    """How far a column moves when one thing changes, for a system that ran unchanged and with variations. There is a
    row for each variation, with `change` (the parameters), `setting` (their values) and `value` (the geometric mean of
    ratios over traces). The changes that move most come first. `attrs["middle"]` is the value of the unchanged system,
    which is also the default of `against`. `attrs["base"]` is its platform."""
    swept = _swept(runs)
    varied = runs[runs[swept].notna().any(axis=1)]
    if varied["system"].nunique() != 1:
        raise ResultsError(f"variations of {', '.join(varied['system'].unique()) or 'no system'}; expected variations of one system")
    as_it_is = runs[(runs["system"] == varied["system"].iloc[0]) & runs[swept].isna().all(axis=1)]
    if as_it_is.empty:
        raise ResultsError(f"{varied['system'].iloc[0]} did not run as it is; expected variations, as by 'vary'")
    base = as_it_is["platform"].iloc[0]
    means = ratios(runs, value, against or base)
    means = means[means["trace"] == means["trace"].iloc[0]].set_index("platform")["value"]
    rows = []
    for platform, row in varied.drop_duplicates("platform").set_index("platform").iterrows():
        changed = row[swept].dropna()
        rows.append({"change": ", ".join(changed.index), "setting": ", ".join(map(word, changed)), "value": means[platform]})
    table = pandas.DataFrame(rows)
    middle = means[base]
    table = widest_first(table, middle)
    table.attrs.update(middle=middle, base=base)
    return table


def widest_first(table, middle):
    """The changes of a tornado, ordered by how far `value` goes from the middle, the widest first."""
    ends = table.groupby("change")["value"]
    width = numpy.maximum(ends.max(), middle) - numpy.minimum(ends.min(), middle)
    order = table["change"].map(width).sort_values(ascending=False, kind="stable").index
    return table.loc[order].reset_index(drop=True)


def over_time(intervals, most=400):
    """Rows of `subcore.intervals()`. If a run has more than `most`, neighbours are merged, weighted by their times.
    With seeds, the rows are those of member 0."""
    merged = []
    for _, rows in intervals[intervals["member"] == 0].groupby(["platform", "trace"], sort=False):
        together = -(-len(rows) // most)
        if together < 2:
            merged.append(rows)
            continue
        groups = rows.assign(sthld=rows["sthld"] * (rows["cycle"] - rows["begin"]),
                             power_mw=rows["power_mw"] * (rows["cycle"] - rows["begin"])).groupby(
                                 numpy.arange(len(rows)) // together)
        sums = groups[["instructions", "source_operands", "cache_read_hits", "energy_pj", "sthld", "power_mw"]].sum()
        out = groups[["platform", "machine", "system", "trace", "member"]].first()
        out = out.assign(begin=groups["begin"].first(), cycle=groups["cycle"].last(), **sums)
        cycles = out["cycle"] - out["begin"]
        merged.append(out.assign(ipc=out["instructions"] / cycles, sthld=out["sthld"] / cycles,
                                 power_mw=out["power_mw"] / cycles,
                                 read_hit_ratio=(out["cache_read_hits"] / out["source_operands"]).fillna(0)))
    return pandas.concat(merged, ignore_index=True)


def column(runs, value):
    """A number of each run: a series with the index of `runs`. `value` is a column, a sum of columns, or one sum over
    another, as `bank_reads + bank_writes` or `cache_writes / bank_writes`. Missing if a run does not have it, or
    divides by 0."""
    sums = [sum(_term(runs, term.strip()) for term in text.split("+")) for text in value.split("/")]
    if len(sums) > 2:
        raise ResultsError(f"'{value}': more than one '/'; expected a sum of columns, or one sum over another")
    return sums[0] if len(sums) == 1 else (sums[0] / sums[1]).where(sums[1] != 0)


def _term(runs, name):
    if name not in runs:
        raise ResultsError(f"'{name}': no run has this column;{did_you_mean(name, runs)} expected a column of the runs, as ipc or "
                           "energy_pj.total")
    numbers = pandas.to_numeric(runs[name]).astype(float)
    of_object = name.split(".")[0]
    if "." not in name or of_object in OPTIONAL:
        return numbers
    # A member that a run leaves out is 0, unless the run has no such object at all.
    members = [c for c in runs if c.startswith(of_object + ".")]
    return numbers.fillna(0).where(runs[members].notna().any(axis=1))


def half_width(numbers):
    """Half the 95 % interval of the mean of numbers over members, along the first axis (Student's t)."""
    quantile = special.stdtrit(len(numbers) - 1, 0.5 + CONFIDENCE / 2)
    return quantile * numbers.std(axis=0, ddof=1) / numpy.sqrt(len(numbers))


def cautions(runs):
    """Reasons not to take the runs as results: a text for each caution of docs/results.md that some run has, with the
    systems of those runs: `few_waves: all`, `within_noise: malekeh, rfc (2 of 6 runs)`."""
    first = _first_members(runs)
    if "cautions" not in first:
        return []
    texts = []
    for name in ("limit", "few_decisions", "few_waves", "within_noise", "energy_within_noise"):
        has = first["cautions"].map(lambda names: name in names)
        systems = has.groupby(first["system"], sort=False).agg(["sum", "size"]).query("sum > 0")
        of = (f"{system}" if n == of_all else f"{system} ({n} of {of_all} runs)" for system, n, of_all in systems.itertuples())
        texts += [f"{name}: {'all' if has.all() else ', '.join(of)}"] if has.any() else []
    return texts


def _swept(runs):
    return [column for column in runs.attrs.get("swept", {}) if column in runs]


def _require_swept(runs, *columns):
    swept = _swept(runs)
    for column in columns:
        if column not in swept:
            raise ResultsError(f"'{column}' was not swept; expected one of {', '.join(swept) or 'the parameters of a sweep'}")


def _numbered(runs):
    """The rows under a new index, because a table that a user has put together may have an index number twice."""
    return runs.reset_index(drop=True)


def _base(runs, numbers, against):
    """For each run, the number of the run by which it is divided, if there is one."""
    if against is None:
        against = runs["platform"].iloc[0]
    keys, rows = ["trace", "member"], runs[runs["platform"] == against]
    if rows.empty:
        rows = runs[runs["system"] == against]
        keys = ["machine", *keys, *(c for c in _swept(runs) if rows[c].notna().all())]
    if rows.empty:
        raise ResultsError(f"'{against}': no such platform or system; expected one of {', '.join(runs['system'].unique())}")
    if rows.duplicated(keys).any():
        raise ResultsError(f"'{against}': is {', '.join(rows['platform'].unique())}; expected one of these platforms")
    return runs[keys].merge(rows[keys].assign(base=numbers[rows.index]), "left", keys)["base"]


def _systems(runs):
    return runs.drop_duplicates("platform").set_index("platform")["system"]


def _first_members(runs):
    return _numbered(runs[runs["member"] == runs["member"].min()])


def _by_member(runs, numbers):
    """A table of platforms by traces for each member, in the order of the rows. If platforms have different numbers of
    members, only the first member's."""
    counts = runs.groupby(["platform", "trace"])["member"].nunique()
    if counts.nunique() > 1:
        runs = _first_members(runs)
    runs = runs.assign(number=numbers)
    shape = {"index": runs["platform"].unique(), "columns": runs["trace"].unique()}
    return [of_member.pivot(index="platform", columns="trace", values="number").reindex(**shape)
            for _, of_member in runs.groupby("member")]


def _with_mean(table, mean):
    if table.shape[1] > 1:
        table.insert(0, MEAN, mean)
    return table


def spread(numbers):
    """Means of an array over its first axis, which is that of members, and half of their 95 % intervals (Student's t).
    Intervals are missing for one member."""
    mean, half = numbers.mean(axis=0), numpy.full(numbers.shape[1:], numpy.nan)
    if len(numbers) > 1:
        half = half_width(numbers)
    return mean, half


def _spread(runs, tables):
    """The means over members and their intervals, with a row for each platform and trace."""
    mean, half = spread(numpy.array([t.to_numpy() for t in tables]))
    platforms, traces = tables[0].index, tables[0].columns
    systems = _systems(runs)
    return pandas.DataFrame([
        {"platform": platform, "system": systems[platform], "trace": trace, "value": mean[p, t],
         "low": mean[p, t] - half[p, t], "high": mean[p, t] + half[p, t]}
        for t, trace in enumerate(traces) for p, platform in enumerate(platforms)])


def _of_groups(runs, numbers, geometric=False):
    """Numbers of one member, and their means over traces, by trace and platform."""
    table = _by_member(runs, numbers)[0]
    mean = numpy.exp(numpy.log(table).mean(axis=1)) if geometric else table.mean(axis=1)
    table = table.drop(columns=MEAN, errors="ignore")
    table.insert(0, MEAN, mean)
    return table.unstack().rename(numbers.name)


def _parts(runs, column, without=""):
    """A column for each member of an object that is above 0 in some run."""
    parts = runs[[c for c in runs if c.startswith(column + ".")]].fillna(0)
    parts.columns = [c[len(column) + 1:] for c in parts]
    return parts.loc[:, (parts > 0).any() & (parts.columns != without)]


def _stack(runs, parts, whole, against):
    """Parts over the whole of `against`, with a row for each platform and trace that has them, the mean first."""
    shares = parts.div(_base(runs, whole, against), axis=0)
    shares = shares.where(shares.sum(axis=1) > 0).astype(float)
    shares = shares[numpy.isfinite(shares).all(axis=1)].join(runs[["platform", "system", "trace"]])
    means = shares.groupby(["platform", "system"], sort=False)[list(parts)].mean().reset_index().assign(trace=MEAN)
    groups = [means] if runs["trace"].nunique() > 1 else []
    groups += [shares[shares["trace"] == trace] for trace in runs["trace"].unique()]
    return pandas.concat(groups, ignore_index=True)[["platform", "system", "trace", *parts]]


def _means(runs, ratio, axes):
    """Means over traces of each system at each point of the axes, with `order`, the systems' order."""
    place = ["machine", "system", *axes]
    points = runs.drop_duplicates("platform")
    twice = points[points.duplicated(place, keep=False)]
    if not twice.empty:
        others = [c for c in _swept(runs) if c not in axes and twice[c].nunique() > 1]
        raise ResultsError(f"{twice['platform'].iloc[0]} and {twice['platform'].iloc[1]} are one point of {', '.join(axes)}; "
                           f"expected one value of {', '.join(others) or 'all else'}")
    table = runs[[*place, "trace"]].assign(ratio=ratio).dropna(subset=["ratio"])
    if table["machine"].nunique() > 1:
        table["system"] = table["machine"] + "/" + table["system"]
    of_trace = table.groupby(["system", *axes, "trace"], dropna=False, sort=False)["ratio"].mean().reset_index()
    groups = of_trace.groupby(["system", *axes], dropna=False, sort=False)["ratio"]
    means = groups.agg(value=lambda r: numpy.exp(numpy.log(r).mean()), least="min", most="max").reset_index()
    means["order"] = means["system"].map({s: n for n, s in enumerate(means["system"].unique())})
    return means


def _grid(runs, ratio, x, y, system):
    runs = runs if system is None else runs[runs["system"] == system]
    table = _means(runs, ratio, [x, y]).dropna(subset=[x, y])
    if table["system"].nunique() != 1:
        raise ResultsError(f"a grid of {x} and {y} has {', '.join(table['system'].unique()) or 'no system'}; expected one "
                           "system, say runs[runs['system'] == 'malekeh']; against is by name")
    table = table.convert_dtypes(convert_floating=False).pivot(index=y, columns=x, values="value").astype(float)
    for axis, column in enumerate((y, x)):
        refused = runs.attrs.get("refused", {}).get(column, [])
        table = table.reindex(sorted({*table.axes[axis], *refused}), axis=axis)
    return table


def beats(others, point, also_less=()):
    """Whether each point (a row of `front()`) is as good as this one in all columns, and better in one."""
    goods = pandas.DataFrame({"more": others["more"] - point["more"], "less": point["less"] - others["less"],
                              **{c: point[c] - others[c] for c in also_less}})
    return (goods >= 0).all(axis=1) & (goods > 0).any(axis=1)


def word(value):
    return f"{value:g}" if isinstance(value, float) else str(value)
