// The nearest of a few centres for each point.
extern "C" __global__ void k_kmeans(const float* f, int nf, int np, int nc, int* member, const float* cl) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, best = -1;
  float md = 3.4e38f;
  if (p >= np) return;
  for (int i = 0; i < nc; ++i) {
    float d = 0;
    for (int j = 0; j < nf; ++j) {
      float x = f[p + j * np] - cl[i * nf + j];
      d += x * x;
    }
    if (d < md) {
      md = d;
      best = i;
    }
  }
  member[p] = best;
}
