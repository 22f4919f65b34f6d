// Shared memory, L1, L2 and DRAM: latencies by chains of addresses, and rates by many loads at once. A kernel
// runs with one number of loads and with twice as many. The difference of the two times contains neither
// beginning nor end.
#include <cstdint>
#include <numeric>
#include <random>

#include "harness.h"

namespace {

using u64 = unsigned long long;
constexpr int line_bytes = 128;

// Loads from shared memory. A load takes its address from the load before, and reads the same address again.
enum class Load { lds32, lds64, lds128, ldsm1, ldsm2, ldsm4 };
constexpr const char* load_names[] = {"LDS", "LDS.64", "LDS.128", "LDSM.1", "LDSM.2", "LDSM.4"};

template <Load load>
__device__ void chained(unsigned& a) {
  if constexpr (load == Load::lds32) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(a));
  // Words behind the first one are 0 and are added to the address, because ptxas narrows loads whose rest is
  // not read.
  if constexpr (load == Load::lds64)
    asm volatile("{ .reg .u32 t; ld.shared.v2.u32 {%0, t}, [%0]; xor.b32 %0, %0, t; }" : "+r"(a));
  if constexpr (load == Load::lds128)
    asm volatile(
        "{ .reg .u32 t, u, v; ld.shared.v4.u32 {%0, t, u, v}, [%0]; xor.b32 %0, %0, t; xor.b32 u, u, v; "
        "xor.b32 %0, %0, u; }"
        : "+r"(a));
  if constexpr (load == Load::ldsm1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%0];" : "+r"(a));
  if constexpr (load == Load::ldsm2)
    asm volatile("{ .reg .b32 t; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, t}, [%0]; }" : "+r"(a));
  if constexpr (load == Load::ldsm4)
    asm volatile("{ .reg .b32 t, u, v; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, t, u, v}, [%0]; }"
                 : "+r"(a));
}

template <Load load>
__global__ void shared_chain(Span* spans, unsigned* results, int count) {
  // The first word, or with matrices every word, is the address of the first word.
  __shared__ __align__(128) unsigned words[256];
  for (int n = threadIdx.x; n < 256; n += blockDim.x)
    words[n] = n == 0 || load >= Load::ldsm1 ? shared_address(words) : 0;
  __syncthreads();
  unsigned a = shared_address(words);
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int s = 0; s < 16; ++s) chained<load>(a);
  const long long end = clock64();
  store(spans, results, begin, end, a);
}

template <Load load>
void time_shared_chain() {
  for (const int count : {32, 64}) {
    const auto cycles = time_cta(
        1, [&](Span* spans, unsigned* results) { shared_chain<load><<<1, 32>>>(spans, results, count); });
    const int exclusive_ors = load == Load::lds64 ? 1 : load == Load::lds128 ? 2 : 0;
    print("chain_loads", load_names[static_cast<int>(load)],
          member("loads", 16 * count) + ", " + member("lop3s", exclusive_ors), cycles);
  }
}

// Loads that do not wait for each other. In each bank that an LDS reads, `ways` lanes want different words.
// Other loads have no conflicts. `step` is 0, which no compiler knows: if addresses stayed the same, ptxas
// would move the loads out of the loop.
template <Load load>
__global__ void shared_stream(Span* spans, unsigned* results, int count, int ways, unsigned step) {
  __shared__ __align__(128) unsigned words[4096];
  for (int n = threadIdx.x; n < 4096; n += blockDim.x) words[n] = n;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const unsigned word = load == Load::lds32 ? lane % ways * 32 + lane / ways : lane * 4;
  unsigned a = shared_address(words) + 4 * word, result = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    unsigned r[16];
#pragma unroll
    for (int s = 0; s < 16; ++s) {
      if constexpr (load == Load::lds32)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(r[s]) : "r"(a + s * 128) : "memory");
      if constexpr (load == Load::lds128)
        asm volatile(
            "{ .reg .u32 t, u, v, w; ld.shared.v4.u32 {t, u, v, w}, [%1]; xor.b32 t, t, u; xor.b32 v, v, w; "
            "xor.b32 %0, t, v; }"
            : "=r"(r[s])
            : "r"(a + s * 512)
            : "memory");
      if constexpr (load == Load::ldsm4)
        asm volatile("{ .reg .b32 t, u, v; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, t, u, v}, [%1]; }"
                     : "=r"(r[s])
                     : "r"(a + s * 512)
                     : "memory");
    }
