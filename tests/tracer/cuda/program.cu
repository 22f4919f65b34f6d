// A CUDA program as users write it. The program is compiled unmodified for the stand-in of the CUDA runtime,
// checks its results itself, and ends with 0 if they are right. With an argument the program makes a call
// that the stand-in lacks.
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

// The call of programs for CUDA 12, whose structure has other fields: the number of SMs is in another place.
extern "C" cudaError_t cudaGetDeviceProperties_v2(void* properties, int device);

__global__ void add(const int* a, int* b) { b[threadIdx.x] += a[threadIdx.x]; }

// Memory that kernels and the host have in common, and queries of a kernel and of the device. Returns 0 if
// all is right.
int ask() {
  int *pinned = nullptr, *managed = nullptr, *on_device = nullptr;
  CHECK(cudaHostAlloc(&pinned, 64 * sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMallocManaged(&managed, 64 * sizeof(int)));
  CHECK(cudaHostGetDevicePointer(&on_device, pinned, 0));
  for (int i = 0; i < 64; ++i) pinned[i] = i, managed[i] = 100;
  add<<<1, 64>>>(on_device, managed);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i)
    if (managed[i] != 100 + i) return 7;
  cudaPointerAttributes of_pinned, of_managed, of_host;
  int local = 0;
  CHECK(cudaPointerGetAttributes(&of_pinned, pinned + 3));
  CHECK(cudaPointerGetAttributes(&of_managed, managed));
  CHECK(cudaPointerGetAttributes(&of_host, &local));
  if (of_pinned.type != cudaMemoryTypeHost || of_managed.type != cudaMemoryTypeManaged ||
      of_host.type != cudaMemoryTypeUnregistered || of_managed.devicePointer != managed)
    return 8;
  std::vector<int> registered(64, 5);
  CHECK(cudaHostRegister(registered.data(), 64 * sizeof(int), cudaHostRegisterDefault));
  add<<<1, 64>>>(pinned, registered.data());
  CHECK(cudaHostUnregister(registered.data()));
  if (registered[63] != 68) return 9;
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
  if (cudaFree(managed) != cudaErrorInvalidValue || cudaGetLastError() != cudaErrorInvalidValue) return 10;

  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  unsigned char of_cuda_12[2048];
  CHECK(cudaGetDeviceProperties_v2(of_cuda_12, 0));
  int multiprocessors = 0, threads = 0;
  std::memcpy(&multiprocessors, of_cuda_12 + 388, sizeof(int));
  std::memcpy(&threads, of_cuda_12 + 624, sizeof(int));
  if (multiprocessors != properties.multiProcessorCount || threads != properties.maxThreadsPerMultiProcessor)
    return 11;
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, add));
  if (attributes.numRegs < 4 || attributes.maxThreadsPerBlock != 1024 ||
      attributes.binaryVersion != 10 * properties.major + properties.minor)
    return 12;
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
  if (blocks != properties.maxThreadsPerMultiProcessor / 256) return 13;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 30000));
  if (blocks < 2 || blocks > 7) return 14;
  return 0;
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
  if (const int wrong = ask()) return wrong;
  if (argc > 1) {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
  }
  std::puts("right");
  return 0;
}
