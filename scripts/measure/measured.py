"""Makes a table of figures from the raw output of scripts/measure_gpu.

Raw output is lines of JSON. Every timing has the cycles of its repetitions, and comes twice, with less and with more work. A
figure is the difference of the least cycles over the difference of the work. So the figure contains no reading of the clock,
no beginning and no end. A figure's spread says how far the medians of the repetitions are from the least cycles.
"""
import csv
import io
import json
import re
import statistics
import sys
from collections import namedtuple

import instructions

Figure = namedtuple("Figure", "what value spread unit")
COLUMNS = ["what", "architecture", "value", "spread", "unit"]

# The functions of modern_kernels.h with the names of their kernels, and the counters that are read of them with their figures.
KERNELS = {"fa_fwd_hd64_causal": "attention", "hgemm_128x128": "hgemm_3stage", "bf16_gemm_silu": "bf16_gemm",
           "s8_gemm": "s8_gemm", "w4a16_gemm": "w4a16_gemm", "rmsnorm_bf16": "rmsnorm", "topk_redux": "topk",
           "stencil3d_r4": "stencil3d"}
COUNTERS = {"smsp__inst_executed.sum": "warp instructions",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "wavefronts of shared memory"}


class Wrong(Exception):
    """An error in one line, which says where and what it is, and what was expected."""


def note(words):
    print(f"note: {words}", file=sys.stderr)


def parse_raw(text, name):
    """The session (the first line) and the other lines, each a dictionary that knows its `line`."""
    lines = []
    for number, line in enumerate(text.splitlines(), 1):
        where = f"{name}:{number}"
        try:
            entry = json.loads(line)
        except ValueError:
            raise Wrong(f"{where}: expected a line of JSON, as scripts/measure_gpu writes it") from None
        if not isinstance(entry, dict) or not isinstance(entry.get("measurement"), str):
            raise Wrong(f"{where}: expected an object with the key measurement")
        for key in ("cycles", "milliseconds", "empty_cycles"):
            values = entry.get(key, [0])
            if not isinstance(values, list) or not values or not all(is_number(v) and v >= 0 for v in values):
                raise Wrong(f"{where}: {key}: expected a list of numbers of at least 0")
        entry["line"] = where
        lines.append(entry)
    if not lines or lines[0]["measurement"] != "session":
        raise Wrong(f"{name}:1: expected a line with the measurement session")
    session = lines[0]
    for key in ("gpu", "driver", "nvcc", "clocks"):
        if not isinstance(session.get(key), str):
            raise Wrong(f"{session['line']}: {key}: expected text")
    if not isinstance(session.get("architecture"), int):
        raise Wrong(f"{session['line']}: architecture: expected a whole number, as 90")
    return session, lines[1:]


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def get(entry, key):
    if not is_number(entry.get(key)):
        raise Wrong(f"{entry['line']}: {key}: expected a number")
    return entry[key]


def per_unit(less, more, work, key="cycles"):
    """(value, spread) of a unit of work: `work` is the difference of the two timings' work."""
    least = [min(entry[key]) for entry in (less, more)]
    middle = [statistics.median(entry[key]) for entry in (less, more)]
    if work <= 0:
        raise Wrong(f"{more['line']}: expected more work than in {less['line']}")
    if least[1] <= least[0]:
        raise Wrong(f"{more['line']}: expected more {key} than in {less['line']}, which has less work")
    return (least[1] - least[0]) / work, (middle[0] - least[0] + middle[1] - least[1]) / work


def pairs(lines, measurement, same, work):
    """The timings of a measurement that differ only in their work: (less, more, difference of the work)."""
    groups = {}
    for entry in lines:
        if entry["measurement"] != measurement:
            continue
        if "cycles" not in entry or not isinstance(entry.get("name"), str):
            raise Wrong(f"{entry['line']}: expected a name and cycles")
        groups.setdefault((entry["name"], *(entry.get(key) for key in same)), []).append(entry)
    for group in groups.values():
        if len(group) != 2:
            raise Wrong(f"{group[0]['line']}: {measurement} {group[0]['name']}: {len(group)} such timings; expected two, "
                        "with less and with more work")
        less, more = sorted(group, key=work)
        yield less, more, work(more) - work(less)


def figures(session, lines):
    out = device_figures(lines)
    out += unit_figures(session, lines)
    lop3 = next((f for f in out if f.what == "LOP3 latency"), None)
    out += shared_figures(lines, lop3) + memory_figures(lines) + bank_figures(lines)
    out += copy_figures(lines) + wgmma_figures(lines)
    for entry in lines:
        if entry["measurement"] == "counters":
            out += [Figure(f"kernel {kernel}, {counted}", value, 0, "1")
                    for kernel, values in entry["counts"].items() for counted, value in values.items()]
        if entry["measurement"] == "kernel":
            empty = statistics.median(entry.get("empty_cycles", [0]))
            value = statistics.median(entry["cycles"]) - empty
            if value > 0:
                out.append(Figure(f"kernel {entry['name']}", value, value - min(entry["cycles"]) + empty, "cycles"))
            else:
                note(f"{entry['line']}: no figure of {entry['name']}, which takes no more cycles than the empty kernel, {empty:g}")
    return out


