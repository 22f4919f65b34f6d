#include "scenarios/wall_guard.h"

#include <utility>

namespace subcore {
namespace {

constexpr unsigned looks = 20;

}  // namespace

WallGuard::WallGuard(unsigned seconds, std::function<std::uint64_t()> sign, std::function<void()> lost) {
  if (seconds == 0) return;
  const std::chrono::milliseconds look{std::uint64_t{seconds} * 1000 / looks};
  thread_ =
      std::thread([this, look, sign = std::move(sign), lost = std::move(lost)] { watch(look, sign, lost); });
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
