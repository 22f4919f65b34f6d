// The STHLD controller's part of a platform file (keys sthld.*): Malekeh, section IV-B3.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/sthld/sthld_machine.h"
#include "subcore/model/policy/sthld/sthld_table_text.h"

namespace subcore {

// STHLD is fixed, or the state machine moves it.
enum class SthldMode : std::uint8_t { fixed, adaptive };

constexpr std::array<std::string_view, 2> names(SthldMode) {
  return {"fixed", "adaptive"};
}

// The origin from which the machine's intervals are counted. kernel: the start of each kernel, which drops
// the interval under way. absolute: the start of the run. Intervals then follow one another, whenever kernels
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
  void describe(ParameterVisitor& v) {
    v.choice("mode", mode, "STHLD is fixed, or the six-state machine sets it at run time");
    v.field("value", value, {0, 65535}, "cycles", "value of STHLD if fixed; first value if adaptive");
    v.only_if(mode == SthldMode::adaptive, "sthld.mode adaptive", [&] {
      v.field("minimum", minimum, {0, 65535}, "cycles", "lower bound of the adaptive STHLD");
      v.field("maximum", maximum, {0, 65535}, "cycles", "upper bound of the adaptive STHLD");
      v.field("step", step, {1, 65535}, "cycles", "step d by which the machine moves STHLD");
      v.field("interval", interval, {1, 1000000000}, "cycles", "time between two decisions of the machine");
      v.choice("intervals", intervals,
               "intervals count from the start of each kernel, and an interval that is under way there is "
               "dropped; or from the start of the run without a break");
      v.field("threshold", threshold, {0.0, 1.0}, "", "relative IPC change from which a change is large");
      v.choice("reference", reference,
               "value that an interval's IPC is compared with: the previous interval's (malekeh section "
               "IV-B3), or the best of the phase");
      v.choice("large", large, "changes that can be large: all (malekeh section IV-B3), or only drops");
      v.field("hold_expiry", hold_expiry, {0, 1000000}, "intervals",
              "number of intervals after which state 6 takes its edge `expired`; 0 = never");
      v.field(
          "table",
          Structure{[this] { return sthld_table_text(table); },
                    [this](const YamlSource& source, const YamlNode& node, const YamlNode& at,
                           const std::string& path) { table = read_sthld_table(source, node, at, path); },
                    "a map of the states 1 to 6"},
          "the six-state machine (malekeh section IV-B3): per state, next state and step for a small and a "
          "large change, and for a hold (state 6) that has expired");
    });
  }
  SthldMachine::Limits limits() const {
    return {value, minimum, maximum, step, threshold, reference, large, hold_expiry};
  }
};

}  // namespace subcore
