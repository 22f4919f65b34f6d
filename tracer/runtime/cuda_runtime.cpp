// A stand-in for the CUDA runtime. Programs that nvcc has compiled with -cudart none are linked with this
// library. Their kernels are then executed and traced without a GPU. All streams are one queue, and all work
// is done at once when it is asked for. The calls of such programs are declared here, without the runtime's
// own headers. Environment variables:
//   SUBCORE_TRACE=FOLDER            the new folder for the trace; none, if it is empty
//   SUBCORE_TRACE_KERNELS=A,B       traces these kernels only
//   SUBCORE_TRACE_LAUNCHES=FROM:TO  traces launches of these numbers only, from 0 on, TO not among them
//   SUBCORE_TRACE_PACK, _VERSION, _COPIES   as the options --pack, --trace-version, --copies of subcore-trace
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "subcore/base/config_error.h"
#include "subcore/base/spelling.h"
#include "subcore/tracer/launch/choice.h"
#include "subcore/tracer/launch/device.h"
#include "subcore/tracer/runtime/device_properties.h"

namespace subcore::tracer {
namespace {

// Results of calls, by the runtime's numbers.
enum Error : int {
  success = 0,
  invalid_value = 1,
  no_memory = 2,
  invalid_symbol = 13,
  invalid_device_function = 98
};
enum PointerType : int { unregistered, host, on_device, managed };
enum CopyKind : int { host_to_host, host_to_device, device_to_host, device_to_device, by_address };

struct Dim3 {
  unsigned x, y, z;
};

// Ends the program, for an error about which the program could do nothing.
[[noreturn]] void end_program(const std::string& what) {
  std::fflush(nullptr);
  std::fprintf(stderr, "subcore-trace: %s\n", what.c_str());
  _exit(3);
}

std::string from_environment(const char* name, const char* otherwise = "") {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// A fat binary of the program. Errors in it are reported when a part of it is used.
struct Binary {
  std::unique_ptr<Module> module;
  std::string error;
};
Module& module_of(const Binary& binary) {
  if (!binary.module) end_program(binary.error);
  return *binary.module;
}
struct Function {
  Binary* binary;
  std::string kernel;
};
struct Symbol {
  Binary* binary;
  std::string name;
};
struct Configuration {
  Dim3 grid, block;
  std::size_t shared_bytes;
  void* stream;
};
// cudaLaunchConfig_t, with attributes of 72 bytes.
struct LaunchConfiguration {
  Configuration plain;
  const struct Attribute {
    int number, padding;
    unsigned value[16];
  } * attributes;
  unsigned count;
};

class Runtime {
 public:
  Runtime() {
    const std::string folder = from_environment("SUBCORE_TRACE");
    device.copy_time =
        choice_named<CopyTime>("SUBCORE_TRACE_COPIES", from_environment("SUBCORE_TRACE_COPIES", "wait"));
    kernels_ = split(from_environment("SUBCORE_TRACE_KERNELS"), ',');
    launches_ = range_named("SUBCORE_TRACE_LAUNCHES", from_environment("SUBCORE_TRACE_LAUNCHES"));
    device.is_traced = [this](const std::string& kernel) {
      const std::uint64_t number = device.counts().launches;
      return number >= launches_.first && number < launches_.end &&
             (kernels_ == std::vector<std::string>{""} ||
              std::find(kernels_.begin(), kernels_.end(), kernel) != kernels_.end());
    };
    if (!folder.empty())
      device.trace(
          folder,
          choice_named<TracePacking>("SUBCORE_TRACE_PACK", from_environment("SUBCORE_TRACE_PACK", "xz")),
          choice_named<TraceVersion>("SUBCORE_TRACE_VERSION",
                                     from_environment("SUBCORE_TRACE_VERSION", "5")));
    folder_ = folder;
  }
  // Called when the program ends.
  void finish() {
    if (!device.is_tracing()) return;
    const unsigned kernels = device.traced_kernels();
    if (kernels == 0) end_program("no kernel was traced, so no folder " + folder_ + " is written");
    device.finish_trace();
    const DeviceCounts& counts = device.counts();
    std::fprintf(stderr, "subcore-trace: %s: %u of %llu launches, %llu warp instructions in all\n",
                 folder_.c_str(), kernels, static_cast<unsigned long long>(counts.launches),
                 static_cast<unsigned long long>(counts.warp_instructions));
  }

  void launch(const Function& function, Dim3 grid, Dim3 block, std::size_t shared_bytes, void** arguments) {
    const Module& module = module_of(*function.binary);
    const Kernel& kernel = kernel_named(module.cubin, function.kernel, "the program");
    std::vector<std::uint8_t> parameters(kernel.parameter_bytes);
    for (std::size_t n = 0; n < kernel.parameters.size(); ++n) {
      const Parameter& p = kernel.parameters[n];
      if (p.offset + p.bytes > parameters.size())
        end_program(kernel.name + " has parameters outside its block of parameters");
      std::memcpy(&parameters[p.offset], arguments[n], p.bytes);
    }
    device.launch(module, kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
                  static_cast<std::uint32_t>(shared_bytes), parameters);
  }

  std::uint8_t* device_bytes(const void* address, std::size_t bytes) {
    return device.memory.find(reinterpret_cast<std::uint64_t>(address), bytes);
  }
  // Memory at the same address for the host and for kernels: memory of the host, or managed memory.
  void* allocate_mapped(std::size_t bytes, PointerType type) {
    constexpr std::uint64_t begin = 0x100000000000, page = 4096;
    static std::uint64_t top = begin;
    const std::uint64_t size = (std::max<std::uint64_t>(bytes, 1) + page - 1) / page * page;
    void* const wanted = reinterpret_cast<void*>(top);
    if (mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
             0) != wanted)
      return nullptr;
    device.memory.adopt(top, static_cast<std::uint8_t*>(wanted), std::max<std::size_t>(bytes, 1));
    mapped[top] = {type, size};
    top += size;
    return wanted;
  }
  // Gives mapped memory back that begins at the address. False if there is none.
  bool free_mapped(void* address) {
    const auto found = mapped.find(reinterpret_cast<std::uint64_t>(address));
    if (found == mapped.end()) return false;
    device.memory.free(found->first);
    munmap(address, found->second.bytes);
    mapped.erase(found);
    return true;
  }
  PointerType type_of(const void* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (auto after = mapped.upper_bound(address); after != mapped.begin())
      if (--after; address - after->first < after->second.bytes) return after->second.type;
    return device_bytes(pointer, 1) != nullptr ? on_device : unregistered;
  }

  Error copy(void* to, const void* from, std::size_t bytes, int kind) {
    if (bytes == 0) return success;
    const bool to_device = kind == host_to_device || kind == device_to_device ||
                           (kind == by_address && device_bytes(to, bytes) != nullptr);
    const bool from_device = kind == device_to_host || kind == device_to_device ||
                             (kind == by_address && device_bytes(from, bytes) != nullptr);
    void* const target = to_device ? device_bytes(to, bytes) : to;
    const void* const source = from_device ? device_bytes(from, bytes) : from;
    if (target == nullptr || source == nullptr) return invalid_value;
    if (to_device && !from_device)
      device.copy_to_device(reinterpret_cast<std::uint64_t>(to), source, bytes);
    else
      std::memmove(target, source, bytes);
    return success;
  }

  // The bytes of a variable of the device code, from `offset` on. Null if there is none, or if it has fewer
  // bytes.
  std::uint8_t* symbol_bytes(const void* symbol, std::size_t offset, std::size_t bytes) {
    const auto found = symbols.find(symbol);
    if (found == symbols.end()) return nullptr;
    Module& module = module_of(*found->second.binary);
    if (const auto constant = module.cubin.constant_variables.find(found->second.name);
        constant != module.cubin.constant_variables.end()) {
      const Variable& v = constant->second;
      return offset + bytes <= v.bytes ? &module.cubin.user_constants[v.offset + offset] : nullptr;
    }
    const auto global = module.cubin.global_variables.find(found->second.name);
    if (global == module.cubin.global_variables.end() || offset + bytes > global->second.bytes)
      return nullptr;
    return device.memory.find(module.global_data + global->second.offset + offset, bytes);
  }
  // The address of a variable in global memory, and its size in bytes.
  std::optional<Variable> global_symbol(const void* symbol) {
    const auto found = symbols.find(symbol);
    if (found == symbols.end()) return {};
    const Module& module = module_of(*found->second.binary);
    const auto global = module.cubin.global_variables.find(found->second.name);
    if (global == module.cubin.global_variables.end()) return {};
    return Variable{module.global_data + global->second.offset, global->second.bytes};
  }

  Device device;
  std::map<const void*, std::unique_ptr<Function>> functions;  // by the host's address for the call
  std::map<const void*, Symbol> symbols;
  struct Mapped {
    PointerType type;
    std::uint64_t bytes;
  };
  std::map<std::uint64_t, Mapped> mapped;  // by the address of its beginning
  std::vector<Configuration> configurations;
  Error last_error = success;
  unsigned architecture = 75;  // of the code that was loaded last

 private:
  std::string folder_;
  std::vector<std::string> kernels_;
  Device::Range launches_;
};

// The first call makes the object, because programs register their code before their own objects are made.
// The object is never destroyed, because programs unregister their code after their own objects.
Runtime& runtime() {
  static Runtime* const made = [] {
    try {
      auto* const it = new Runtime;
      std::atexit([] {
        try {
          runtime().finish();
        } catch (const std::exception& e) {
          end_program(e.what());
        }
      });
      return it;
    } catch (const std::exception& e) {
      end_program(e.what());
    }
  }();
  return *made;
}

// Notes a call's result, which the program may ask for later, and returns it.
int noted(Error error) {
  if (error != success) runtime().last_error = error;
  return error;
}

template <class Work>
int guarded(Work work) {
  try {
    return noted(work());
  } catch (const std::exception& e) {
    end_program(e.what());
  }
}

struct ErrorText {
  const char *name, *words;
};
ErrorText text_of(int error) {
  switch (error) {
    case success:
      return {"cudaSuccess", "no error"};
    case invalid_value:
      return {"cudaErrorInvalidValue", "invalid argument"};
    case no_memory:
      return {"cudaErrorMemoryAllocation", "out of memory"};
    case invalid_symbol:
      return {"cudaErrorInvalidSymbol", "invalid device symbol"};
    case invalid_device_function:
      return {"cudaErrorInvalidDeviceFunction", "invalid device function"};
    default:
      return {"cudaErrorUnknown", "error"};
  }
}

// The number of CTAs of a kernel that an SM takes at a time, by threads, registers and shared memory.
int ctas_of_sm(const Kernel& kernel, unsigned threads, std::size_t dynamic_bytes) {
  const unsigned architecture = runtime().architecture;
  const SmSizes sm = sm_sizes(architecture);
  const auto count = [](std::uint64_t all, std::uint64_t each) {
    return static_cast<int>(all / std::max<std::uint64_t>(each, 1));
  };
  const unsigned warps = (threads + lanes_of_warp - 1) / lanes_of_warp;
  // Registers are given to warps in blocks of 256.
  const unsigned registers_of_warp = (kernel.registers * lanes_of_warp + 255) / 256 * 256;
  return std::min({architecture == 75 ? 16 : 32,
                   count(static_cast<unsigned>(sm.threads), std::uint64_t{warps} * lanes_of_warp),
                   count(65536, std::uint64_t{warps} * registers_of_warp),
                   count(static_cast<unsigned>(sm.shared_bytes),
                         kernel.shared_bytes + dynamic_bytes + (architecture == 75 ? 0 : 1024))});
}
int most_dynamic_bytes(const Kernel& kernel) {
  return std::max(0, 49152 - static_cast<int>(kernel.shared_bytes));
}

}  // namespace
}  // namespace subcore::tracer

