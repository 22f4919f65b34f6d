"""Reads compiled code for scripts/measure_gpu, as cuobjdump -sass prints it."""
import re
import statistics
from collections import namedtuple

import instructions

# An instruction of compiled code. `text` is without guard. `stall` is the cycles until the next instruction may issue, None if
# cuobjdump printed no words. `barrier`: a dependent instruction waits for a scoreboard's barrier.
Compiled = namedtuple("Compiled", "text stall barrier")


def functions_of(assembly):
    """Name and instructions of each function that cuobjdump -sass prints."""
    out = []
    for line in assembly.splitlines():
        if found := re.match(r"\s*Function : (\S+)", line):
            out.append((found[1], []))
        elif out and (found := re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([^;]*?)\s*;", line)):
            out[-1][1].append(Compiled(found[1], None, False))
        elif out and out[-1][1] and (found := re.match(r"\s*/\* (0x[0-9a-f]+) \*/", line)):
            # The upper word, from bit 41 on: 4 bits of stall, yield, and 3 bits of the barrier of results, where 7 means none.
            control = int(found[1], 16) >> 41
            out[-1][1][-1] = Compiled(out[-1][1][-1].text, control & 15, control >> 5 & 7 != 7)
    return out


def distance(code, opcode):
    """Cycles that the compiler has put between two instructions of a chain. None if the chain waits for a barrier, or if the
    cycles are unknown."""
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
    """Reads per FFMA of each kernel of banks.h: those of the bank with more reads, and the mean of the reads that each
    instruction alone makes of its busier bank. The parity of a register is its bank.

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
