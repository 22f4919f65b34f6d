#include "subcore/program/analysis/study/energy.h"

namespace subcore {
namespace {

constexpr double file_read = 16.3764, file_write = 15.2452;

struct BankEnergy {
  unsigned ways, bits;
  double read, write;
  StudyEnergySource source;
};
constexpr BankEnergy bank_energies[] = {
    {2, 128, 23.4685, 24.2801, StudyEnergySource::table3},
    {4, 128, 35.3369, 36.7010, StudyEnergySource::table3},
    {8, 128, 43.2275, 44.0041, StudyEnergySource::table3},
    {2, 32, 7.31519, 8.76570, StudyEnergySource::rfcsim},
};

}  // namespace

std::optional<StudyEnergyChoice> study_energy(unsigned ways, unsigned bank_bits) {
  for (const BankEnergy& r : bank_energies)
    if (r.ways == ways && r.bits == bank_bits)
      return StudyEnergyChoice{{r.read, r.write, file_read, file_write}, r.source};
  for (const BankEnergy& r : bank_energies) {
    if (r.ways != ways || r.bits != 128) continue;
    const double share = bank_bits / 128.0;
    return StudyEnergyChoice{{r.read * share, r.write * share, file_read, file_write},
                             StudyEnergySource::scaled};
  }
  return std::nullopt;
}

}  // namespace subcore
