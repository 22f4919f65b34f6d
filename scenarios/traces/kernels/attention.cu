// Flash attention, forward, causal, head size 64: tiles of 64 queries and 64 keys, keys and values in two
// buffers of asynchronous copies, softmax as the keys come.
#include "modern.h"

template <int HD, bool CAUSAL>
DI void fa(const __half* Q, const __half* K, const __half* V, __half* O, int S, float sc) {
  constexpr int BM = 64, BN = 64, CH = HD / 8;
  __half *sQ = (__half*)dsm, *sK = sQ + BM * HD, *sV = sK + 2 * BN * HD;
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31;
  size_t base = (size_t)blockIdx.y * S * HD;
  int q0 = blockIdx.x * BM;
  auto ld = [&](__half* d, const __half* s, int r0) {
#pragma unroll
    for (int i = tid; i < 64 * CH; i += 128) {
      int r = i / CH, c = i % CH;
      cp16(d + r * HD + ((c ^ (r & 7)) << 3), s + base + (size_t)(r0 + r) * HD + c * 8);
    }
  };
  ld(sQ, Q, q0);
  ld(sK, K, 0);
  ld(sV, V, 0);
  commit();
  int nt = CAUSAL ? (q0 + BM + BN - 1) / BN : S / BN;
  float acc[HD / 8][4] = {}, m[2] = {-INFINITY, -INFINITY}, L[2] = {0, 0};
  u32 qf[HD / 16][4];
  for (int t = 0; t < nt; t++) {
    if (t + 1 < nt) {
      int o = ((t + 1) & 1) * BN * HD;
      ld(sK + o, K, (t + 1) * BN);
      ld(sV + o, V, (t + 1) * BN);
    }
    commit();
    waitg<1>();
    __syncthreads();
    const __half *k = sK + (t & 1) * BN * HD, *v = sV + (t & 1) * BN * HD;
    if (t == 0) {
#pragma unroll
      for (int kk = 0; kk < HD / 16; kk++) {
        int r = w * 16 + (l & 15), c = kk * 2 + (l >> 4);
        ldm4(qf[kk], sQ + r * HD + ((c ^ (r & 7)) << 3));
      }
    }
    float s[8][4] = {};
#pragma unroll
    for (int kk = 0; kk < HD / 16; kk++)
#pragma unroll
      for (int nb = 0; nb < 4; nb++) {
        u32 b[4];
        int r = nb * 16 + (l & 7) + ((l >> 4) << 3), c = kk * 2 + ((l >> 3) & 1);
        ldm4(b, k + r * HD + ((c ^ (r & 7)) << 3));
        mma16816(s[2 * nb], qf[kk], b);
        mma16816(s[2 * nb + 1], qf[kk], b + 2);
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
      float mn = fmaxf(m[h], x), al = ex2((m[h] - mn) * sc), su = 0;
      m[h] = mn;
#pragma unroll
      for (int n = 0; n < 8; n++)
#pragma unroll
        for (int i = 0; i < 2; i++) {
          float p = ex2(s[n][2 * h + i] * sc - mn * sc);
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
      u32 a[4] = {packh(s[2 * kk][0], s[2 * kk][1]), packh(s[2 * kk][2], s[2 * kk][3]),
                  packh(s[2 * kk + 1][0], s[2 * kk + 1][1]), packh(s[2 * kk + 1][2], s[2 * kk + 1][3])};
#pragma unroll
      for (int nb = 0; nb < HD / 16; nb++) {
        u32 b[4];
        int r = kk * 16 + (l & 15), c = nb * 2 + (l >> 4);
        ldm4t(b, v + r * HD + ((c ^ (r & 7)) << 3));
        mma16816(acc[2 * nb], a, b);
        mma16816(acc[2 * nb + 1], a, b + 2);
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
          packh(acc[n][2 * h] * x, acc[n][2 * h + 1] * x);
  }
}
extern "C" __global__ void __launch_bounds__(128)
    fa_fwd_hd64_causal(const __half* Q, const __half* K, const __half* V, __half* O, int S, float sc) {
  fa<64, true>(Q, K, V, O, S, sc);
}
