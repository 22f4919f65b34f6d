// A device with code, for tests: buffers of numbers, and launches with arguments.
#pragma once

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "subcore/tracer/launch/device.h"

namespace subcore::tracer {

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text in a file that is packed by xz.
inline std::string text_of_xz(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  boost::iostreams::filtering_istream stream;
  stream.push(boost::iostreams::lzma_decompressor());
  stream.push(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Instructions of a warp, of which no check needs as many.
inline constexpr std::uint64_t most_of_checks = 1'000'000;

class Gpu {
 public:
  explicit Gpu(const std::string& cubin, const InstructionTable& table = instruction_table())
      : module_(device.load(read_cubin(bytes_of_file(cubin), cubin, 0, table))) {
    device.most_warp_instructions = most_of_checks;
  }

  template <class T>
  std::uint64_t upload(const std::vector<T>& values) {
    const std::uint64_t address = device.memory.allocate(values.size() * sizeof(T));
    device.copy_to_device(address, values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), device.memory.find(address, count * sizeof(T)), count * sizeof(T));
    return values;
  }
  template <class... Arguments>
  void launch(const std::string& kernel, Dimensions grid, Dimensions block, Arguments... arguments) {
    const Kernel& found = kernel_named(module_->cubin, kernel, "the cubin");
    std::vector<std::uint8_t> block_of_parameters(found.parameter_bytes);
    std::size_t n = 0;
    const auto add = [&](const void* argument, std::size_t bytes) {
      if (n >= found.parameters.size() || found.parameters[n].bytes != bytes)
        throw std::runtime_error(kernel + ": argument " + std::to_string(n) + " has another size");
      std::memcpy(&block_of_parameters[found.parameters[n++].offset], argument, bytes);
    };
    (add(&arguments, sizeof arguments), ...);
    device.launch(*module_, found, grid, block, 0, block_of_parameters);
  }
  const Cubin& cubin() const { return module_->cubin; }

  Device device;

 private:
  std::unique_ptr<Module> module_;
};

}  // namespace subcore::tracer
