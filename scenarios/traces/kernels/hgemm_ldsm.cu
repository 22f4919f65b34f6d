// Half floats by LDSM and mma.m16n8k8, tiles in shared memory.
#include <cuda_fp16.h>

extern "C" __global__ void k_hgemm_ldsm(const half* A, const half* B, float* C, int M, int N, int K) {
  __shared__ __align__(16) half sa[32][24], sb[16][40];
  int t = threadIdx.x, w = t / 32, l = t & 31;
  int r0 = blockIdx.y * 32, c0 = blockIdx.x * 32;
  float acc[2][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (t < 64)
      *(uint4*)&sa[t / 2][(t & 1) * 8] = *(const uint4*)&A[(r0 + t / 2) * K + k0 + (t & 1) * 8];
    else {
      int u = t - 64;
      *(uint4*)&sb[u / 4][(u & 3) * 8] = *(const uint4*)&B[(k0 + u / 4) * N + c0 + (u & 3) * 8];
    }
    __syncthreads();
    unsigned a[4], b[4];
    unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[(w >> 1) * 16 + (l & 15)][(l >> 4) * 8]);
    unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[l & 15][(w & 1) * 16 + (l >> 4) * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(pb));
    for (int j = 0; j < 2; ++j)
      for (int kk = 0; kk < 2; ++kk)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
            : "+f"(acc[j][0]), "+f"(acc[j][1]), "+f"(acc[j][2]), "+f"(acc[j][3])
            : "r"(a[kk * 2]), "r"(a[kk * 2 + 1]), "r"(b[j * 2 + kk]));
    __syncthreads();
  }
  for (int j = 0; j < 2; ++j) {
    int r = r0 + (w >> 1) * 16 + l / 4, c = c0 + (w & 1) * 16 + j * 8 + (l & 3) * 2;
    C[r * N + c] = acc[j][0];
    C[r * N + c + 1] = acc[j][1];
    C[(r + 8) * N + c] = acc[j][2];
    C[(r + 8) * N + c + 1] = acc[j][3];
  }
}
