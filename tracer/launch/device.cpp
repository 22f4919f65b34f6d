#include "subcore/tracer/launch/device.h"

#include <algorithm>
#include <cstring>

#include "subcore/base/config_error.h"
#include "subcore/base/spelling.h"
#include "subcore/base/yaml_entry.h"

namespace subcore::tracer {
namespace {

// The address of a function of the driver; 0 if the function is not known.
std::uint64_t system_address(const std::string& function) {
  if (function == "vprintf") return address_of(SystemCall::print);
  if (function == "__assertfail") return address_of(SystemCall::fail);
  if (function == "malloc") return address_of(SystemCall::allocate);
  if (function == "free") return address_of(SystemCall::release);
  return 0;
}

constexpr std::uint64_t most_threads = 1024;
// The most shared memory of a CTA. No GPU has more.
constexpr std::uint32_t most_shared_bytes = 256 * 1024;

// Writes into bank 0 the numbers that code of sm_90 asks about clusters. Each CTA is a cluster of its own.
void put_clusters(Dimensions grid, std::vector<std::uint8_t>& constants) {
  constexpr std::size_t sizes_at = 0x144, total_at = 0x188;
  const std::uint32_t one = 1, sizes[] = {1, 1, 1}, clusters[] = {grid.x, grid.y, grid.z};
  const float reciprocals[] = {1, 1, 1};
  std::memcpy(&constants[sizes_at], sizes, sizeof sizes);
  std::memcpy(&constants[sizes_at + 12], reciprocals, sizeof reciprocals);
  std::memcpy(&constants[sizes_at + 24], clusters, sizeof clusters);
  std::memcpy(&constants[total_at], &one, sizeof one);
}

// Bank 0: the sizes of blocks and of the grid, the end of the stack, and the parameters.
std::vector<std::uint8_t> constants_of(const Kernel& kernel, unsigned architecture, Dimensions grid,
                                       Dimensions block, const std::vector<std::uint8_t>& parameters) {
  std::vector<std::uint8_t> constants = kernel.constants;
  constants.resize(
      std::max<std::size_t>({constants.size(), kernel.parameter_base + parameters.size(), 0x2c}));
  // To get a part of a parameter, code reads whole words.
  constants.resize((constants.size() + 7) / 8 * 8);
  const std::uint32_t sizes[] = {block.x, block.y, block.z, grid.x, grid.y, grid.z};
  std::memcpy(constants.data(), sizes, sizeof sizes);
  constexpr std::size_t shared_window_at = 0x18, local_window_at = 0x20, stack_end_at = 0x28;
  std::memcpy(&constants[shared_window_at], &shared_window, sizeof shared_window);
  std::memcpy(&constants[local_window_at], &local_window, sizeof local_window);
  const std::uint32_t stack_end = std::max<std::uint32_t>(kernel.local_bytes, 16) + 0x100;
  std::memcpy(&constants[stack_end_at], &stack_end, sizeof stack_end);
  if (architecture >= 90 && kernel.parameter_base >= 0x18c) put_clusters(grid, constants);
  std::copy(parameters.begin(), parameters.end(), constants.begin() + kernel.parameter_base);
  return constants;
}

}  // namespace

const Kernel& kernel_named(const Cubin& cubin, const std::string& name, const std::string& file) {
  const auto found = cubin.kernels.find(name);
  if (found != cubin.kernels.end()) return found->second;
  std::vector<std::string> all;
  for (const auto& [other, kernel] : cubin.kernels) all.push_back(other);
  throw ConfigError(file + " has no kernel '" + name + "';" + did_you_mean(name, all) + " expected one of " +
                    list_text(all));
}

void Device::trace(const std::filesystem::path& folder, TracePacking packing, TraceVersion version) {
  writer_ = std::make_unique<TraceWriter>(folder, packing, version);
}

void Device::finish_trace() {
  writer_->publish();
  writer_.reset();
}

std::unique_ptr<Module> Device::load(Cubin cubin) {
  auto module = std::make_unique<Module>();
  module->cubin = std::move(cubin);
  Cubin& loaded = module->cubin;
  if (!loaded.global_data.empty()) {
    module->global_data = memory.allocate(loaded.global_data.size());
    std::copy(loaded.global_data.begin(), loaded.global_data.end(),
              memory.find(module->global_data, loaded.global_data.size()));
  }
  for (const AddressSlot& slot : loaded.address_slots) {
    const auto found = loaded.global_variables.find(slot.variable);
    const bool is_variable = found != loaded.global_variables.end();
    const std::uint64_t address =
        is_variable ? module->global_data + found->second.offset : system_address(slot.variable);
    if (address == 0 || slot.offset + sizeof address > loaded.addresses.size())
      throw ConfigError("the code takes the address of '" + slot.variable +
                        "', which is not in the code; expected linked code");
    std::memcpy(&loaded.addresses[slot.offset], &address, sizeof address);
  }
  return module;
}

void Device::copy_to_device(std::uint64_t address, const void* from, std::uint64_t bytes) {
  std::uint8_t* const to = memory.find(address, bytes);
  if (to == nullptr) throw ConfigError("a copy goes to memory that is not allocated");
  std::memcpy(to, from, bytes);
  if (writer_) writer_->copied_to_device(address, bytes);
}

void Device::launch(const Module& module, const Kernel& kernel, Dimensions grid, Dimensions block,
                    std::uint32_t dynamic_shared_bytes, const std::vector<std::uint8_t>& parameters) {
  const auto refuse = [&](const std::string& what) { throw ConfigError(kernel.name + ": " + what); };
  if (block.count() == 0 || block.count() > most_threads)
    refuse(std::to_string(block.count()) + " threads in a CTA; expected 1 to " +
           std::to_string(most_threads));
  if (grid.count() == 0) refuse("a grid of no CTAs");
  if (kernel.cluster_ctas != 1)
    refuse("clusters of " + std::to_string(kernel.cluster_ctas) +
           " CTAs (__cluster_dims__), which are not emulated");
  if (dynamic_shared_bytes > most_shared_bytes ||
      kernel.shared_bytes + dynamic_shared_bytes > most_shared_bytes)
    refuse(std::to_string(std::uint64_t{kernel.shared_bytes} + dynamic_shared_bytes) +
           " bytes of shared memory; expected " + std::to_string(most_shared_bytes) + " at most");
  if (parameters.size() > kernel.parameter_bytes)
    refuse(std::to_string(parameters.size()) + " bytes of parameters; expected " +
           std::to_string(kernel.parameter_bytes));
  if (ctas.first >= grid.count())
    refuse("a grid of " + std::to_string(grid.count()) + " CTAs, none of which is executed");
  Launch launch;
  launch.kernel = &kernel;
  launch.architecture = module.cubin.architecture;
  launch.grid = grid;
  launch.block = block;
  launch.shared_bytes = kernel.shared_bytes + dynamic_shared_bytes;
  launch.most_warp_instructions = most_warp_instructions;
  launch.executed_before = counts_.warp_instructions;
  launch.constants = constants_of(kernel, launch.architecture, grid, block, parameters);
  launch.user_constants = &module.cubin.user_constants;
  launch.addresses = &module.cubin.addresses;
  launch.print = print;

  const std::uint64_t all = grid.count(), first = std::min(ctas.first, all), end = std::min(ctas.end, all);
  const bool traced = writer_ != nullptr && (!is_traced || is_traced(kernel.name));
  // If only some CTAs run, the trace's grid is a row of those, because readers expect every CTA of the grid.
  const bool is_whole = first == 0 && end == all;
  if (traced)
    writer_->begin_kernel(launch, is_whole ? grid : Dimensions{static_cast<std::uint32_t>(end - first)});
  Cta cta(launch, memory, copy_time, traced ? writer_.get() : nullptr);
  for (std::uint64_t n = first; n < end; ++n) {
    const Dimensions place{static_cast<std::uint32_t>(n % grid.x),
                           static_cast<std::uint32_t>(n / grid.x % grid.y),
                           static_cast<std::uint32_t>(n / grid.x / grid.y)};
    cta.run(place);
    if (traced)
      writer_->end_cta(is_whole ? place : Dimensions{static_cast<std::uint32_t>(n - first), 0, 0},
                       cta.warps());
    ++counts_.ctas;
    if (progress)
      progress(static_cast<double>(n + 1 - first) / static_cast<double>(end - first), kernel.name);
  }
  if (traced) writer_->end_kernel();
  ++counts_.launches;
  counts_.warp_instructions += cta.warp_instructions();
  counts_.thread_instructions += cta.thread_instructions();
}

}  // namespace subcore::tracer
