// C = alpha A B + beta C in floats, by tiles of 16 x 16 in shared memory.
#define TS 16
extern "C" __global__ void k_sgemm(const float* A, const float* B, float* C, int M, int N, int K, float alpha,
                                   float beta) {
  __shared__ float sa[TS][TS], sb[TS][TS + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * TS + ty, c = blockIdx.x * TS + tx;
  float acc = 0.f;
  for (int k0 = 0; k0 < K; k0 += TS) {
    sa[ty][tx] = (r < M && k0 + tx < K) ? A[r * K + k0 + tx] : 0.f;
    sb[ty][tx] = (c < N && k0 + ty < K) ? B[(k0 + ty) * N + c] : 0.f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TS; ++k) acc += sa[ty][k] * sb[k][tx];
    __syncthreads();
  }
  if (r < M && c < N) C[r * N + c] = alpha * acc + beta * C[r * N + c];
}
