// Heat on a chip: several steps of a five-point stencil in a tile, with its halo computed again.
#define HB 16
extern "C" __global__ void k_hotspot(int iters, const float* power, const float* tin, float* tout, int cols,
                                     int rows, float cap, float rx, float ry, float rz, float step) {
  __shared__ float t0[HB][HB], p0[HB][HB], t1[HB][HB];
  float k = step / cap, irx = 1 / rx, iry = 1 / ry, irz = 1 / rz;
  int tx = threadIdx.x, ty = threadIdx.y;
  int small = HB - 2 * iters;
  int by = blockIdx.y * small - iters, bx = blockIdx.x * small - iters;
  int y = by + ty, x = bx + tx;
  bool in = x >= 0 && x < cols && y >= 0 && y < rows;
  if (in) {
    t0[ty][tx] = tin[y * cols + x];
    p0[ty][tx] = power[y * cols + x];
  }
  __syncthreads();
  int ymin = by < 0 ? -by : 0, ymax = by + HB > rows ? rows - by - 1 : HB - 1;
  int xmin = bx < 0 ? -bx : 0, xmax = bx + HB > cols ? cols - bx - 1 : HB - 1;
  int n = max(ymin, ty - 1), s = min(ymax, ty + 1), w = max(xmin, tx - 1), e = min(xmax, tx + 1);
  bool done = false;
  for (int i = 0; i < iters; ++i) {
    done = false;
    if (tx > i && tx < HB - 1 - i && ty > i && ty < HB - 1 - i && in) {
      done = true;
      t1[ty][tx] =
          t0[ty][tx] + k * (p0[ty][tx] + (t0[s][tx] + t0[n][tx] - 2.f * t0[ty][tx]) * iry +
                            (t0[ty][e] + t0[ty][w] - 2.f * t0[ty][tx]) * irx + (80.f - t0[ty][tx]) * irz);
    }
    __syncthreads();
    if (i == iters - 1) break;
    if (done) t0[ty][tx] = t1[ty][tx];
    __syncthreads();
  }
  if (done) tout[y * cols + x] = t1[ty][tx];
}
