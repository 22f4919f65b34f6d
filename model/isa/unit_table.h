// The units of an architecture: the unit that runs an opcode and a shape, its timing, and whether the
// compiler counts on that time. One table (unit_table.cpp) serves the timing of units, synthetic control
// bits, the check of other control bits, and the manual. A new architecture needs only more lines.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/isa/opcodes.h"

namespace subcore {

// The architectures that the table knows, as binary versions. 75 also stands for older ones.
inline constexpr unsigned known_architectures[] = {75, 80, 86, 89, 90, 120};

// The architecture of code with this binary version. Code without a version (0) counts as 75.
constexpr unsigned architecture_of(unsigned binary_version) {
  unsigned known = known_architectures[0];
  for (const unsigned a : known_architectures)
    if (a <= binary_version) known = a;
  return known;
}

// The last architecture of lines that hold for all later architectures.
inline constexpr unsigned onwards = 1000;

// Whether a line of a table, for architectures `first` to `last`, holds for this architecture.
template <class Line>
constexpr bool is_for(const Line& line, unsigned architecture) {
  return line.first <= architecture && architecture <= line.last;
}

// How an instruction runs.
struct UnitUse {
  ExecutionClass execution = ExecutionClass::integer;
  IssuePipe pipe = IssuePipe::alu;
  // Cycles until the result is available, and until the unit takes another instruction. 0: the platform file
  // sets the class's timing, or the load/store unit has its own.
  std::uint16_t latency = 0, initiation_interval = 0;
  LatencyClass completion = LatencyClass::counted;
  // For how many cycles an instruction still takes results on their way to the banks. An instruction of fixed
  // latency counts from the cycle in which others would begin to execute. An instruction in a unit's queue
  // counts from its first read; 0 = it reads only the banks.
  std::uint8_t late = 0;
};

// How an opcode with its modifiers, "HMMA.16816.F32", runs on an architecture.
UnitUse unit_use(unsigned architecture, std::string_view opcode, const OpcodeInfo& info);

// A measured or assumed timing of a shape, which replaces the table's.
struct UnitShape {
  std::string opcode;  // the first part and required modifiers of an opcode, "HMMA.16816.F32"
  std::uint32_t latency = 0, initiation_interval = 0;  // cycles
};

// The architecture whose table has the units' timing. 0: the platform file has it, by class.
struct UnitOptions {
  unsigned architecture = 0;
  std::vector<UnitShape> shapes;
};

// Notes in an instruction how it runs. Changes nothing if the architecture is 0.
void set_unit_use(StaticInstruction& s, std::string_view opcode, const UnitOptions& options);

// A line of the table, for code that prints it.
struct UnitTableLine {
  unsigned first, last;  // architectures, both included
  std::string_view
      opcode;  // the first part and modifiers, as for matches_shape(); empty: all other opcodes of the class
  ExecutionClass execution;  // the class as which it runs
  std::uint16_t latency, initiation_interval;
  LatencyClass completion;
  std::uint8_t late;
};
// All lines. The first line that matches an opcode counts.
const std::vector<UnitTableLine>& unit_table();

}  // namespace subcore
