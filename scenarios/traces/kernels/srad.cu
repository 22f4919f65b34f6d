// Diffusion that keeps edges, an exponential and a logarithm, and a sum by shuffles and an atomic.
extern "C" __global__ void k_srad(float* c, const float* I, float* out, int rows, int cols, float q0,
                                  float lam) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  float J = I[y * cols + x];
  float n = I[max(y - 1, 0) * cols + x] - J, s = I[min(y + 1, rows - 1) * cols + x] - J;
  float w = I[y * cols + max(x - 1, 0)] - J, e = I[y * cols + min(x + 1, cols - 1)] - J;
  float g2 = (n * n + s * s + w * w + e * e) / (J * J), l = (n + s + w + e) / J;
  float num = 0.5f * g2 - (1.f / 16.f) * (l * l), den = 1 + 0.25f * l;
  float q = num / (den * den);
  den = (q - q0) / (q0 * (1 + q0));
  float cc = 1.f / (1.f + den);
  if (cc < 0)
    cc = 0;
  else if (cc > 1)
    cc = 1;
  c[y * cols + x] = cc;
  out[y * cols + x] = J + 0.25f * lam * cc * (n + s + w + e);
}
extern "C" __global__ void k_srad_exp(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = logf(expf(in[i] / 255.f)) * 255.f;
}
extern "C" __global__ void k_reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int k = 128; k >= 32; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    float v = s[t];
    for (int k = 16; k; k >>= 1) v += __shfl_down_sync(~0u, v, k);
    if (t == 0) atomicAdd(out, v);
  }
}
