// Copies from global to shared memory that pass no register, each with its wait: LDGSTS and its group, and,
// from sm_90 on, a bulk copy and its mbarrier. The copied data lie in the L2. Each copy is timed with one
// number of rounds and with twice as many. The difference of the two times contains neither beginning nor
// end.
#include <cstdint>

#include "harness.h"

namespace {

constexpr int most_bytes = 32768;
constexpr int most_copies = 4;

void print_copy(const char* name, double bytes, double rounds, const std::vector<double>& cycles) {
  print("copy", name, member("bytes", bytes) + ", " + member("rounds", rounds), cycles);
}

// A round is `copies` instructions of 16 bytes a lane, which are one group, and the group's wait.
template <int copies>
__global__ void ldgsts(Span* spans, unsigned* results, const uint4* data, int rounds) {
  __shared__ __align__(128) uint4 words[32 * copies];
  const unsigned to = shared_address(words + threadIdx.x);
  const uint4* from = data + threadIdx.x;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int c = 0; c < copies; ++c)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + c * 512), "l"(from + c * 32)
                   : "memory");
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
  }
  const long long end = clock64();
  store(spans, results, begin, end, words[threadIdx.x].x);
}

template <int copies>
void time_ldgsts() {
  DeviceArray<uint4> data(most_bytes / sizeof(uint4));
  for (const int rounds : {64, 128}) {
    const auto cycles = time_cta(1, [&](Span* spans, unsigned* results) {
      ldgsts<copies><<<1, 32>>>(spans, results, data.get(), rounds);
    });
    print_copy("LDGSTS", 512 * copies, rounds, cycles);
  }
}

#if ARCHITECTURE >= 90
__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred p;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
      "@!p bra again; }" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

// One thread. A round is `copies` bulk copies of `bytes`, which one mbarrier counts, and the mbarrier's wait.
// Without copies, a round is only the mbarrier's arrival and wait.
__global__ void bulk(Span* spans, unsigned* results, const unsigned char* data, int rounds, int copies,
                     unsigned bytes) {
  extern __shared__ __align__(128) unsigned char words[];
  __shared__ __align__(8) unsigned long long barrier_at;
  const unsigned barrier = shared_address(&barrier_at), to = shared_address(words);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
    if (copies == 0)
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
    else
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                   "r"(copies * bytes)
                   : "memory");
#pragma unroll 1
    for (int c = 0; c < copies; ++c)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
              to + c * bytes),
          "l"(data + c * bytes), "r"(bytes), "r"(barrier)
          : "memory");
    wait(barrier, i & 1);
  }
  const long long end = clock64();
  spans[0] = {begin, end};
  results[0] = words[0];
}

void time_bulk(const char* name, int copies, unsigned bytes) {
  DeviceArray<unsigned char> data(std::size_t{most_bytes} * most_copies);
  const int shared = std::max(copies, 1) * static_cast<int>(bytes);
  CHECK(cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  for (const int rounds : {64, 128}) {
    const auto cycles = time_cta(1, [&](Span* spans, unsigned* results) {
      bulk<<<1, 1, shared>>>(spans, results, data.get(), rounds, copies, bytes);
    });
    print_copy(name, copies * bytes, rounds, cycles);
  }
}
#endif

}  // namespace

int main() {
  time_ldgsts<1>();
  time_ldgsts<4>();
  time_ldgsts<16>();
#if ARCHITECTURE >= 90
  time_bulk("mbarrier", 0, 16);
  for (unsigned bytes = 128; bytes <= most_bytes; bytes *= 2) time_bulk("bulk copy", 1, bytes);
  time_bulk("four bulk copies", most_copies, most_bytes);
#endif
}
