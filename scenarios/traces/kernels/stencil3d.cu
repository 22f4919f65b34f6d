// A stencil of 25 points, radius 4: planes of 32 x 8 in shared memory, z in registers.
#include "modern.h"

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
