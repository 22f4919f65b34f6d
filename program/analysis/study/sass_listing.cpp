#include "subcore/program/analysis/study/sass_listing.h"

#include "subcore/base/text.h"
#include "subcore/model/trace/line_source.h"

namespace subcore {
namespace {

// The digits of a comment `/*0010*/` at the beginning of a line; empty if the line begins otherwise.
std::string_view leading_pc(std::string_view line) {
  if (line.substr(0, 2) != "/*") return {};
  const std::size_t end = line.find("*/", 2);
  if (end == std::string_view::npos || end < 6) return {};
  const std::string_view digits = line.substr(2, end - 2);
  for (const char c : digits)
    if (text::hex_value(c) < 0) return {};
  return digits;
}

// The last comment `/* 0x... */` of a line as a number of 16 digits.
bool encoding_word(std::string_view line, std::uint64_t& out) {
  const std::size_t at = line.rfind("/* 0x");
  if (at == std::string_view::npos) return false;
  const std::size_t end = line.find(" */", at);
  if (end == std::string_view::npos || end - (at + 5) != 16) return false;
  return text::parse_hex(line.substr(at + 5, 16), out);
}

}  // namespace

const std::unordered_map<std::uint64_t, std::uint8_t>& SassListing::flags_of(
    const std::string& kernel) const {
  const auto it = kernels.find(kernel);
  if (it != kernels.end()) return it->second;
  std::string there;
  for (const auto& [name, flags] : kernels) {
    if (there.size() > 200) {
      there += ", ...";
      break;
    }
    there += (there.empty() ? "" : ", ") + name;
  }
  throw TraceError(file + ": no function " + subcore::quoted(std::string_view(kernel)) +
                   "; expected the trace's kernel among " + there);
}

SassListing read_sass_listing(const std::filesystem::path& file) {
  SassListing listing;
  listing.file = file.string();
  LineSource source(file);
  std::unordered_map<std::uint64_t, std::uint8_t>* flags = nullptr;
  std::string_view raw;
  while (source.next(raw)) {
    std::string_view line = text::trimmed(raw);
    constexpr std::string_view head = "Function :";
    if (line.substr(0, head.size()) == head) {
      const std::string_view name = text::trimmed(line.substr(head.size()));
      if (name.empty()) source.fail("function without a name", "'Function : name'");
      flags = &listing.kernels[std::string(name)];
      continue;
    }
    const std::string_view digits = leading_pc(line);
    if (digits.empty()) continue;
    std::uint64_t pc = 0, word = 0;
    if (!text::parse_hex(digits, pc)) source.fail("bad program counter", "up to 16 hexadecimal digits");
    if (flags == nullptr) source.fail("instruction outside of a function", "'Function : name' before it");
    if (!source.next(raw) || !encoding_word(raw, word))
      source.fail("no second encoding word", "a line '/* 0x<16 digits> */' below the instruction");
    flags->emplace(pc, static_cast<std::uint8_t>((word >> 58) & 15));  // the first of several encodings of a
                                                                       // PC counts
  }
  if (listing.kernels.empty()) source.fail("no function in the listing", "'Function : name'");
  return listing;
}

}  // namespace subcore
