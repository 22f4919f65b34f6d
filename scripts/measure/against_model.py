"""scripts/validate --machine: compares the model with what scripts/measure_gpu has measured.

  scripts/validate --machine NAME_OR_TABLE [OPTION VALUE ...]
    NAME_OR_TABLE        the folder that measure_gpu has written, or a measured.csv, or a GPU that was measured: h200
    --gpu G              machine of the model, name or file; default: the .yaml beside the table, or of that name
    --platform P         system that runs the kernels; default nvidia_ampere, before sm_80 nvidia_turing
    --traces FOLDER      of the kernels; default scenarios/modern
    --set KEY=VALUE      override a parameter; may be given several times
    --within P           fail if a figure is off by more than P percent

Prints measured, the model's and their ratio, of units, of memory and of the kernels' cycles. Where the kernels' traces are of
another architecture than the GPU's, control bits are made up for it. Rows for which the model has no figure are left out, and counted.
SUBCORE names the program."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import machine_file
import measured
from measured import Wrong

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUBCORE = os.environ.get("SUBCORE", os.path.join(HERE, "build/release/bin/subcore"))
VALUES = ("machine", "gpu", "platform", "traces", "set", "within")


def options(arguments):
    given, rest = {"set": []}, iter(arguments)
    for word in rest:
        key = word[2:] if word.startswith("--") else ""
        if key == "help":
            print(__doc__)
            sys.exit(0)
        if key not in VALUES:
            raise Wrong(f"{word}: expected, with --machine, one of {', '.join(f'--{k}' for k in VALUES)}")
        value = next(rest, None)
        if value is None:
            raise Wrong(f"{word}: expected a value")
        if key == "within" and not re.fullmatch(r"\d*\.?\d+", value):
            raise Wrong(f"{word} {value}: expected a number")
        if key == "set":
            given["set"].append(value)
        else:
            given[key] = value
    return given


def find(given):
    """The table, and the machine to compare with."""
    path = given["machine"]
    shipped = os.path.join(HERE, "scripts/measure/gpus", path)
    if re.fullmatch(r"\w+", path) and not os.path.exists(path) and os.path.isdir(shipped):
        return os.path.join(shipped, "measured.csv"), given.get("gpu", path)
    table = path if path.endswith(".csv") else os.path.join(path, "measured.csv")
    if not os.path.isfile(table):
        raise Wrong(f"--machine {path}: no {table}; expected a folder that scripts/measure_gpu has written, or a table")
    if "gpu" in given:
        return table, given["gpu"]
    beside = glob.glob(os.path.join(glob.escape(os.path.dirname(table) or "."), "*.yaml"))
    if len(beside) != 1:
        raise Wrong(f"{table}: {len(beside)} .yaml files beside it; expected one, or --gpu")
    return table, os.path.abspath(beside[0])


def run(gpu, platform, settings, traces, folder):
    """Cycles and warp instructions of each trace, in order; and the text of platform.yaml, which has every key."""
    results = tempfile.mkdtemp(dir=folder)
    command = [SUBCORE, "run", "--gpu", gpu, "--platform", platform, "--results", results, "--json",
               os.path.join(results, "all.json"), "--quiet", "--set", "gpu.kernel_launch_cycles=0"]
    for setting in settings:
        command += ["--set", setting]
    for trace in traces:
        command += ["--trace", trace]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Wrong(f"{SUBCORE} failed: " + (done.stderr.strip().splitlines() or ["no message"])[-1])
    with open(os.path.join(results, "all.json")) as file:
        runs = json.load(file)
    with open(glob.glob(os.path.join(results, "**/platform.yaml"), recursive=True)[0]) as file:
        return [(r["cycles"], r["instructions_traced"]) for r in (runs if isinstance(runs, list) else [runs])], file.read()


def keys_of(text):
    """Values by dotted key, from a platform.yaml that the program has written. Blocks are indented by two blanks, with one
    value a line."""
    path, values = [], {}
    for line in text.splitlines():
        if found := re.match(r"( *)([\w.]+):(?: (.*))?$", line):
            path[len(found[1]) // 2:] = [found[2]]
            if found[3]:
                values[".".join(path)] = found[3].strip('"')
    return values


def units_of(values):
    """Opcode pattern, latency and interval, in the order of search: the machine's shapes, then its architecture's."""
    found = re.findall(r"([\w.]+): \{latency: (\d+), initiation_interval: (\d+)\}",
                       values.get("sub_core.execution.shapes", ""))
    architecture = values.get("sub_core.execution.architecture", "by_class")
    if architecture != "by_class":
        done = subprocess.run([SUBCORE, "platforms", "units", architecture], capture_output=True, text=True)
        if done.returncode == 0:
            found += re.findall(r"^\s*([A-Z][\w.]*)\s+(\d+)\s+(\d+)\b", done.stdout, re.M)
    return [(opcode, int(latency), int(interval)) for opcode, latency, interval in found]


def unit(units, opcode):
    """Latency and interval of an opcode, from the first pattern that fits. A pattern fits if its first word is the opcode's,
    and the opcode has its other words."""
    first, *modifiers = opcode.split(".")
    for pattern, latency, interval in units:
        begin, *wanted = pattern.split(".")
        if begin == first and all(word in modifiers for word in wanted):
            return latency, interval
    return None


def model_figure(what, values, units):
    """The model's figure of a line of the table, or None."""
    def key(name):
        return float(values[name]) if re.fullmatch(r"[\d.]+", values.get(name, "")) else None

    def total(*parts):
        return None if None in parts else sum(parts)

    l2 = total(key("memory.l2.latency"), machine_file.L2_WAY)
    channels, rate = key("memory.dram.channels"), key("memory.dram.bytes_per_cycle")
    period = key("clock_period_ns")
    figures = {"SMs": key("gpu.sms"), "warps of an SM": key("sm.warp_slots"), "CTAs of an SM": key("sm.cta_slots"),
               "shared memory of an SM": key("sm.shared_memory_kilobytes"), "L2": key("memory.l2.kilobytes"),
               "LDS latency": key("load_store.shared_latency"), "L1 latency": key("memory.hit_latency"),
               "L2 latency": l2, "DRAM latency": total(l2, key("memory.dram.latency"), machine_file.DRAM_WAY),
               "DRAM rate": channels * rate if channels and rate else None, "clock": 1000 / period if period else None}
    if what in figures:
        return figures[what]
    found = re.fullmatch(r"(\S+) (latency|interval)", what)
    times = unit(units, found[1]) if found else None
    if not times or not times[1]:
        return None
    # The pace of a chain is the interval if that is longer than the latency.
    return max(times) if found[2] == "latency" else times[1]


