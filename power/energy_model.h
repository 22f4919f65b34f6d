// Energy of the register-operand path: counted events times a coefficient each. One event moves one warp
// operand (32 lanes x 4 bytes). README.md says which event is charged when.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

struct PlatformParameters;

enum class EnergyEvent : std::uint8_t {
  bank_rd,     // register bank read
  bank_wr,     // register bank write
  xbar_rd,     // crossbar, bank to collector
  xbar_wr,     // write path, result to collector
  arb,         // arbiter grant
  buf_rd,      // collector buffer read, at dispatch
  buf_wr,      // collector buffer write
  tag_search,  // associative look-up of one register
  tag_wr,      // tag of a new entry
  fwd_rd,      // bypassing collectors: copy of a window hit, read side
  fwd_wr,      // and write side
  // An operand cache between collectors and banks (RFC and its kin):
  cache_rd,      // data array read: a hit, or a value to be written back
  cache_wr,      // data array write: a result, or a copy of what the banks delivered
  cache_search,  // look-up by tag
  cache_path,    // result into the cache, or value from it to the banks
  cache_out,     // hit, from the cache to a collector
  // The issue stage, if energy.issue_logic:
  ibuf_wr,     // instruction into the instruction buffer
  ibuf_rd,     // and out of it, at issue
  dep_wr,      // dependence matrix: comparison with the instructions before, and a row
  dep_rd,      // its rows, at issue
  dep_clr,     // a column, at write-back
  scoreboard,  // an in-order instruction in the scoreboards: looked up and marked at issue, cleared later
};
inline constexpr std::size_t energy_event_count = 22;
// A table of register files need not know the events from here on.
inline constexpr std::size_t first_issue_event = static_cast<std::size_t>(EnergyEvent::ibuf_wr);

constexpr std::array<std::string_view, energy_event_count> names(EnergyEvent) {
  return {"bank_rd", "bank_wr", "xbar_rd", "xbar_wr",  "arb",      "buf_rd",       "buf_wr",     "tag_search",
          "tag_wr",  "fwd_rd",  "fwd_wr",  "cache_rd", "cache_wr", "cache_search", "cache_path", "cache_out",
          "ibuf_wr", "ibuf_rd", "dep_wr",  "dep_rd",   "dep_clr",  "scoreboard"};
}

using EnergyCounts = std::array<std::uint64_t, energy_event_count>;

struct EnergyCoefficients {
  std::array<double, energy_event_count> pj{};  // index = EnergyEvent
  // Coefficients that no computed point of the table covers: "xbar_rd: 2x16 by formula".
  std::vector<std::string> scaled;
  double leakage_mw = 0;  // per sub-core; not part of any event
  std::vector<std::string> leakage_scaled;
  std::string preset;
  std::string source;  // one line: where the numbers come from

  double& operator[](EnergyEvent e) { return pj[static_cast<std::size_t>(e)]; }
  double operator[](EnergyEvent e) const { return pj[static_cast<std::size_t>(e)]; }
};

// Coefficients of the platform's energy.preset for the platform's structure: collector kind and number, slots
// or entries, banks and their size. Throws ConfigError when the table is missing or malformed.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform);
// The same for a preset of somebody else's choice.
EnergyCoefficients energy_coefficients(const PlatformParameters& platform, const std::string& preset);

double total_pj(const EnergyCoefficients& coefficients, const EnergyCounts& counts);

}  // namespace subcore
