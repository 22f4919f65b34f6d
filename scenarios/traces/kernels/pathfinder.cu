// The cheapest way through a grid, several rows in a kernel.
#define PB 256
extern "C" __global__ void k_pathfinder(int iters, const int* wall, const int* src, int* dst, int cols,
                                        int startrow, int halo) {
  __shared__ int prev[PB], res[PB];
  int tx = threadIdx.x, small = PB - iters * halo * 2;
  int bx = small * blockIdx.x - halo * iters, x = bx + tx;
  int lo = bx < 0 ? -bx : 0, hi = bx + PB - 1 > cols - 1 ? cols - 1 - bx : PB - 1;
  int W = max(tx - 1, lo), E = min(tx + 1, hi);
  bool valid = tx >= lo && tx <= hi;
  if (x >= 0 && x < cols) prev[tx] = src[x];
  __syncthreads();
  bool comp = false;
  for (int i = 0; i < iters; ++i) {
    comp = false;
    if (tx > i && tx < PB - 1 - i && valid) {
      comp = true;
      int m = min(min(prev[W], prev[tx]), prev[E]);
      res[tx] = m + wall[cols * (startrow + i) + x];
    }
    __syncthreads();
    if (i == iters - 1) break;
    if (comp) prev[tx] = res[tx];
    __syncthreads();
  }
  if (comp) dst[x] = res[tx];
}
