// WallGuard: ends a simulation that gives no sign of life in wall time. The watchdog counts cycles, so it
// cannot see a cycle that never ends. A thread of the guard's own can.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace subcore {

// Time without a sign of life, counted in looks and not by a clock. A process that was stopped, or on a
// machine that slept, did not look, and so does not age.
class Patience {
 public:
  explicit Patience(unsigned looks) : looks_(looks) {}
  // Whether this look ends the patience: as many looks as there may be have seen the same sign.
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
  // `sign` changes as long as there is life. `lost` is called once, when `sign` has not changed for so many
  // seconds (0: never). The guard's thread calls both. If no thread can be made, throws std::runtime_error.
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
