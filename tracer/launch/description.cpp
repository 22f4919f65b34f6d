#include "subcore/tracer/launch/description.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "subcore/base/formatted.h"
#include "subcore/base/input_file.h"
#include "subcore/base/text.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/tracer/launch/random_numbers.h"

namespace subcore::tracer {
namespace {

using Entry = YamlSource::Entry;

constexpr std::uint64_t most_elements = std::uint64_t{1} << 32;
constexpr std::size_t most_code_bytes = std::size_t{1} << 30;

// Reads one to three sizes. A single size may stand without a list.
Dimensions dimensions_of(const YamlSource& source, const Entry& e) {
  const std::vector<std::string> texts = texts_of(source, e);
  std::array<std::uint32_t, 3> sizes{1, 1, 1};
  if (texts.empty() || texts.size() > sizes.size())
    source.fail(e.key_node, e.path + ": " + std::to_string(texts.size()) + " sizes; expected one to three");
  for (std::size_t n = 0; n < texts.size(); ++n) {
    std::uint64_t size = 0;
    if (!text::parse_unsigned(texts[n], size, std::numeric_limits<std::uint32_t>::max()) || size == 0)
      source.fail(e.key_node, e.path + ": '" + texts[n] + "'; expected whole numbers from 1 on");
    sizes[n] = static_cast<std::uint32_t>(size);
  }
  return {sizes[0], sizes[1], sizes[2]};
}

std::vector<double> numbers_of(const YamlSource& source, const Entry& e) {
  std::vector<double> numbers;
  for (const std::string& text : texts_of(source, e)) {
    double number;
    if (!text::parse_number(text, number))
      source.fail(e.key_node, e.path + ": '" + text + "'; expected numbers");
    numbers.push_back(number);
  }
  return numbers;
}

const std::vector<YamlNode>& list_of(const YamlSource& source, const Entry& e, const char* of_what) {
  if (!e.value.is_list())
    source.fail(e.key_node, e.path + ": " + node_words(e.value) + "; expected a list of " + of_what);
  return e.value.items();
}

BufferDescription buffer_of(const YamlSource& source, const Entry& e) {
  BufferDescription b;
  b.name = e.key;
  b.node = e.key_node;
  YamlKeys keys(source);
  keys.choice("type", b.type);
  keys.field("count", b.count, 1, most_elements, "elements");
  keys.choice("fill", b.fill);
  keys.field("low", b.low);
  keys.field("high", b.high);
  keys.field("whole", b.is_whole);
  keys.field("value", b.value);
  keys.field("step", b.step);
  keys.key("first", [&](const Entry& of) { b.first = numbers_of(source, of); });
  keys.field("diagonal", b.diagonal);
  keys.field("file", b.file);
  keys.read(e, {"type"});
  const auto refuse = [&](const std::string& what) { source.fail(e.key_node, e.path + ": " + what); };
  const auto has = [&](const char* key) {
    const auto& pairs = e.value.pairs();
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const auto& pair) { return pair.first.text() == key; });
  };
  const auto only_with = [&](Fill fill, std::initializer_list<const char*> words) {
    for (const char* const word : words)
      if (has(word) && b.fill != fill)
        refuse(std::string(word) + "; expected it with fill: " + std::string(name_of(fill)) + " only");
  };
  if (has("file") && (has("fill") || has("count") || has("first") || has("diagonal")))
    refuse("file with fill, count, first or diagonal; expected a file alone");
  if (!has("file") && !has("count")) refuse("expected a count of elements, or a file");
  only_with(Fill::random, {"low", "high", "whole"});
  if (has("value") && b.fill != Fill::ramp) only_with(Fill::constant, {"value"});
  only_with(Fill::ramp, {"step"});
  if (b.fill == Fill::none && (has("first") || has("diagonal")))
    refuse("first or diagonal; expected a fill, too");
  if (b.low > b.high) refuse("low " + number_text(b.low) + "; expected " + number_text(b.high) + " at most");
  if (b.first.size() > b.count && !has("file")) refuse("more first values than elements");
  return b;
}

LaunchDescription launch_of(const YamlSource& source, const YamlNode& node, const std::string& path) {
  LaunchDescription l;
  l.node = node;
  YamlKeys keys(source);
  keys.field("kernel", l.kernel);
  keys.key("grid", [&](const Entry& e) { l.grid = dimensions_of(source, e); });
  keys.key("block", [&](const Entry& e) { l.block = dimensions_of(source, e); });
  keys.field("shared", l.shared_bytes, 0, 256 * 1024, "bytes");
  keys.key("arguments", [&](const Entry& e) { l.arguments = list_of(source, e, "buffers and numbers"); });
  keys.read(node, node, path, {"kernel", "grid", "block"});
  return l;
}

