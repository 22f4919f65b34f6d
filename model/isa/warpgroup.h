// The meaning of opcodes and operands for matrix products of a warpgroup (wgmma of sm_90), on machines with a
// unit for them.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string_view>

#include "subcore/model/isa/instruction.h"

namespace subcore {

// Whether an architecture's tensor cores make products of a warpgroup.
constexpr bool has_warpgroup_products(unsigned architecture) {
  return architecture >= 90 && architecture < 120;
}

// Whether an opcode is a matrix product of a warpgroup (HGMMA, QGMMA, IGMMA, BGMMA).
bool is_warpgroup_product(std::string_view opcode);

// The number of columns of a product, from the shape in its opcode: 128 for "HGMMA.64x128x16.F32". 0 if the
// opcode has no shape.
unsigned product_columns(std::string_view opcode);

// Notes the instruction's part in products. A trace names a product's first accumulator as its result, and
// also as a source unless the product begins a new sum. The trace also names the first of four registers of
// A, if A is not in shared memory. The product keeps A's registers as its sources and has no results. Its
// accumulators are kept apart: half as many as it has columns, or a quarter if two of 16 bits share a
// register.
void set_warpgroup_step(StaticInstruction& s, std::string_view opcode);

}  // namespace subcore
