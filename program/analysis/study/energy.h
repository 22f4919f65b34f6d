// Dynamic energy of the register-cache study: accesses times the energy of one (Table III, CACTI at 22 nm).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace subcore {

// Energies in pJ per access: of a 32-bit register of one thread in the main file, and of a bank of the cache.
struct StudyEnergy {
  double cache_read = 0, cache_write = 0, file_read = 0, file_write = 0;
};

// Sources of a configuration's energies.
enum class StudyEnergySource : std::uint8_t {
  table3,  // printed in the study's Table III
  rfcsim,  // from a configuration shipped with RFC-sim (2-way, 32-bit)
  scaled,  // the table's 128-bit value times the bank width's share of 128 bits
};
constexpr std::array<std::string_view, 3> names(StudyEnergySource) {
  return {"table3", "rfcsim", "scaled"};
}

// Energies of a configuration, and where they come from.
struct StudyEnergyChoice {
  StudyEnergy energy;
  StudyEnergySource source = StudyEnergySource::table3;
};

// Energies for 8 entries per thread. Nothing for ways other than 2, 4 and 8, because the study has no values
// for them.
std::optional<StudyEnergyChoice> study_energy(unsigned ways, unsigned bank_bits);

}  // namespace subcore
