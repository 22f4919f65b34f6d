// A stand-in for a GPU: loaded code, memory, and launches of kernels. A launch executes its kernel at once,
// and traces it if asked to.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "subcore/tracer/files/cubin.h"
#include "subcore/tracer/files/trace_writer.h"
#include "subcore/tracer/machine/cta.h"
#include "subcore/tracer/machine/device_memory.h"

namespace subcore::tracer {

// Loaded code. Its variables have addresses.
struct Module {
  Cubin cubin;
  std::uint64_t global_data = 0;  // address of variables in global memory
};

// A device's counts of its launches.
struct DeviceCounts {
  std::uint64_t launches = 0, ctas = 0, warp_instructions = 0, thread_instructions = 0;
};

class Device {
 public:
  // The CTAs of each launch that are executed, by their number in the grid: from `first` to the one before
  // `end`.
  struct Range {
    std::uint64_t first = 0, end = std::numeric_limits<std::uint64_t>::max();
    bool is_all() const { return first == 0 && end == std::numeric_limits<std::uint64_t>::max(); }
  };

  DeviceMemory memory;
  CopyTime copy_time = CopyTime::wait;
  Range ctas;
  // A warp that executes more instructions than this has an endless loop.
  std::uint64_t most_warp_instructions = 200'000'000;
  // Selects the launches that are traced. If empty, all are.
  std::function<bool(const std::string& kernel)> is_traced;
  // Called from time to time with the share of a launch that is done, 0 to 1, and the kernel.
  std::function<void(double, const std::string&)> progress;

  // Takes the text that code prints. By default the text goes to the program's output.
  std::function<void(const std::string&)> print = [](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  };

  // Begins a trace. finish_trace() gives its folder its name.
  void trace(const std::filesystem::path& folder, TracePacking packing, TraceVersion version);
  void finish_trace();
  bool is_tracing() const { return writer_ != nullptr; }
  unsigned traced_kernels() const { return writer_ ? writer_->kernels() : 0; }

  // Loads code. Throws ConfigError if the code names a variable that it does not have.
  std::unique_ptr<Module> load(Cubin cubin);
  // Copies bytes to the device's memory. Throws ConfigError if they do not fit within one allocation.
  void copy_to_device(std::uint64_t address, const void* from, std::uint64_t bytes);

  // Executes a kernel. `parameters` is its block of parameters. Throws ConfigError for a launch that no GPU
  // would accept, and ExecutionError if the kernel does something forbidden.
  void launch(const Module& module, const Kernel& kernel, Dimensions grid, Dimensions block,
              std::uint32_t dynamic_shared_bytes, const std::vector<std::uint8_t>& parameters);

  const DeviceCounts& counts() const { return counts_; }

 private:
  std::unique_ptr<TraceWriter> writer_;
  DeviceCounts counts_;
};

// A kernel by its name. Throws ConfigError, with the existing names.
const Kernel& kernel_named(const Cubin& cubin, const std::string& name, const std::string& file);

}  // namespace subcore::tracer
