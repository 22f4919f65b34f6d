// The forward pass of a layer: products summed by a tree in shared memory.
#define BW 16
extern "C" __global__ void k_layerforward(const float* in, float* w, float* partial, int hid) {
  int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int idx = (hid + 1) * BW * by + (hid + 1) * ty + tx + 1 + (hid + 1);
  __shared__ float node[BW], wm[BW][BW];
  if (tx == 0) node[ty] = in[BW * by + ty + 1];
  __syncthreads();
  wm[ty][tx] = w[idx];
  __syncthreads();
  wm[ty][tx] = wm[ty][tx] * node[ty];
  __syncthreads();
  for (int i = 1; i <= 4; ++i) {
    int p = 1 << i;
    if (ty % p == 0) wm[ty][tx] += wm[ty + p / 2][tx];
    __syncthreads();
  }
  w[idx] = wm[ty][tx];
  if (tx == 0) partial[by * hid + ty] = wm[tx][ty];
}
