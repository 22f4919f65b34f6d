// NumberedSlots: a table whose entries have numbers. The entry given back last is taken first. The table
// grows to as many entries as are in use at once.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <vector>

namespace subcore {

template <class T>
class NumberedSlots {
 public:
  // The number of a free entry. The entry still holds its last value.
  std::uint32_t take() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(all_.size()));
      all_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }
  T& operator[](std::uint32_t number) { return all_[number]; }
  const T& operator[](std::uint32_t number) const { return all_[number]; }
  // All entries, in use or not.
  const std::vector<T>& all() const { return all_; }

 private:
  std::vector<T> all_;
  std::vector<std::uint32_t> free_;
};

}  // namespace subcore
