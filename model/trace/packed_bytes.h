// Signed numbers in 1, 2, 4 or 8 bytes, as packed traces have them; which, says a code of two bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace subcore::packed {

inline unsigned width_code(std::uint64_t number) {
  const auto n = static_cast<std::int64_t>(number);
  const auto folded = static_cast<std::uint64_t>(n < 0 ? ~n : n);
  return folded < 0x80 ? 0 : folded < 0x8000 ? 1 : folded < 0x80000000u ? 2 : 3;
}
inline void put_number(std::string& out, std::uint64_t number, unsigned code) {
  out.append(reinterpret_cast<const char*>(&number), std::size_t{1} << code);
}

// Numbers are loaded whole, and cut: this many bytes behind the last one must be there.
inline constexpr std::size_t slack = 8;

struct Bytes {
  const std::uint8_t *at = nullptr, *end = nullptr;
  std::size_t left() const { return static_cast<std::size_t>(end - at); }
  // Both, where at least so much is left.
  std::uint64_t number(unsigned code) {
    std::uint64_t n;
    std::memcpy(&n, at, sizeof n);
    at += std::size_t{1} << code;
    const unsigned unused = 64 - (8u << code);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(n << unused) >> unused);
  }
  void copy(void* to, std::size_t count) {
    std::memcpy(to, at, count);
    at += count;
  }
};

}  // namespace subcore::packed
