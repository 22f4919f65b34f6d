#include "subcore/base/hash.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace subcore {

Hash& Hash::add(std::string_view piece) {
  state_ = boost::uuids::name_generator_sha1(state_)(piece.data(), piece.size());
  return *this;
}

Hash& Hash::add_file(const std::filesystem::path& file, const std::function<void()>& each_block) {
  constexpr std::size_t block_bytes = 1 << 20;
  std::ifstream in(file, std::ios::binary);
  std::vector<char> block(block_bytes);
  std::uint64_t bytes = 0;
  while (in) {
    if (each_block) each_block();
    in.read(block.data(), block_bytes);
    const auto n = static_cast<std::size_t>(in.gcount());
    if (n != 0) add({block.data(), n});
    bytes += n;
  }
  if (each_block) each_block();
  if (!in.eof()) throw std::runtime_error("cannot read " + file.string() + ": " + std::strerror(errno));
  return add(std::to_string(bytes));  // the size says where this file ends, and another begins
}

std::string Hash::text() const {
  return boost::uuids::to_string(state_);
}

}  // namespace subcore
