"""The instructions that scripts/measure_gpu times, a line each, and the CUDA code that times them.

A line has the name of the measured instruction, its architectures, the types of its operands, and the PTX. In the PTX {d} is
written, and the next instruction of a chain reads it. {a} and {b} are sources, and {e} is one register of the source b. The
opcode is written as in compiled code, because it is a key of sub_core.execution.shapes.
"""
import collections
from random import Random

# The fields of an operation. `first` and `last` are architectures. `types` are those of {d}, {a} and {b}, and `registers` says
# how many registers each has. `less` has the other instructions of a step, whose latencies are subtracted. If an instruction
# can be timed only together with others, its name has their names, too, with " + " between, and is no key.
Operation = collections.namedtuple("Operation", "name first last types registers ptx less")

CONSTRAINTS = {"unsigned": "r", "float": "f", "double": "d", "unsigned long long": "l"}
ANY = 999


def plain(name, ptx, kind="unsigned", first=70, last=ANY, less=()):
    return Operation(name, first, last, (kind, kind, kind), (1, 1, 1), ptx, less)


def mma(name, shape, registers, first, last=ANY, accumulator="float", source="unsigned", sparse=False):
    """`shape`: the text behind mma.sync.aligned., without the layout: m16n8k16 and the types."""
    size, types = shape.split(" ")
    instruction = "mma.sp::ordered_metadata.sync" if sparse else "mma.sync"
    metadata = ", {e}, 0x0" if sparse else ""
    return Operation(name, first, last, (accumulator, source, source), registers,
                     f"{instruction}.aligned.{size}.row.col.{types} {{d}}, {{a}}, {{b}}, {{d}}{metadata};", ())


