// wgmma on sm_90a by one warpgroup: chains on one accumulator, a wgmma with its wait, and chains while four
// other warps write and read registers. wgmma.h has the instructions. The other warps run FADDs with an
// immediate, which read and write one register each, or FFMAs, which read three. PTX has no way to keep moves
// of immediates whose results are not read.
#include "harness.h"
#include "wgmma.h"

enum Storm { no_storm, fadd_storm, ffma_storm };
constexpr const char* storm_names[] = {"none", "FADD", "FFMA"};

__device__ unsigned long long descriptor(const void* p) {
  // Offsets of 128 and 256 bytes between core matrices, no swizzle.
  const unsigned long long address = __cvta_generic_to_shared(p);
  return (address & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}

constexpr int disturbing = 512;  // instructions between two looks

template <int storm>
__device__ float disturb(const volatile int* done, const unsigned* input, float* pace) {
  Registers<float, 8> d, a, b;
  fill(d, input, 0);
  fill(a, input, 8);
  fill(b, input, 16);
  // A look takes some 30 cycles in which nothing is disturbed.
  const long long begin = clock64();
  int looks = 0;
  for (; *done == 0; ++looks) {
#pragma unroll
    for (int s = 0; s < disturbing; ++s) {
      if (storm == fadd_storm) asm volatile("add.rn.f32 %0, %0, 0f3F800000;" : "+f"(d.r[s % 8]));
      if (storm == ffma_storm)
        asm volatile("fma.rn.f32 %0, %1, %2, %0;"
                     : "+f"(d.r[s % 8])
                     : "f"(a.r[s % 8]), "f"(b.r[(s + 3) % 8]));
    }
  }
  if (threadIdx.x % 32 == 0)
    pace[threadIdx.x / 32] =
        static_cast<float>(clock64() - begin) / (static_cast<float>(looks) * disturbing);
  return static_cast<float>(mix(d));
}

// `steps` MMAs on one accumulator, then their wait, `count` times.
template <class Mma, int steps, int storm>
__global__ void run(Span* spans, unsigned* results, const unsigned* input, int count,
                    float* pace) {
  __shared__ __align__(1024) unsigned char operands[20480];
  __shared__ int done;
  for (int n = threadIdx.x; n < 5120; n += blockDim.x) reinterpret_cast<unsigned*>(operands)[n] = 0;
  if (threadIdx.x == 0) done = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x >= 128) {
    results[threadIdx.x] = static_cast<unsigned>(disturb<storm>(&done, input, pace));
    return;
  }
  const unsigned long long a_at = descriptor(operands), b_at = descriptor(operands + 4096);
  Registers<float, Mma::accumulators> d;
  Registers<unsigned, 4> a;
  fill(a, input, 30);
  for (int n = 0; n < Mma::accumulators; ++n) d.r[n] = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int s = 0; s < steps; ++s) Mma::step(d, a, a_at, b_at);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  const long long end = clock64();
  *static_cast<volatile int*>(&done) = 1;
  store(spans, results, begin, end, mix(d));
}

template <class Mma, int steps, int storm>
void time(const char* measurement) {
  const int warps = storm == no_storm ? 4 : 8;
  DeviceArray<unsigned> input(input_rows * warps * 32);
  DeviceArray<float> pace(warps);
  for (const int count : {16, 32}) {
    const auto cycles = time_cta(warps, [&](Span* spans, unsigned* results) {
      run<Mma, steps, storm><<<1, warps * 32>>>(spans, results, input.get(), count, pace.get());
    });
    // Cycles of an instruction of the disturbing warps in the last repetition, as the mean of these warps.
    double storm_cycles = 0;
    for (const float one : pace.values()) storm_cycles += static_cast<double>(one) / 4;
    char more[160];
    std::snprintf(more, sizeof(more),
                  "\"storm\": \"%s\", \"storm_cycles\": %.4g, \"steps\": %d, \"iterations\": %d",
                  storm_names[storm], storm_cycles, steps, count);
    print(measurement, Mma::name, more, cycles);
  }
}

int main() {
  for_each_mma([](auto mma) {
    using Mma = decltype(mma);
    time<Mma, 1, no_storm>("wgmma");
    time<Mma, 17, no_storm>("wgmma");
    time<Mma, 1, fadd_storm>("wgmma");
    time<Mma, 17, fadd_storm>("wgmma");
    time<Mma, 1, ffma_storm>("wgmma");
    time<Mma, 17, ffma_storm>("wgmma");
  });
}
