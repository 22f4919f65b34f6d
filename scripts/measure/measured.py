"""What scripts/measure_gpu makes of its raw output: a table of figures and a machine file.

Raw output is lines of JSON. Every timing has the cycles of its repetitions, and comes twice, with less and with more
work: a figure is the difference of the least cycles over the difference of the work, in which no reading of the clock and no
beginning or end is left. Its spread says how far the medians of the repetitions are from the least.
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

# The shipped machine of an architecture, as `--gpu auto` takes it.
MACHINES = [(70, 74, "v100"), (75, 79, "rtx2060"), (80, 85, "a100"), (86, 88, "rtx3070"), (89, 89, "rtx4090"),
            (90, 99, "h100")]
# What the model adds to memory.l2.latency on the way to the L2 and back, and to the DRAM's latency behind it.
L2_WAY, DRAM_WAY = 94, 2
# The functions of modern_kernels.h, and what their kernels are called; the counters that are read of them, and their figures.
KERNELS = {"fa_fwd_hd64_causal": "attention", "hgemm_128x128": "hgemm_3stage", "bf16_gemm_silu": "bf16_gemm",
           "s8_gemm": "s8_gemm", "w4a16_gemm": "w4a16_gemm", "rmsnorm_bf16": "rmsnorm", "topk_redux": "topk",
           "stencil3d_r4": "stencil3d"}
COUNTERS = {"smsp__inst_executed.sum": "warp instructions",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum": "wavefronts of shared memory"}
GREATEST_SHAPE = 768  # cycles; greater ones sub_core.execution.shapes refuses


class Wrong(Exception):
    """Something is not as it should be: one line that says where, what, and what was expected."""


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
    """The timings of a measurement that differ in nothing but their work: (less, more, difference of the work)."""
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


def solve(rows, values):
    """Least squares: x for which rows x is nearest to values. None where the rows do not determine it."""
    n = len(rows[0])
    m = [[sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] * v for r, v in zip(rows, values))]
         for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        if abs(m[pivot][i]) < 1e-9:
            return None
        m[i], m[pivot] = m[pivot], m[i]
        for r in range(n):
            if r != i:
                m[r] = [a - b * m[r][i] / m[i][i] for a, b in zip(m[r], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


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
    """What ncu --csv prints, by kernel: its counters' values by what they count."""
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
    """Latencies by chains; intervals by streams, of a sub-core, by one and by four warps and with all sub-cores busy."""
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
            note(f"no latency of {name}: no chain of {missing[0]}, which is to be taken off")
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
                note(f"{less['line']}: no latency of {less['name']}: no chain of LOP3, which is to be taken off")
                continue
            value, spread = value - less["lop3s"] * lop3.value, spread + less["lop3s"] * lop3.spread
        out.append(Figure(f"{less['name']} latency", value, spread, "cycles"))
    for less, more, loads in pairs(lines, "conflict", ["ways", "warps"], lambda e: get(e, "loads")):
        # The unit is the SM's: instructions of the warps take turns.
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
        # Of the L1 the smallest array counts: greater ones leave it. Of the others it is the middle one.
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
    """Of FFMAs over many assignments of registers; and, if the code was read, over what two banks of one port demand."""
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


# An instruction of compiled code: its text without guard; the cycles until the next one may issue, None if cuobjdump
# printed no words; whether a dependent waits for a scoreboard's barrier.
Compiled = namedtuple("Compiled", "text stall barrier")


