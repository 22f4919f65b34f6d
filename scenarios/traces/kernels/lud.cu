// LU decomposition by blocks of 16 x 16: the diagonal block, its row and column, the rest.
#define LB 16
extern "C" __global__ void k_lud_diag(float* m, int dim, int off) {
  __shared__ float s[LB][LB];
  int t = threadIdx.x;
  for (int i = 0; i < LB; ++i) s[i][t] = m[(off + i) * dim + off + t];
  __syncthreads();
  for (int i = 0; i < LB - 1; ++i) {
    if (t > i) {
      for (int j = 0; j < i; ++j) s[t][i] -= s[t][j] * s[j][i];
      s[t][i] /= s[i][i];
    }
    __syncthreads();
    if (t > i)
      for (int j = 0; j < i + 1; ++j) s[i + 1][t] -= s[i + 1][j] * s[j][t];
    __syncthreads();
  }
  for (int i = 1; i < LB; ++i) m[(off + i) * dim + off + t] = s[i][t];
}
extern "C" __global__ void k_lud_peri(float* m, int dim, int off) {
  __shared__ float d[LB][LB], r[LB][LB], c[LB][LB];
  int t = threadIdx.x, bo = off + (blockIdx.x + 1) * LB;
  if (t < LB) {
    for (int i = 0; i < LB; ++i) {
      d[i][t] = m[(off + i) * dim + off + t];
      r[i][t] = m[(off + i) * dim + bo + t];
    }
  } else {
    int u = t - LB;
    for (int i = 0; i < LB; ++i) c[i][u] = m[(bo + i) * dim + off + u];
  }
  __syncthreads();
  if (t < LB) {
    for (int i = 1; i < LB; ++i)
      for (int j = 0; j < i; ++j) r[i][t] -= d[i][j] * r[j][t];
  } else {
    int u = t - LB;
    for (int i = 0; i < LB; ++i) {
      for (int j = 0; j < i; ++j) c[u][i] -= c[u][j] * d[j][i];
      c[u][i] /= d[i][i];
    }
  }
  __syncthreads();
  if (t < LB) {
    for (int i = 1; i < LB; ++i) m[(off + i) * dim + bo + t] = r[i][t];
  } else {
    int u = t - LB;
    for (int i = 0; i < LB; ++i) m[(bo + i) * dim + off + u] = c[i][u];
  }
}
extern "C" __global__ void k_lud_int(float* m, int dim, int off) {
  __shared__ float r[LB][LB], c[LB][LB];
  int tx = threadIdx.x, ty = threadIdx.y;
  int gr = off + (blockIdx.y + 1) * LB, gc = off + (blockIdx.x + 1) * LB;
  r[ty][tx] = m[(off + ty) * dim + gc + tx];
  c[ty][tx] = m[(gr + ty) * dim + off + tx];
  __syncthreads();
  float s = 0;
  for (int i = 0; i < LB; ++i) s += c[ty][i] * r[i][tx];
  m[(gr + ty) * dim + gc + tx] -= s;
}