using namespace subcore::tracer;

extern "C" {

// ---- Calls in nvcc's own code.

void** __cudaRegisterFatBinary(void* wrapper) {
  struct Wrapper {
    int magic, version;
    const void* data;
    void* file;
  };
  auto* const binary = new Binary;  // lives as long as the program
  try {
    binary->module = runtime().device.load(
        read_fat_binary(static_cast<const Wrapper*>(wrapper)->data, "the program", instruction_table()));
    runtime().architecture = binary->module->cubin.architecture;
  } catch (const std::exception& e) {
    binary->error = e.what();
  }
  return reinterpret_cast<void**>(binary);
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
  return 1;
}
void __cudaRegisterFunction(void** binary, const char* host, char*, const char* name, int, void*, void*,
                            void*, void*, int*) {
  runtime().functions[host] = std::make_unique<Function>(Function{reinterpret_cast<Binary*>(binary), name});
}
void __cudaRegisterVar(void** binary, char* host, char*, const char* name, int, std::size_t, int, int) {
  runtime().symbols[host] = {reinterpret_cast<Binary*>(binary), name};
}
int __cudaGetKernel(void** kernel, const void* host) {
  const auto found = runtime().functions.find(host);
  if (found == runtime().functions.end()) return noted(invalid_device_function);
  *kernel = found->second.get();
  return success;
}
unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t shared_bytes, void* stream) {
  runtime().configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}
