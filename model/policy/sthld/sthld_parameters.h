// The STHLD controller's part of a platform file (keys sthld.*): Malekeh, section IV-B3.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/sthld/sthld_machine.h"

namespace subcore {

// STHLD is fixed, or moves by the machine.
enum class SthldMode : std::uint8_t { fixed, adaptive };

constexpr std::array<std::string_view, 2> names(SthldMode) {
  return {"fixed", "adaptive"};
}

// The beginning from which the machine's intervals are counted. kernel: the start of each kernel, which drops
// the interval that is under way. absolute: the start of the run, one behind the other, whenever kernels
// start.
enum class SthldIntervals : std::uint8_t { kernel, absolute };

constexpr std::array<std::string_view, 2> names(SthldIntervals) {
  return {"kernel", "absolute"};
}

struct SthldParameters {
  SthldMode mode = SthldMode::fixed;
  std::uint32_t value = 0;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 255;
  std::uint32_t step = 1;
  std::uint32_t interval = 10000;
  SthldIntervals intervals = SthldIntervals::kernel;
  double threshold = 0.02;
  SthldReference reference = SthldReference::phase_best;
  SthldLarge large = SthldLarge::drop;
  std::uint32_t hold_expiry = 10;
  SthldTable table = default_sthld_table();
  void describe(ParameterVisitor& v);
  SthldMachine::Limits limits() const {
    return {value, minimum, maximum, step, threshold, reference, large, hold_expiry};
  }
};

}  // namespace subcore
