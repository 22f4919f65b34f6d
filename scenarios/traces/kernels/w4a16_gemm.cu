// C = A W of half floats and weights of 4 bits, which lie as fragments need them, with a scale for each
// column and 64 rows; four warps of 32 x 32.
#include "modern.h"

extern "C" __global__ void __launch_bounds__(128)
    w4a16_gemm(const __half* A, const u32* W, const __half* scales, __half* C, int N, int K) {
  __half* sA = (__half*)dsm;
  int tid = threadIdx.x, w = tid >> 5, l = tid & 31, n0 = blockIdx.x * 128 + w * 32, CH = K / 8;
  for (int i = tid; i < 32 * CH; i += 128) {
    int r = i / CH, c = i % CH;
    cp16(sA + r * K + ((c ^ (r & 7)) << 3), A + r * K + c * 8);
  }
  commit();
  float acc[2][4][4] = {};
  uint4 q = __ldg((const uint4*)W + ((size_t)(n0 / 32) * (K / 32)) * 32 + l);
  waitg<0>();
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
        ldm4(fa[kk][i], sA + r * K + ((c ^ (r & 7)) << 3));
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
        for (int i = 0; i < 2; i++) mma16816(acc[i][j], fa[kk][i], b[kk]);
    }
    q = nx;
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      size_t o = (size_t)(i * 16 + (l >> 2)) * N + n0 + j * 8 + (l & 3) * 2;
      *(u32*)&C[o] = packh(acc[i][j][0], acc[i][j][1]);
      *(u32*)&C[o + 8 * N] = packh(acc[i][j][2], acc[i][j][3]);
    }
}
