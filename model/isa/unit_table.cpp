#include "subcore/model/isa/unit_table.h"

#include <algorithm>

#include "subcore/model/isa/bulk_copies.h"
#include "subcore/model/isa/issue_distance.h"
#include "subcore/model/isa/warpgroup.h"

namespace subcore {
namespace {

using C = ExecutionClass;
using L = LatencyClass;
using Line = UnitTableLine;

// shape() makes a line for an opcode or shape. others() makes a line for all other opcodes of a class.
constexpr Line shape(unsigned first, unsigned last, std::string_view opcode, C runs_as, std::uint16_t latency,
                     std::uint16_t interval, L completion = L::counted, std::uint8_t late = 0) {
  return {first, last, opcode, runs_as, latency, interval, completion, late};
}
constexpr Line others(unsigned first, unsigned last, C of, std::uint16_t latency, std::uint16_t interval,
                      L completion = L::counted, std::uint8_t late = 0) {
  return {first, last, {}, of, latency, interval, completion, late};
}

// Letters behind the lines name their sources:
// * A: Accel-Sim's configurations.
// * C: the least distance in code that nvcc 13 compiled for the architecture.
// * D: Sun et al., arXiv 2206.02874, measured on an A100.
// * H: Huerta, MICRO 2025.
// * J: the microbenchmarks of gpu-arch-microbenchmark.
// * K: probes of sass-king on an RTX 5070 Ti.
// * M: measured on an H200, scripts/measure/gpus/h200.
// * N: probes of cicuvc/nvidia-sass-document.
// * W: peak rates of NVIDIA's white papers. An interval is 32 lanes divided by the lanes of a sub-core, or a
//   shape's FMAs divided by the peak's.
// * "as": no source; the named line stands in.
const std::vector<Line> table_lines{
    // sm_75: as platforms/units/turing.yaml, with a line for the wide multiplication.
    shape(0, 79, "IMAD.WIDE", C::integer, 4, 4),      // H
    shape(0, 79, "IMAD.HI", C::integer, 4, 4),        // as IMAD.WIDE
    others(0, 79, C::integer, 4, 2),                  // H
    others(0, 79, C::single, 4, 2),                   // H
    others(0, 79, C::half, 6, 2),                     // H
    others(0, 79, C::double_, 48, 64, L::queued),     // J, W
    others(0, 79, C::special, 20, 8, L::queued),      // H
    others(0, 79, C::tensor_f16, 14, 8, L::window),   // D, W
    others(0, 79, C::tensor_f32, 18, 16, L::window),  // D, W: GeForce
    others(0, 79, C::tensor_int, 10, 4, L::window),   // H, W
    others(0, 79, C::branch, 4, 2),                   // assumed, as other lines of branches
    others(0, 79, C::load_store, 0, 0, L::queued),    //

    // sm_80: GA100. FP16 runs beside the tensor core as HFMA2, and in the tensor core as HFMA2.MMA. Doubles
    // run in the tensor core's pipe, too (P: forum thread 302018 of NVIDIA's developers, on pipes).
    shape(80, 85, "IMAD.WIDE", C::single, 4, 4),                    // H
    shape(80, 85, "IMAD.HI", C::single, 4, 4),                      // as IMAD.WIDE
    shape(80, 85, "IMAD", C::single, 4, 2),                         // H, N
    shape(80, 85, "HFMA2.MMA", C::tensor_f16, 6, 2),                // C, N
    others(80, 85, C::half, 4, 2),                                  // C, N
    shape(80, 85, "DADD", C::tensor_f32, 6, 4),                     // A, N; unit P
    shape(80, 85, "DFMA", C::tensor_f32, 6, 4),                     // likewise
    shape(80, 85, "DMUL", C::tensor_f32, 6, 4),                     // likewise
    shape(80, 85, "DSETP", C::tensor_f32, 6, 4),                    // likewise
    others(80, 85, C::double_, 6, 4),                               // A, N
    shape(80, 85, "HMMA.SP.16816.F32.TF32", C::tensor_f32, 24, 8),  // D
    shape(80, 85, "HMMA.SP.1688.F32.TF32", C::tensor_f32, 18, 6),   // as HMMA.SP.16816
    shape(80, 85, "HMMA.SP.16816", C::tensor_f32, 18, 6),           // D
    shape(80, 85, "HMMA.SP.16832", C::tensor_f32, 24, 8),           // D
    shape(80, 85, "HMMA.1688.F32.TF32", C::tensor_f32, 25, 8),      // D
    shape(80, 85, "HMMA.1684", C::tensor_f32, 18, 4),               // as HMMA.1688
    shape(80, 85, "HMMA.1688.F16", C::tensor_f16, 18, 4),           // D
    shape(80, 85, "HMMA.1688", C::tensor_f32, 18, 4),               // D
    shape(80, 85, "HMMA.16816.F16", C::tensor_f16, 24, 8),          // D, C
    shape(80, 85, "HMMA.16816", C::tensor_f32, 24, 8),              // D, C
    shape(80, 85, "IMMA.8816", C::tensor_int, 18, 4),               // D
    shape(80, 85, "IMMA.16816", C::tensor_int, 18, 4),              // as HMMA.1688
    shape(80, 85, "IMMA.8832", C::tensor_int, 18, 4),               // as IMMA.8816
    shape(80, 85, "IMMA.SP.16832", C::tensor_int, 18, 6),           // as HMMA.SP.16816
    shape(80, 85, "IMMA.16832.S4", C::tensor_int, 18, 4),           // as IMMA.16816
    shape(80, 85, "IMMA.16832.U4", C::tensor_int, 18, 4),           // as IMMA.16816
    others(80, 85, C::tensor_int, 25, 8),                           // D
    shape(80, 85, "DMMA", C::tensor_f32, 26, 16, L::window),        // W; latency as a BMMA's
    others(80, 85, C::tensor_f32, 24, 8),                           // as HMMA.16816
    others(80, 85, C::tensor_f16, 24, 8),                           // as HMMA.16816
    shape(80, 85, "MUFU.RCP64H", C::special, 23, 8, L::queued, 3),  // as others; C: 6 behind DADD
    shape(80, 85, "MUFU.RSQ64H", C::special, 23, 8, L::queued, 3),  // as others; C: 6 behind DADD
    others(80, 85, C::special, 23, 8, L::queued, 1),                // A, C

    // sm_86 to sm_89: GA10x and AD10x, with a narrower tensor core. Compiled code counts on the same
    // latencies as on sm_80, so the table has the same. Chains are bound by intervals.
    others(86, 89, C::single, 4, 1),                                 // H
    shape(86, 89, "IMAD.WIDE", C::single, 4, 4),                     // H
    shape(86, 89, "IMAD.HI", C::single, 4, 4),                       // as IMAD.WIDE
    shape(86, 89, "IMAD", C::single, 4, 2),                          // H
    shape(86, 89, "HFMA2.MMA", C::half, 4, 2),                       // as HFMA2: nvcc makes none
    others(86, 89, C::half, 4, 2),                                   // C, W
    others(86, 89, C::double_, 48, 64, L::queued, 1),                // W; latency as on sm_75
    shape(86, 89, "HMMA.SP.16816.F32.TF32", C::tensor_f32, 25, 32),  // W
    shape(86, 89, "HMMA.SP.16832.F16", C::tensor_f16, 24, 16),       // W
    shape(86, 89, "HMMA.SP.16832", C::tensor_f32, 24, 32),           // W
    shape(86, 89, "HMMA.SP.16816.F16", C::tensor_f16, 18, 8),        // W
    shape(86, 89, "HMMA.SP.16816", C::tensor_f32, 18, 16),           // W
    shape(86, 89, "HMMA.1688.F32.TF32", C::tensor_f32, 25, 32),      // W; latency D
    shape(86, 89, "HMMA.1684", C::tensor_f32, 18, 16),               // W
    shape(86, 89, "HMMA.1688.F16", C::tensor_f16, 18, 8),            // W
    shape(86, 89, "HMMA.1688", C::tensor_f32, 18, 16),               // W
    shape(86, 89, "HMMA.16816.F16", C::tensor_f16, 24, 16),          // W, C
    shape(86, 89, "HMMA.16816", C::tensor_f32, 24, 32),              // A, W, C
    shape(86, 89, "IMMA.8816", C::tensor_int, 10, 4),                // as on sm_75
    shape(86, 89, "IMMA.8832", C::tensor_int, 10, 4),                // as IMMA.8816
    shape(86, 89, "IMMA.16816", C::tensor_int, 18, 8),               // W
    shape(86, 89, "IMMA.SP.16832", C::tensor_int, 18, 8),            // W
    shape(86, 89, "IMMA.16832.S4", C::tensor_int, 18, 8),            // W
    shape(86, 89, "IMMA.16832.U4", C::tensor_int, 18, 8),            // W
    others(86, 89, C::tensor_int, 24, 16),                           // W
    shape(86, 89, "DMMA", C::tensor_f32, 520, 512, L::window),       // W: two FP64 lanes for an SM
    shape(86, 89, "QMMA.16832.F16", C::tensor_f16, 24, 16),          // W
    shape(86, 89, "QMMA", C::tensor_f32, 24, 32),                    // W
    others(86, 89, C::tensor_f32, 24, 32),                           // as HMMA.16816
    others(86, 89, C::tensor_f16, 24, 16),                           // as HMMA.16816
    others(86, 89, C::special, 20, 8, L::queued, 1),                 // A, C

    // sm_90: GH100. IMAD runs in the FMA pipe, in which an FFMA takes one cycle and an IMAD two. A pair of
    // IADD3 and IMAD takes 2.07 cycles, and a pair of FFMA and IMAD 3.13 (M).
    others(90, 119, C::single, 4, 1),                             // M, N
    shape(90, 119, "IMAD.WIDE", C::single, 3, 4, L::counted, 2),  // C, M: code takes its result after 3
    shape(90, 119, "IMAD.HI", C::single, 4, 4),                   // M
    shape(90, 119, "IMAD", C::single, 4, 2),                      // M
    shape(90, 119, "HFMA2.MMA", C::tensor_f16, 6, 2),             // C, N
    others(90, 119, C::half, 4, 2),                               // C, N
    others(90, 119, C::double_, 8, 2),                            // M, N
    // A warpgroup's product takes 49 + N / 2 cycles in all. The latency here is the part until its operands
    // are asked for in shared memory. The interval is the distance of two products on their way to the unit.
    shape(90, 119, "HGMMA", C::tensor_f32, 10, 1, L::queued),  // M, N
    shape(90, 119, "QGMMA", C::tensor_f32, 10, 1, L::queued),  // N
    shape(90, 119, "IGMMA", C::tensor_int, 10, 1, L::queued),  // as HGMMA
    shape(90, 119, "BGMMA", C::tensor_int, 10, 1, L::queued),  // as HGMMA
    // Compiled code leaves one cycle more than these latencies before the next HMMA or IMMA, and two more
    // before other instructions, whose windows are shorter. Measured chains take the same as compiled code,
    // except that chains with latency 15 take one cycle more (M).
    shape(90, 119, "HMMA.1688.F32.TF32", C::tensor_f32, 23, 6),       // M
    shape(90, 119, "HMMA.1684", C::tensor_f32, 15, 4),                // M
    shape(90, 119, "HMMA.SP.16816.F32.TF32", C::tensor_f32, 23, 8),   // as HMMA.SP.16832
    shape(90, 119, "HMMA.SP.16816", C::tensor_f32, 15, 6),            // M
    shape(90, 119, "HMMA.SP.16832", C::tensor_f32, 23, 8),            // M
    shape(90, 119, "HMMA.1688.F16", C::tensor_f16, 15, 4),            // M
    shape(90, 119, "HMMA.1688", C::tensor_f32, 15, 4),                // M
    shape(90, 119, "IMMA.8816", C::tensor_int, 13, 4),                // M
    shape(90, 119, "IMMA.16816", C::tensor_int, 15, 4),               // M
    shape(90, 119, "IMMA.SP.16864", C::tensor_int, 23, 8),            // M
    others(90, 119, C::tensor_int, 23, 6),                            // M
    shape(90, 119, "DMMA.884", C::tensor_f32, 26, 16, L::window),     // M
    shape(90, 119, "DMMA.1684", C::tensor_f32, 34, 16, L::window),    // W; latency as the others' + 18
    shape(90, 119, "DMMA.16x8x4", C::tensor_f32, 34, 16, L::window),  // likewise
    shape(90, 119, "DMMA.1688", C::tensor_f32, 50, 32, L::window),    // M
    shape(90, 119, "DMMA.16x8x8", C::tensor_f32, 50, 32, L::window),  // M
    shape(90, 119, "DMMA", C::tensor_f32, 82, 64, L::window),         // M
    others(90, 119, C::tensor_f32, 23, 6),                            // M, C (24, 25 to ALU)
    others(90, 119, C::tensor_f16, 23, 6),                            // M, C
    shape(90, 119, "MUFU.RCP64H", C::special, 19, 8, L::queued, 5),   // as MUFU.RCP; C: 6 behind DADD
    shape(90, 119, "MUFU.RSQ64H", C::special, 17, 8, L::queued, 5),   // as other MUFU; C: 6 behind DADD
    shape(90, 119, "MUFU.RCP", C::special, 19, 8, L::queued, 1),      // M
    shape(90, 119, "MUFU.SIN", C::special, 19, 8, L::queued, 1),      // M
    shape(90, 119, "MUFU.COS", C::special, 19, 8, L::queued, 1),      // as MUFU.SIN
    others(90, 119, C::special, 17, 8, L::queued, 1),                 // M
    others(90, 119, C::load_store, 0, 0, L::queued, 5),               // C: 7 behind DADD, which takes 8

    // sm_120: GB20x, of which little is public. Lines without a source are as on sm_89. Latencies on which
    // compiled code counts are as on sm_90. An RTX PRO 6000 has twice the tensor rate: 16 cycles for
    // HMMA.16816 (N).
    others(120, onwards, C::single, 4, 1),                             // N
    shape(120, onwards, "IMAD.WIDE", C::single, 7, 4),                 // N: 7.01 from one to the next
    shape(120, onwards, "IMAD.HI", C::single, 4, 4),                   // N: to its addend; 9 to a factor
    shape(120, onwards, "IMAD", C::single, 4, 2),                      // N
    shape(120, onwards, "MOV", C::integer, 4, 1),                      // N
    shape(120, onwards, "SEL", C::integer, 4, 1),                      // N
    shape(120, onwards, "ISETP", C::integer, 4, 1),                    // N
    others(120, onwards, C::half, 4, 2),                               // N
    others(120, onwards, C::double_, 48, 64, L::queued, 1),            // N; latency as on sm_89
    shape(120, onwards, "HMMA.16816", C::tensor_f32, 35, 32),          // K, N
    shape(120, onwards, "QMMA.16832", C::tensor_f32, 35, 32),          // K, N
    shape(120, onwards, "HMMA.1688.F32.TF32", C::tensor_f32, 35, 32),  // as HMMA.16816
    shape(120, onwards, "HMMA.1688", C::tensor_f32, 18, 16),           // as on sm_89
    shape(120, onwards, "HMMA.1684", C::tensor_f32, 18, 16),           // as on sm_89
    shape(120, onwards, "IMMA.16816", C::tensor_int, 18, 16),          // N; latency as on sm_89
    others(120, onwards, C::tensor_int, 35, 32),  // the rate of IMMA.16816; latency as HMMA.16816
    shape(120, onwards, "DMMA", C::tensor_f32, 520, 512, L::window),  // as on sm_89
    others(120, onwards, C::tensor_f32, 35, 32),                      // as HMMA.16816
    others(120, onwards, C::tensor_f16, 35, 32),                      // as HMMA.16816
    others(120, onwards, C::special, 20, 8, L::queued, 1),            // N; latency as on sm_89

    // Lines for all architectures from sm_80 on.
    others(80, onwards, C::integer, 4, 2),                   // N
    others(80, onwards, C::single, 4, 2),                    // N
    others(80, onwards, C::branch, 4, 2),                    // as on sm_75
    others(80, onwards, C::load_store, 0, 0, L::queued, 3),  // C: 5 from ALU and FMA, 8 on sm_75
    // Lines for all architectures.
    others(0, onwards, C::barrier, 4, 1),  // in the integer unit, which gives one result per cycle
    others(80, onwards, C::texture, 200, 4, L::queued, 1),  // A
    others(0, 79, C::texture, 200, 4, L::queued),           // A
    others(0, onwards, C::uniform, 4, 2),                   // H
};

LatencyClass class_completion(ExecutionClass c) {
  return execution_classes[static_cast<std::size_t>(c)].latency_class;
}

}  // namespace

const std::vector<UnitTableLine>& unit_table() {
  return table_lines;
}

UnitUse unit_use(unsigned architecture, std::string_view opcode, const OpcodeInfo& info) {
  const auto line = std::find_if(table_lines.begin(), table_lines.end(), [&](const Line& l) {
    return is_for(l, architecture) &&
           (l.opcode.empty() ? l.execution == info.execution : matches_shape(opcode, l.opcode));
  });
  const IssuePipe pipe = issue_pipe(architecture, opcode, info);
  if (line == table_lines.end()) return {info.execution, pipe, 0, 0, class_completion(info.execution), 0};
  return {line->execution, pipe, line->latency, line->initiation_interval, line->completion, line->late};
}

void set_unit_use(StaticInstruction& s, std::string_view opcode, const UnitOptions& options) {
  if (options.architecture == 0) return;
  const auto info = opcode_info(opcode);
  if (!info) return;
  if (has_bulk_copies(options.architecture)) set_async_step(s, opcode);
  // The opcode does not tell that exchanges between lanes may go through the load/store unit.
  OpcodeInfo as = *info;
  as.execution = s.execution;
  const UnitUse use = unit_use(options.architecture, opcode, as);
  s.execution = use.execution;
  s.latency = use.latency;
  s.initiation_interval = use.initiation_interval;
  s.completion = use.completion;
  s.late = use.late;
  if (has_warpgroup_products(options.architecture)) set_warpgroup_step(s, opcode);
  for (const UnitShape& shape : options.shapes) {
    if (use.latency == 0 || !matches_shape(opcode, shape.opcode)) continue;
    s.latency = static_cast<std::uint16_t>(shape.latency);
    s.initiation_interval = static_cast<std::uint16_t>(shape.initiation_interval);
    break;
  }
}

}  // namespace subcore