def counters(text):
    """The counters' values that ncu --csv prints, by kernel and counter."""
    begin = text.find('"ID"')
    out = {}
    for row in csv.DictReader(io.StringIO(text[begin:])) if begin >= 0 else ():
        kernel, counter = (row.get("Kernel Name") or "").split("(")[0], row.get("Metric Name")
        if kernel in KERNELS and counter in COUNTERS:
            out.setdefault(KERNELS[kernel], {})[COUNTERS[counter]] = int(row["Metric Value"].replace(",", ""))
    return out


def device_figures(lines):
    out = []
    for entry in lines:
        if entry["measurement"] == "device":
            reserved = get(entry, "reserved_shared_bytes")
            for what, value, unit in [
                    ("SMs", get(entry, "sms"), "SMs"),
                    ("warps of an SM", get(entry, "threads_per_sm") / 32, "warps"),
                    ("CTAs of an SM", get(entry, "ctas_per_sm"), "CTAs"),
                    ("shared memory of an SM", get(entry, "shared_bytes_per_sm") / 1024, "KB"),
                    ("shared memory that a CTA cannot have", reserved / 1024, "KB"),
                    ("L2", get(entry, "l2_bytes") / 1024, "KB")]:
                out.append(Figure(what, value, 0, unit))
    return out


def unit_figures(session, lines):
    """Latencies from chains, and intervals from streams. Intervals are those of a sub-core: with one warp, with four warps,
    and with all sub-cores busy."""
    def work(entry):
        return get(entry, "steps") * get(entry, "iterations") * get(entry, "warps_per_sub_core")

    less_of = {o.name: o.less for o in instructions.of_architecture(session["architecture"])}
    compiled = next((e["distances"] for e in lines if e["measurement"] == "assembly" and e.get("name") == "chains"), {})
    latencies, out = {}, [Figure(f"{name} distance as compiled", value, 0, "cycles") for name, value in compiled.items()]
    for less, more, difference in pairs(lines, "chain", [], work):
        latencies[less["name"]] = per_unit(less, more, difference)
    for name, (value, spread) in latencies.items():
        missing = [other for other in less_of.get(name, ()) if other not in latencies]
        if missing:
            note(f"no latency of {name}: no chain of {missing[0]}, whose latency is to be subtracted")
            continue
        for other in less_of.get(name, ()):
            value, spread = value - latencies[other][0], spread + latencies[other][1]
        out.append(Figure(f"{name} latency", value, spread, "cycles"))
    for less, more, difference in pairs(lines, "stream", ["sub_cores", "warps_per_sub_core"], work):
        value, spread = per_unit(less, more, difference)
        warps, cores = less["warps_per_sub_core"], less["sub_cores"]
        what = "interval" if cores > 1 else "interval of one warp" if warps == 1 else "interval of one sub-core"
        out.append(Figure(f"{less['name']} {what}", value, spread, "cycles"))
    return out


def shared_figures(lines, lop3):
    out, by_ways = [], []
    for less, more, loads in pairs(lines, "chain_loads", [], lambda e: get(e, "loads")):
        value, spread = per_unit(less, more, loads)
        if less.get("lop3s"):
            if not lop3:
                note(f"{less['line']}: no latency of {less['name']}: no chain of LOP3, whose latency is to be subtracted")
                continue
            value, spread = value - less["lop3s"] * lop3.value, spread + less["lop3s"] * lop3.spread
        out.append(Figure(f"{less['name']} latency", value, spread, "cycles"))
    for less, more, loads in pairs(lines, "conflict", ["ways", "warps"], lambda e: get(e, "loads")):
        # The unit belongs to the SM: instructions of all warps take turns.
        value, spread = per_unit(less, more, loads * get(less, "warps"))
        by_ways.append((less["ways"], value))
        out.append(Figure(f"LDS interval with {less['ways']} lanes of a bank", value, spread, "cycles"))
    for less, more, loads in pairs(lines, "stream_loads", ["warps"], lambda e: get(e, "loads")):
        out.append(Figure(f"{less['name']} interval", *per_unit(less, more, loads * get(less, "warps")), "cycles"))
    if len({ways for ways, _ in by_ways if ways > 1}) > 1:
        slope = statistics.linear_regression(*zip(*[p for p in by_ways if p[0] > 1])).slope
        out.append(Figure("LDS cycles of each further lane of a bank", slope, 0, "cycles"))
    return out


