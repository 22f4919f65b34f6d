// Softmax of each row of a matrix, with a CTA for each row, and the sums of the results.
__device__ float over_cta(float value, bool maximum) {
  __shared__ float of_warp[8];
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_xor_sync(~0u, value, distance);
    value = maximum ? fmaxf(value, other) : value + other;
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  for (int warp = 1; warp < 8; ++warp) value = maximum ? fmaxf(value, of_warp[warp]) : value + of_warp[warp];
  __syncthreads();
  return value;
}

extern "C" __global__ void softmax(const float* in, float* out, int columns) {
  const float* const row = in + blockIdx.x * columns;
  float most = -INFINITY, sum = 0;
  for (int column = threadIdx.x; column < columns; column += 256) most = fmaxf(most, row[column]);
  most = over_cta(most, true);
  for (int column = threadIdx.x; column < columns; column += 256) sum += __expf(row[column] - most);
  sum = over_cta(sum, false);
  for (int column = threadIdx.x; column < columns; column += 256)
    out[blockIdx.x * columns + column] = __expf(row[column] - most) / sum;
}

extern "C" __global__ void sum_rows(const float* in, float* sums, int columns) {
  float sum = 0;
  for (int column = threadIdx.x; column < columns; column += 256) sum += in[blockIdx.x * columns + column];
  sum = over_cta(sum, false);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
