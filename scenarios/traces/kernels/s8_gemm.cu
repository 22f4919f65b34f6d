// C = A transposed(B) of bytes, sums in 32 bits: tiles of 64 x 64 x 64 by mma.m16n8k32.
#include "modern.h"

extern "C" __global__ void __launch_bounds__(128)
    s8_gemm(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
  __shared__ __align__(16) signed char sA[2][64 * 64], sB[2][64 * 64];
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, wm = w & 1, wn = w >> 1;
  int m0 = blockIdx.y * 64, n0 = blockIdx.x * 64;
  auto ld = [&](int st, int k0) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 128, r = i >> 2, c = i & 3, o = r * 64 + ((c ^ ((r >> 1) & 3)) << 4);
      cp16(&sA[st][o], A + (size_t)(m0 + r) * K + k0 + c * 16);
      cp16(&sB[st][o], B + (size_t)(n0 + r) * K + k0 + c * 16);
    }
  };
  int nk = K / 64;
  ld(0, 0);
  commit();
  int acc[2][4][4] = {};
  for (int t = 0; t < nk; t++) {
    if (t + 1 < nk) ld((t + 1) & 1, (t + 1) * 64);
    commit();
    waitg<1>();
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      u32 fa[2][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        int r = wm * 32 + i * 16 + (l & 15), c = kk * 2 + (l >> 4);
        ldm4(fa[i], &sA[t & 1][r * 64 + ((c ^ ((r >> 1) & 3)) << 4)]);
      }
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int r = wn * 32 + j * 16 + (l & 7) + ((l >> 4) << 3), c = kk * 2 + ((l >> 3) & 1);
        ldm4(fb[j], &sB[t & 1][r * 64 + ((c ^ ((r >> 1) & 3)) << 4)]);
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mmas8(acc[i][j], fa[i], fb[j >> 1] + (j & 1) * 2);
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
