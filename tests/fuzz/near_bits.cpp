// A file of near bits, which `subcore annotate --json` writes.
#include "subcore/model/passes/near_bits_file.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void near_bits(std::string_view input) {
  const auto path = write("near.json", input);
  accepts([&] { NearBitsFile(path).require_kernel("k"); });
}

}  // namespace subcore::fuzz
