// Signed numbers in 1, 2, 4 or 8 bytes, as in packed traces. A code of two bits gives the width.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "subcore/model/isa/instruction.h"

namespace subcore::packed {

// The width of a signed number in bytes: 1, 2, 4 or 8, as the power of two.
inline unsigned width_code(std::uint64_t number) {
  const auto n = static_cast<std::int64_t>(number);
  const auto folded = static_cast<std::uint64_t>(n < 0 ? ~n : n);
  return folded < 0x80 ? 0 : folded < 0x8000 ? 1 : folded < 0x80000000u ? 2 : 3;
}
// Appends the number's lowest bytes, as many as the code says.
inline void put_number(std::string& out, std::uint64_t number, unsigned code) {
  out.append(reinterpret_cast<const char*>(&number), std::size_t{1} << code);
}

// A few bytes are loaded, and copied, in steps. This many bytes behind the last ones must be accessible.
inline constexpr std::size_t slack = 16;
// Copies `bytes` bytes, and up to `slack` - 1 bytes behind them.
inline void copy_in_steps(void* to, const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += slack)
    std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, slack);
}

// The bytes of an access of addresses.h before its rest: length, form and base.
inline constexpr unsigned before_rest = 3 + 8;
// The bytes of the longest access.
inline constexpr unsigned longest_access = before_rest + 8 * (warp_lanes - 1);

// Strides of one byte, as in addresses.h. There is room behind them, because they are copied in steps.
inline constexpr std::array<std::int64_t, 256 + slack / sizeof(std::int64_t)> short_strides = [] {
  std::array<std::int64_t, 256 + slack / sizeof(std::int64_t)> strides{};
  for (std::size_t i = 0; i < 256; ++i) strides[i] = static_cast<std::int8_t>(i);
  return strides;
}();

struct Bytes {
  const std::uint8_t *at = nullptr, *end = nullptr;
  std::size_t left() const { return static_cast<std::size_t>(end - at); }
  // number() and take() may go beyond the end by at most `slack`. The caller must check is_beyond_end()
  // afterwards.
  std::uint64_t number(unsigned code) {
    std::uint64_t n;
    std::memcpy(&n, at, sizeof n);
    at += std::size_t{1} << code;
    const unsigned unused = 64 - (8u << code);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(n << unused) >> unused);
  }
  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
  }
  bool is_beyond_end() const { return at > end; }
};

}  // namespace subcore::packed
