// The CUDA kernels of scenarios/modern as they were traced, for sm_80 and later.
#pragma once
#include <cstdint>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "harness.h"

using u32 = unsigned;

__device__ __forceinline__ void copy16(void* d, const void* s) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(d)), "l"(s));
}
__device__ __forceinline__ void commit_group() {
  asm volatile("cp.async.commit_group;");
}
template <int N>
__device__ __forceinline__ void wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(N));
}
__device__ __forceinline__ void load_matrices(u32* r, const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(p)));
}
__device__ __forceinline__ void load_transposed(u32* r, const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(p)));
}
__device__ __forceinline__ void mma_f16(float* c, const u32* a, const u32* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_bf16(float* c, const u32* a, const u32* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
      "{%0,%1,%2,%3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ void mma_s8(int* c, const u32* a, const u32* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ __forceinline__ u32 pack(float a, float b) {
  __half2 h = __floats2half2_rn(a, b);
  return *(u32*)&h;
}
__device__ __forceinline__ float exp2_approximate(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
extern __shared__ __align__(128) unsigned char dynamic_shared[];

// Flash attention, forward: 4 warps, tiles of 64 queries x 64 keys, K and V in two buffers by cp.async, and
// softmax on the way.
template <int HD, bool CAUSAL>
__device__ __forceinline__ void flash_attention(const __half* Q, const __half* K, const __half* V, __half* O,
                                                int S, float sc) {
  constexpr int BM = 64, BN = 64, CH = HD / 8;
  __half *sQ = (__half*)dynamic_shared, *sK = sQ + BM * HD, *sV = sK + 2 * BN * HD;
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31;
  size_t base = (size_t)blockIdx.y * S * HD;
  int q0 = blockIdx.x * BM;
  auto ld = [&](__half* d, const __half* s, int r0) {
#pragma unroll
    for (int i = tid; i < 64 * CH; i += 128) {
      int r = i / CH, c = i % CH;
      copy16(d + r * HD + ((c ^ (r & 7)) << 3), s + base + (size_t)(r0 + r) * HD + c * 8);
    }
  };
  ld(sQ, Q, q0);
  ld(sK, K, 0);
  ld(sV, V, 0);
  commit_group();
  int nt = CAUSAL ? (q0 + BM + BN - 1) / BN : S / BN;
  float acc[HD / 8][4] = {}, m[2] = {-INFINITY, -INFINITY}, L[2] = {0, 0};
  u32 qf[HD / 16][4];
  for (int t = 0; t < nt; t++) {
    if (t + 1 < nt) {
      int o = ((t + 1) & 1) * BN * HD;
      ld(sK + o, K, (t + 1) * BN);
      ld(sV + o, V, (t + 1) * BN);
    }
    commit_group();
    wait_group<1>();
    __syncthreads();
    const __half *k = sK + (t & 1) * BN * HD, *v = sV + (t & 1) * BN * HD;
    if (t == 0) {
#pragma unroll
      for (int kk = 0; kk < HD / 16; kk++) {
        int r = w * 16 + (l & 15), c = kk * 2 + (l >> 4);
        load_matrices(qf[kk], sQ + r * HD + ((c ^ (r & 7)) << 3));
      }
    }
    float s[8][4] = {};
#pragma unroll
    for (int kk = 0; kk < HD / 16; kk++)
#pragma unroll
      for (int nb = 0; nb < 4; nb++) {
        u32 b[4];
        int r = nb * 16 + (l & 7) + ((l >> 4) << 3), c = kk * 2 + ((l >> 3) & 1);
        load_matrices(b, k + r * HD + ((c ^ (r & 7)) << 3));
        mma_f16(s[2 * nb], qf[kk], b);
        mma_f16(s[2 * nb + 1], qf[kk], b + 2);
      }
    if (CAUSAL && (t + 1) * BN > q0) {
#pragma unroll
      for (int n = 0; n < 8; n++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
          int col = t * BN + n * 8 + (l & 3) * 2 + (i & 1), row = q0 + w * 16 + (l >> 2) + (i >> 1) * 8;
          if (col > row) s[n][i] = -INFINITY;
        }
    }
#pragma unroll
    for (int h = 0; h < 2; h++) {
      float x = -INFINITY;
#pragma unroll
      for (int n = 0; n < 8; n++) x = fmaxf(x, fmaxf(s[n][2 * h], s[n][2 * h + 1]));
      x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
      x = fmaxf(x, __shfl_xor_sync(~0u, x, 2));
      float mn = fmaxf(m[h], x), al = exp2_approximate((m[h] - mn) * sc), su = 0;
      m[h] = mn;
#pragma unroll
      for (int n = 0; n < 8; n++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
          float p = exp2_approximate(s[n][2 * h + i] * sc - mn * sc);
          s[n][2 * h + i] = p;
          su += p;
        }
      L[h] = L[h] * al + su;
#pragma unroll
      for (int n = 0; n < HD / 8; n++) {
        acc[n][2 * h] *= al;
        acc[n][2 * h + 1] *= al;
      }
    }
#pragma unroll
    for (int kk = 0; kk < 4; kk++) {
      u32 a[4] = {pack(s[2 * kk][0], s[2 * kk][1]), pack(s[2 * kk][2], s[2 * kk][3]),
                  pack(s[2 * kk + 1][0], s[2 * kk + 1][1]), pack(s[2 * kk + 1][2], s[2 * kk + 1][3])};
#pragma unroll
      for (int nb = 0; nb < HD / 16; nb++) {
        u32 b[4];
        int r = kk * 16 + (l & 15), c = nb * 2 + (l >> 4);
        load_transposed(b, v + r * HD + ((c ^ (r & 7)) << 3));
        mma_f16(acc[2 * nb], a, b);
        mma_f16(acc[2 * nb + 1], a, b + 2);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int h = 0; h < 2; h++) {
    float x = L[h];
    x += __shfl_xor_sync(~0u, x, 1);
    x += __shfl_xor_sync(~0u, x, 2);
    x = 1.f / x;
    int row = q0 + w * 16 + (l >> 2) + 8 * h;
#pragma unroll
    for (int n = 0; n < HD / 8; n++)
      *(u32*)&O[base + (size_t)row * HD + n * 8 + (l & 3) * 2] =
          pack(acc[n][2 * h] * x, acc[n][2 * h + 1] * x);
  }
}
extern "C" __global__ void __launch_bounds__(128)
    fa_fwd_hd64_causal(const __half* Q, const __half* K, const __half* V, __half* O, int S, float sc) {
  flash_attention<64, true>(Q, K, V, O, S, sc);
}

// fp16 GEMM: C[M][N] = A[M][K] B[K][N], with tiles of 128 x 128 x 32, three stages of cp.async, and 8 warps
// of 64 x 32.
extern "C" __global__ void __launch_bounds__(256)
    hgemm_128x128(const __half* A, const __half* B, __half* C, int M, int N, int K) {
  __half *sA = (__half*)dynamic_shared, *sB = sA + 3 * 4096;
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, wm = w & 1, wn = w >> 1;
  int m0 = blockIdx.y * 128, n0 = blockIdx.x * 128;
  auto ld = [&](int st, int k0) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 256, r = i >> 2, c = i & 3;
      copy16(sA + st * 4096 + r * 32 + ((c ^ ((r >> 1) & 3)) << 3), A + (size_t)(m0 + r) * K + k0 + c * 8);
    }
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 256, r = i >> 4, c = i & 15;
      copy16(sB + st * 4096 + r * 128 + ((c ^ (r & 7)) << 3), B + (size_t)(k0 + r) * N + n0 + c * 8);
    }
  };
  int nk = K / 32;
  ld(0, 0);
  commit_group();
  if (nk > 1) ld(1, 32);
  commit_group();
  float acc[4][4][4] = {};
  for (int t = 0; t < nk; t++) {
    wait_group<1>();
    __syncthreads();
    if (t + 2 < nk) ld((t + 2) % 3, (t + 2) * 32);
    commit_group();
    const __half *a = sA + (t % 3) * 4096, *b = sB + (t % 3) * 4096;
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      u32 fa[4][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        int r = wm * 64 + i * 16 + (l & 15), c = kk * 2 + (l >> 4);
        load_matrices(fa[i], a + r * 32 + ((c ^ ((r >> 1) & 3)) << 3));
      }
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int r = kk * 16 + (l & 15), c = wn * 4 + j * 2 + (l >> 4);
        load_transposed(fb[j], b + r * 128 + ((c ^ (r & 7)) << 3));
      }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mma_f16(acc[i][j], fa[i], fb[j >> 1] + (j & 1) * 2);
    }
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      size_t o = (size_t)(m0 + wm * 64 + i * 16 + (l >> 2)) * N + n0 + wn * 32 + j * 8 + (l & 3) * 2;
      *(u32*)&C[o] = pack(acc[i][j][0], acc[i][j][1]);
      *(u32*)&C[o + 8 * N] = pack(acc[i][j][2], acc[i][j][3]);
    }
}

