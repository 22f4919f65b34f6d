// Common parts of all measuring programs. Errors end the program. A timing is a line of JSON on standard
// output.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

constexpr int repetitions = 21;

#define CHECK(call) check(call, #call)
inline void check(cudaError_t error, const char* call) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  std::exit(1);
}

// An operand of `count` registers of a thread.
template <class T, int count>
struct Registers {
  T r[count];
};

// Values come from memory and differ from lane to lane. So no compiler computes with them ahead of the timed
// instructions, or in uniform registers. `input` has room for `input_rows` registers of a CTA's threads.
constexpr int input_rows = 40;
template <class T, int count>
__device__ void fill(Registers<T, count>& registers, const unsigned* input, int row) {
  for (int n = 0; n < count; ++n)
    registers.r[n] = static_cast<T>(input[(row + n) % input_rows * blockDim.x + threadIdx.x]);
}

template <class T, int count>
__device__ unsigned mix(const Registers<T, count>& registers) {
  unsigned all = 0;
  for (int n = 0; n < count; ++n) {
    all ^= static_cast<unsigned>(registers.r[n]);
    if constexpr (std::is_same_v<T, unsigned long long>) all ^= static_cast<unsigned>(registers.r[n] >> 32);
  }
  return all;
}

// Where a pointer to shared memory points to in the memory's own window, as instructions of shared memory
// need it.
__device__ inline unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Clock of the SM at a warp's beginning and end. All warps of a CTA read one clock.
struct Span {
  long long begin, end;
};

// Stores a warp's span, and `result`, which the timed instructions computed. A result that may be needed
// keeps the compiler from leaving the instructions out.
__device__ inline void store(Span* spans, unsigned* results, long long begin, long long end,
                             unsigned result) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0) spans[thread / 32] = {begin, end};
  results[thread] = result;
}

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count) {
    CHECK(cudaMalloc(&data_, count * sizeof(T)));
    CHECK(cudaMemset(data_, 0, count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  T* get() { return data_; }
  std::vector<T> values() {
    std::vector<T> copy(count_);
    CHECK(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

inline int attribute(cudaDeviceAttr which) {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

// Cycles from the first beginning to the last end among the spans of one CTA, which has `warps` warps.
inline long long cycles_of(const std::vector<Span>& spans, std::size_t cta, std::size_t warps) {
  long long begin = 0, end = 0;
  bool first = true;
  for (std::size_t w = cta * warps; w < (cta + 1) * warps; ++w) {
    if (spans[w].end == 0) continue;  // the warp did not take part
    begin = first ? spans[w].begin : std::min(begin, spans[w].begin);
    end = first ? spans[w].end : std::max(end, spans[w].end);
    first = false;
  }
  return end - begin;
}

inline std::string list_of(const std::vector<double>& values) {
  std::string text = "[";
  for (const double value : values) {
    char number[32];
    std::snprintf(number, sizeof(number), "%s%.12g", text.size() > 1 ? ", " : "", value);
    text += number;
  }
  return text + "]";
}

// A member of a JSON object.
inline std::string member(const char* key, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "\"%s\": %.12g", key, value);
  return text;
}

// Prints a line of raw output. `more`: further members of the JSON object.
inline void print(const char* measurement, const std::string& name, const std::string& more,
                  const std::vector<double>& cycles) {
  std::printf("{\"measurement\": \"%s\", \"name\": \"%s\", %s, \"cycles\": %s}\n", measurement, name.c_str(),
              more.c_str(), list_of(cycles).c_str());
  std::fflush(stdout);
}

// Runs a kernel of one CTA several times. `launch` gets the places of spans and results. The first run, which
// loads the code, does not count.
template <class Launch>
std::vector<double> time_cta(int warps, Launch launch) {
  DeviceArray<Span> spans(warps);
  DeviceArray<unsigned> results(warps * 32);
  std::vector<double> cycles;
  for (int n = 0; n <= repetitions; ++n) {
    launch(spans.get(), results.get());
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    if (n != 0) cycles.push_back(static_cast<double>(cycles_of(spans.values(), 0, warps)));
  }
  return cycles;
}
