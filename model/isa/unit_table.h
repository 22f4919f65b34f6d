// The units of an architecture: which of them runs an opcode and a shape, how long it takes, and whether the
// compiler counts on that time. One table (unit_table.cpp) serves the timing of units, control bits that are
// made up, the check of those that are not, and the manual. A new architecture is some more lines of it.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/model/isa/opcodes.h"

namespace subcore {

// The architectures that the table knows, as binary versions: 75 stands for older ones, too.
inline constexpr unsigned known_architectures[] = {75, 80, 86, 89, 90, 120};

// The architecture of code that states this binary version; 0, which is none, means 75.
constexpr unsigned architecture_of(unsigned binary_version) {
  unsigned known = known_architectures[0];
  for (const unsigned a : known_architectures)
    if (a <= binary_version) known = a;
  return known;
}

// The last architecture of lines that hold for all later ones.
inline constexpr unsigned onwards = 1000;

// Whether a line of a table, for architectures `first` to `last`, holds for this one.
template <class Line>
constexpr bool is_for(const Line& line, unsigned architecture) {
  return line.first <= architecture && architecture <= line.last;
}

// How an instruction runs.
struct UnitUse {
  ExecutionClass execution = ExecutionClass::integer;
  IssuePipe pipe = IssuePipe::alu;
  // Cycles until the result is there, and until the unit takes another instruction. 0: the platform file says
  // so by class, or the load/store unit does.
  std::uint16_t latency = 0, initiation_interval = 0;
  LatencyClass completion = LatencyClass::counted;
  // How long an instruction takes results that are on their way to the banks, in cycles. Of fixed latency:
  // how many behind the one in which others would begin to execute. In a queue in front of a unit: how many
  // behind its first read; 0 = it reads banks alone.
  std::uint8_t late = 0;
};

// The use of an opcode with its modifiers, "HMMA.16816.F32", on an architecture.
UnitUse unit_use(unsigned architecture, std::string_view opcode, const OpcodeInfo& info);

// The timing of a shape that somebody has measured or supposes, in the table's place.
struct UnitShape {
  std::string opcode;  // the first part and modifiers that an opcode must have, "HMMA.16816.F32"
  std::uint32_t latency = 0, initiation_interval = 0;  // cycles
};

// The architecture whose table times the units; 0: they are timed by class, as the platform file says.
struct UnitOptions {
  unsigned architecture = 0;
  std::vector<UnitShape> shapes;
};

// Notes in an instruction how it runs. Nothing changes where the architecture is 0.
void set_unit_use(StaticInstruction& s, std::string_view opcode, const UnitOptions& options);

// A line of the table, for whoever prints it.
struct UnitTableLine {
  unsigned first, last;  // architectures, both included
  std::string_view
      opcode;  // the first part and modifiers, matches_shape(); empty: whatever else is of the class
  ExecutionClass execution;  // the class as which it runs
  std::uint16_t latency, initiation_interval;
  LatencyClass completion;
  std::uint8_t late;
};
// All lines; of those that match an opcode, the first counts.
const std::vector<UnitTableLine>& unit_table();

}  // namespace subcore
