// Features of programs that were not written for the tracer. The features are pointers to any memory, calls,
// barriers without a wait, cooperative groups, atomics with results, printf, and instructions that compilers
// seldom choose.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cassert>
#include <cstdio>

typedef std::uint32_t u32;
typedef unsigned long long u64;
namespace cg = cooperative_groups;

// Pointers to global, shared or local memory.
__device__ __noinline__ u32 hash_of(const u32* p, int n) {
  u32 hash = 0;
  for (int i = 0; i < n; ++i) hash = hash * 31 + p[i];
  return hash;
}
__device__ __noinline__ void add_to(u32* p, u32 v) { atomicAdd(p, v); }
__device__ __noinline__ void store_to(u32* p, u32 v) { *p = v; }
extern "C" __global__ void generic_addresses(const u32* in, u32* out) {
  __shared__ u32 tile[64];
  u32 own[8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) store_to(own + i, in[t] * (i + 3));
  store_to(tile + t, in[t] ^ t);
  __syncthreads();
  add_to(tile + (t + 1) % 64, 5);
  add_to(out + 64 + t % 4, t);
  __syncthreads();
  out[t] = hash_of(in + t % 32, 8) ^ hash_of(tile + t % 32, 16) ^ hash_of(own, 8);
}

// Atomics of every kind on a pointer to global or shared memory. Shared memory does not have some of them.
__device__ __noinline__ u32 change(u32* a, float* f, double* d, u64* w, __half2* h, u32 v) {
  u32 sum = atomicExch(a, v);
  sum += atomicCAS(a, v, v + 1) + atomicInc(a, v + 9) + atomicMax(a, v / 2) + atomicSub(a, 7);
  sum += (u32)atomicAdd(f, 1.5f) + (u32)atomicAdd(d, 2.25) + (u32)atomicCAS(w, 5ull, (u64)v) + (u32)atomicOr(w, 6ull);
  atomicAdd(h, __floats2half2_rn(1, 2));
  return sum;
}
extern "C" __global__ void generic_atomics(u32* memory, u32* out) {
  __shared__ u32 tile[32 * 8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) tile[t * 8 + i] = memory[t * 8 + i];
  __syncthreads();
  u32* const places[] = {memory + t * 8, tile + t * 8};
  for (int n = 0; n < 2; ++n) {
    u32* const p = places[n];
    out[n * 32 + t] = change(p, (float*)(p + 1), (double*)(p + 2), (u64*)(p + 4), (__half2*)(p + 6), t + 3);
  }
  __syncthreads();
  for (int i = 0; i < 8; ++i) out[64 + t * 8 + i] = tile[t * 8 + i];
}

// The same of global memory, and of shared memory, where the compiler knows.
extern "C" __global__ void plain_atomics(u32* a, float* f, double* d, u64* w, __half2* h, __nv_bfloat162* b, u32* out) {
  __shared__ u32 count, words[4];
  __shared__ float sum;
  __shared__ double wide_sum;
  const int t = threadIdx.x;
  if (t == 0) count = words[0] = words[1] = 0, sum = 0, wide_sum = 0;
  __syncthreads();
  u32 r = atomicAdd(a + t, 5) + atomicExch(a + 32 + t, t) + atomicInc(a + 64 + t, 3) + (u32)atomicAdd(w + t, (u64)t << 20);
  r += (u32)atomicAdd(f + t, 2.5f) + (u32)atomicAdd(d + t, 3.5);
  const float2 before = __half22float2(atomicAdd(h + t, __floats2half2_rn(t, 1)));
  r += (u32)before.x + 3 * (u32)before.y;
#if __CUDA_ARCH__ >= 900
  const float2 bfloats = __bfloat1622float2(atomicAdd(b + t, __floats2bfloat162_rn(t, 1)));
  r += (u32)bfloats.x + (u32)bfloats.y;
  atomicAdd(b + 32, __floats2bfloat162_rn(1, 1));
#endif
  atomicAdd(h + 32, __floats2half2_rn(1, 1));
  atomicAdd(f + 32, 0.5f);
  atomicAdd(d + 32, 0.25);
  atomicAdd(&sum, 1.f + t);
  atomicAdd(&wide_sum, 0.5 * t);
  atomicAdd(&count, 1);
  atomicInc(&words[1], 100);
  atomicCAS(&words[0], t == 0 ? 0 : 7, t == 0 ? 7 : t + 7);
  __threadfence_system();
  __syncthreads();
  out[t] = r;
  out[32] = count * 1000 + words[1];
  out[33] = (u32)(sum + wide_sum);
}

__device__ u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void recursion(u32* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }

typedef u32 (*Operation)(u32, u32);
__device__ u32 sum_of(u32 a, u32 b) { return a + b; }
__device__ u32 product_of(u32 a, u32 b) { return a * b; }
__device__ u32 difference_of(u32 a, u32 b) { return a ^ b; }
__device__ Operation operations[3] = {sum_of, product_of, difference_of};
extern "C" __global__ void function_pointers(const u32* in, u32* out) {
  out[threadIdx.x] = operations[in[threadIdx.x] % 3](in[threadIdx.x], threadIdx.x);
}

// A jump by a table.
extern "C" __global__ void jump_table(const u32* in, u32* out) {
  u32 v = in[threadIdx.x], r = v;
  for (int n = 0; n < 4; ++n, v /= 3) switch (v % 8) {
      case 0: r = r * 3 + out[64]; break;
      case 1: r ^= in[r % 64]; break;
      case 2: r -= 77; asm volatile("" ::: "memory"); break;
      case 3: r = __brev(r); break;
      case 4: out[128 + threadIdx.x] = r; break;
      case 5: r = r / 7; break;
      case 6: r += in[threadIdx.x ^ 1] * 5; break;
      default: r = r << 3 | r >> 29;
    }
  out[threadIdx.x] = r;
}

