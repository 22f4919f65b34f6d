// A GPU without a GPU: code that is loaded, memory, and launches of kernels, which are executed when they are
// launched and traced if somebody wants them.
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

// Code that is loaded: its variables have addresses.
struct Module {
  Cubin cubin;
  std::uint64_t global_data = 0;  // where variables in global memory are
};

// The counts that a device makes of its launches.
struct DeviceCounts {
  std::uint64_t launches = 0, ctas = 0, warp_instructions = 0, thread_instructions = 0;
};

class Device {
 public:
  // CTAs of each launch that are executed, by their number in the grid, from `first` to the one before `end`.
  struct Range {
    std::uint64_t first = 0, end = std::numeric_limits<std::uint64_t>::max();
    bool is_all() const { return first == 0 && end == std::numeric_limits<std::uint64_t>::max(); }
  };

  DeviceMemory memory;
  CopyTime copy_time = CopyTime::wait;
  Range ctas;
  // A warp that executes more than so many instructions has a loop without an end.
  std::uint64_t most_warp_instructions = 200'000'000;
  // Traces launches for which this is true; all, if it is empty.
  std::function<bool(const std::string& kernel)> is_traced;
  // Told now and then how much of a launch has been done: a share between 0 and 1, and the kernel.
  std::function<void(double, const std::string&)> progress;

  // Takes what the code prints; by default it goes to the program's output.
  std::function<void(const std::string&)> print = [](const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
  };

  // Begins a trace, which appears under its name with finish_trace().
  void trace(const std::filesystem::path& folder, TracePacking packing, TraceVersion version);
  void finish_trace();
  bool is_tracing() const { return writer_ != nullptr; }
  unsigned traced_kernels() const { return writer_ ? writer_->kernels() : 0; }

  // Throws ConfigError if the code names a variable that it does not have.
  std::unique_ptr<Module> load(Cubin cubin);
  // Bytes that go to the device's memory. Throws ConfigError if they are not within one allocation.
  void copy_to_device(std::uint64_t address, const void* from, std::uint64_t bytes);

  // Executes a kernel. `parameters`: its block of parameters. Throws ConfigError for a launch that no GPU
  // would take, ExecutionError for what a kernel may not do.
  void launch(const Module& module, const Kernel& kernel, Dimensions grid, Dimensions block,
              std::uint32_t dynamic_shared_bytes, const std::vector<std::uint8_t>& parameters);

  const DeviceCounts& counts() const { return counts_; }

 private:
  std::unique_ptr<TraceWriter> writer_;
  DeviceCounts counts_;
};

// A kernel by its name. Throws ConfigError, with names that there are.
const Kernel& kernel_named(const Cubin& cubin, const std::string& name, const std::string& file);

}  // namespace subcore::tracer