#pragma unroll
    for (int s = 0; s < 16; ++s) result ^= r[s];
    a += step;
  }
  const long long end = clock64();
  store(spans, results, begin, end, result);
}

template <Load load>
void time_shared_stream(const char* measurement, int warps, int ways) {
  for (const int count : {64, 128}) {
    const auto cycles = time_cta(warps, [&](Span* spans, unsigned* results) {
      shared_stream<load><<<1, warps * 32>>>(spans, results, count, ways, 0);
    });
    const double loads = 16.0 * count;
    print(measurement, load_names[static_cast<int>(load)],
          member("ways", ways) + ", " + member("warps", warps) + ", " + member("loads", loads) + ", " +
              member("bytes", loads * warps * 32 * (load == Load::lds32 ? 4 : 16)),
          cycles);
  }
}

// Follows `count` pointers after `warm` pointers that are not timed. The next run continues where this one
// ended. So in an array that is larger than the L2 nothing is read twice.
template <bool l1>
__global__ void chase(Span* spans, unsigned* results, u64* position, int warm, int count) {
  u64 p = *position;
  const auto next = [&p] {
    if (l1)
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(p)::"memory");
    else
      asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(p)::"memory");
  };
  for (int i = 0; i < warm; ++i) next();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i)
#pragma unroll
    for (int s = 0; s < 16; ++s) next();
  const long long end = clock64();
  if (threadIdx.x == 0) *position = p;
  store(spans, results, begin, end, static_cast<unsigned>(p));
}

// Makes one ring through all lines of an array, in an order that no prefetcher foresees.
template <bool l1>
void time_chase(const char* name, std::size_t bytes, bool warm) {
  const std::size_t lines = bytes / line_bytes;
  std::vector<std::size_t> order(lines);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  DeviceArray<u64> array(bytes / sizeof(u64));
  std::vector<u64> links(bytes / sizeof(u64));
  const u64 base = reinterpret_cast<u64>(array.get());
  for (std::size_t n = 0; n < lines; ++n)
    links[order[n] * (line_bytes / sizeof(u64))] = base + order[(n + 1) % lines] * line_bytes;
  CHECK(cudaMemcpy(array.get(), links.data(), bytes, cudaMemcpyHostToDevice));
  DeviceArray<u64> position(std::vector<u64>{base});
  for (const int count : {64, 128}) {
    const auto cycles = time_cta(1, [&](Span* spans, unsigned* results) {
      chase<l1><<<1, 32>>>(spans, results, position.get(), warm ? static_cast<int>(lines) : 0, count);
    });
    print("chase", name, member("bytes", static_cast<double>(bytes)) + ", " + member("loads", 16 * count),
          cycles);
  }
}

// A CTA reads 16 KB from its L1, again and again.
__global__ void l1_stream(Span* spans, unsigned* results, const uint4* data, int count, int step) {
  unsigned at = threadIdx.x, result = 0;
  for (int pass = 0; pass < 2; ++pass) result ^= data[(at + pass * 512) % 1024].x;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    uint4 r[8];
#pragma unroll
    for (int s = 0; s < 8; ++s) {
      at = (at + step) % 1024;
      asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[s].x), "=r"(r[s].y), "=r"(r[s].z), "=r"(r[s].w)
                   : "l"(data + at)
                   : "memory");
    }
#pragma unroll
    for (int s = 0; s < 8; ++s) result ^= r[s].x ^ r[s].y ^ r[s].z ^ r[s].w;
  }
  const long long end = clock64();
  store(spans, results, begin, end, result);
}

void time_l1_stream() {
  DeviceArray<uint4> data(1024);
  for (const int count : {64, 128}) {
    const auto cycles = time_cta(32, [&](Span* spans, unsigned* results) {
      l1_stream<<<1, 1024>>>(spans, results, data.get(), count, 32);
    });
    print("stream_bytes", "L1", member("bytes", 8.0 * count * 1024 * 16), cycles);
  }
}