CheckDescription check_of(const YamlSource& source, const YamlNode& node, const std::string& path) {
  CheckDescription c;
  c.node = node;
  YamlKeys keys(source);
  keys.field("buffer", c.buffer);
  keys.field("file", c.file);
  keys.field("same_as", c.same_as);
  keys.key("values", [&](const Entry& e) { c.values = numbers_of(source, e); });
  keys.key("value", [&](const Entry& e) {
    c.value = number_of(source, e);
    c.has_value = true;
  });
  keys.field("tolerance", c.tolerance);
  keys.read(node, node, path, {"buffer"});
  if (!c.file.empty() + !c.same_as.empty() + !c.values.empty() + c.has_value != 1)
    source.fail(node, path + ": expected one of file, same_as, values, value");
  return c;
}

std::string input_bytes(const YamlSource& source, const YamlNode& at, const std::filesystem::path& file,
                        std::size_t most) {
  try {
    return read_input(file, most);
  } catch (const InputError& e) {
    source.fail(at, "cannot read " + file.string() + ": " + e.what() + did_you_mean_file(file));
  }
}

// The initial elements of a buffer.
std::vector<std::uint8_t> filled(const BufferDescription& b, RandomNumbers& random) {
  const unsigned width = element_bytes(b.type);
  std::vector<std::uint8_t> bytes(b.count * width);
  const bool draws_whole = b.is_whole || b.type < ElementType::f16;
  std::uint64_t side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(b.count)));
  for (std::uint64_t n = 0; n < b.count; ++n) {
    double value = 0;
    switch (b.fill) {
      case Fill::constant:
        value = b.value;
        break;
      case Fill::ramp:
        value = b.value + static_cast<double>(n) * b.step;
        break;
      case Fill::random:
        value = draws_whole
                    ? random.whole(static_cast<std::int32_t>(b.low), static_cast<std::int32_t>(b.high))
                    : static_cast<double>(random.real(static_cast<float>(b.low), static_cast<float>(b.high)));
        break;
      default:
        break;
    }
    if (b.diagonal != 0 && n % side == n / side)
      value = static_cast<double>(static_cast<float>(value + b.diagonal));
    if (n < b.first.size()) value = b.first[n];
    set_element(b.type, &bytes[n * width], value);
  }
  return bytes;
}

}  // namespace

