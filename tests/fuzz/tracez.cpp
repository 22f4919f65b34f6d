// A kernel's trace as Accel-Sim 2.0 packs it.
#include "tests/fuzz/read_kernel.h"
#include "tests/fuzz/target.h"

namespace subcore::fuzz {

void tracez(std::string_view input) {
  const auto file = write("kernel-1.tracez", input);
  accepts([&] { read_kernel(file); });
}

}  // namespace subcore::fuzz