int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* shared_bytes, void** stream) {
  const Configuration c = runtime().configurations.back();
  runtime().configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared_bytes = c.shared_bytes;
  *stream = c.stream;
  return success;
}
int __cudaLaunchKernel(void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                       void*) {
  return guarded([&] {
    runtime().launch(*static_cast<Function*>(kernel), grid, block, shared_bytes, arguments);
    return success;
  });
}

// ---- Launches.

int cudaLaunchKernel(const void* host, Dim3 grid, Dim3 block, void** arguments, std::size_t shared_bytes,
                     void* stream) {
  void* kernel = nullptr;
  if (const int error = __cudaGetKernel(&kernel, host)) return error;
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}
// CTAs that wait for each other would wait forever, because they are executed one after the other.
int cudaLaunchCooperativeKernel(const void* host, Dim3 grid, Dim3 block, void** arguments,
                                std::size_t shared_bytes, void* stream) {
  if (std::uint64_t{grid.x} * grid.y * grid.z > 1)
    end_program(
        "cudaLaunchCooperativeKernel is called for a grid of more than one CTA, which is not emulated");
  return cudaLaunchKernel(host, grid, block, arguments, shared_bytes, stream);
}
int cudaLaunchKernelExC(const LaunchConfiguration* configuration, const void* host, void** arguments) {
  constexpr int cooperative = 2, cluster = 4;
  const Configuration& c = configuration->plain;
  for (unsigned n = 0; n < configuration->count; ++n) {
    const auto& [number, padding, value] = configuration->attributes[n];
    if (number == cluster && value[0] * value[1] * value[2] > 1)
      end_program("a launch asks for clusters of CTAs, which are not emulated");
    if (number == cooperative && value[0] != 0)
      return cudaLaunchCooperativeKernel(host, c.grid, c.block, arguments, c.shared_bytes, c.stream);
  }
  return cudaLaunchKernel(host, c.grid, c.block, arguments, c.shared_bytes, c.stream);
}
int cudaFuncSetAttribute(const void*, int, int) {
  return success;
}
int cudaFuncSetCacheConfig(const void*, int) {
  return success;
}
int cudaFuncSetSharedMemConfig(const void*, int) {
  return success;
}
int cudaFuncGetAttributes(std::uint8_t* attributes, const void* host) {
  return guarded([&] {
    const auto found = runtime().functions.find(host);
    if (found == runtime().functions.end()) return invalid_device_function;
    const Module& module = module_of(*found->second->binary);
    const Kernel& kernel = kernel_named(module.cubin, found->second->kernel, "the program");
    constexpr std::size_t all_bytes = 144;
    std::memset(attributes, 0, all_bytes);
    const std::uint64_t sizes[] = {kernel.shared_bytes, 0, kernel.local_bytes};
    std::memcpy(attributes, sizes, sizeof sizes);
    const int version = static_cast<int>(module.cubin.architecture), at_most = most_dynamic_bytes(kernel);
    const int numbers[] = {1024, static_cast<int>(kernel.registers), version, version, 0, at_most};
    std::memcpy(attributes + sizeof sizes, numbers, sizeof numbers);
    return success;
  });
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int threads,
                                                  std::size_t dynamic_bytes) {
  return guarded([&] {
    const auto found = runtime().functions.find(host);
    if (found == runtime().functions.end()) return invalid_device_function;
    if (threads < 1 || threads > 1024) return invalid_value;
    const Kernel& kernel =
        kernel_named(module_of(*found->second->binary).cubin, found->second->kernel, "the program");
    *blocks = ctas_of_sm(kernel, static_cast<unsigned>(threads), dynamic_bytes);
    return success;
  });
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host, int threads,
                                                           std::size_t dynamic_bytes, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, host, threads, dynamic_bytes);
}
int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void*, int, int) {
  *bytes = 49152;
  return success;
}