// bf16 GEMM with bias and SiLU: C = silu(A[M][K] B[N][K]^T + bias), with tiles of 64 x 64 x 32 and 4 warps of
// 32 x 32.
extern "C" __global__ void __launch_bounds__(128)
    bf16_gemm_silu(const __nv_bfloat16* A, const __nv_bfloat16* B, const float* bias, __nv_bfloat16* C, int M,
                   int N, int K) {
  __shared__ __align__(16) __nv_bfloat16 sA[2][64 * 32], sB[2][64 * 32];
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, wm = w & 1, wn = w >> 1;
  int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
  auto ld = [&](int st, int k0) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 128, r = i >> 2, c = i & 3, o = r * 32 + ((c ^ ((r >> 1) & 3)) << 3);
      copy16(&sA[st][o], A + (size_t)(m0 + r) * K + k0 + c * 8);
      copy16(&sB[st][o], B + (size_t)(n0 + r) * K + k0 + c * 8);
    }
  };
  int nk = K / 32;
  ld(0, 0);
  commit_group();
  float acc[2][4][4] = {};
  for (int t = 0; t < nk; t++) {
    if (t + 1 < nk) ld((t + 1) & 1, (t + 1) * 32);
    commit_group();
    wait_group<1>();
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      u32 fa[2][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        int r = wm * 32 + i * 16 + (l & 15), c = kk * 2 + (l >> 4);
        load_matrices(fa[i], &sA[t & 1][r * 32 + ((c ^ ((r >> 1) & 3)) << 3)]);
      }
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int r = wn * 32 + j * 16 + (l & 7) + ((l >> 4) << 3), c = kk * 2 + ((l >> 3) & 1);
        load_matrices(fb[j], &sB[t & 1][r * 32 + ((c ^ ((r >> 1) & 3)) << 3)]);
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mma_bf16(acc[i][j], fa[i], fb[j >> 1] + (j & 1) * 2);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int h = 0; h < 2; h++) {
        int n = n0 + wn * 32 + j * 8 + (l & 3) * 2;
        size_t o = (size_t)(m0 + wm * 32 + i * 16 + (l >> 2) + 8 * h) * N + n;
        float x = acc[i][j][2 * h] + bias[n], y = acc[i][j][2 * h + 1] + bias[n + 1];
        x = __fdividef(x, 1.f + __expf(-x));
        y = __fdividef(y, 1.f + __expf(-y));
        *(__nv_bfloat162*)&C[o] = __floats2bfloat162_rn(x, y);
      }
}

