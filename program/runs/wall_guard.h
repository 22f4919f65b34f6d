// WallGuard: ends what gives no sign of life in wall time. The watchdog counts cycles, so it cannot see a
// cycle that never ends; a thread of its own can.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace subcore {

// Time without a sign of life, in looks rather than by a clock: a process that was stopped (or a machine that
// slept) did not look, and so does not age.
class Patience {
 public:
  explicit Patience(unsigned looks) : looks_(looks) {}
  // True in the look that ends it: as many as there were to be, all with the same sign.
  bool exhausted(std::uint64_t sign) {
    if (sign != seen_) {
      seen_ = sign;
      same_ = 0;
      return false;
    }
    return ++same_ == looks_;
  }

 private:
  unsigned looks_, same_ = 0;
  std::uint64_t seen_ = ~std::uint64_t{0};
};

class WallGuard {
 public:
  // `sign` changes as long as there is life. `lost` is called, once, when it has not for so many seconds (0:
  // never). Both are called from the guard's thread; where there can be none, that is a std::runtime_error.
  WallGuard(unsigned seconds, std::function<std::uint64_t()> sign, std::function<void()> lost);
  ~WallGuard();
  WallGuard(const WallGuard&) = delete;
  WallGuard& operator=(const WallGuard&) = delete;

 private:
  void watch(std::chrono::milliseconds look, const std::function<std::uint64_t()>& sign,
             const std::function<void()>& lost);

  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace subcore
