// Execution classes: the unit that runs an instruction, its timing, and the facts that schemes need about it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace subcore {

// Each class has its own latency and initiation interval in the platform file (`execution`). Several classes
// may share one unit: the three tensor classes differ in timing but occupy the same tensor core.
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

// The units of a sub-core, and the load/store unit that all sub-cores of an SM share.
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

// A new unit needs one enumerator, one line here, and the classes that it runs.
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
// The count of units, including the load/store unit.
inline constexpr std::size_t execution_unit_count = execution_units.size();

// How long results take, and where operands are read, on a machine whose compiler counts cycles (Huerta,
// MICRO 2025).
enum class LatencyClass : std::uint8_t {
  counted,  // operands are read in a fixed window behind issue; results come when the compiler expects them
  window,   // operands as above; a counter SB0 to SB5 stands for results, which may wait for their banks
  queued,   // waits in its unit's queue and reads operands at the head; a counter stands for results
};

// The pipe that executes an instruction. Pipes differ here only if a compiler's distances differ
// (issue_distance.h).
enum class IssuePipe : std::uint8_t {
  // Pipes whose results come after a fixed time:
  fma,           // FFMA, FMUL, FADD, IMAD
  wide,          // IMAD.WIDE of sm_90, which reads C late
  alu,           // IADD3, LOP3, LEA, SHF, SEL, MOV, ISETP, FSETP, PLOP3
  half,          // HFMA2, HMUL2
  half_add,      // HADD2
  half_tensor,   // HFMA2.MMA, in the pipe of double and tensor instructions
  counter,       // CS2R
  uniform,       // UIADD3, ULEA, ULOP3
  uniform_move,  // UMOV, ULDC
  control,       // branches, barriers, exit: no results
  // Pipes whose results take a variable time, at least on some architectures (has_variable_latency). A
  // barrier stands for such results.
  memory,            // loads, stores, atomics, fences, SHFL
  constant,          // LDC
  texture,           // TEX, TLD
  transcendental,    // MUFU and conversions, FCHK, POPC, FLO
  double_,           // DADD, DMUL, DFMA, DSETP
  tensor,            // HMMA, IMMA
  tensor_double,     // DMMA
  special_register,  // S2R, S2UR, B2R, BMOV
  uniform_transfer,  // R2UR
  matrix_move,       // MOVM
};

// A class: its unit, its default timing, and the facts that schemes and compiler passes need about it.
struct ExecutionClassLine {
  ExecutionClass execution;
  std::string_view name;  // in statistics and reports
  ExecutionUnitKind unit;
  // The class's group in platform files, sub_core.execution.KEY, and the defaults in cycles. The defaults are
  // those of Malekeh's authors' simulator (platforms/units/papers.yaml). That simulator is a branch of
  // Accel-Sim and says nothing about barriers, so theirs are Accel-Sim's. The load/store unit's timing is in
  // `load_store`.
  const char* key;
  std::uint32_t latency, initiation_interval;
  LatencyClass latency_class;
  // Whether instructions look into the register cache that the compiler manages by reuse flags (Huerta, MICRO
  // 2025), and empty it. Memory, transcendental and control instructions do neither.
  bool reuse_cache;
  bool last_result_file;  // whether results may stay in software RFC's last result file
  IssuePipe pipe;         // the pipe of opcodes without a pipe of their own (issue_distance.cpp)
};

// A new class needs one enumerator and one line here.
inline constexpr auto execution_classes = [] {
  using C = ExecutionClass;
  using U = ExecutionUnitKind;
  using L = LatencyClass;
  using P = IssuePipe;
  using Line = ExecutionClassLine;
  return std::array{
      // Columns are in the order of ExecutionClassLine. The two truth values are reuse_cache and
      // last_result_file.
      Line{C::integer, "integer", U::integer, "int", 4, 2, L::counted, true, true, P::alu},
      Line{C::single, "single", U::single, "sp", 4, 2, L::counted, true, true, P::fma},
      Line{C::half, "half", U::half, "half", 4, 1, L::counted, true, true, P::half},
      Line{C::double_, "double", U::double_, "dp", 8, 4, L::queued, true, true, P::double_},
      Line{C::special, "special", U::special, "sfu", 20, 8, L::queued, false, false, P::transcendental},
      Line{C::tensor_f16, "tensor_f16", U::tensor, "tensor_f16", 8, 4, L::window, true, true, P::tensor},
      Line{C::tensor_f32, "tensor_f32", U::tensor, "tensor_f32", 8, 4, L::window, true, true, P::tensor},
      Line{C::tensor_int, "tensor_int", U::tensor, "tensor_int", 8, 4, L::window, true, true, P::tensor},
      Line{C::branch, "branch", U::branch, "branch", 4, 4, L::counted, false, false, P::control},
      Line{C::barrier, "barrier", U::integer, "barrier", 1, 1, L::counted, false, true, P::control},
      Line{C::texture, "texture", U::texture, "texture", 200, 4, L::queued, false, false, P::texture},
      Line{C::uniform, "uniform", U::uniform, "uniform", 4, 2, L::counted, false, false, P::uniform},
      Line{C::load_store, "load_store", U::load_store, nullptr, 0, 0, L::queued, false, false, P::memory},
  };
}();
// The count of classes.
inline constexpr std::size_t execution_class_count = execution_classes.size();

// Whether the lines of both tables follow the order of the enumerators. The compiler checks this.
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
// A table without texts, because each warp instruction looks into it many times.
inline constexpr auto units_of_classes = [] {
  std::array<ExecutionUnitKind, execution_class_count> units{};
  for (std::size_t c = 0; c < units.size(); ++c) units[c] = execution_classes[c].unit;
  return units;
}();
// The unit that executes a class.
constexpr ExecutionUnitKind unit_of(ExecutionClass c) {
  return units_of_classes[static_cast<std::size_t>(c)];
}

// The classes for whose lines `is` holds, as bits. Each warp instruction looks into such columns.
template <class Predicate>
constexpr std::uint32_t classes_where(Predicate is) {
  std::uint32_t classes = 0;
  for (const ExecutionClassLine& line : execution_classes)
    if (is(line)) classes |= 1u << static_cast<unsigned>(line.execution);
  return classes;
}

// Whether instructions of the class use the register cache of reuse flags.
constexpr bool uses_reuse_cache(ExecutionClass c) {
  constexpr std::uint32_t classes = classes_where([](const auto& line) { return line.reuse_cache; });
  return (classes >> static_cast<unsigned>(c) & 1) != 0;
}

// Whether instructions of the unit wait in a queue before they read.
constexpr bool has_queue(ExecutionUnitKind u) {
  for (const ExecutionClassLine& line : execution_classes)
    if (line.unit == u && line.latency_class == LatencyClass::queued) return true;
  return false;
}

}  // namespace subcore
