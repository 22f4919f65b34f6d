// The STHLD controller's part of a platform file (keys sthld.*): Malekeh, section IV-B3.
#pragma once

#include <cstdint>

#include "model/config/parameter.h"
#include "model/policy/kinds.h"
#include "model/policy/sthld_machine.h"

namespace subcore {

struct SthldParameters {
  SthldMode mode = SthldMode::fixed;
  std::uint32_t value = 0;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 255;
  std::uint32_t step = 1;
  std::uint32_t interval = 10000;
  double threshold = 0.02;
  SthldReference reference = SthldReference::phase_best;
  SthldLarge large = SthldLarge::drop;
  std::uint32_t hold_expiry = 10;
  SthldTable table = default_sthld_table();
  template <class V>
  void describe(V& v) {
    v.choice("mode", mode, "STHLD fixed, or set at run time by the six-state machine");
    v.field("value", value, {0, 65535}, "cycles", "STHLD when fixed, its first value when adaptive");
    v.field("minimum", minimum, {0, 65535}, "cycles", "lower bound of the adaptive STHLD");
    v.field("maximum", maximum, {0, 65535}, "cycles", "upper bound of the adaptive STHLD");
    v.field("step", step, {1, 65535}, "cycles", "step d of the machine");
    v.field("interval", interval, {1, 1000000000}, "cycles", "between two decisions");
    v.field("threshold", threshold, {0.0, 1.0}, "", "relative IPC change from which a change is large");
    v.choice(
        "reference", reference,
        "what an interval's IPC is compared with: the one before (malekeh section IV-B3), or the best of "
        "the phase");
    v.choice("large", large, "changes that can be large: all (malekeh section IV-B3), or only drops");
    v.field("hold_expiry", hold_expiry, {0, 1000000}, "intervals",
            "after which state 6 takes its edge `expired`; 0 = never");
    v.table("table", table,
            "the six-state machine (malekeh section IV-B3): per state, next state and step for a small and a "
            "large change, and for a hold (state 6) that has expired");
  }
  SthldMachine::Limits limits() const {
    return {value, minimum, maximum, step, threshold, reference, large, hold_expiry};
  }
};

}  // namespace subcore
