// A sub-core's part of a platform file (keys sub_core.*).
#pragma once

#include <cstdint>

#include "model/config/collector_parameters.h"
#include "model/config/operand_cache_parameters.h"
#include "model/config/parameter.h"
#include "model/config/scheduler_parameters.h"
#include "model/isa/execution_class.h"
#include "model/policy/kinds.h"

namespace subcore {

struct DispatchParameters {
  DispatchOrder order = DispatchOrder::oldest;
  template <class V>
  void describe(V& v) {
    v.choice("order", order,
             "which complete collector dispatches: the longest complete one, or each in turn");
  }
};

struct RegisterFileParameters {
  std::uint32_t banks = 2;
  double bank_kilobytes = 32;
  BankWarpId bank_warp_id = BankWarpId::subcore_local;
  std::uint32_t read_latency = 0;
  std::uint32_t collector_port_limit = 1;
  std::uint32_t steps_per_cycle = 1;
  std::uint32_t result_latches = 2;
  template <class V>
  void describe(V& v) {
    v.field("banks", banks, {1, 64}, "banks", "single-ported register banks per sub-core");
    v.field("bank_kilobytes", bank_kilobytes, {1, 4096}, "KB", "size of a bank (energy only)");
    v.choice("bank_warp_id", bank_warp_id, "warp number in the bank map (register + warp) mod banks");
    v.field("read_latency", read_latency, {0, 1000}, "cycles", "extra cycles from grant to delivery");
    v.field("collector_port_limit", collector_port_limit, {0, 64}, "operands/cycle",
            "port S width per collector; 0 = unlimited");
    v.field("steps_per_cycle", steps_per_cycle, {1, 4}, "steps", "register file steps per core cycle");
    v.field("result_latches", result_latches, {1, 16}, "results",
            "results a unit may hold while its banks are busy");
  }
};

struct UnitTiming {
  std::uint32_t latency = 4;
  std::uint32_t initiation_interval = 2;
  template <class V>
  void describe(V& v) {
    v.field("latency", latency, {1, 10000}, "cycles", "from first execution cycle to write-back");
    v.field("initiation_interval", initiation_interval, {1, 10000}, "cycles",
            "between two instructions of the unit");
  }
};

// The defaults are those of Malekeh's authors' simulator (platforms/units/papers.yaml). Of `barrier` they say
// nothing; it is what Accel-Sim has, of which their simulator is a branch.
struct ExecutionParameters {
  UnitTiming integer{4, 2}, single{4, 2}, half{4, 1}, double_{8, 4}, special{20, 8};
  UnitTiming tensor_f16{8, 4}, tensor_f32{8, 4}, tensor_int{8, 4};
  UnitTiming branch{4, 4}, barrier{1, 1}, texture{200, 4}, uniform{4, 2};
  template <class V>
  void describe(V& v) {
    v.group("int", integer);
    v.group("sp", single);
    v.group("half", half);
    v.group("dp", double_);
    v.group("sfu", special);
    v.group("tensor_f16", tensor_f16);
    v.group("tensor_f32", tensor_f32);
    v.group("tensor_int", tensor_int);
    v.group("branch", branch);
    v.group("barrier", barrier);
    v.group("texture", texture);
    v.group("uniform", uniform);
  }
  const UnitTiming& of(ExecutionClass c) const;  // load_store has no entry: std::logic_error
};

struct SubCoreParameters {
  std::uint32_t warp_slots = 8;
  SchedulerParameters scheduler;
  CollectorParameters collector;
  OperandCacheParameters operand_cache;
  DispatchParameters dispatch;
  RegisterFileParameters register_file;
  ExecutionParameters execution;
  template <class V>
  void describe(V& v) {
    v.field("warp_slots", warp_slots, {1, 64}, "warps", "warp slots per sub-core");
    v.group("scheduler", scheduler);
    v.group("collector", collector);
    v.group("operand_cache", operand_cache);
    v.group("dispatch", dispatch);
    v.group("register_file", register_file);
    v.group("execution", execution);
  }
};

}  // namespace subcore
