// Compression formats, known by the first bytes of the data or by a file's name.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <string>
#include <string_view>

namespace subcore {

struct Compression {
  std::string_view name;    // "gzip"
  std::string_view suffix;  // ".gz"
  std::string_view magic;   // first bytes of its data
  bool is_read;             // by this program
};

// The format by the first bytes of the data; null if it is unknown.
const Compression* compression_of(std::string_view first_bytes);
// The format by the end of a file's name; null if it is unknown.
const Compression* compression_named(std::string_view file_name);

// The length of the longest magic, in bytes.
inline constexpr std::size_t longest_magic = 6;

// The name without a compression's suffix.
std::string without_compression(std::string_view file_name);

}  // namespace subcore
