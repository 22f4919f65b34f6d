// Half floats times half floats by WMMA, sums in floats.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void k_hgemm(const half* A, const half* B, float* C, int M, int N, int K) {
  int w = threadIdx.x / 32;
  int r = blockIdx.y * 32 + (w >> 1) * 16, c = blockIdx.x * 32 + (w & 1) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + r * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + c, N);
    wmma::mma_sync(acc, a, b, acc);
  }
  wmma::store_matrix_sync(C + r * N + c, acc, N, wmma::mem_row_major);
}
