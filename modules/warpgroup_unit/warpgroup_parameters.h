// Parameters of the matrix products of warpgroups (keys sub_core.warpgroup.* of a platform file).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/warpgroup_timing.h"

namespace subcore {

struct WarpgroupParameters : WarpgroupTiming {
  void describe(ParameterVisitor& v) {
    v.field("in_flight", in_flight, {1, 64}, "products",
            "most products of a warp that are issued and not complete; measured with one warp on a sub-core");
    v.field("columns_per_cycle", columns_per_cycle, {1, 64}, "columns/cycle",
            "columns of a product that the tensor cores make in a cycle; accumulators are read and written "
            "at the same pace");
    v.field("accumulator_latency", accumulator_latency, {4, 1000}, "cycles",
            "time from the read of an accumulator to its write");
    v.field("a_wavefronts", a_wavefronts, {0, 1000}, "cycles",
            "cycles in which shared memory is read for A, unless A is in registers");
    v.field("b_wavefronts", b_wavefronts, {1, 1000}, "cycles",
            "cycles in which shared memory is read for eight columns of B");
    v.field("operands_ahead", operands_ahead, {1, 16}, "products",
            "products whose operands may be read from shared memory before the products begin");
  }
};

}  // namespace subcore