// int8 GEMM: C[M][N] (s32) = A[M][K] B[N][K]^T, tiles of 64 x 64 x 64, mma m16n8k32.
extern "C" __global__ void __launch_bounds__(128)
    s8_gemm(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
  __shared__ __align__(16) signed char sA[2][64 * 64], sB[2][64 * 64];
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, wm = w & 1, wn = w >> 1;
  int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
  auto ld = [&](int st, int k0) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 128, r = i >> 2, c = i & 3, o = r * 64 + ((c ^ ((r >> 1) & 3)) << 4);
      copy16(&sA[st][o], A + (size_t)(m0 + r) * K + k0 + c * 16);
      copy16(&sB[st][o], B + (size_t)(n0 + r) * K + k0 + c * 16);
    }
  };
  int nk = K / 64;
  ld(0, 0);
  commit_group();
  int acc[2][4][4] = {};
  for (int t = 0; t < nk; t++) {
    if (t + 1 < nk) ld((t + 1) & 1, (t + 1) * 64);
    commit_group();
    wait_group<1>();
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      u32 fa[2][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        int r = wm * 32 + i * 16 + (l & 15), c = kk * 2 + (l >> 4);
        load_matrices(fa[i], &sA[t & 1][r * 64 + ((c ^ ((r >> 1) & 3)) << 4)]);
      }
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int r = wn * 32 + j * 16 + (l & 7) + ((l >> 4) << 3), c = kk * 2 + ((l >> 3) & 1);
        load_matrices(fb[j], &sB[t & 1][r * 64 + ((c ^ ((r >> 1) & 3)) << 4)]);
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mma_s8(acc[i][j], fa[i], fb[j >> 1] + (j & 1) * 2);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int h = 0; h < 2; h++)
        *(int2*)&C[(size_t)(m0 + wm * 32 + i * 16 + (l >> 2) + 8 * h) * N + n0 + wn * 32 + j * 8 +
                   (l & 3) * 2] = make_int2(acc[i][j][2 * h], acc[i][j][2 * h + 1]);
}

