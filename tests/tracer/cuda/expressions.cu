// Expressions, exchanges between lanes, atomics and divergence, for the emulator.
#include "expressions.h"

#define X(e) out[k++ * n + t] = (u64)(e);
extern "C" __global__ void exact_expressions(const u64* in_a, const u64* in_b, u64* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  u64 a = in_a[t], b = in_b[t];
  long k = 0;
  PARTS
  EXACT_EXPRESSIONS(X)
}
#undef X
#define X(e) out[k++ * n + t] = (e);
extern "C" __global__ void near_expressions(const u64* in_a, const u64* in_b, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  u64 a = in_a[t], b = in_b[t];
  long k = 0;
  PARTS
  NEAR_EXPRESSIONS(X)
}

// warp-level, shared/local memory, divergence and control-flow mixture; integer results, checked exactly
extern "C" __global__ void warp_exchanges(const u32* A, u32* o, u32* g, int n) {
  __shared__ u32 sh[256];
  __shared__ int cnt;
  int t = threadIdx.x, l = t & 31;
  u32 v = A[blockIdx.x * blockDim.x + t];
  u32 r = 0;
  if (t == 0) cnt = 0;
  sh[t] = v;
  __syncthreads();
  r += __shfl_xor_sync(~0u, v, 5);
  r = r * 31 + __shfl_up_sync(~0u, v, 3);
  r = r * 31 + __shfl_sync(~0u, v, (v >> 4) & 31);
  r = r * 31 + __shfl_down_sync(~0u, v, 2, 8);
  r = r * 31 + __ballot_sync(~0u, v & 4);
  r = r * 31 + __any_sync(~0u, (v & 0xff) == 7) + 2 * __all_sync(~0u, v & 0x80000000u);
  r = r * 31 + __popc(__match_any_sync(~0u, v & 3));
  u32 loc[16];
  for (int i = 0; i < 16; i++) loc[i] = v * (i + 1);
  for (int i = 0; i < 20; i++) loc[(v >> i) & 15] ^= loc[(r >> i) & 15] + i;
  for (int i = 0; i < 16; i++) r = r * 33 + loc[i];  // local memory
  for (u32 i = 0; i < (v & 7); i++) {
    if ((v >> i & 3) == 2) {
      if (i == 5) break;
      r += sh[(t + i) & 255];
      continue;
    }
    r ^= i << (v & 15);
    if ((r & 0xff) == 3) break;
  }
  switch (v % 9) {
    case 0:
      r += 3;
      break;
    case 1:
      r ^= v;
      break;
    case 2:
      r *= 5;
      break;
    case 3:
      r = ~r;
      break;
    case 4:
      r += sh[t ^ 1];
      break;
    case 5:
      r -= v;
      break;
    case 6:
      r <<= 3;
      break;
    case 7:
      r = r >> 2 | v;
      break;
    default:
      r += 1234;
  }
  atomicAdd(&cnt, (int)(v & 15));
  if (v & 1) atomicXor(&g[v & 31], v);
  atomicMax(&g[32 + (v >> 8 & 31)], v);
  atomicMin((int*)&g[64 + l], (int)v);
  int c = __syncthreads_count(v & 2), an = __syncthreads_and(v != 77), orr = __syncthreads_or(v == A[0]);
  r = r * 31 + c * 4 + an * 2 + orr;
  r += cnt;
  u32 old = atomicCAS(&g[96 + blockIdx.x * blockDim.x + t], 0xffffffffu, 1u);
  r += old;
  for (int s = 128; s; s >>= 1) {
    if (t < s) sh[t] += sh[t + s] * 3;
    __syncthreads();
  }
  r += sh[0];
  o[blockIdx.x * blockDim.x + t] = r;
}

// Bits of a parameter, which are counted once for the warp.
extern "C" __global__ void uniform_bits(u32* out, u32 n) {
  if (threadIdx.x >= (31 - __clz(n)) + __popc(n)) return;
  out[threadIdx.x] = (31 - __clz(n)) * 64 + __popc(n) + __brev(n);
}

// Halves of a warp on ways of their own, which meet in the middle to exchange values.
extern "C" __global__ void split_warp(const u32* in, u32* out) {
  __shared__ u32 tile[32];
  const int lane = threadIdx.x;
  u32 other;
  if (lane < 16) {
    u32 sum = 0;
    for (u32 n = 0; n < in[lane] % 5; ++n) sum += in[n] * 3;
    tile[lane] = sum;
    __syncwarp();
    other = tile[lane + 16];
  } else {
    tile[lane] = in[lane] + 7;
    __syncwarp();
    other = tile[lane - 16] * 5;
  }
  out[lane] = other;
}
