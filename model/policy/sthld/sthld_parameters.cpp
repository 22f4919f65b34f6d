#include "subcore/model/policy/sthld/sthld_parameters.h"

#include "subcore/model/policy/sthld/sthld_table_text.h"

namespace subcore {

void SthldParameters::describe(ParameterVisitor& v) {
  v.choice("mode", mode, "STHLD fixed, or set at run time by the six-state machine");
  v.field("value", value, {0, 65535}, "cycles", "STHLD when fixed, its first value when adaptive");
  v.only_if(mode == SthldMode::adaptive, "sthld.mode adaptive", [&] {
    v.field("minimum", minimum, {0, 65535}, "cycles", "lower bound of the adaptive STHLD");
    v.field("maximum", maximum, {0, 65535}, "cycles", "upper bound of the adaptive STHLD");
    v.field("step", step, {1, 65535}, "cycles", "step d of the machine");
    v.field("interval", interval, {1, 1000000000}, "cycles", "between two decisions");
    v.choice("intervals", intervals,
             "counted from the start of each kernel, dropping what is under way, or without a break from the "
             "start of the run");
    v.field("threshold", threshold, {0.0, 1.0}, "", "relative IPC change from which a change is large");
    v.choice("reference", reference,
             "what an interval's IPC is compared with: the one before (malekeh section IV-B3), or the best "
             "of the phase");
    v.choice("large", large, "changes that can be large: all (malekeh section IV-B3), or only drops");
    v.field("hold_expiry", hold_expiry, {0, 1000000}, "intervals",
            "after which state 6 takes its edge `expired`; 0 = never");
    v.field("table",
            Structure{[this] { return sthld_table_text(table); },
                      [this](const YamlSource& source, const YamlNode& node, const YamlNode& at,
                             const std::string& path) { table = read_sthld_table(source, node, at, path); },
                      "a map of the states 1 to 6"},
            "the six-state machine (malekeh section IV-B3): per state, next state and step for a small and a "
            "large change, and for a hold (state 6) that has expired");
  });
}

}  // namespace subcore