// 4-bit weights times fp16: C[32][N] = A[32][K] W[K][N]. Weights are packed in the order of fragments, with a
// scale for each column and 64 k. 4 warps of 32 x 32.
extern "C" __global__ void __launch_bounds__(128)
    w4a16_gemm(const __half* A, const u32* W, const __half* scales, __half* C, int N, int K) {
  __half* sA = (__half*)dynamic_shared;
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, n0 = blockIdx.x * 128 + w * 32, CH = K / 8;
  for (int i = tid; i < 32 * CH; i += 128) {
    int r = i / CH, c = i % CH;
    copy16(sA + r * K + ((c ^ (r & 7)) << 3), A + r * K + c * 8);
  }
  commit_group();
  float acc[2][4][4] = {};
  uint4 q = __ldg((const uint4*)W + ((size_t)(n0 / 32) * (K / 32)) * 32 + l);
  wait_group<0>();
  __syncthreads();
  for (int kb = 0; kb < K / 32; kb++) {
    uint4 nx = q;
    if (kb + 1 < K / 32) nx = __ldg((const uint4*)W + ((size_t)(n0 / 32) * (K / 32) + kb + 1) * 32 + l);
    u32 fa[2][2][4];
#pragma unroll
    for (int kk = 0; kk < 2; kk++)
#pragma unroll
      for (int i = 0; i < 2; i++) {
        int r = i * 16 + (l & 15), c = kb * 4 + kk * 2 + (l >> 4);
        load_matrices(fa[kk][i], sA + r * K + ((c ^ (r & 7)) << 3));
      }
    const u32 qq[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int j = 0; j < 4; j++) {
      __half2 s = __half2half2(scales[(size_t)(kb >> 1) * N + n0 + j * 8 + (l >> 2)]);
      u32 b[2][2];
#pragma unroll
      for (int h = 0; h < 4; h++) {
        u32 x = h < 2 ? qq[j] : qq[j] >> 8, t;
        u32 mask = h & 1 ? 0x00f000f0 : 0x000f000f;
        asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(t) : "r"(x), "r"(mask), "r"(0x64006400));
        __half2 v = h & 1 ? __hfma2(*(__half2*)&t, __float2half2_rn(0.0625f), __float2half2_rn(-72.f))
                          : __hsub2(*(__half2*)&t, __float2half2_rn(1032.f));
        v = __hmul2(v, s);
        b[h >> 1][h & 1] = *(u32*)&v;
      }
#pragma unroll
      for (int kk = 0; kk < 2; kk++)
#pragma unroll
        for (int i = 0; i < 2; i++) mma_f16(acc[i][j], fa[kk][i], b[kk]);
    }
    q = nx;
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      size_t o = (size_t)(i * 16 + (l >> 2)) * N + n0 + j * 8 + (l & 3) * 2;
      *(u32*)&C[o] = pack(acc[i][j][0], acc[i][j][1]);
      *(u32*)&C[o + 8 * N] = pack(acc[i][j][2], acc[i][j][3]);
    }
}