unsigned element_bytes(ElementType type) {
  constexpr std::array<unsigned, 12> bytes{1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

namespace {

template <class T>
T read_as(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A value outside an integer type's range becomes the nearest value of the type.
template <class T>
void write_as(std::uint8_t* at, double value) {
  T element;
  if constexpr (std::is_integral_v<T>) {
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
    element = value >= high  ? std::numeric_limits<T>::max()
              : value <= low ? std::numeric_limits<T>::min()
                             : static_cast<T>(value);
  } else {
    element = static_cast<T>(value);
  }
  std::memcpy(at, &element, sizeof element);
}

}  // namespace

double element_value(ElementType type, const std::uint8_t* at) {
  switch (type) {
    case ElementType::i8:
      return read_as<std::int8_t>(at);
    case ElementType::u8:
      return read_as<std::uint8_t>(at);
    case ElementType::i16:
      return read_as<std::int16_t>(at);
    case ElementType::u16:
      return read_as<std::uint16_t>(at);
    case ElementType::i32:
      return read_as<std::int32_t>(at);
    case ElementType::u32:
      return read_as<std::uint32_t>(at);
    case ElementType::i64:
      return static_cast<double>(read_as<std::int64_t>(at));
    case ElementType::u64:
      return static_cast<double>(read_as<std::uint64_t>(at));
    case ElementType::f16:
      return static_cast<double>(half_value(read_as<Half>(at)));
    case ElementType::bf16:
      return static_cast<double>(bfloat_value(read_as<Half>(at)));
    case ElementType::f32:
      return static_cast<double>(read_as<float>(at));
    default:
      return read_as<double>(at);
  }
}

void set_element(ElementType type, std::uint8_t* at, double value) {
  switch (type) {
    case ElementType::i8:
      return write_as<std::int8_t>(at, value);
    case ElementType::u8:
      return write_as<std::uint8_t>(at, value);
    case ElementType::i16:
      return write_as<std::int16_t>(at, value);
    case ElementType::u16:
      return write_as<std::uint16_t>(at, value);
    case ElementType::i32:
      return write_as<std::int32_t>(at, value);
    case ElementType::u32:
      return write_as<std::uint32_t>(at, value);
    case ElementType::i64:
      return write_as<std::int64_t>(at, value);
    case ElementType::u64:
      return write_as<std::uint64_t>(at, value);
    case ElementType::f16:
    case ElementType::bf16: {
      const Half half = type == ElementType::f16 ? nearest_half(value) : nearest_bfloat(value);
      std::memcpy(at, &half, sizeof half);
      return;
    }
    case ElementType::f32:
      return write_as<float>(at, value);
    default:
      return write_as<double>(at, value);
  }
}

Description::Description(const std::filesystem::path& file)
    : source(file), folder(file.parent_path()), name(file.stem().string()) {
  YamlKeys keys(source);
  keys.field("code", code);
  keys.field("architecture", architecture, 75, 90);
  keys.key("random", [&](const Entry& e) {
    YamlKeys of_random(source);
    of_random.field("seed", seed, 0, std::numeric_limits<std::uint32_t>::max());
    of_random.field("skip", skip, 0, 1'000'000'000, "numbers");
    of_random.read(e);
  });
  keys.key("buffers", [&](const Entry& e) {
    for (const Entry& buffer : source.entries(e)) buffers.push_back(buffer_of(source, buffer));
  });
  keys.key("launches", [&](const Entry& e) {
    for (const YamlNode& node : list_of(source, e, "launches"))
      launches.push_back(launch_of(source, node, e.path));
  });
  keys.key("checks", [&](const Entry& e) {
    for (const YamlNode& node : list_of(source, e, "checks"))
      checks.push_back(check_of(source, node, e.path));
  });
  keys.read(source.root(), source.root(), "", {"code", "launches"});
  const auto has_buffer = [&](const std::string& wanted) {
    return std::any_of(buffers.begin(), buffers.end(), [&](const auto& b) { return b.name == wanted; });
  };
  for (const CheckDescription& check : checks)
    for (const std::string& buffer : {check.buffer, check.same_as})
      if (!buffer.empty() && !has_buffer(buffer))
        source.fail(check.node, "checks: there is no buffer '" + buffer + "'");
}

DescribedRun::DescribedRun(const Description& description, Device& device, const std::filesystem::path& code,
                           const InstructionTable& table)
    : description_(description), device_(device) {
  const std::filesystem::path path = code.empty() ? description.folder / description.code : code;
  code_name_ = path.string();
  const std::string file = input_bytes(description.source, description.source.root(), path, most_code_bytes);
  module_ = device.load(read_cubin(file, code_name_, description.architecture, table));
}

void DescribedRun::make_buffers() {
  RandomNumbers random(description_.seed, description_.skip);
  for (const BufferDescription& b : description_.buffers) {
    std::vector<std::uint8_t> bytes;
    if (!b.file.empty()) {
      const std::string file = input_bytes(description_.source, b.node, description_.folder / b.file,
                                           static_cast<std::size_t>(most_elements));
      if (file.empty() || file.size() % element_bytes(b.type) != 0)
        description_.source.fail(b.node, b.name + ": " + b.file + " has " + std::to_string(file.size()) +
                                             " bytes; expected whole elements of " +
                                             std::to_string(element_bytes(b.type)) + " bytes");
      bytes.assign(file.begin(), file.end());
    } else if (b.fill != Fill::none) {
      bytes = filled(b, random);
    }
    const std::uint64_t size = bytes.empty() ? b.count * element_bytes(b.type) : bytes.size();
    const std::uint64_t address = device_.memory.allocate(size);
    if (!bytes.empty()) device_.copy_to_device(address, bytes.data(), size);
    buffers_.push_back({&b, address, size});
  }
}

const DescribedRun::Buffer* DescribedRun::find(const std::string& name) const {
  for (const Buffer& buffer : buffers_)
    if (buffer.description->name == name) return &buffer;
  return nullptr;
}

std::vector<std::uint8_t> DescribedRun::bytes_of(const std::string& name) const {
  const Buffer* const buffer = find(name);
  if (buffer == nullptr) throw ConfigError("there is no buffer '" + name + "'");
  const std::uint8_t* const begin = device_.memory.find(buffer->address, buffer->bytes);
  return {begin, begin + buffer->bytes};
}

// The block of parameters: addresses of buffers, and numbers. A number with a point or an exponent is a float
// of the parameter's size. Any other number is a whole number.
std::vector<std::uint8_t> DescribedRun::parameters(const LaunchDescription& launch,
                                                   const Kernel& kernel) const {
  const YamlSource& source = description_.source;
  if (launch.arguments.size() != kernel.parameters.size())
    source.fail(launch.node, "launches: " + std::to_string(launch.arguments.size()) +
                                 " arguments; expected " + std::to_string(kernel.parameters.size()) + " of " +
                                 kernel.name);
  std::vector<std::uint8_t> block(kernel.parameter_bytes);
  for (std::size_t n = 0; n < launch.arguments.size(); ++n) {
    const YamlNode& argument = launch.arguments[n];
    const Parameter parameter = kernel.parameters[n];
    const auto refuse = [&](const std::string& what) {
      source.fail(argument,
                  "launches: argument " + std::to_string(n + 1) + " of " + kernel.name + ": " + what);
    };
    if (!argument.is_scalar()) refuse(node_words(argument) + "; expected a buffer or a number");
    const std::string& word = argument.text();
    std::uint64_t value = 0;
    std::int64_t whole;
    double number;
    if (const Buffer* const buffer = find(word)) {
      if (parameter.bytes != sizeof buffer->address)
        refuse("a buffer; expected a value of " + std::to_string(parameter.bytes) + " bytes");
      value = buffer->address;
    } else if (text::parse_signed(word, whole)) {
      value = static_cast<std::uint64_t>(whole);
      if (parameter.bytes < 8 && (whole >= std::int64_t{1} << 8 * parameter.bytes ||
                                  whole < -(std::int64_t{1} << (8 * parameter.bytes - 1))))
        refuse(word + "; expected a number of " + std::to_string(parameter.bytes) + " bytes");
    } else if (text::parse_number(word, number)) {
      if (parameter.bytes == 4)
        value = bits_of(static_cast<float>(number));
      else if (parameter.bytes == 8)
        value = bits_of(number);
      else
        refuse(word + "; expected a whole number, because the parameter has " +
               std::to_string(parameter.bytes) + " bytes");
    } else {
      std::vector<std::string> all;
      for (const Buffer& b : buffers_) all.push_back(b.description->name);
      refuse("'" + word + "';" + did_you_mean(word, all) + " expected a buffer or a number");
    }
    if (parameter.bytes > sizeof value || parameter.offset + parameter.bytes > block.size())
      refuse("a structure of " + std::to_string(parameter.bytes) +
             " bytes; expected parameters of 8 bytes at most");
    std::memcpy(&block[parameter.offset], &value, parameter.bytes);
  }
  return block;
}

void DescribedRun::launch() {
  for (const LaunchDescription& launch : description_.launches) {
    const Kernel& kernel = kernel_named(module_->cubin, launch.kernel, code_name_);
    device_.launch(*module_, kernel, launch.grid, launch.block, launch.shared_bytes,
                   parameters(launch, kernel));
  }
}

std::vector<std::string> DescribedRun::check() const {
  std::vector<std::string> failed;
  for (const CheckDescription& check : description_.checks) {
    const ElementType type = find(check.buffer)->description->type;
    const unsigned width = element_bytes(type);
    const std::vector<std::uint8_t> bytes = bytes_of(check.buffer);
    std::vector<double> expected;
    std::uint64_t count = bytes.size() / width;
    if (check.has_value) {
      expected.assign(count, check.value);
    } else if (!check.values.empty()) {
      expected = check.values;
    } else {
      std::vector<std::uint8_t> other;
      if (!check.same_as.empty()) {
        other = bytes_of(check.same_as);
      } else {
        const std::string file =
            input_bytes(description_.source, check.node, description_.folder / check.file, bytes.size());
        other.assign(file.begin(), file.end());
      }
      if (other.size() != bytes.size())
        description_.source.fail(
            check.node, "checks: '" + check.buffer + "' has " + std::to_string(bytes.size()) +
                            " bytes, but is compared with " + std::to_string(other.size()) +
                            (other.size() > bytes.size() ? " or more" : "") + "; expected equal numbers");
      for (std::uint64_t n = 0; n < count; ++n) expected.push_back(element_value(type, &other[n * width]));
    }
    if (expected.size() > count)
      description_.source.fail(check.node, "checks: more values than '" + check.buffer + "' has elements");
    std::uint64_t wrong = 0, first = 0;
    for (std::uint64_t n = 0; n < expected.size(); ++n) {
      const double got = element_value(type, &bytes[n * width]), wanted = expected[n];
      const bool is_right = got == wanted || (std::isnan(got) && std::isnan(wanted)) ||
                            std::fabs(got - wanted) <= check.tolerance * std::max(1.0, std::fabs(wanted));
      if (!is_right && wrong++ == 0) first = n;
    }
    if (wrong > 0)
      failed.push_back(description_.source.where(check.node) + ": " + std::to_string(wrong) + " of " +
                       std::to_string(expected.size()) + " elements of '" + check.buffer +
                       "' are wrong; element " + std::to_string(first) + " is " +
                       number_text(element_value(type, &bytes[first * width])) + ", expected " +
                       number_text(expected[first]));
  }
  return failed;
}

}  // namespace subcore::tracer
