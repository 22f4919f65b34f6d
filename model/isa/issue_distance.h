// The distances that a compiler keeps between two instructions that nothing but their distance orders, for
// machines that rely on the compiler (control_bits.h).
//
// The distances are the least that nvcc leaves between issues of dependent instructions. For sm_75 they were
// measured over the sidecars of 62 kernels (27,816 instructions). For sm_80, sm_86 and sm_90 they were
// measured over the sidecars of 13 kernels (some 6,000 instructions each). Where no pair of a kind occurs, a
// longer distance of a neighbouring kind stands in for it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string_view>

#include "subcore/model/isa/unit_table.h"

namespace subcore {

// The pipe of an opcode with its modifiers, "FFMA.FTZ". `info` is the opcode table's entry.
IssuePipe issue_pipe(unsigned architecture, std::string_view opcode, const OpcodeInfo& info);

// Whether the compiler has a barrier for the pipe's results.
bool has_variable_latency(unsigned architecture, IssuePipe pipe);

// The kind of operand that the consumer takes from the producer.
enum class DependenceKind : std::uint8_t {
  source,     // a register
  guard,      // a predicate that says whether an instruction runs, or where a branch goes
  predicate,  // a predicate or a carry that is read as an operand
};

// Cycles from the issue of a producer of fixed latency to the issue of a consumer.
unsigned issue_distance(unsigned architecture, const UnitUse& producer, const UnitUse& consumer,
                        DependenceKind kind);
// Cycles from the issue of a producer of fixed latency to the issue of a later producer of the same result.
// The later result must not arrive first.
unsigned overwrite_distance(unsigned architecture, const UnitUse& first, const UnitUse& second);
// Cycles between two instructions that use the same pipe.
unsigned pipe_interval(unsigned architecture, const UnitUse& use);

// Whether all results of `first` are written once the later `second` of the same warp has written its own.
// Such pipes complete a warp's instructions in order. `long_first`: `first` is a load that may miss
// (is_long_latency), so others may overtake it.
bool completes_in_order(IssuePipe first, bool long_first, IssuePipe second);

}  // namespace subcore