// RMSNorm behind a residual addition, in bf16, with a CTA for each row.
extern "C" __global__ void __launch_bounds__(256)
    rmsnorm_bf16(const __nv_bfloat16* x, __nv_bfloat16* res, const __nv_bfloat16* g, __nv_bfloat16* y, int N,
                 float eps) {
  __shared__ float sh[8];
  int t = threadIdx.x;
  size_t o = (size_t)blockIdx.x * N + t * 8;
  uint4 u = *(const uint4*)&x[o], v = *(const uint4*)&res[o];
  __nv_bfloat162 *p = (__nv_bfloat162*)&u, *q = (__nv_bfloat162*)&v;
  float s = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    p[i] = __hadd2(p[i], q[i]);
    float2 f = __bfloat1622float2(p[i]);
    s = fmaf(f.x, f.x, s);
    s = fmaf(f.y, f.y, s);
  }
  *(uint4*)&res[o] = u;
#pragma unroll
  for (int i = 16; i; i >>= 1) s += __shfl_xor_sync(~0u, s, i);
  if ((t & 31) == 0) sh[t >> 5] = s;
  __syncthreads();
  s = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) s += sh[i];
  float r = rsqrtf(s / N + eps);
  uint4 w = *(const uint4*)&g[t * 8];
  const __nv_bfloat162* k = (const __nv_bfloat162*)&w;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    float2 f = __bfloat1622float2(p[i]), h = __bfloat1622float2(k[i]);
    p[i] = __floats2bfloat162_rn(f.x * r * h.x, f.y * r * h.y);
  }
  *(uint4*)&y[o] = u;
}

// Top k by warps: 1,024 values a row, k rounds of redux.sync and ballot.
extern "C" __global__ void __launch_bounds__(128)
    topk_redux(const float* x, int* idx, float* val, int rows, int k) {
  int row = blockIdx.x * 4 + (threadIdx.x >> 5), l = threadIdx.x & 31;
  if (row >= rows) return;
  u32 v[32];
#pragma unroll
  for (int i = 0; i < 32; i++) {
    u32 b = __float_as_uint(x[(size_t)row * 1024 + i * 32 + l]);
    v[i] = b & 0x80000000u ? ~b : b | 0x80000000u;
  }
  for (int r = 0; r < k; r++) {
    u32 m = 0;
    int at = 0;
#pragma unroll
    for (int i = 0; i < 32; i++)
      if (v[i] > m) {
        m = v[i];
        at = i;
      }
    u32 best = __reduce_max_sync(~0u, m);
    u32 who = __ballot_sync(~0u, m == best);
    int owner = __ffs(who) - 1;
    if (l == owner) {
      idx[row * k + r] = at * 32 + l;
      val[row * k + r] = __uint_as_float(best & 0x80000000u ? best & 0x7fffffffu : ~best);
    }
#pragma unroll
    for (int i = 0; i < 32; i++)
      if (l == owner && i == at) v[i] = 0;
  }
}

// 3D stencil of radius 4, 25 points, planes of 32 x 8, z in registers.
extern "C" __global__ void __launch_bounds__(256)
    stencil3d_r4(const float* in, float* out, int nx, int ny, int nz, float c0, float c1, float c2, float c3,
                 float c4) {
  __shared__ float s[16][40];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx + 4, y = blockIdx.y * 8 + ty + 4;
  size_t pl = (size_t)nx * ny;
  const float* p = in + (size_t)y * nx + x;
  float q[9];
  const float c[5] = {c0, c1, c2, c3, c4};
#pragma unroll
  for (int i = 0; i < 8; i++) q[i + 1] = p[i * pl];
  for (int z = 4; z < nz - 4; z++) {
#pragma unroll
    for (int i = 0; i < 8; i++) q[i] = q[i + 1];
    q[8] = p[(z + 4) * pl];
    __syncthreads();
    s[ty + 4][tx + 4] = q[4];
    if (tx < 4) {
      s[ty + 4][tx] = p[z * pl - 4];
      s[ty + 4][tx + 36] = p[z * pl + 32];
    }
    if (ty < 4) {
      s[ty][tx + 4] = p[z * pl - 4 * nx];
      s[ty + 12][tx + 4] = p[z * pl + 8 * nx];
    }
    __syncthreads();
    float a = c[0] * q[4];
#pragma unroll
    for (int r = 1; r <= 4; r++)
      a += c[r] * (q[4 - r] + q[4 + r] + s[ty + 4][tx + 4 - r] + s[ty + 4][tx + 4 + r] +
                   s[ty + 4 - r][tx + 4] + s[ty + 4 + r][tx + 4]);
    out[z * pl + (size_t)y * nx + x] = a;
  }
}