// ---- Memory.

int cudaMalloc(void** address, std::size_t bytes) {
  return guarded([&] {
    *address = reinterpret_cast<void*>(runtime().device.memory.allocate(bytes));
    return success;
  });
}
int cudaMallocAsync(void** address, std::size_t bytes, void*) {
  return cudaMalloc(address, bytes);
}
int cudaMallocPitch(void** address, std::size_t* pitch, std::size_t width, std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(address, *pitch * height);
}
int cudaFree(void* address) {
  if (address == nullptr || runtime().free_mapped(address) ||
      runtime().device.memory.free(reinterpret_cast<std::uint64_t>(address)))
    return success;
  return noted(invalid_value);
}
int cudaMallocManaged(void** address, std::size_t bytes, unsigned) {
  *address = runtime().allocate_mapped(bytes, managed);
  return *address != nullptr ? success : noted(no_memory);
}
int cudaMallocFromPoolAsync(void** address, std::size_t bytes, void*, void*) {
  return cudaMalloc(address, bytes);
}
int cudaFreeAsync(void* address, void*) {
  return cudaFree(address);
}
int cudaMallocHost(void** address, std::size_t bytes) {
  *address = runtime().allocate_mapped(bytes, host);
  return *address != nullptr ? success : noted(no_memory);
}
int cudaHostAlloc(void** address, std::size_t bytes, unsigned) {
  return cudaMallocHost(address, bytes);
}
int cudaFreeHost(void* address) {
  return address == nullptr || runtime().free_mapped(address) ? success : noted(invalid_value);
}
int cudaHostRegister(void* address, std::size_t bytes, unsigned) {
  runtime().device.memory.adopt(reinterpret_cast<std::uint64_t>(address), static_cast<std::uint8_t*>(address),
                                bytes);
  return success;
}
int cudaHostUnregister(void* address) {
  return runtime().device.memory.free(reinterpret_cast<std::uint64_t>(address)) ? success
                                                                                : noted(invalid_value);
}
int cudaHostGetDevicePointer(void** on_device, void* address, unsigned) {
  *on_device = address;
  return success;
}
int cudaPointerGetAttributes(std::uint8_t* attributes, void* pointer) {
  constexpr std::size_t all_bytes = 88;
  std::memset(attributes, 0, all_bytes);
  const PointerType type = runtime().type_of(pointer);
  std::memcpy(attributes, &type, sizeof type);
  void* const pointers[] = {type != unregistered ? pointer : nullptr,
                            type == host || type == managed ? pointer : nullptr};
  std::memcpy(attributes + 8, pointers, sizeof pointers);
  return success;
}
// The place of memory does not matter here.
int cudaMemAdvise() {
  return success;
}
int cudaMemPrefetchAsync() {
  return success;
}
int cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  *all_bytes = std::size_t{16} << 30;
  *free_bytes = *all_bytes - std::min<std::size_t>(*all_bytes, runtime().device.memory.bytes());
  return success;
}
int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
  return guarded([&] { return runtime().copy(to, from, bytes, kind); });
}
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void*) {
  return cudaMemcpy(to, from, bytes, kind);
}
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind) {
  for (std::size_t row = 0; row < height; ++row)
    if (const int error = cudaMemcpy(static_cast<char*>(to) + row * to_pitch,
                                     static_cast<const char*>(from) + row * from_pitch, width, kind))
      return error;
  return success;
}
int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, int kind, void*) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
int cudaMemset(void* address, int value, std::size_t bytes) {
  if (bytes == 0) return success;
  std::uint8_t* const to = runtime().device_bytes(address, bytes);
  if (to == nullptr) return noted(invalid_value);
  std::memset(to, value, bytes);
  return success;
}
int cudaMemsetAsync(void* address, int value, std::size_t bytes, void*) {
  return cudaMemset(address, value, bytes);
}
int cudaMemset2D(void* address, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row)
    if (const int error = cudaMemset(static_cast<char*>(address) + row * pitch, value, width)) return error;
  return success;
}

