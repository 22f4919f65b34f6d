// Cycles of the kernels of scenarios/modern, with the grids and the inputs of their traces. A small kernel
// reads the clock of each SM before and after. The difference also contains the launches. So an empty kernel
// of the same grid is timed in the same way, and the script subtracts its cycles.
//
// All these kernels wait behind a kernel that is busy until the host has launched them, so that the host's
// pace is not measured. Before each measurement other data fill the L2, because a trace's kernel begins with
// empty caches, too.
#include <cmath>
#include <cstdint>
#include <random>

#include "harness.h"
#include "modern_kernels.h"

namespace {

__global__ void read_clocks(long long* clocks) {
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x == 0) clocks[sm] = clock64();
}
__global__ void empty() {}
__global__ void fill_l2(const uint4* data, std::size_t count, unsigned* result) {
  unsigned all = 0;
  for (std::size_t n = blockIdx.x * blockDim.x + threadIdx.x; n < count; n += std::size_t{gridDim.x} * blockDim.x)
    all ^= data[n].x;
  if (all != 0) *result = all;
}
__global__ void stay_busy() {
  const long long begin = clock64();
  while (clock64() - begin < 200000) {
  }
}

// Cycles between two readings: the median of the SMs that both readings have reached.
double cycles_between(const std::vector<long long>& before, const std::vector<long long>& after) {
  std::vector<double> cycles;
  for (std::size_t sm = 0; sm < before.size(); ++sm)
    if (before[sm] != 0 && after[sm] > before[sm])
      cycles.push_back(static_cast<double>(after[sm] - before[sm]));
  if (cycles.empty()) {
    std::fprintf(stderr, "no SM has run both readings of the clock\n");
    std::exit(1);
  }
  std::nth_element(cycles.begin(), cycles.begin() + cycles.size() / 2, cycles.end());
  return cycles[cycles.size() / 2];
}

template <class Launch>
std::vector<double> time(Launch launch) {
  const int sms = attribute(cudaDevAttrMultiProcessorCount);
  const std::size_t others_count =
      2 * static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize)) / sizeof(uint4);
  DeviceArray<uint4> others(others_count);
  DeviceArray<unsigned> result(1);
  std::vector<double> cycles;
  for (int n = 0; n <= repetitions; ++n) {
    DeviceArray<long long> before(sms + 32), after(sms + 32);
    CHECK(cudaDeviceSynchronize());
    fill_l2<<<4 * sms, 256>>>(others.get(), others_count, result.get());
    stay_busy<<<1, 32>>>();
    read_clocks<<<4 * sms, 1024>>>(before.get());
    launch();
    read_clocks<<<4 * sms, 1024>>>(after.get());
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (n != 0) cycles.push_back(cycles_between(before.values(), after.values()));
  }
  return cycles;
}

template <class Kernel, class... Arguments>
void time_kernel(const char* name, dim3 grid, dim3 block, std::size_t shared, Kernel kernel,
                 Arguments... arguments) {
  if (shared > 48 * 1024)
    CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  const auto both = time([&] { kernel<<<grid, block, shared>>>(arguments...); });
  const auto nothing = time([&] { empty<<<grid, block>>>(); });
  print("kernel", name, "\"empty_cycles\": " + list_of(nothing), both);
}

std::mt19937 random_bits;
float between(float least, float most) {
  return std::uniform_real_distribution<float>(least, most)(random_bits);
}
int whole(int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random_bits);
}

template <class T, class Draw>
std::vector<T> some(std::size_t count, Draw draw) {
  std::vector<T> values(count);
  for (T& value : values) value = draw();
  return values;
}
std::vector<__half> halves(std::size_t count, float least, float most) {
  return some<__half>(count, [=] { return __float2half(between(least, most)); });
}
std::vector<__nv_bfloat16> bfloats(std::size_t count, float least, float most) {
  return some<__nv_bfloat16>(count, [=] { return __float2bfloat16(between(least, most)); });
}
std::vector<float> floats(std::size_t count, float least, float most) {
  return some<float>(count, [=] { return between(least, most); });
}

