#include "subcore/model/trace/kernel_header.h"

#include <algorithm>

#include "subcore/base/text.h"

namespace subcore {
namespace {

std::uint64_t number(const LineSource& source, std::string_view key, std::string_view value,
                     std::uint64_t limit) {
  std::uint64_t n = 0;
  if (!text::parse_unsigned(value, n, limit))
    source.fail("bad value " + quoted(value) + " of '" + std::string(key) + "'",
                "a number from 0 to " + std::to_string(limit));
  return n;
}

std::uint64_t base_address(const LineSource& source, std::string_view key, std::string_view value) {
  std::uint64_t n = 0;
  if (!text::parse_hex(value, n))
    source.fail("bad value " + quoted(value) + " of '" + std::string(key) + "'", "a hexadecimal address");
  return n;
}

Dim3 dimensions(const LineSource& source, std::string_view key, std::string_view value, Dim3 limit) {
  Dim3 d;
  const bool bracketed = value.size() > 2 && value.front() == '(' && value.back() == ')';
  if (!bracketed || !parse_triple(value.substr(1, value.size() - 2), d) || d.x == 0 || d.y == 0 || d.z == 0 ||
      d.x > limit.x || d.y > limit.y || d.z > limit.z)
    source.fail("bad value " + quoted(value) + " of '" + std::string(key) + "'",
                "(x,y,z) with each from 1 to " + std::to_string(limit.x) + ", " + std::to_string(limit.y) +
                    ", " + std::to_string(limit.z));
  return d;
}

}  // namespace

bool parse_triple(std::string_view s, Dim3& out) {
  std::uint64_t v[3];
  for (unsigned i = 0; i < 3; ++i) {
    const std::size_t comma = s.find(',');
    if ((comma == std::string_view::npos) != (i == 2)) return false;
    if (!text::parse_unsigned(text::trimmed(s.substr(0, comma)), v[i], 0xffffffffu)) return false;
    if (i < 2) s.remove_prefix(comma + 1);
  }
  out = {static_cast<std::uint32_t>(v[0]), static_cast<std::uint32_t>(v[1]),
         static_cast<std::uint32_t>(v[2])};
  return true;
}

KernelHeader read_kernel_header(LineSource& source) {
  KernelHeader h;
  bool has_name = false, has_grid = false, has_block = false;
  std::string_view line;
  for (;;) {
    if (!source.next(line)) source.fail("file ends inside the header", "a line '#traces format = ...'");
    line = text::trimmed(line);
    if (line.empty()) continue;
    if (line.substr(0, 14) == "#traces format") break;
    if (line[0] == '#')
      source.fail(quoted(line) + " inside the header", "a line '#traces format = ...' first");
    const std::size_t equals = line.find('=');
    if (line[0] != '-' || equals == std::string_view::npos)
      source.fail("bad header line " + quoted(line), "'-key = value' or '#traces format = ...'");
    const std::string_view key = text::trimmed(line.substr(1, equals - 1));
    const std::string_view value = text::trimmed(line.substr(equals + 1));
    constexpr std::uint64_t any = 0xffffffffu;
    if (key == "kernel name") {
      if (value.find('\0') != std::string_view::npos)  // messages would end at a NUL
        source.fail("bad value " + quoted(value) + " of 'kernel name'", "a name without a NUL");
      h.name = value;
      has_name = true;
    } else if (key == "kernel id") {
      h.id = number(source, key, value, ~std::uint64_t{0});
    } else if (key == "grid dim") {  // CUDA's own limits, which also keep the product within 64 bits
      h.grid = dimensions(source, key, value, {0x7fffffffu, 65535, 65535});
      has_grid = true;
    } else if (key == "block dim") {
      h.block = dimensions(source, key, value, {1024, 1024, 64});
      if (h.block.count() > 1024)
        source.fail("block of " + std::to_string(h.block.count()) + " threads", "at most 1024");
      has_block = true;
    } else if (key == "shmem") {
      h.shared_memory_bytes = static_cast<std::uint32_t>(number(source, key, value, any));
    } else if (key == "nregs") {
      h.registers_per_thread = static_cast<std::uint32_t>(number(source, key, value, 256));
    } else if (key == "binary version") {
      h.binary_version = static_cast<std::uint32_t>(number(source, key, value, any));
      if (h.binary_version != 0 && (h.binary_version < 60 || h.binary_version > 121))
        source.fail("binary version " + std::to_string(h.binary_version), "60 to 121 (Pascal to Blackwell)");
    } else if (key == "cuda stream id") {
      h.stream = number(source, key, value, ~std::uint64_t{0});
    } else if (key == "shmem base_addr") {
      h.shared_base = base_address(source, key, value);
    } else if (key == "local mem base_addr") {
      h.local_base = base_address(source, key, value);
    } else if (key == "accelsim tracer version") {
      // Tools write "1.2", too, but changes of the format count in whole numbers.
      const std::string_view minor = value.substr(std::min(value.size(), value.find('.')));
      if (!minor.empty()) number(source, key, minor.substr(1), any);
      h.tracer_version =
          static_cast<std::uint32_t>(number(source, key, value.substr(0, value.size() - minor.size()), any));
      if (h.tracer_version < 1 || h.tracer_version > 6)
        source.fail("tracer version " + std::to_string(h.tracer_version), "1 to 6");
    } else if (key == "enable lineinfo") {
      h.line_info = number(source, key, value, 1) != 0;
    }
  }
  if (!has_name) source.fail("header without '-kernel name'", "the key before '#traces format'");
  if (!has_grid) source.fail("header without '-grid dim'", "the key before '#traces format'");
  if (!has_block) source.fail("header without '-block dim'", "the key before '#traces format'");
  return h;
}

MemorySpace resolve_space(const KernelHeader& header, MemorySpace space, std::uint64_t address) {
  if (space != MemorySpace::generic) return space;
  const auto inside = [address](std::uint64_t base) {
    return base != 0 && address - base < address_window_bytes;
  };
  if (inside(header.shared_base)) return MemorySpace::shared;
  if (inside(header.local_base)) return MemorySpace::local;
  return MemorySpace::global;
}

}  // namespace subcore
