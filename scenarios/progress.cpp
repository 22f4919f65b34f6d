#include "scenarios/progress.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace subcore {

ProgressBar::ProgressBar(std::string title)
    : title_(std::move(title)),
      terminal_(isatty(STDERR_FILENO) != 0),
      begin_(std::chrono::steady_clock::now()),
      last_(begin_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fprintf(stderr, "\r\x1b[K");
}

void ProgressBar::show(double share, const std::string& detail) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  constexpr int width = 30;
  const int full = static_cast<int>(std::clamp(share, 0.0, 1.0) * width);
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  std::fprintf(stderr, "\r%s [%.*s%.*s] %3.0f %%  %.0f s  %s\x1b[K", title_.c_str(), full,
               "##############################", width - full, "..............................", share * 100,
               seconds, detail.c_str());
  std::fflush(stderr);
}

}  // namespace subcore
