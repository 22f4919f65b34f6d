#include "subcore/program/runs/wall_guard.h"

#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace subcore {
namespace {

constexpr unsigned looks = 20;

}  // namespace

WallGuard::WallGuard(unsigned seconds, std::function<std::uint64_t()> sign, std::function<void()> lost) {
  if (seconds == 0) return;
  const std::chrono::milliseconds look{std::uint64_t{seconds} * 1000 / looks};
  try {
    thread_ = std::thread(
        [this, look, sign = std::move(sign), lost = std::move(lost)] { watch(look, sign, lost); });
  } catch (const std::system_error& e) {
    throw std::runtime_error(std::string("no thread to watch over the run: ") + e.what() +
                             "; expected memory for one more, or checks.watchdog_seconds 0");
  }
}

WallGuard::~WallGuard() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void WallGuard::watch(std::chrono::milliseconds look, const std::function<std::uint64_t()>& sign,
                      const std::function<void()>& lost) {
  Patience patience(looks);
  std::unique_lock lock(mutex_);
  while (!over_.wait_for(lock, look, [this] { return is_over_; })) {
    if (!patience.exhausted(sign())) continue;
    lost();
    return;
  }
}

}  // namespace subcore
