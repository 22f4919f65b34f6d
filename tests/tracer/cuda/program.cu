// A CUDA program as others write them: it is compiled unmodified for the stand-in of the CUDA runtime, checks
// its results itself, and ends with 0 if they are right. With an argument it makes a call that the stand-in
// lacks.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error = (call);                                                        \
    if (error != cudaSuccess) {                                                              \
      std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                          \
    }                                                                                        \
  } while (false)

__constant__ float factors[4];
__device__ int counter;

template <class T>
__global__ void scale(T* x, int n, int which) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] *= factors[which];
  atomicAdd(&counter, 1);
}

__global__ void reverse(const float* in, float* out) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char**) {
  constexpr int n = 1024;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int major = 0;
  CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (properties.major != major || properties.warpSize != 32 || properties.maxThreadsPerBlock != 1024)
    return 2;

  std::vector<float> host(n), back(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i);
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  const float values[4] = {1, 2, 3, 4};
  CHECK(cudaMemcpyToSymbol(factors, values, sizeof values));
  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaMemcpyAsync(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync(y, 0xff, n * sizeof(float), stream));
  CHECK(cudaEventRecord(begin, stream));
  scale<float><<<n / 128, 128, 0, stream>>>(x, n - 24, 2);
  reverse<<<n / 256, 256, 256 * sizeof(float), stream>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaMemcpy(back.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  if (counted != n - 24 || milliseconds <= 0) return 3;
  for (int i = 0; i < n; ++i) {
    const int from = i / 256 * 256 + 255 - i % 256;
    if (back[i] != host[from] * (from < n - 24 ? 3 : 1)) return 4;
  }
  if (cudaMemcpy(y + n, host.data(), 4, cudaMemcpyHostToDevice) != cudaErrorInvalidValue) return 5;
  if (cudaGetLastError() != cudaErrorInvalidValue || cudaGetLastError() != cudaSuccess) return 6;
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  if (argc > 1) {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
  }
  std::puts("right");
  return 0;
}
