// A sub-core's part of a platform file (keys sub_core.*).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "subcore/modules/arbiter/register_file_parameters.h"
#include "subcore/modules/dispatch_scheduler/dispatch_parameters.h"
#include "subcore/modules/execution_unit/execution_parameters.h"
#include "subcore/modules/issue_scheduler/scheduler_parameters.h"
#include "subcore/modules/operand_path/collector_parameters.h"

namespace subcore {

struct SubCoreParameters {
  std::uint32_t warp_slots = 8;
  SchedulerParameters scheduler;
  CollectorParameters collector;
  OperandCacheParameters operand_cache;
  DispatchParameters dispatch;
  RegisterFileParameters register_file;
  ExecutionParameters execution;
  void describe(ParameterVisitor& v) {
    v.field_or_word("warp_slots", warp_slots, "share", {1, 64}, "warps",
                    "warp slots per sub-core; share: as many as the SM's make for each (sm.warp_slots)");
    v.group("scheduler", scheduler);
    v.group("collector", collector);
    v.group("operand_cache", operand_cache);
    v.only_if(!collector.kind->reads_in_window(),
              "a sub_core.collector.kind whose instructions wait to be chosen (not fixed_window)",
              [&] { v.group("dispatch", dispatch); });
    v.group("register_file", register_file);
    v.group("execution", execution);
  }
};

}  // namespace subcore
