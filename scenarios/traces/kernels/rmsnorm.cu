// RMSNorm of a sum with the residual, in bfloat16, a CTA for each row.
#include "modern.h"

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
