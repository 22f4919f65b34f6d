#include "tests/fuzz/target.h"

namespace subcore::fuzz {

// Each target is defined in the file that has its name.
using Play = void(std::string_view);
Play trace_text, packed_trace, tracez, kernel_list, sidecar, near_bits, platform, machine, energy_table,
    scenario, study, kept_results, command_line, address_map, simulation;

const std::vector<Target>& targets() {
  static const std::vector<Target> all{
      {"trace_text", trace_text},
      {"packed_trace", packed_trace},
      {"tracez", tracez},
      {"kernel_list", kernel_list},
      {"sidecar", sidecar},
      {"near_bits", near_bits},
      {"platform", platform},
      {"machine", machine},
      {"energy_table", energy_table},
      {"scenario", scenario},
      {"study", study},
      {"kept_results", kept_results},
      {"command_line", command_line},
      {"address_map", address_map},
      {"simulation", simulation},
  };
  return all;
}

}  // namespace subcore::fuzz
