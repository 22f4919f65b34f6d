// A hash of bytes and files. Things with the same hash count as having the same content.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <boost/uuid/uuid.hpp>

namespace subcore {

// The hash of pieces of bytes, in their order: SHA-1, piece by piece over the hash so far.
class Hash {
 public:
  // Adds a piece. The same bytes, cut into other pieces, make another hash.
  Hash& add(std::string_view piece);
  // Adds a file's bytes and their count. `each_block` is called before each MiB, and may throw. Throws
  // std::runtime_error if the file cannot be read.
  Hash& add_file(const std::filesystem::path& file, const std::function<void()>& each_block = {});
  // The hash so far: 36 hexadecimal digits and hyphens.
  std::string text() const;

 private:
  boost::uuids::uuid state_{};
};

}  // namespace subcore
