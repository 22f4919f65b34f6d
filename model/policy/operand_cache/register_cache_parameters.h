// Parameters of a register cache of the JETCAS 2024 study (sections IV-A to IV-E). The cache is counted per
// thread (program/analysis/study), or runs in time (register_cache.h).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace subcore {

// The operands that get an entry.
enum class RegisterCacheAllocation : std::uint8_t {
  read,            // sources that miss
  write,           // destinations that miss
  read_write,      // both
  compiler_aided,  // destinations, and sources with the reuse flag
  look_ahead,      // flagged sources, and destinations that a following instruction names
};
// The set of a register: neighbours share a set (linear), or each is in the next set (interleaved).
enum class DestinationMap : std::uint8_t { linear, interleaved };
// The entry of a set that is replaced.
enum class RegisterCacheReplacement : std::uint8_t { lru, fifo };
// Whether a result goes to the banks when it leaves the cache, or at once.
enum class RegisterCacheWrite : std::uint8_t { write_back, write_through };

constexpr std::array<std::string_view, 5> names(RegisterCacheAllocation) {
  return {"read", "write", "read_write", "compiler_aided", "look_ahead"};
}
constexpr std::array<std::string_view, 2> names(DestinationMap) {
  return {"linear", "interleaved"};
}
constexpr std::array<std::string_view, 2> names(RegisterCacheReplacement) {
  return {"lru", "fifo"};
}
constexpr std::array<std::string_view, 2> names(RegisterCacheWrite) {
  return {"write_back", "write_through"};
}

struct RegisterCacheParameters {
  unsigned entries = 8;  // 1..256
  unsigned ways = 2;     // divides entries; 0 = fully associative
  unsigned words = 1;    // registers per entry, 1..256; above 1 for compat only, as words have no valid bits
  unsigned window = 0;   // following instructions that look_ahead looks at, 0..4096; 0 for all others
  RegisterCacheAllocation allocation = RegisterCacheAllocation::compiler_aided;
  DestinationMap map = DestinationMap::interleaved;
  RegisterCacheReplacement replacement = RegisterCacheReplacement::fifo;
  RegisterCacheWrite write = RegisterCacheWrite::write_back;
  bool rfcsim_compat = false;

  unsigned ways_or_entries() const { return ways == 0 ? entries : ways; }
  unsigned sets() const { return entries / ways_or_entries(); }
};

// The mistake in the parameters, as `name value; expected ...`, or an empty text.
std::string problem_of(const RegisterCacheParameters& parameters);

}  // namespace subcore