def kernel_figures(given, gpu, architecture, names, folder):
    """Cycles of the kernels that have traces, by name, and warp instructions of kernels of the same architecture."""
    traces = given.get("traces") or os.path.join(HERE, "scenarios/modern")
    platform = given.get("platform") or ("nvidia_hopper" if architecture >= 90 else
                                         "nvidia_ampere" if architecture >= 80 else "nvidia_turing")
    own, foreign = [], []
    for name in names:
        exact = [os.path.join(traces, f"{name}_sm{architecture}")]
        if "traces" not in given:
            exact.append(os.path.join(HERE, f"scenarios/modern_sm{architecture}", name))
        if found := next((folder for folder in exact if os.path.isdir(folder)), None):
            own.append((name, found))
        elif os.path.isdir(os.path.join(traces, name)):
            (own if architecture == 80 else foreign).append((name, os.path.join(traces, name)))
    figures = {}
    for some, settings in ((own, []), (foreign, ["passes.control_bits=synthetic"])):
        if some:
            ran, _ = run(gpu, platform, given["set"] + settings, [trace for _, trace in some], folder)
            for (name, _), (cycles, instructions) in zip(some, ran):
                figures[name] = cycles
                if some is own:
                    figures[f"{name}, warp instructions"] = instructions
    return figures


def compare(arguments):
    given = options(arguments)
    table, gpu = find(given)
    if not os.access(SUBCORE, os.X_OK):
        raise Wrong(f"{SUBCORE}: no such program; run scripts/demo first")
    with open(table) as file:
        architecture, figures = measured.read_table(file.read(), table)
    with tempfile.TemporaryDirectory() as folder:
        # Some systems override a machine's times. baseline has the machine's own.
        _, text = run(gpu, "baseline", given["set"], [os.path.join(HERE, "scenarios/traces/vectoradd")], folder)
        kernels = [f.what.removeprefix("kernel ") for f in figures if f.what.startswith("kernel ") and "," not in f.what]
        of_kernels = kernel_figures(given, gpu, architecture, kernels, folder)
    values = keys_of(text)
    units = units_of(values)
    print(f"{gpu} and what was measured in {table}\n{'':46} {'measured':>10} {'model':>10} {'ratio':>7}")
    off, left_out = [], 0
    for f in figures:
        name = f.what.removeprefix("kernel ")
        model = of_kernels.get(name) if f.what.startswith("kernel ") else model_figure(f.what, values, units)
        if model is None or f.value <= 0:
            left_out += 1
            continue
        ratio = model / f.value
        print(f"{f.what:<46} {measured.number(f.value):>10} {measured.number(model):>10} {ratio:7.3f}  {f.unit}")
        if "within" in given and abs(ratio - 1) > float(given["within"]) / 100:
            off.append(f"{f.what} {ratio:.3f}")
    print(f"{left_out} figures that the model does not have")
    if off:
        sys.stdout.flush()
        raise Wrong(f"not within {given['within']} %: " + "; ".join(off))
