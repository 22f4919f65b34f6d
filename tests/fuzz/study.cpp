// The inputs of `subcore cache-study` besides traces: a configuration of RFC-sim, and a disassembly.
#include "subcore/program/analysis/study/rfcsim_config.h"
#include "subcore/program/analysis/study/sass_listing.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void study(std::string_view input) {
  const auto file = write("input.yaml", input);
  accepts([&] { read_rfcsim_config(file); });
  accepts([&] { read_sass_listing(file).flags_of("k"); });
}

}  // namespace subcore::fuzz
