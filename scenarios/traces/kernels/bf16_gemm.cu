// C = silu(A transposed(B) + bias) in bfloat16: tiles of 64 x 64 x 32, four warps of 32 x 32.
#include "modern.h"

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
      cp16(&sA[st][o], A + (size_t)(m0 + r) * K + k0 + c * 8);
      cp16(&sB[st][o], B + (size_t)(n0 + r) * K + k0 + c * 8);
    }
  };
  int nk = K / 32;
  ld(0, 0);
  commit();
  float acc[2][4][4] = {};
  for (int t = 0; t < nk; t++) {
    if (t + 1 < nk) ld((t + 1) & 1, (t + 1) * 32);
    commit();
    waitg<1>();
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 2; kk++) {
      u32 fa[2][4], fb[2][4];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        int r = wm * 32 + i * 16 + (l & 15), c = kk * 2 + (l >> 4);
        ldm4(fa[i], &sA[t & 1][r * 32 + ((c ^ ((r >> 1) & 3)) << 3)]);
      }
#pragma unroll
      for (int j = 0; j < 2; j++) {
        int r = wn * 32 + j * 16 + (l & 7) + ((l >> 4) << 3), c = kk * 2 + ((l >> 3) & 1);
        ldm4(fb[j], &sB[t & 1][r * 32 + ((c ^ ((r >> 1) & 3)) << 3)]);
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) mmabf(acc[i][j], fa[i], fb[j >> 1] + (j & 1) * 2);
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