OPERATIONS = [
    # ptxas makes one IADD3 of two additions. With one addition in a step, two steps would become one IADD3.
    plain("IADD3", "add.u32 {d}, {d}, {a}; add.u32 {d}, {d}, {b};"),
    plain("LOP3", "lop3.b32 {d}, {d}, {a}, {b}, 0x96;"),
    plain("SHF", "shf.l.wrap.b32 {d}, {d}, {a}, {b};"),
    plain("PRMT", "prmt.b32 {d}, {d}, {a}, {b};"),
    plain("IMAD", "mad.lo.u32 {d}, {d}, {a}, {b};"),
    plain("IADD3 + IMAD", "add.u32 {d}, {d}, {a}; add.u32 {d}, {d}, {b}; mad.lo.u32 {d}, {d}, {a}, {b};"),
    plain("FFMA + IMAD", "{{ .reg .f32 t, u, v; mov.b32 t, {d}; mov.b32 u, {a}; mov.b32 v, {b}; fma.rn.f32 t, t, u, v; "
          "mov.b32 {d}, t; mad.lo.u32 {d}, {d}, {a}, {b}; }}"),
    plain("FFMA + IADD3", "{{ .reg .f32 t, u, v; mov.b32 t, {d}; mov.b32 u, {a}; mov.b32 v, {b}; fma.rn.f32 t, t, u, v; "
          "mov.b32 {d}, t; add.u32 {d}, {d}, {a}; add.u32 {d}, {d}, {b}; }}"),
    plain("LOP3 + IADD3", "lop3.b32 {d}, {d}, {a}, {b}, 0x96; add.u32 {d}, {d}, {a}; add.u32 {d}, {d}, {b};"),
    # Both halves of the result are read, because ptxas makes a narrower instruction if the upper half is not needed. Nothing is
    # added, because ptxas makes additions of their own.
    Operation("IMAD.WIDE", 70, ANY, ("unsigned long long", "unsigned", "unsigned"), (1, 1, 1),
              "{{ .reg .b32 l, h; mov.b64 {{l, h}}, {d}; mul.wide.u32 {d}, l, h; }}", ()),
    plain("IMAD.HI", "mad.hi.u32 {d}, {d}, {a}, {b};"),
    plain("IDP", "dp4a.u32.u32 {d}, {a}, {b}, {d};"),
    plain("ISETP to guard", "{{ .reg .pred p; setp.ne.u32 p, {d}, {a}; @p xor.b32 {d}, {d}, {b}; }}", less=("LOP3",)),
    plain("FADD", "add.rn.f32 {d}, {d}, {a};", "float"),
    plain("FMUL", "mul.rn.f32 {d}, {d}, {a};", "float"),
    plain("FFMA", "fma.rn.f32 {d}, {d}, {a}, {b};", "float"),
    plain("FMNMX", "min.f32 {d}, {d}, {a};", "float"),
    # On sm_80 and sm_90 ptxas takes HFMA2.MMA in turn with these instructions. Both names are then given together.
    plain("HADD2", "add.rn.f16x2 {d}, {d}, {a};", last=79),
    plain("HADD2", "add.rn.f16x2 {d}, {d}, {a};", first=86, last=89),
    plain("HFMA2", "fma.rn.f16x2 {d}, {d}, {a}, {b};", last=79),
    plain("HFMA2", "fma.rn.f16x2 {d}, {d}, {a}, {b};", first=86, last=89),
    plain("HADD2 + HFMA2.MMA", "add.rn.f16x2 {d}, {d}, {a}; add.rn.f16x2 {d}, {d}, {b};", first=80, last=85),
    plain("HADD2 + HFMA2.MMA", "add.rn.f16x2 {d}, {d}, {a}; add.rn.f16x2 {d}, {d}, {b};", first=90, last=99),
    plain("HFMA2 + HFMA2.MMA", "fma.rn.f16x2 {d}, {d}, {a}, {b}; fma.rn.f16x2 {d}, {d}, {a}, {b};", first=80, last=85),
    plain("HFMA2 + HFMA2.MMA", "fma.rn.f16x2 {d}, {d}, {a}, {b}; fma.rn.f16x2 {d}, {d}, {a}, {b};", first=90, last=99),
    plain("HFMA2.BF16_V2", "fma.rn.bf16x2 {d}, {d}, {a}, {b};", first=80, last=89),
    plain("DADD", "add.rn.f64 {d}, {d}, {a};", "double"),
    plain("DMUL", "mul.rn.f64 {d}, {d}, {a};", "double"),
    plain("DFMA", "fma.rn.f64 {d}, {d}, {a}, {b};", "double"),
    plain("MUFU.EX2", "ex2.approx.ftz.f32 {d}, {d};", "float"),
    # ptxas removes two reciprocals in a row.
    plain("MUFU.RCP", "rcp.approx.ftz.f32 {d}, {d}; add.rn.f32 {d}, {d}, {a};", "float", less=("FADD",)),
    plain("MUFU.RSQ", "rsqrt.approx.ftz.f32 {d}, {d};", "float"),
    plain("MUFU.TANH", "tanh.approx.f32 {d}, {d};", "float", first=75),
    plain("MUFU.SIN", "sin.approx.ftz.f32 {d}, {d};", "float", less=("FMUL",)),
    plain("I2F", "{{ .reg .f32 t; cvt.rn.f32.s32 t, {d}; mov.b32 {d}, t; }}", last=85),
    plain("I2FP.F32.S32", "{{ .reg .f32 t; cvt.rn.f32.s32 t, {d}; mov.b32 {d}, t; }}", first=86),
    plain("F2I", "{{ .reg .f32 t; mov.b32 t, {d}; cvt.rzi.s32.f32 {d}, t; }}"),
    plain("F2FP", "{{ .reg .f32 t, u; mov.b32 t, {d}; mov.b32 u, {a}; cvt.rn.f16x2.f32 {d}, t, u; }}", first=80),
    plain("F2F.F64.F32 + F2F.F32.F64", "{{ .reg .f64 t; cvt.f64.f32 t, {d}; cvt.rn.f32.f64 {d}, t; }}", "float"),
    plain("POPC", "popc.b32 {d}, {d};"),
    plain("FLO", "bfind.u32 {d}, {d};"),
    plain("BREV", "brev.b32 {d}, {d};"),
    plain("SHFL", "shfl.sync.up.b32 {d}, {d}, 1, 0, -1;"),
    plain("ISETP + VOTE", "{{ .reg .pred p; setp.ne.u32 p, {d}, {a}; vote.sync.ballot.b32 {d}, p, -1; }}"),
    plain("REDUX + move", "redux.sync.add.s32 {d}, {d}, -1;", first=80),
    mma("HMMA.1688.F16", "m16n8k8 f16.f16.f16.f16", (2, 2, 1), 75, accumulator="unsigned"),
    mma("HMMA.1688.F32", "m16n8k8 f32.f16.f16.f32", (4, 2, 1), 75),
    mma("HMMA.16816.F16", "m16n8k16 f16.f16.f16.f16", (2, 4, 2), 80, accumulator="unsigned"),
    mma("HMMA.16816.F32", "m16n8k16 f32.f16.f16.f32", (4, 4, 2), 80),
    mma("HMMA.1688.F32.BF16", "m16n8k8 f32.bf16.bf16.f32", (4, 2, 1), 80),
    mma("HMMA.16816.F32.BF16", "m16n8k16 f32.bf16.bf16.f32", (4, 4, 2), 80),
    mma("HMMA.1684.F32.TF32", "m16n8k4 f32.tf32.tf32.f32", (4, 2, 1), 80),
    mma("HMMA.1688.F32.TF32", "m16n8k8 f32.tf32.tf32.f32", (4, 4, 2), 80),
    mma("HMMA.SP.16816.F32", "m16n8k16 f32.f16.f16.f32", (4, 2, 2), 80, sparse=True),
    mma("HMMA.SP.16832.F32", "m16n8k32 f32.f16.f16.f32", (4, 4, 4), 80, sparse=True),
    mma("IMMA.8816.S8.S8", "m8n8k16 s32.s8.s8.s32", (2, 1, 1), 75, accumulator="unsigned"),
    mma("IMMA.16816.S8.S8", "m16n8k16 s32.s8.s8.s32", (4, 2, 1), 80, accumulator="unsigned"),
    mma("IMMA.16832.S8.S8", "m16n8k32 s32.s8.s8.s32", (4, 4, 2), 80, accumulator="unsigned"),
    mma("IMMA.SP.16864.S8.S8", "m16n8k64 s32.s8.s8.s32", (4, 4, 4), 80, accumulator="unsigned", sparse=True),
    # From sm_90 on there is no unit for 4 bits: mma.sync.s4 becomes other instructions.
    mma("IMMA.8832.S4.S4", "m8n8k32 s32.s4.s4.s32", (2, 1, 1), 75, 89, accumulator="unsigned"),
    mma("IMMA.16832.S4.S4", "m16n8k32 s32.s4.s4.s32", (4, 2, 1), 80, 89, accumulator="unsigned"),
    mma("IMMA.16864.S4.S4", "m16n8k64 s32.s4.s4.s32", (4, 4, 2), 80, 89, accumulator="unsigned"),
    # On sm_90 mma.sync.e4m3 becomes conversions and HMMA.
    mma("QMMA.16832.F32.E4M3.E4M3", "m16n8k32 f32.e4m3.e4m3.f32", (4, 4, 2), 89, 89),
    mma("QMMA.16832.F32.E4M3.E4M3", "m16n8k32 f32.e4m3.e4m3.f32", (4, 4, 2), 120, 129),
    mma("DMMA.884", "m8n8k4 f64.f64.f64.f64", (2, 1, 1), 80, accumulator="double", source="double"),
    mma("DMMA.16x8x8", "m16n8k8 f64.f64.f64.f64", (4, 4, 2), 90, 99, accumulator="double", source="double"),
    mma("DMMA.16x8x16", "m16n8k16 f64.f64.f64.f64", (4, 8, 4), 90, 99, accumulator="double", source="double"),
]


