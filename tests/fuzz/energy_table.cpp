// A table of energies, which is read and asked for the energies that a platform needs.
#include "subcore/power/energy_table.h"

#include "subcore/platforms/config/reader.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void energy_table(std::string_view input) {
  static const PlatformParameters platform = load_platform(find_platform("malekeh"));
  const auto file = write("input.yaml", input);
  if (!accepts([&] { read_energy_table(file); })) return;
  accepts([&] { energy_coefficients(platform, file.string()); });
}

}  // namespace subcore::fuzz