// All SMs read `count` times 8 x 16 bytes a thread, past the L1, from an array of `words`, again and again.
__global__ void global_stream(Span* spans, unsigned* results, const uint4* data, u64 words, int count) {
  const u64 threads = static_cast<u64>(gridDim.x) * blockDim.x;
  u64 at = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
  unsigned result = 0;
  const long long begin = clock64();
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    uint4 r[8];
#pragma unroll
    for (int s = 0; s < 8; ++s) {
      asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(r[s].x), "=r"(r[s].y), "=r"(r[s].z), "=r"(r[s].w)
                   : "l"(data + at)
                   : "memory");
      at += threads;
      if (at >= words) at -= words;
    }
#pragma unroll
    for (int s = 0; s < 8; ++s) result ^= r[s].x ^ r[s].y ^ r[s].z ^ r[s].w;
  }
  const long long end = clock64();
  store(spans, results, begin, end, result);
}

// The cycles are those of the longest CTA, because all CTAs begin at once. The milliseconds come from the
// driver, and give the clock.
void time_global_stream(const char* name, std::size_t bytes, int passes) {
  const int sms = attribute(cudaDevAttrMultiProcessorCount);
  constexpr int warps = 32;
  const u64 threads = static_cast<u64>(sms) * warps * 32;
  // A thread goes around in the array by at most the array's length.
  const u64 words = std::max<u64>(bytes / sizeof(uint4), threads);
  const int once = static_cast<int>(std::max<u64>(words / (threads * 8), 1));
  DeviceArray<uint4> data(words);
  DeviceArray<Span> spans(sms * warps);
  DeviceArray<unsigned> results(sms * warps * 32);
  cudaEvent_t before, after;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  for (const int factor : {1, 2}) {
    const int count = once * passes * factor;
    std::vector<double> cycles, milliseconds;
    for (int n = 0; n <= repetitions; ++n) {
      CHECK(cudaEventRecord(before));
      global_stream<<<sms, warps * 32>>>(spans.get(), results.get(), data.get(), words, count);
      CHECK(cudaEventRecord(after));
      CHECK(cudaGetLastError());
      CHECK(cudaEventSynchronize(after));
      float time = 0;
      CHECK(cudaEventElapsedTime(&time, before, after));
      const std::vector<Span> all = spans.values();
      long long longest = 0;
      for (int cta = 0; cta < sms; ++cta) longest = std::max(longest, cycles_of(all, cta, warps));
      if (n == 0) continue;
      cycles.push_back(static_cast<double>(longest));
      milliseconds.push_back(time);
    }
    print(
        "stream_bytes", name,
        member("bytes", 8.0 * 16 * count * sms * warps * 32) + ", \"milliseconds\": " + list_of(milliseconds),
        cycles);
  }
}

}  // namespace

// With the argument `quick` arrays are small, for a trial of the program itself.
int main(int count, char**) {
  const bool quick = count > 1;
  const std::size_t l2 = quick ? 256 << 10 : static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  time_shared_chain<Load::lds32>();
  time_shared_chain<Load::lds64>();
  time_shared_chain<Load::lds128>();
#if ARCHITECTURE >= 75
  time_shared_chain<Load::ldsm1>();
  time_shared_chain<Load::ldsm2>();
  time_shared_chain<Load::ldsm4>();
#endif
  for (int ways = 1; ways <= 32; ways += quick ? 31 : 1) time_shared_stream<Load::lds32>("conflict", 16, ways);
  time_shared_stream<Load::lds128>("stream_bytes", 32, 1);
  time_shared_stream<Load::lds128>("stream_loads", 16, 1);
#if ARCHITECTURE >= 75
  time_shared_stream<Load::ldsm4>("stream_loads", 16, 1);
#endif
  for (std::size_t bytes = 4 << 10; bytes <= (quick ? 8 << 10 : 512 << 10); bytes *= 2)
    time_chase<true>("L1", bytes, true);
  for (std::size_t bytes = 64 << 10; bytes <= l2 / 2; bytes *= 2) time_chase<false>("L2", bytes, true);
  for (const std::size_t times : {4, 6})
    time_chase<false>("DRAM", l2 / line_bytes * line_bytes * times, false);
  time_l1_stream();
  time_global_stream("L2", l2 / 4, quick ? 1 : 128);
  time_global_stream("DRAM", quick ? l2 * 8 : std::max<std::size_t>(l2 * 8, 256 << 20), 1);
}
