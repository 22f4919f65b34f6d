// A description of a run: code, buffers, launches, and checks of the results. In YAML:
//
//   code: softmax.cubin
//   random: {seed: 1}
//   buffers:
//     in:  {type: f32, count: 4096, fill: random, low: -4, high: 4}
//     out: {type: f32, count: 4096}
//   launches:
//     - {kernel: softmax, grid: 4, block: 256, arguments: [in, out, 1024]}
//   checks:
//     - {buffer: out, file: softmax.out, tolerance: 1e-5}
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/base/yaml_source.h"
#include "subcore/tracer/launch/device.h"

namespace subcore::tracer {

// Types of the elements of buffers.
enum class ElementType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };
constexpr std::array<std::string_view, 12> names(ElementType) {
  return {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"};
}
// The bytes of an element.
unsigned element_bytes(ElementType type);
// element_value() reads the value of an element. put_element() writes an element with a value.
double element_value(ElementType type, const std::uint8_t* at);
void set_element(ElementType type, std::uint8_t* at, double value);

// The initial contents of a buffer. A buffer without a fill is not copied to the device.
enum class Fill : std::uint8_t { none, zeros, constant, ramp, random };
constexpr std::array<std::string_view, 5> names(Fill) {
  return {"none", "zeros", "constant", "ramp", "random"};
}

struct BufferDescription {
  std::string name;
  ElementType type = ElementType::f32;
  std::uint64_t count = 0;
  Fill fill = Fill::none;
  double low = 0, high = 1;    // bounds of random values; only whole numbers may be `high`
  bool is_whole = false;       // whether random floats are whole numbers
  double value = 0, step = 1;  // a constant; or the first value of a ramp, and its step
  std::vector<double> first;   // values that replace the first elements
  double diagonal = 0;         // added to the diagonal of a square matrix
  std::string file;            // a file with the buffer's bytes
  YamlNode node;               // place in the description
};

struct LaunchDescription {
  std::string kernel;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<YamlNode> arguments;  // names of buffers, and numbers
  YamlNode node;
};

// A check of a buffer after the last launch. The buffer is compared with a file, with another buffer, with
// one value for all elements, or with its first values.
struct CheckDescription {
  std::string buffer, file, same_as;
  std::vector<double> values;
  bool has_value = false;
  double value = 0, tolerance = 0;  // most difference, relative to values above 1
  YamlNode node;
};

struct Description {
  explicit Description(const std::filesystem::path& file);  // throws ConfigError

  YamlSource source;
  std::filesystem::path folder;  // relative paths begin here
  std::string name;              // the file's name without its ending
  std::string code;
  unsigned architecture = 0;
  std::uint32_t seed = 1;
  std::uint64_t skip = 0;  // how many numbers of the seed's sequence are skipped
  std::vector<BufferDescription> buffers;
  std::vector<LaunchDescription> launches;
  std::vector<CheckDescription> checks;
};

// The run of a description on a device, with the code and the buffers.
class DescribedRun {
 public:
  // Loads the code. `code`, unless empty, replaces the description's. Throws ConfigError.
  DescribedRun(const Description& description, Device& device, const std::filesystem::path& code,
               const InstructionTable& table);

  // Makes and fills the buffers; then runs the launches; then checks. The functions throw ConfigError and
  // ExecutionError.
  void make_buffers();
  void launch();
  // A line for each check that failed.
  std::vector<std::string> check() const;

  // The present bytes of a buffer. Throws ConfigError if there is no buffer of that name.
  std::vector<std::uint8_t> bytes_of(const std::string& buffer) const;
  const Module& module() const { return *module_; }

 private:
  struct Buffer {
    const BufferDescription* description;
    std::uint64_t address, bytes;
  };
  const Buffer* find(const std::string& name) const;
  std::vector<std::uint8_t> parameters(const LaunchDescription& launch, const Kernel& kernel) const;

  const Description& description_;
  Device& device_;
  std::string code_name_;
  std::unique_ptr<Module> module_;
  std::vector<Buffer> buffers_;
};

}  // namespace subcore::tracer