void attention() {
  constexpr int length = 320, heads = 4, size = 64;
  const std::size_t count = std::size_t{length} * heads * size;
  DeviceArray<__half> q(halves(count, -1, 1)), k(halves(count, -1, 1)), v(halves(count, -1, 1)), o(count);
  time_kernel("attention", dim3(length / 64, heads), 128, 64 * size * 5 * 2, fa_fwd_hd64_causal, q.get(),
              k.get(), v.get(), o.get(), length, 1.4426950408889634f / std::sqrt(static_cast<float>(size)));
}

void hgemm() {
  constexpr int m = 256, n = 384, k = 384;
  const auto draw = [] { return __float2half(static_cast<float>(whole(-3, 3))); };
  DeviceArray<__half> a(some<__half>(m * k, draw)), b(some<__half>(k * n, draw)), c(m * n);
  time_kernel("hgemm_3stage", dim3(n / 128, m / 128), 256, 49152, hgemm_128x128, a.get(), b.get(), c.get(), m,
              n, k);
}

void bf16_gemm() {
  constexpr int m = 192, n = 256, k = 256;
  DeviceArray<__nv_bfloat16> a(bfloats(m * k, -1, 1)), b(bfloats(n * k, -.2f, .2f)), c(m * n);
  DeviceArray<float> bias(floats(n, -1, 1));
  time_kernel("bf16_gemm", dim3(n / 64, m / 64), 128, 0, bf16_gemm_silu, a.get(), b.get(), bias.get(),
              c.get(), m, n, k);
}

void int8_gemm() {
  constexpr int m = 192, n = 256, k = 512;
  const auto draw = [] { return static_cast<signed char>(whole(-128, 127)); };
  DeviceArray<signed char> a(some<signed char>(m * k, draw)), b(some<signed char>(n * k, draw));
  DeviceArray<int> c(m * n);
  time_kernel("s8_gemm", dim3(n / 64, m / 64), 128, 0, s8_gemm, a.get(), b.get(), c.get(), m, n, k);
}

void int4_gemm() {
  constexpr int m = 32, n = 1024, k = 512;
  DeviceArray<__half> a(halves(m * k, -1, 1)), scales(halves(k / 64 * n, .01f, .1f)), c(m * n);
  // Weights may be any bits.
  DeviceArray<unsigned> weights(
      some<unsigned>(n * k / 8, [] { return static_cast<unsigned>(random_bits()); }));
  time_kernel("w4a16_gemm", n / 128, 128, m * k * 2, w4a16_gemm, a.get(), weights.get(), scales.get(),
              c.get(), n, k);
}

void rmsnorm() {
  constexpr int rows = 32, n = 2048;
  DeviceArray<__nv_bfloat16> x(bfloats(rows * n, -2, 2)), residual(bfloats(rows * n, -2, 2)),
      g(bfloats(n, .5f, 1.5f)), y(rows * n);
  time_kernel("rmsnorm", rows, 256, 0, rmsnorm_bf16, x.get(), residual.get(), g.get(), y.get(), n, 1e-5f);
}

void topk() {
  constexpr int rows = 64, k = 8;
  DeviceArray<float> x(floats(rows * 1024, -5, 5)), values(rows * k);
  DeviceArray<int> indices(rows * k);
  time_kernel("topk", rows / 4, 128, 0, topk_redux, x.get(), indices.get(), values.get(), rows, k);
}

void stencil() {
  constexpr int nx = 72, ny = 40, nz = 24;
  DeviceArray<float> in(floats(nx * ny * nz, -1, 1)), out(nx * ny * nz);
  time_kernel("stencil3d", dim3((nx - 8) / 32, (ny - 8) / 8), dim3(32, 8), 0, stencil3d_r4, in.get(),
              out.get(), nx, ny, nz, .5f, .2f, -.1f, .05f, -.02f);
}

}  // namespace

int main() {
  for (void (*kernel)() : {attention, hgemm, bf16_gemm, int8_gemm, int4_gemm, rmsnorm, topk, stencil}) {
    random_bits.seed(2026);
    kernel();
  }
}