int cudaMemset2DAsync(void* address, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      void*) {
  return cudaMemset2D(address, pitch, value, width, height);
}

// ---- Variables of the device code.

int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int) {
  std::uint8_t* const to = runtime().symbol_bytes(symbol, offset, bytes);
  if (to == nullptr) return noted(invalid_symbol);
  std::memcpy(to, from, bytes);
  return success;
}
int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                            int kind, void*) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int) {
  const std::uint8_t* const from = runtime().symbol_bytes(symbol, offset, bytes);
  if (from == nullptr) return noted(invalid_symbol);
  std::memcpy(to, from, bytes);
  return success;
}
int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind,
                              void*) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
int cudaGetSymbolAddress(void** address, const void* symbol) {
  const auto found = runtime().global_symbol(symbol);
  if (!found) return noted(invalid_symbol);
  *address = reinterpret_cast<void*>(found->offset);
  return success;
}
int cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  const auto found = runtime().global_symbol(symbol);
  if (!found) return noted(invalid_symbol);
  *bytes = found->bytes;
  return success;
}

// ---- Streams and events. An event is a count of warp instructions, and the time between events is the
// difference of their counts.

int cudaStreamCreate(void** stream) {
  *stream = nullptr;
  return success;
}
int cudaStreamCreateWithFlags(void** stream, unsigned) {
  return cudaStreamCreate(stream);
}
int cudaStreamCreateWithPriority(void** stream, unsigned, int) {
  return cudaStreamCreate(stream);
}
int cudaStreamDestroy(void*) {
  return success;
}
int cudaStreamSynchronize(void*) {
  return success;
}
int cudaStreamQuery(void*) {
  return success;
}
int cudaStreamWaitEvent(void*, void*, unsigned) {
  return success;
}
int cudaStreamGetPriority(void*, int* priority) {
  *priority = 0;
  return success;
}
int cudaStreamGetFlags(void*, unsigned* flags) {
  *flags = 0;
  return success;
}
int cudaStreamIsCapturing(void*, int* status) {
  *status = 0;
  return success;
}
int cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) {
  return success;
}
int cudaStreamAddCallback(void* stream, void (*call)(void*, int, void*), void* data, unsigned) {
  call(stream, success, data);
  return success;
}
int cudaLaunchHostFunc(void*, void (*call)(void*), void* data) {
  call(data);
  return success;
}
int cudaEventCreate(void** event) {
  *event = new std::uint64_t{0};
  return success;
}
int cudaEventCreateWithFlags(void** event, unsigned) {
  return cudaEventCreate(event);
}
int cudaEventDestroy(void* event) {
  delete static_cast<std::uint64_t*>(event);
  return success;
}
int cudaEventRecord(void* event, void*) {
  *static_cast<std::uint64_t*>(event) = runtime().device.counts().warp_instructions;
  return success;
}
int cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return cudaEventRecord(event, stream);
}
int cudaEventSynchronize(void*) {
  return success;
}
int cudaEventQuery(void*) {
  return success;
}
// There is no time here, so a million warp instructions count as a millisecond.
int cudaEventElapsedTime(float* milliseconds, void* begin, void* end) {
  *milliseconds =
      static_cast<float>(*static_cast<std::uint64_t*>(end) - *static_cast<std::uint64_t*>(begin)) / 1e6f;
  return success;
}

