// Chains and streams of single instructions. A chain is one warp in which every instruction takes the result
// of the instruction before. A stream has eight chains in each warp, which do not wait for each other. Chains and
// streams are timed with 32 and with 64 instructions in a loop's body. The difference of the two times contains
// neither the loop nor the reading of the clock.
#include "harness.h"
#include "instructions.h"

constexpr int iterations = 32;

// Warps take part if their number is a multiple of `stride`. With 4, all of them are in one sub-core.
template <class Operation, int chains, int steps>
__global__ void __launch_bounds__(512) run(Span* spans, unsigned* results, const unsigned* input, int count, int stride) {
  typename Operation::D d[chains];
  typename Operation::A a;
  typename Operation::B b;
  for (int c = 0; c < chains; ++c) fill(d[c], input, c);
  fill(a, input, 16);
  fill(b, input, 24);
  __syncthreads();
  if (threadIdx.x / 32 % stride != 0) return;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int s = 0; s < steps; ++s) Operation::step(d[s % chains], a, b);
  const long long end = clock64();
  unsigned result = 0;
  for (int c = 0; c < chains; ++c) result ^= mix(d[c]);
  store(spans, results, begin, end, result);
}

template <class Operation, int chains, int steps>
void time(const char* measurement, int warps, int stride) {
  DeviceArray<unsigned> input(input_rows * warps * 32);
  const auto cycles = time_cta(warps, [&](Span* spans, unsigned* results) {
    run<Operation, chains, steps><<<1, warps * 32>>>(spans, results, input.get(), iterations, stride);
  });
  char more[160];
  std::snprintf(more, sizeof(more),
                "\"sub_cores\": %d, \"warps_per_sub_core\": %d, \"steps\": %d, \"iterations\": %d",
                stride == 1 ? std::min(warps, 4) : 1, warps < 4 ? warps : warps / 4, steps, iterations);
  print(measurement, Operation::name, more, cycles);
}

// instructions NUMBER: measures the operation of this number, from 0 on. If the GPU refuses an operation,
// only its own process ends.
int main(int count, char** words) {
  const int wanted = count > 1 ? std::atoi(words[1]) : 0;
  int number = 0;
  for_each_operation([&](auto operation) {
    if (number++ != wanted) return;
    using Operation = decltype(operation);
    time<Operation, 1, 32>("chain", 1, 1);
    time<Operation, 1, 64>("chain", 1, 1);
    for (const auto [warps, stride] : {std::pair{1, 1}, std::pair{16, 4}, std::pair{16, 1}}) {
      time<Operation, 8, 32>("stream", warps, stride);
      time<Operation, 8, 64>("stream", warps, stride);
    }
  });
}
