// Sections and symbols of an ELF file of 64 bits.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "subcore/base/config_error.h"

namespace subcore::tracer {

// The bytes of a file. Each access is checked.
class Bytes {
 public:
  Bytes(std::string_view all, std::string name) : all_(all), name_(std::move(name)) {}
  // The number at an offset. Throws ConfigError beyond the end.
  template <class T>
  T at(std::uint64_t offset) const {
    T value;
    std::memcpy(&value, range(offset, sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view range(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > all_.size() || bytes > all_.size() - offset)
      fail("is cut, or states more than its " + std::to_string(all_.size()) + " bytes");
    return all_.substr(offset, bytes);
  }
  // The text from an offset to the next zero.
  std::string text(std::uint64_t offset) const {
    const std::string_view rest = range(offset, offset > all_.size() ? 1 : all_.size() - offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  std::uint64_t size() const { return all_.size(); }
  [[noreturn]] void fail(const std::string& what) const { throw ConfigError(name_ + ": " + what); }

 private:
  std::string_view all_;
  std::string name_;
};

struct Section {
  std::string name;
  std::uint32_t type = 0, link = 0, info = 0;
  std::uint64_t offset = 0, size = 0;
  bool has_bytes() const { return type != 8; }  // type 8: the bytes are zero, and not in the file
};

struct Symbol {
  std::string name;
  std::uint16_t section = 0;
  std::uint64_t value = 0, size = 0;
};

struct Elf {
  unsigned abi_version = 0;
  std::uint32_t flags = 0;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
};

inline bool is_elf(std::string_view bytes) {
  return bytes.substr(0, 5) == std::string_view(
                                   "\x7f"
                                   "ELF\2",
                                   5);
}

// Throws ConfigError if the file is damaged.
inline Elf read_elf(const Bytes& bytes) {
  if (!is_elf(bytes.range(0, 5))) bytes.fail("is not an ELF file of 64 bits");
  constexpr std::uint64_t section_bytes = 64, symbol_bytes = 24;
  constexpr std::uint32_t symbol_table = 2;
  Elf elf;
  elf.abi_version = bytes.at<std::uint8_t>(8);
  elf.flags = bytes.at<std::uint32_t>(0x30);
  const auto table = bytes.at<std::uint64_t>(0x28);
  const unsigned count = bytes.at<std::uint16_t>(0x3c), names = bytes.at<std::uint16_t>(0x3e);
  const auto header = [&](unsigned n) { return table + section_bytes * n; };
  if (names >= count) bytes.fail("has no section names");
  const auto names_at = bytes.at<std::uint64_t>(header(names) + 24);
  for (unsigned n = 0; n < count; ++n) {
    Section section;
    section.name = bytes.text(names_at + bytes.at<std::uint32_t>(header(n)));
    section.type = bytes.at<std::uint32_t>(header(n) + 4);
    section.offset = bytes.at<std::uint64_t>(header(n) + 24);
    section.size = bytes.at<std::uint64_t>(header(n) + 32);
    section.link = bytes.at<std::uint32_t>(header(n) + 40);
    section.info = bytes.at<std::uint32_t>(header(n) + 44);
    if (section.has_bytes()) bytes.range(section.offset, section.size);
    elf.sections.push_back(section);
  }
  for (const Section& section : elf.sections) {
    if (section.type != symbol_table) continue;
    if (section.link >= count) bytes.fail("has symbols without names");
    for (std::uint64_t at = 0; at + symbol_bytes <= section.size; at += symbol_bytes) {
      const std::uint64_t from = section.offset + at;
      elf.symbols.push_back({bytes.text(elf.sections[section.link].offset + bytes.at<std::uint32_t>(from)),
                             bytes.at<std::uint16_t>(from + 6), bytes.at<std::uint64_t>(from + 8),
                             bytes.at<std::uint64_t>(from + 16)});
    }
  }
  return elf;
}

}  // namespace subcore::tracer