def memory_figures(lines):
    out, by_level = [], {}
    for less, more, loads in pairs(lines, "chase", ["bytes"], lambda e: get(e, "loads")):
        value, spread = per_unit(less, more, loads)
        by_level.setdefault(less["name"], []).append((get(less, "bytes"), value, spread))
        out.append(Figure(f"{less['name']} chase of {less['bytes'] // 1024:g} KB", value, spread, "cycles"))
    for level, points in by_level.items():
        # For the L1 the smallest array counts, because larger arrays do not fit. For other levels the middle array counts.
        points.sort(key=lambda p: p[0] if level == "L1" else p[1])
        _, value, spread = points[0] if level == "L1" else points[len(points) // 2]
        out.append(Figure(f"{level} latency", value, spread, "cycles"))
    for less, more, amount in pairs(lines, "stream_bytes", [], lambda e: get(e, "bytes")):
        cycles, spread = per_unit(less, more, amount)
        name = "shared memory" if less["name"] == "LDS.128" else less["name"]
        of = " of an SM" if name in ("shared memory", "L1") else ""
        out.append(Figure(f"{name} rate{of}", 1 / cycles, spread / cycles ** 2, "bytes a cycle"))
        if less["name"] == "DRAM" and "milliseconds" in less and "milliseconds" in more:
            milliseconds, _ = per_unit(less, more, amount, "milliseconds")
            out.append(Figure("clock", cycles / milliseconds / 1000, 0, "MHz"))
            out.append(Figure("DRAM rate in time", 1 / milliseconds / 1e6, 0, "GB/s"))
    return out


def bank_figures(lines):
    """Figures of FFMAs over many assignments of registers. If the code was read, also relative to the demand of two banks of
    one port."""
    timed = {entry["name"]: entry for entry in lines if entry["measurement"] == "banks"}
    if not timed:
        return []
    per = {name: min(e["cycles"]) / (get(e, "instructions") * get(e, "iterations")) for name, e in timed.items()}
    values = sorted(per.values())
    out = [Figure(f"FFMA interval over {len(values)} assignments of registers, {what}", value, 0, "cycles")
           for what, value in (("least", values[0]), ("median", statistics.median(values)), ("most", values[-1]))]
    reads = next((e["reads"] for e in lines if e["measurement"] == "assembly" and e.get("name") == "banks"), {})
    for place, what in enumerate(("the busier bank's reads", "each instruction's reads of its busier bank")):
        ratios = [value / reads[name][place] for name, value in per.items() if name in reads]
        if ratios:
            out.append(Figure(f"FFMA interval over {what}", statistics.median(ratios), max(ratios) - min(ratios), "1"))
    return out


def copy_figures(lines):
    """Copies to shared memory, each with its wait."""
    out = []
    for less, more, rounds in pairs(lines, "copy", ["bytes"], lambda e: get(e, "rounds")):
        of = "" if less["name"] == "mbarrier" else f" of {get(less, 'bytes')} bytes"
        out.append(Figure(f"{less['name']}{of} with its wait", *per_unit(less, more, rounds), "cycles"))
    return out


def wgmma_figures(lines):
    out, chains, paces = [], {}, {}
    for less, more, iterations in pairs(lines, "wgmma", ["storm", "steps"], lambda e: get(e, "iterations")):
        # The pace of the longest run stays, which comes last.
        paces[less["name"], less.get("storm")] = get(more, "storm_cycles")
        chains.setdefault((less["name"], less.get("storm")), {})[get(less, "steps")] = per_unit(less, more, iterations)
    for (name, storm), by_steps in chains.items():
        if len(by_steps) != 2:
            raise Wrong(f"wgmma {name}: expected timings with one and with more steps")
        (few, first), (many, last) = sorted(by_steps.items())
        beside = "" if storm == "none" else f" beside {storm}s"
        if beside:
            out.append(Figure(f"{storm} interval beside {name}", paces[name, storm], 0, "cycles"))
        out.append(Figure(f"{name} interval{beside}", (last[0] - first[0]) / (many - few),
                          (last[1] + first[1]) / (many - few), "cycles"))
        if few == 1:
            out.append(Figure(f"{name} with its wait{beside}", *first, "cycles"))
    return out


def number(value):
    return f"{value:.3f}".rstrip("0").rstrip(".")


def table_text(session, all_figures):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for f in all_figures:
        writer.writerow([f.what, f"sm_{session['architecture']}", number(f.value), number(f.spread), f.unit])
    return text.getvalue()


def read_table(text, name):
    """Architecture and figures of a table."""
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or rows[0] != COLUMNS:
        raise Wrong(f"{name}:1: expected the columns {','.join(COLUMNS)}")
    out, architectures = [], set()
    for number_, row in enumerate(rows[1:], 2):
        try:
            what, architecture, value, spread, unit = row
            out.append(Figure(what, float(value), float(spread), unit))
            architectures.add(int(architecture.removeprefix("sm_")))
        except ValueError:
            raise Wrong(f"{name}:{number_}: expected what was measured, sm_NUMBER, two numbers and a unit") from None
    if len(architectures) != 1:
        raise Wrong(f"{name}: {len(architectures)} architectures; expected figures of one")
    return architectures.pop(), out
