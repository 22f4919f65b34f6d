"""Makes the machine file from the figures of scripts/measure_gpu."""
import instructions
from measured import number

# The shipped machines of architectures, as `--gpu auto` chooses them.
MACHINES = [(70, 74, "v100"), (75, 79, "rtx2060"), (80, 85, "a100"), (86, 88, "rtx3070"), (89, 89, "rtx4090"),
            (90, 119, "h100"), (120, 129, "rtx5090")]
# Cycles that the model adds to memory.l2.latency on the way to the L2 and back, and to the DRAM's latency behind the L2.
L2_WAY, DRAM_WAY = 94, 2
GREATEST_SHAPE = 768  # cycles; sub_core.execution.shapes refuses more


def base_machine(architecture):
    return next((name for first, last, name in MACHINES if first <= architecture <= last), "rtx2060_sm")


def shapes(all_figures, architecture):
    """Opcode, latency and interval of each instruction that has both. More special opcodes come first, in the model's order
    of search."""
    by_what = {f.what: f.value for f in all_figures}
    found = []
    for name in dict.fromkeys(o.name for o in instructions.OPERATIONS):
        latency, interval = by_what.get(f"{name} latency"), by_what.get(f"{name} interval")
        if not instructions.is_shape(name) or latency is None or interval is None:
            continue
        # The distance between a result and its use in compiled code may be shorter than a chain's latency. The result is there
        # by then.
        latency = min(latency, by_what.get(f"{name} distance as compiled", latency))
        # The table of sm_90 has one cycle less than compiled code for the next HMMA or IMMA (model/isa/unit_table.cpp).
        if architecture >= 90 and name.startswith(("HMMA", "IMMA")):
            latency -= 1
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
    """The machine file. `base_text` is the text of the file that it extends. The machine file keeps that file's slices and
    channels."""
    value = {f.what: f.value for f in all_figures}
    architecture = session["architecture"]
    base = base_machine(architecture)
    timed = max((a for a in (75, 80, 86, 89, 90) if a <= architecture), default=75)
    out = [f"# {session['gpu']}, by scripts/measure_gpu: driver {session['driver']}, nvcc {session['nvcc']}, clocks "
           f"{session['clocks']}.",
           f"# Figures marked \"driver\" are what the driver says. Keys that are not here are as in gpus/{base}.yaml.",
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
