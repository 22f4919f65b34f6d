// Numbers as bytes in a text, in the byte order of this machine. No other machine reads such a text.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace subcore {

// Appends the bytes of a number, or of a struct that holds nothing but numbers.
template <typename T>
void put_bytes(std::string& out, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// Appends the count of the values, and their bytes.
template <typename T>
void put_bytes(std::string& out, const std::vector<T>& values) {
  put_bytes(out, std::uint64_t{values.size()});
  for (const T& value : values) put_bytes(out, value);
}

// Takes from a text the values that put_bytes() has put there. Once the text is too short, every value that
// is taken is zero or empty, and is_whole() stays false.
class ByteTaker {
 public:
  explicit ByteTaker(std::string_view text) : left_(text) {}
  // Takes a number.
  template <typename T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (left_.size() < sizeof value) {
      is_whole_ = false;
      left_ = {};
      return value;
    }
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }
  // Takes a count of the things that follow. Each thing has at least one byte, so the count is at most the
  // bytes that are left.
  std::size_t take_count() {
    const auto count = take<std::uint64_t>();
    if (count <= left_.size()) return count;
    is_whole_ = false;
    return 0;
  }
  // Takes a count and that many values.
  template <typename T>
  std::vector<T> take_all() {
    std::vector<T> values(take_count());
    for (T& value : values) value = take<T>();
    return values;
  }
  bool is_whole() const { return is_whole_; }
  // Whether nothing is left.
  bool is_at_end() const { return left_.empty(); }

 private:
  std::string_view left_;
  bool is_whole_ = true;
};

}  // namespace subcore
