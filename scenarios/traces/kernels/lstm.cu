// An LSTM cell: gates [4][H][Bn] = W [4H][K] X [K][Bn] by WMMA, then functions of each element. A warp
// computes a tile of 16 hidden units and 16 of the batch for one gate.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void k_lstm(const half* W, const half* X, const float* bias, const float* cin,
                                  float* cout, float* hout, int H, int Bn, int K) {
  __shared__ float g[4][16][16];
  int h0 = blockIdx.y * 16, b0 = blockIdx.x * 16, w = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, W + (w * H + h0) * K + k, K);
    wmma::load_matrix_sync(b, X + b0 * K + k, K);
    wmma::mma_sync(acc, a, b, acc);
  }
  wmma::store_matrix_sync(&g[w][0][0], acc, 16, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < 256; e += 128) {
    int h = e / 16, bb = e % 16;
    float gi = g[0][h][bb] + bias[h0 + h], gf = g[1][h][bb] + bias[H + h0 + h];
    float gg = g[2][h][bb] + bias[2 * H + h0 + h], go = g[3][h][bb] + bias[3 * H + h0 + h];
    float si = 1.f / (1.f + __expf(-gi)), sf = 1.f / (1.f + __expf(-gf)), so = 1.f / (1.f + __expf(-go));
    float th = tanhf(gg);
    int o = (b0 + bb) * H + h0 + h;
    float c = sf * cin[o] + si * th;
    cout[o] = c;
    hout[o] = so * tanhf(c);
  }
}
