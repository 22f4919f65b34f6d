// A queue in a ring of slots: grows to the most it ever held, then never allocates again (a deque does, as it
// moves through its blocks).
#pragma once

#include <cstddef>
#include <vector>

namespace subcore {

template <class T>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  T& front() { return slots_[first_]; }
  const T& front() const { return slots_[first_]; }
  T& back() { return slots_[(first_ + count_ - 1) & (slots_.size() - 1)]; }
  const T& back() const { return slots_[(first_ + count_ - 1) & (slots_.size() - 1)]; }
  void push_back(const T& value) {
    if (count_ == slots_.size()) grow();
    slots_[(first_ + count_++) & (slots_.size() - 1)] = value;
  }
  void pop_front() {
    first_ = (first_ + 1) & (slots_.size() - 1);
    --count_;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());  // a power of two: indices are masked
    for (std::size_t i = 0; i < count_; ++i) larger[i] = slots_[(first_ + i) & (slots_.size() - 1)];
    slots_.swap(larger);
    first_ = 0;
  }
  std::vector<T> slots_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace subcore
