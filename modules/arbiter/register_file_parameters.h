// Parameters of the register file (keys sub_core.register_file.* of a platform file): banks, arbiter and
// ports.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/bank_map.h"

namespace subcore {

struct RegisterFileParameters {
  std::uint32_t banks = 2;
  double bank_kilobytes = 32;
  BankWarpId bank_warp_id = BankWarpId::subcore_local;
  std::uint32_t read_latency = 0;
  std::uint32_t collector_port_limit = 1;
  std::uint32_t steps_per_cycle = 1;
  std::uint32_t result_latches = 2;
  // Warp operands of 1024 bits that a bank holds.
  std::uint32_t bank_words() const { return static_cast<std::uint32_t>(bank_kilobytes * 8); }
  void describe(ParameterVisitor& v) {
    v.field("banks", banks, {1, 64}, "banks", "register banks per sub-core");
    v.field("bank_kilobytes", bank_kilobytes, {1, 4096}, "KB", "size of a bank (energy and area only)");
    v.choice("bank_warp_id", bank_warp_id, "warp number in the bank map (register + warp) mod banks");
    v.field("read_latency", read_latency, {0, 1000}, "cycles",
            "cycles from grant to delivery, added to the usual ones");
    v.field("collector_port_limit", collector_port_limit, {0, 64}, "operands/cycle",
            "port S width per collector; 0 = unlimited");
    v.field("steps_per_cycle", steps_per_cycle, {1, 4}, "steps", "register file steps per core cycle");
    v.field("result_latches", result_latches, {1, 16}, "results",
            "results that a unit may hold while their banks are busy");
  }
};

}  // namespace subcore