def of_architecture(architecture):
    return [o for o in OPERATIONS if o.first <= architecture <= o.last]


def is_shape(name):
    """Whether the name is an opcode of a unit of its own, which sub_core.execution.shapes takes. IMAD would also be a name
    of IMAD.WIDE and IMAD.HI, whose results other instructions read sooner than the next one of their chain does."""
    return " + " not in name and " to " not in name and name not in ("SHFL", "IMAD", "IMAD.WIDE", "IMAD.HI")


def structure(number, o):
    """The operation as a C++ type: its operands, and step(), the PTX on them."""
    names, words, inputs, at = "dab", {"e": ""}, [], 0
    for name, kind, count in zip(names, o.types, o.registers):
        used = f"{{{name}}}" in o.ptx or (name == "b" and "{e}" in o.ptx)
        numbers = [f"%{at + n}" for n in range(count)] if used else []
        at += len(numbers)
        # Fragments stand in braces, also those of one register.
        words[name] = "{" + ", ".join(numbers) + "}" if "mma" in o.ptx else "".join(numbers)
        if name == "b" and numbers:
            words["e"] = numbers[0]
        if name != "d":
            inputs += [f'"{CONSTRAINTS[kind]}"({name}.r[{n}])' for n in range(len(numbers))]
    outputs = ", ".join(f'"+{CONSTRAINTS[o.types[0]]}"(d.r[{n}])' for n in range(o.registers[0]))
    aliases = "".join(f"  using {name.upper()} = Registers<{kind}, {count}>;\n"
                      for name, kind, count in zip(names, o.types, o.registers))
    return (f"struct Operation{number} {{\n"
            f'  static constexpr const char* name = "{o.name}";\n{aliases}'
            f"  static __device__ void step(D& d, const A& a, const B& b) {{\n"
            f'    asm volatile("{o.ptx.format(**words)}" : {outputs} : {", ".join(inputs)});\n  }}\n}};\n')


def source(architecture):
    """instructions.h: a type for each operation of the architecture, and a list of them."""
    operations = of_architecture(architecture)
    lines = ["// Written by scripts/measure/instructions.py."]
    lines += [structure(n, o) for n, o in enumerate(operations)]
    lines.append("template <class Visitor> void for_each_operation(Visitor visit) {")
    lines += [f"  visit(Operation{n}());" for n in range(len(operations))]
    lines.append("}")
    return "\n".join(lines) + "\n"