int cudaEventElapsedTime_v2(float* milliseconds, void* begin, void* end) {
  return cudaEventElapsedTime(milliseconds, begin, end);
}

// ---- The device.

int cudaDeviceSynchronize() {
  return success;
}
int cudaDeviceReset() {
  return success;
}
int cudaSetDevice(int device) {
  return device == 0 ? success : noted(invalid_value);
}
int cudaSetDeviceFlags(unsigned) {
  return success;
}
int cudaGetDevice(int* device) {
  *device = 0;
  return success;
}
int cudaGetDeviceCount(int* devices) {
  *devices = 1;
  return success;
}
int cudaChooseDevice(int* device, const void*) {
  *device = 0;
  return success;
}
int cudaInitDevice(int, unsigned, unsigned) {
  return success;
}
int cudaGetDeviceProperties(std::uint8_t* properties, int) {
  write_properties(runtime().architecture, PropertiesLayout::cuda_13, properties);
  return success;
}
// The name in programs of CUDA 12.
int cudaGetDeviceProperties_v2(std::uint8_t* properties, int) {
  write_properties(runtime().architecture, PropertiesLayout::cuda_12, properties);
  return success;
}
int cudaDeviceGetAttribute(int* value, int number, int) {
  const auto known = device_attribute(runtime().architecture, number);
  if (!known)
    end_program("cudaDeviceGetAttribute is asked for attribute " + std::to_string(number) +
                ", which is not known");
  *value = *known;
  return success;
}
int cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return success;
}
int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return success;
}
int cudaDeviceGetPCIBusId(char* text, int bytes, int) {
  std::snprintf(text, static_cast<std::size_t>(std::max(bytes, 0)), "0000:00:00.0");
  return success;
}
int cudaDeviceGetLimit(std::size_t* value, int) {
  *value = 1024;
  return success;
}
int cudaGetDeviceFlags(unsigned* flags) {
  *flags = 0;
  return success;
}
int cudaDeviceSetSharedMemConfig(int) {
  return success;
}
int cudaProfilerStart() {
  return success;
}
int cudaProfilerStop() {
  return success;
}
// Names from before CUDA 13.
int cudaThreadSynchronize() {
  return success;
}
int cudaThreadExit() {
  return success;
}
int cudaDeviceSetLimit(int, std::size_t) {
  return success;
}
int cudaDeviceSetCacheConfig(int) {
  return success;
}
int cudaDriverGetVersion(int* version) {
  *version = 13000;
  return success;
}
int cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return success;
}
int cudaGetLastError() {
  return std::exchange(runtime().last_error, success);
}
int cudaPeekAtLastError() {
  return runtime().last_error;
}
const char* cudaGetErrorString(int error) {
  return text_of(error).words;
}
const char* cudaGetErrorName(int error) {
  return text_of(error).name;
}

// ---- Calls that the stand-in does not have.

#define SUBCORE_MISSING_CALL(name)                                                          \
  int name() {                                                                              \
    end_program(#name " is called, which the stand-in for the CUDA runtime does not have"); \
  }
#include "subcore/tracer/runtime/missing_calls.inc"

}  // extern "C"
