// A description of what to run: code, buffers, launches, and checks of what they have computed. In YAML:
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
// The value of an element, and the element with a value.
double element_value(ElementType type, const std::uint8_t* at);
void set_element(ElementType type, std::uint8_t* at, double value);

// The first contents of a buffer. A buffer without a fill is not copied to the device.
enum class Fill : std::uint8_t { none, zeros, constant, ramp, random };
constexpr std::array<std::string_view, 5> names(Fill) {
  return {"none", "zeros", "constant", "ramp", "random"};
}

struct BufferDescription {
  std::string name;
  ElementType type = ElementType::f32;
  std::uint64_t count = 0;
  Fill fill = Fill::none;
  double low = 0, high = 1;    // of random values; the high end is among whole ones only
  bool is_whole = false;       // random floats that are whole numbers
  double value = 0, step = 1;  // a constant; where a ramp begins, and its steps
  std::vector<double> first;   // what the first elements are instead
  double diagonal = 0;         // added to the diagonal of a square matrix
  std::string file;            // the buffer's bytes are a file's
  YamlNode node;               // where it stands
};

struct LaunchDescription {
  std::string kernel;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<YamlNode> arguments;  // names of buffers, and numbers
  YamlNode node;
};

// A check of a buffer after the last launch, against one of: a file, another buffer, a value of all elements,
// the first values.
struct CheckDescription {
  std::string buffer, file, same_as;
  std::vector<double> values;
  bool has_value = false;
  double value = 0, tolerance = 0;  // of the difference, relative to a value beyond 1
  YamlNode node;
};

struct Description {
  explicit Description(const std::filesystem::path& file);  // throws ConfigError

  YamlSource source;
  std::filesystem::path folder;  // relative paths are from here on
  std::string name;              // the file's, without its ending
  std::string code;
  unsigned architecture = 0;
  std::uint32_t seed = 1;
  std::uint64_t skip = 0;  // numbers of the seed's sequence that are passed over
  std::vector<BufferDescription> buffers;
  std::vector<LaunchDescription> launches;
  std::vector<CheckDescription> checks;
};

// The device that a description's kernels are run on, with the code and the buffers.
class DescribedRun {
 public:
  // Loads the code, from `code` instead of what the description says unless that is empty. Throws
  // ConfigError.
  DescribedRun(const Description& description, Device& device, const std::filesystem::path& code,
               const InstructionTable& table);

  // Makes and fills the buffers; then runs the launches; then checks. Throw ConfigError, ExecutionError.
  void make_buffers();
  void launch();
  // A line for each check that failed.
  std::vector<std::string> check() const;

  // The bytes of a buffer as they are now. Throws ConfigError if there is none of the name.
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
