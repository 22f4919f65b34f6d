// Execution classes: which unit runs an instruction, and with which latency and initiation interval.
// A detail: any version may change this header (docs/integrating.md).
#pragma once

#include <array>
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

// The units of a sub-core, and the load/store unit that its SM has for all of them.
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

// A unit and its name.
struct ExecutionUnitLine {
  ExecutionUnitKind unit;
  std::string_view name;  // in statistics and reports
};

// A new unit is one enumerator and one line here, and the classes that it runs.
inline constexpr std::array execution_units{
    ExecutionUnitLine{ExecutionUnitKind::integer, "integer"},
    ExecutionUnitLine{ExecutionUnitKind::single, "single"},
    ExecutionUnitLine{ExecutionUnitKind::half, "half"},
    ExecutionUnitLine{ExecutionUnitKind::double_, "double"},
    ExecutionUnitLine{ExecutionUnitKind::special, "special"},
    ExecutionUnitLine{ExecutionUnitKind::tensor, "tensor"},
    ExecutionUnitLine{ExecutionUnitKind::branch, "branch"},
    ExecutionUnitLine{ExecutionUnitKind::texture, "texture"},
    ExecutionUnitLine{ExecutionUnitKind::uniform, "uniform"},
    ExecutionUnitLine{ExecutionUnitKind::load_store, "load_store"},
};
// Units in all, the load/store unit among them.
inline constexpr std::size_t execution_unit_count = execution_units.size();

// A class, its unit and the defaults of its timing.
struct ExecutionClassLine {
  ExecutionClass execution;
  std::string_view name;  // in statistics and reports
  ExecutionUnitKind unit;
  // The class's group in platform files, sub_core.execution.KEY, and the defaults in cycles, which are those
  // of Malekeh's authors' simulator (platforms/units/papers.yaml). It says nothing of barriers; theirs are
  // those of Accel-Sim, of which it is a branch. The load/store unit's timing is in `load_store`.
  const char* key;
  std::uint32_t latency, initiation_interval;
};

// A new class is one enumerator and one line here.
inline constexpr std::array execution_classes{
    ExecutionClassLine{ExecutionClass::integer, "integer", ExecutionUnitKind::integer, "int", 4, 2},
    ExecutionClassLine{ExecutionClass::single, "single", ExecutionUnitKind::single, "sp", 4, 2},
    ExecutionClassLine{ExecutionClass::half, "half", ExecutionUnitKind::half, "half", 4, 1},
    ExecutionClassLine{ExecutionClass::double_, "double", ExecutionUnitKind::double_, "dp", 8, 4},
    ExecutionClassLine{ExecutionClass::special, "special", ExecutionUnitKind::special, "sfu", 20, 8},
    ExecutionClassLine{ExecutionClass::tensor_f16, "tensor_f16", ExecutionUnitKind::tensor, "tensor_f16", 8,
                       4},
    ExecutionClassLine{ExecutionClass::tensor_f32, "tensor_f32", ExecutionUnitKind::tensor, "tensor_f32", 8,
                       4},
    ExecutionClassLine{ExecutionClass::tensor_int, "tensor_int", ExecutionUnitKind::tensor, "tensor_int", 8,
                       4},
    ExecutionClassLine{ExecutionClass::branch, "branch", ExecutionUnitKind::branch, "branch", 4, 4},
    ExecutionClassLine{ExecutionClass::barrier, "barrier", ExecutionUnitKind::integer, "barrier", 1, 1},
    ExecutionClassLine{ExecutionClass::texture, "texture", ExecutionUnitKind::texture, "texture", 200, 4},
    ExecutionClassLine{ExecutionClass::uniform, "uniform", ExecutionUnitKind::uniform, "uniform", 4, 2},
    ExecutionClassLine{ExecutionClass::load_store, "load_store", ExecutionUnitKind::load_store, nullptr, 0,
                       0},
};
// Classes in all.
inline constexpr std::size_t execution_class_count = execution_classes.size();

// Whether both tables have their lines in the order of the enumerators; checked as this is compiled.
constexpr bool lines_follow_the_enumerators() {
  for (std::size_t u = 0; u < execution_units.size(); ++u)
    if (static_cast<std::size_t>(execution_units[u].unit) != u) return false;
  for (std::size_t c = 0; c < execution_classes.size(); ++c)
    if (static_cast<std::size_t>(execution_classes[c].execution) != c) return false;
  return true;
}
static_assert(lines_follow_the_enumerators() &&
                  execution_classes.back().execution == ExecutionClass::load_store &&
                  execution_units.back().unit == ExecutionUnitKind::load_store,
              "one line for each enumerator, in their order, the load/store unit last");

constexpr std::string_view name(ExecutionClass c) {
  return execution_classes[static_cast<std::size_t>(c)].name;
}
constexpr std::string_view name(ExecutionUnitKind u) {
  return execution_units[static_cast<std::size_t>(u)].name;
}
// A table apart from the texts, because it is asked for many times for each warp instruction.
inline constexpr auto units_of_classes = [] {
  std::array<ExecutionUnitKind, execution_class_count> units{};
  for (std::size_t c = 0; c < units.size(); ++c) units[c] = execution_classes[c].unit;
  return units;
}();
// The unit that executes a class.
constexpr ExecutionUnitKind unit_of(ExecutionClass c) {
  return units_of_classes[static_cast<std::size_t>(c)];
}

// Whether instructions of the class look into the register cache that the compiler manages by reuse flags
// (Huerta, MICRO 2025), and empty it. Memory, transcendental and control instructions do neither.
constexpr bool uses_reuse_cache(ExecutionClass c) {
  switch (c) {
    case ExecutionClass::integer:
    case ExecutionClass::single:
    case ExecutionClass::half:
    case ExecutionClass::double_:
    case ExecutionClass::tensor_f16:
    case ExecutionClass::tensor_f32:
    case ExecutionClass::tensor_int:
      return true;
    default:
      return false;
  }
}

}  // namespace subcore
