// A queue in a ring of slots. The ring grows to the most items that it ever held, and then never allocates
// again. A deque does, as it moves through its blocks.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <vector>

namespace subcore {

template <class T>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  // The n-th item from the front.
  T& operator[](std::size_t n) { return slots_[(first_ + n) & mask_]; }
  const T& operator[](std::size_t n) const { return slots_[(first_ + n) & mask_]; }
  T& front() { return slots_[first_]; }
  const T& front() const { return slots_[first_]; }
  T& back() { return (*this)[count_ - 1]; }
  const T& back() const { return (*this)[count_ - 1]; }
  void push_back(const T& value) {
    if (count_ == room_) grow();
    slots_[(first_ + count_++) & mask_] = value;
  }
  void pop_front() {
    first_ = (first_ + 1) & mask_;
    --count_;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());  // a power of two, because indices are
                                                                    // masked
    for (std::size_t n = 0; n < count_; ++n) larger[n] = (*this)[n];
    slots_.swap(larger);
    room_ = slots_.size();
    mask_ = room_ - 1;
    first_ = 0;
  }
  std::vector<T> slots_;
  std::size_t room_ = 0, mask_ = 0, first_ = 0, count_ = 0;  // room_: number of slots, kept to avoid a
                                                             // division
};

}  // namespace subcore
