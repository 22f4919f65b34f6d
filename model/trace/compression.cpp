#include "subcore/model/trace/compression.h"

#include <algorithm>
#include <array>

namespace subcore {
namespace {

using namespace std::string_view_literals;

constexpr std::array<Compression, 4> all{{
    {"gzip", ".gz", "\x1f\x8b"sv, true},
    {"xz", ".xz",
     "\xfd"
     "7zXZ\0"sv,
     true},
    {"zstd", ".zst", "\x28\xb5\x2f\xfd"sv, false},
    {"bzip2", ".bz2", "BZh"sv, false},
}};

template <class Is>
const Compression* find(Is is) {
  const auto* const found = std::find_if(all.begin(), all.end(), is);
  return found == all.end() ? nullptr : found;
}

bool ends_in(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

const Compression* compression_of(std::string_view first_bytes) {
  return find([&](const Compression& c) { return first_bytes.substr(0, c.magic.size()) == c.magic; });
}

const Compression* compression_named(std::string_view file_name) {
  return find([&](const Compression& c) { return ends_in(file_name, c.suffix); });
}

std::string without_compression(std::string_view file_name) {
  const Compression* const c = compression_named(file_name);
  return std::string(file_name.substr(0, file_name.size() - (c == nullptr ? 0 : c->suffix.size())));
}

}  // namespace subcore
