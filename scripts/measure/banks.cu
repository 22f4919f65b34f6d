// FFMAs of three sources over many assignments of registers. PTX cannot name registers, so banks.h has
// kernels whose operands differ, and ptxas chooses the registers. The script reads them from the compiled
// code if there is a cuobjdump.
#include "harness.h"

constexpr int iterations = 64;

#include "banks.h"

template <class Kernel>
void time(Kernel kernel, const char* name) {
  DeviceArray<unsigned> input(input_rows * 32);
  const auto cycles = time_cta(
      1, [&](Span* spans, unsigned* results) { kernel<<<1, 32>>>(spans, results, input.get(), iterations); });
  char more[80];
  std::snprintf(more, sizeof(more), "\"instructions\": %d, \"iterations\": %d", body_instructions,
                iterations);
  print("banks", name, more, cycles);
}

int main() {
  for_each_kernel([](auto kernel, const char* name) { time(kernel, name); });
}
