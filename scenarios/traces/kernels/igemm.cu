// Bytes times bytes by WMMA, sums in 32 bits.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void k_igemm(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
  int w = threadIdx.x / 32;
  int r = blockIdx.y * 32 + (w >> 1) * 16, c = blockIdx.x * 32 + (w & 1) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc;
  wmma::fill_fragment(acc, 0);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + r * K + k, K);
    wmma::load_matrix_sync(b, B + c * K + k, K);
    wmma::mma_sync(acc, a, b, acc);
  }
  wmma::store_matrix_sync(C + r * N + c, acc, N, wmma::mem_row_major);
}