def functions_of(assembly):
    """Name and instructions of each function in what cuobjdump -sass prints."""
    out = []
    for line in assembly.splitlines():
        if found := re.match(r"\s*Function : (\S+)", line):
            out.append((found[1], []))
        elif out and (found := re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([^;]*?)\s*;", line)):
            out[-1][1].append(Compiled(found[1], None, False))
        elif out and out[-1][1] and (found := re.match(r"\s*/\* (0x[0-9a-f]+) \*/", line)):
            # The upper word: from bit 41 on 4 bits of stall, yield, 3 bits of the barrier of results, 7 for none.
            control = int(found[1], 16) >> 41
            out[-1][1][-1] = Compiled(out[-1][1][-1].text, control & 15, control >> 5 & 7 != 7)
    return out


def distance(code, opcode):
    """Cycles that the compiler has put between two instructions of a chain; None if it waits for a barrier, or is unknown."""
    time, times = 0, []
    for line in code:
        if line.text.split(" ")[0].startswith(opcode):
            if line.barrier or line.stall is None:
                return None
            times.append(time)
        time += max(line.stall or 0, 1)
    steps = [after - before for before, after in zip(times, times[1:])]
    return round(statistics.median(steps)) if steps else None


def bank_reads(assembly):
    """Of each kernel of banks.h, for an FFMA: reads of the bank that has more of them, and the mean of what each
    instruction alone reads of its busier bank. The parity of a register is its bank.

    An operand counts as read unless the instruction before kept it in the same place by its reuse flag."""
    names = [name for name, _ in instructions.bank_kernels()]
    out = {}
    for function, code in functions_of(assembly):
        found = re.match(r"_Z\d+banks(\d+)P", function)
        if not found:
            continue
        of_banks, alone, count, kept = [0, 0], 0, 0, {}
        for text, _, _ in code:
            if not text.startswith("FFMA "):
                kept = {}
                continue
            operands = [word.strip() for word in text.split(",")][1:4]
            registers = [re.match(r"-?R(\d+)", word) for word in operands]
            fresh = [int(r[1]) % 2 for place, r in enumerate(registers) if r and kept.get(place) != r[1]]
            of_banks = [reads + fresh.count(bank) for bank, reads in enumerate(of_banks)]
            alone += max(fresh.count(0), fresh.count(1), 1)
            count += 1
            kept = {place: r[1] for place, (r, word) in enumerate(zip(registers, operands)) if r and ".reuse" in word}
        if count:
            out[names[int(found[1])]] = [max(*of_banks, count) / count, alone / count]
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
        # The pace of the longest run, which comes last, stays.
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


def base_machine(architecture):
    return next((name for first, last, name in MACHINES if first <= architecture <= last), "rtx2060_sm")


def shapes(all_figures, architecture):
    """Opcode, latency and interval of each instruction that has both, what is more special first, as the model looks."""
    by_what = {f.what: f.value for f in all_figures}
    found = []
    for name in dict.fromkeys(o.name for o in instructions.OPERATIONS):
        latency, interval = by_what.get(f"{name} latency"), by_what.get(f"{name} interval")
        # What compiled code has between a result and its use may be less than a chain takes; the result is there by then.
        if latency is not None:
            latency = min(latency, by_what.get(f"{name} distance as compiled", latency))
        # The model's code has one cycle more to the next HMMA or IMMA of sm_90 than the latency, as compiled code does.
        if latency is not None and architecture >= 90 and name.startswith(("HMMA", "IMMA")):
            latency -= 1
        if instructions.is_shape(name) and latency is not None and interval is not None:
            found.append((name, max(1, round(latency)), max(1, round(interval))))
    return sorted(found, key=lambda s: -len(s[0].split(".")))


def l2_ways(kilobytes, slices):
    """Ways that leave a power of two of sets in each slice, or None."""
    lines = kilobytes * 1024 // 128 // slices
    if lines * slices * 128 != kilobytes * 1024:
        return None
    sets = lines & -lines
    while lines // sets < 8 and sets > 1:
        sets //= 2
    return lines // sets


def machine_text(name, session, all_figures, base_text):
    """The machine file. `base_text` is that of the file that it extends, whose slices and channels it keeps."""
    value = {f.what: f.value for f in all_figures}
    architecture = session["architecture"]
    base = base_machine(architecture)
    timed = max((a for a in (75, 80, 86, 89, 90) if a <= architecture), default=75)
    out = [f"# {session['gpu']}, by scripts/measure_gpu: driver {session['driver']}, nvcc {session['nvcc']}, clocks "
           f"{session['clocks']}.",
           f"# Figures marked \"driver\" are what the driver says. What is not here is as in gpus/{base}.yaml.",
           f"extends: gpus/{base}.yaml", f"machine: {name}", f"description: {session['gpu']}, measured"]

    def line(indent, key, what, text=None, mark="measured"):
        if what in value:
            out.append(f"{' ' * indent}{key}: {text(value[what]) if text else round(value[what])}    # {mark}")

    def group(indent, key, begin):
        if len(out) > begin:
            out.insert(begin, f"{' ' * indent}{key}:")

    begin = len(out)
    line(2, "sms", "SMs", mark="driver")
    group(0, "gpu", begin)
    line(0, "clock_period_ns", "clock", lambda mhz: f"{1000 / mhz:.3f}")
    begin = len(out)
    line(2, "warp_slots", "warps of an SM", mark="driver")
    line(2, "cta_slots", "CTAs of an SM", mark="driver")
    line(2, "shared_memory_kilobytes", "shared memory of an SM", mark="driver")
    group(0, "sm", begin)
    out += ["sub_core:", "  execution:", f"    architecture: sm_{timed}"]
    begin = len(out)
    for opcode, latency, interval in shapes(all_figures, architecture):
        if max(latency, interval) > GREATEST_SHAPE:
            out.append(f"      # {opcode}: latency {latency}, interval {interval}, measured, which are too many for this key")
        else:
            out.append(f"      {opcode}: {{latency: {latency}, initiation_interval: {interval}}}    # measured")
    if any("{latency" in text for text in out[begin:]):
        out.insert(begin, "    shapes:")
    begin = len(out)
    line(2, "shared_latency", "LDS latency")
    group(0, "load_store", begin)
    begin = len(out)
    if base == "rtx2060_sm":
        out.append("  kind: hierarchy")
    line(2, "hit_latency", "L1 latency")
    l2 = []
    slices = base_number(base_text, "slices")
    if "L2" in value and (ways := l2_ways(round(value["L2"]), slices)):
        l2 += [f"kilobytes: {round(value['L2'])}", f"slices: {slices}", f"ways: {ways}"]
    if "L2 latency" in value:
        l2.append(f"latency: {max(1, round(value['L2 latency']) - L2_WAY)}")
    if l2:
        marks = [f"measured: a hit takes {number(value['L2 latency'])} cycles"] if "L2 latency" in value else []
        marks += ["size: driver"] if len(l2) > 1 else []
        out.append(f"  l2: {{{', '.join(l2)}}}    # {'; '.join(marks)}")
    channels = base_number(base_text, "channels")
    dram = []
    if "DRAM rate" in value:
        dram += [f"channels: {channels}", f"bytes_per_cycle: {value['DRAM rate'] / channels:.1f}"]
    if "DRAM latency" in value and "L2 latency" in value:
        dram.append(f"latency: {max(1, round(value['DRAM latency'] - value['L2 latency']) - DRAM_WAY)}")
    if dram:
        marks = [f"{number(value[what])} {unit}" for what, unit in
                 (("DRAM latency", "cycles"), ("DRAM rate", "bytes a cycle of all channels")) if what in value]
        out.append(f"  dram: {{{', '.join(dram)}}}    # measured: {', '.join(marks)}")
    group(0, "memory", begin)
    return "\n".join(out) + "\n"


def base_number(text, key):
    """The last number of a key in a machine file, or 32."""
    found = [word for line in text.splitlines() for word in line.split("#")[0].replace("{", " ").replace(",", " ")
             .replace("}", " ").split(key + ": ")[1:]]
    return int(found[-1].split()[0]) if found else 32
