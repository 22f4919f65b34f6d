#include "subcore/model/policy/operand_cache/register_cache_parameters.h"

namespace subcore {

std::string problem_of(const RegisterCacheParameters& p) {
  const auto say = [](const char* what, unsigned value, const std::string& expected) {
    return std::string(what) + " " + std::to_string(value) + "; expected " + expected;
  };
  if (p.entries < 1 || p.entries > 256) return say("entries", p.entries, "1 to 256");
  if (p.ways > p.entries || p.entries % p.ways_or_entries() != 0)
    return say("ways", p.ways, "a divisor of the " + std::to_string(p.entries) + " entries, or 0 for all");
  if (p.words < 1 || p.words > 256) return say("words per entry", p.words, "1 to 256");
  if (p.window > 4096) return say("window", p.window, "0 to 4096 instructions");
  if (!p.rfcsim_compat) {
    // A write would have to say which word of its entry becomes valid.
    if (p.words != 1) return say("words per entry", p.words, "1 outside of RFC-sim's own behaviour");
    return {};
  }
  if (p.allocation == RegisterCacheAllocation::read)
    return "allocation 'read', at which RFC-sim ends with \"null allocator\"; expected write, "
           "compiler_aided or look_ahead";
  if (p.allocation == RegisterCacheAllocation::read_write)
    return "allocation 'read_write', which RFC-sim does not know; expected write, compiler_aided or "
           "look_ahead";
  return {};
}

}  // namespace subcore