def wgmma_source():
    """wgmma.h: wgmma with A in shared memory (SS) for several N, and with A in registers (RS)."""
    lines, names = ["// Written by scripts/measure/instructions.py."], []
    for a_in, n in [("SS", n) for n in (8, 16, 32, 64, 128, 256)] + [("RS", n) for n in (8, 16, 64)]:
        count = n // 2
        accumulators = ", ".join(f"%{r}" for r in range(count))
        outputs = ", ".join(f'"+f"(d.r[{r}])' for r in range(count))
        if a_in == "SS":
            text = f"%{count}, %{count + 1}, p, 1, 1, 0, 0;"
            inputs = '"l"(a_at), "l"(b_at)'
        else:
            text = "{" + ", ".join(f"%{count + r}" for r in range(4)) + f"}}, %{count + 4}, p, 1, 1, 0;"
            inputs = ", ".join(f'"r"(a.r[{r}])' for r in range(4)) + ', "l"(b_at)'
        names.append(f"Mma{a_in}{n}")
        lines.append(
            f"struct Mma{a_in}{n} {{\n"
            f'  static constexpr const char* name = "HGMMA.64x{n}x16.F32 {a_in}";\n'
            f"  static constexpr int accumulators = {count};\n"
            f"  static __device__ void step(Registers<float, {count}>& d, const Registers<unsigned, 4>& a,\n"
            f"                              unsigned long long a_at, unsigned long long b_at) {{\n"
            f"    (void)a; (void)a_at;\n"
            f'    asm volatile("{{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16 "\n'
            f'                 "{{{accumulators}}}, {text} }}" : {outputs} : {inputs});\n  }}\n}};\n')
    lines.append("template <class Visitor> void for_each_mma(Visitor visit) {")
    lines += [f"  visit({name}());" for name in names]
    lines.append("}")
    return "\n".join(lines) + "\n"


BODY = 256  # FFMAs in the body of a kernel of banks.h, so many that the loop's branch of some 8 cycles hardly counts
SOURCES, ACCUMULATORS = 24, 12


def bank_choices(parity, shared, seed):
    """BODY triples of a source, a second one and an accumulator, which is read and written. `parity`: "mixed" takes any,
    "same" takes registers whose numbers are all even or all odd, and in "odd one" the second source differs. `shared`:
    two instructions in a row have the same first source."""
    random = Random(seed)
    triples = []
    for n in range(BODY):
        d = n // 4 * 4 % ACCUMULATORS + (0, 2, 1, 3)[n % 4]
        some = [s for s in range(SOURCES) if parity == "mixed" or s % 2 == d % 2]
        others = [s for s in range(SOURCES) if parity == "mixed" or s % 2 == (d + (parity == "odd one")) % 2]
        x = triples[-1][0] if shared and n % 2 and triples[-1][0] in some else random.choice(some)
        y = random.choice([s for s in others if s != x])
        triples.append((x, y, d))
    return triples


def bank_kernels():
    """Name and triples of each kernel of banks.h."""
    return [(f"{parity} {'shared' if shared else 'fresh'} {seed}", bank_choices(parity, shared, seed))
            for parity in ("mixed", "same", "odd one") for shared in (False, True) for seed in (1, 2, 3)]


def banks_source():
    """banks.h: FFMAs whose sources and accumulators differ from kernel to kernel."""
    lines = ["// Written by scripts/measure/instructions.py.", f"constexpr int body_instructions = {BODY};"]
    kernels = bank_kernels()
    for number, (name, triples) in enumerate(kernels):
        body = "\n".join(f'    asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(d.r[{d}]) : "f"(s.r[{x}]), "f"(s.r[{y}]));'
                         for x, y, d in triples)
        lines.append(
            f"__global__ void banks{number}(Span* spans, unsigned* results, const unsigned* input, int count) {{\n"
            f"  Registers<float, {SOURCES}> s;\n  Registers<float, {ACCUMULATORS}> d;\n"
            f"  fill(s, input, 0);\n  fill(d, input, {SOURCES});\n"
            f"  const long long begin = clock64();\n#pragma unroll 1\n  for (int i = 0; i < count; ++i) {{\n{body}\n  }}\n"
            f"  const long long end = clock64();\n  store(spans, results, begin, end, mix(d) ^ mix(s));\n}}\n")
    lines.append("template <class Visitor> void for_each_kernel(Visitor visit) {")
    lines += [f'  visit(banks{n}, "{name}");' for n, (name, _) in enumerate(kernels)]
    lines.append("}")
    return "\n".join(lines) + "\n"
