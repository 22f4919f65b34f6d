// The greatest k of 1,024 values of each row, a warp for each, by k rounds of redux.sync and ballot.
#include "modern.h"

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
