// C = A B in half floats: tiles of 128 x 128 x 32, three stages of asynchronous copies, eight warps of 64
// x 32.
#include "modern.h"

extern "C" __global__ void __launch_bounds__(256)
    hgemm_128x128(const __half* A, const __half* B, __half* C, int M, int N, int K) {
  __half *sA = (__half*)dsm, *sB = sA + 3 * 4096;
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, wm = w & 1, wn = w >> 1;
  int m0 = blockIdx.y * 128, n0 = blockIdx.x * 128;
  auto ld = [&](int st, int k0) {
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 256, r = i >> 2, c = i & 3;
      cp16(sA + st * 4096 + r * 32 + ((c ^ ((r >> 1) & 3)) << 3), A + (size_t)(m0 + r) * K + k0 + c * 8);
    }
#pragma unroll
    for (int j = 0; j < 2; j++) {
      int i = tid + j * 256, r = i >> 4, c = i & 15;
      cp16(sB + st * 4096 + r * 128 + ((c ^ (r & 7)) << 3), B + (size_t)(k0 + r) * N + n0 + c * 8);
    }
  };
  int nk = K / 32;
  ld(0, 0);
  commit();
  if (nk > 1) ld(1, 32);
  commit();
  float acc[4][4][4] = {};
  for (int t = 0; t < nk; t++) {
    waitg<1>();
    __syncthreads();
    if (t + 2 < nk) ld((t + 2) % 3, (t + 2) * 32);
    commit();
    const __half *a = sA + (t % 3) * 4096, *b = sB + (t % 3) * 4096;
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      u32 fa[4][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        int r = wm * 64 + i * 16 + (l & 15), c = kk * 2 + (l >> 4);
        ldm4(fa[i], a + r * 32 + ((c ^ ((r >> 1) & 3)) << 3));
      }
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int r = kk * 16 + (l & 15), c = wn * 4 + j * 2 + (l >> 4);
        ldm4t(fb[j], b + r * 128 + ((c ^ (r & 7)) << 3));
      }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mma16816(acc[i][j], fa[i], fb[j >> 1] + (j & 1) * 2);
    }
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      size_t o = (size_t)(m0 + wm * 64 + i * 16 + (l >> 2)) * N + n0 + wn * 32 + j * 8 + (l & 3) * 2;
      *(u32*)&C[o] = packh(acc[i][j][0], acc[i][j][1]);
      *(u32*)&C[o + 8 * N] = packh(acc[i][j][2], acc[i][j][3]);
    }
}