// The first warp comes to barriers and does not wait; numbers and counts are known or not.
extern "C" __global__ void named_barriers(u32* out, int number, int threads) {
  __shared__ u32 tile[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int n = 0; n < 4; ++n) {
    if (warp == 0) {
      tile[lane] = lane * 7 + n;
      __threadfence_block();
      if (n == 0) asm volatile("bar.arrive 1, 64;" ::: "memory");
      if (n == 1) asm volatile("bar.arrive %0, 64;" ::"r"(number) : "memory");
      if (n == 2) asm volatile("bar.arrive 1, %0;" ::"r"(threads) : "memory");
      if (n == 3) asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
    } else {
      if (n == 0) asm volatile("bar.sync 1, 64;" ::: "memory");
      if (n == 1) asm volatile("bar.sync %0, 64;" ::"r"(number) : "memory");
      if (n == 2) asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory");
      if (n == 3) asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
      out[n * 32 + lane] = tile[31 - lane];
    }
    __syncthreads();
  }
}

extern "C" __global__ void groups(const u32* in, u32* out) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto eight = cg::tiled_partition<8>(warp);
  const u32 v = in[block.thread_rank()];
  u32 r = cg::reduce(warp, v, cg::plus<u32>()) + cg::reduce(eight, v, cg::greater<u32>());
  if (v & 1) {
    const auto odd = cg::coalesced_threads();
    r += odd.size() * 1000 + odd.thread_rank() + cg::reduce(odd, v, cg::bit_xor<u32>());
    odd.sync();
  }
  eight.sync();
  out[block.thread_rank()] = r;
}

extern "C" __global__ void prints(u32* out) {
  if (threadIdx.x < 2)
    printf("lane %d of %s: %5.2f %llx %c %%\n", threadIdx.x, "a warp", 0.5 * threadIdx.x, 0x123456789abull, 'x');
  out[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void asserts(const u32* in) {
  assert(in[threadIdx.x] != 3);
}

extern "C" __global__ void allocates(u32* out) {
  u32* const p = (u32*)malloc(16);
  p[threadIdx.x % 4] = threadIdx.x * 3;
  out[threadIdx.x] = p[threadIdx.x % 4];
  free(p);
}

// Instructions that compilers choose seldom, by PTX's names.
extern "C" __global__ void seldom(const u32* in, u32* out, u32 n) {
  const int t = threadIdx.x;
  const u32 x = in[t], y = in[t + 32];
  u32 r[8];
  asm("szext.wrap.s32 %0, %1, %2;" : "=r"(r[0]) : "r"(x), "r"(y % 31 + 1));
  asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r[1]) : "r"(x), "r"(y % 40));
  asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r[2]) : "r"(x % 40), "r"(y % 40));
  asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(r[3]) : "r"(x), "r"(y));
  asm("set.lt.f32.f32 %0, %1, %2;" : "=r"(r[4]) : "f"(__uint_as_float(x & 0x7fffff | 0x3f800000)), "f"(1.5f));
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(r[5]) : "r"((int)x >> 22), "r"((int)y >> 24), "r"(x));
  r[6] = __match_any_sync(~0u, (u64)(x & 1) << 40 | (y & 1));
  r[7] = __popc(n) + (__brev(n) >> (t & 3)) + __byte_perm(n, n * 5, 0x3715);
  for (int i = 0; i < 8; ++i) out[i * 32 + t] = r[i];
  out[256 + t] = clock() == 0;
}

// Matrices of 8 x 8 halves from shared memory: one, and two.
extern "C" __global__ void load_matrices(const u32* in, u32* out) {
  __shared__ __align__(16) u32 tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t], tile[t + 32] = in[t + 32];
  __syncthreads();
  const u32 row = (u32)__cvta_generic_to_shared(tile + t % 16 * 4);
  u32 one, two[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(one) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(two[0]), "=r"(two[1]) : "r"(row));
  out[t] = one, out[32 + t] = two[0], out[64 + t] = two[1];
}

// A counter to which a thread of each warp and some other threads add one, and a value that is swapped and
// read.
extern "C" __global__ void counters(u32* out) {
  __shared__ u32 count[4], value;
  const int t = threadIdx.x;
  if (t < 4) count[t] = 0;
  if (t == 0) value = 9;
  __syncthreads();
  if (t % 3 == 0) atomicAdd(&count[t % 2], 1u);
  const u32 before = atomicCAS(&value, 9u, 9u);
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  __syncthreads();
  out[t] = count[0] * 100 + count[1] + before;
}

#if __CUDA_ARCH__ >= 900
extern "C" __global__ void minima(const u32* in, u32* out) {
  const int t = threadIdx.x, x = in[t], y = in[t + 32], z = in[t + 64];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[t] = __viaddmin_s32(x, y, z);
  out[t + 32] = __viaddmax_u32(x, -y, z);
  out[t + 64] = __viaddmin_s32_relu(x, y, z);
  out[t + 96] = __viaddmax_s16x2(x, y, z);
  out[t + 128] = __vimax3_s32(x, y, z);
  out[t + 160] = __vimin3_u16x2(x, y, z);
  out[t + 192] = __vimax_s32_relu(x, y);
  out[t + 224] = __vimin3_s16x2_relu(x, y, z);
  asm volatile("griddepcontrol.launch_dependents;");
}
#endif
