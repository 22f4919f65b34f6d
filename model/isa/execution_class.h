// Execution classes: which unit runs an instruction, and with which latency and initiation interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace subcore {

// A class has a latency and an initiation interval of its own in the platform file (`execution`). Several
// classes may share one unit: the three tensor classes differ in timing but occupy the same tensor core.
enum class ExecutionClass : std::uint8_t {
  integer,     // 32-bit integer, logic, moves, special-register reads
  single,      // 32-bit floating point
  half,        // packed 16-bit floating point on the CUDA cores
  double_,     // 64-bit floating point
  special,     // MUFU and conversions of the special function unit
  tensor_f16,  // HMMA with 16-bit accumulators
  tensor_f32,  // HMMA and DMMA with 32-bit (or wider) accumulators
  tensor_int,  // IMMA, BMMA
  branch,      // control flow
  barrier,     // barriers and exit: bookkeeping that takes its turn in the integer unit
  texture,     // TEX, TLD, ...
  uniform,     // uniform datapath
  load_store,  // every access through the SM's load/store unit
};
inline constexpr std::size_t execution_class_count = 13;

// The name used in YAML keys, statistics and reports.
std::string_view name(ExecutionClass c);

enum class ExecutionUnitKind : std::uint8_t {
  integer,
  single,
  half,
  double_,
  special,
  tensor,
  branch,
  texture,
  uniform,
  load_store
};
inline constexpr std::size_t execution_unit_count = 10;

std::string_view name(ExecutionUnitKind u);
ExecutionUnitKind unit_of(ExecutionClass c);

}  // namespace subcore
