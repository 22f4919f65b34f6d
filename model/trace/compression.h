// What data is compressed by, whatever its file is called.
#pragma once

#include <string>
#include <string_view>

namespace subcore {

struct Compression {
  std::string_view name;    // "gzip"
  std::string_view suffix;  // ".gz"
  std::string_view magic;   // what its data begins with
  bool is_read;             // by this program
};

// By the first bytes of the data; null if it is none of those that are known.
const Compression* compression_of(std::string_view first_bytes);
// By the end of a file's name.
const Compression* compression_named(std::string_view file_name);

// No magic is longer.
inline constexpr std::size_t longest_magic = 6;

// The name without a compression's suffix.
std::string without_compression(std::string_view file_name);

}  // namespace subcore
