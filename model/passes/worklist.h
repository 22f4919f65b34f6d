// Nodes of a graph that are to be looked at, first come first served, each of them once at a time.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace subcore {

class Worklist {
 public:
  explicit Worklist(std::size_t nodes) : queued_(nodes) {}
  void add(std::uint32_t n) {
    if (queued_[n]) return;
    queued_[n] = true;
    open_.push_back(n);
  }
  bool take(std::uint32_t& n) {
    if (open_.empty()) return false;
    n = open_.front();
    open_.pop_front();
    queued_[n] = false;
    return true;
  }

 private:
  std::deque<std::uint32_t> open_;
  std::vector<bool> queued_;
};

}  // namespace subcore
