#include "subcore/program/runs/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

#include "subcore/base/formatted.h"
#include "subcore/base/text_width.h"

namespace subcore {
namespace {

constexpr double between_bars = 0.1, between_lines = 60;  // seconds

bool silent = false;
ProgressBar* on_terminal = nullptr;  // the bar on the terminal; null: none

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool stderr_is_terminal() {
  const char* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

std::string duration(double seconds) {
  const auto whole = static_cast<unsigned long long>(seconds + 0.5);
  if (whole < 120) return formatted("%llu s", whole);
  if (whole < 7200) return formatted("%llu min", (whole + 30) / 60);
  return formatted("%llu h %02llu min", whole / 3600, whole / 60 % 60);
}

// The time left, if the rest goes on at the pace so far. Nothing while too little is done.
std::string time_left(double share, double spent) {
  if (share < 0.01 || spent < 1) return {};
  return ", " + duration(spent * (1 - share) / share) + " left";
}

}  // namespace

ProgressOutput ProgressOutput::standard_error() {
  return {stderr_is_terminal(), terminal_width,
          [] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
          },
          [](std::string_view text) {
            std::fwrite(text.data(), 1, text.size(), stderr);
            std::fflush(stderr);
          }};
}

ProgressBar::ProgressBar(std::string title, ProgressOutput output)
    : title_(std::move(title)), output_(std::move(output)), begin_(output_.seconds()), last_(begin_) {}

ProgressBar::~ProgressBar() {
  hide();
}

std::string ProgressBar::bar(double share, const std::string& detail, double spent, std::size_t width) const {
  constexpr std::size_t longest = 30, others = 50;
  const std::size_t length = std::min(longest, width > others ? width - others : 0);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(length));
  std::string text = title_ + ' ';
  if (length != 0) text += '[' + std::string(full, '#') + std::string(length - full, '.') + "] ";
  text += formatted("%3.0f %%  ", share * 100) + duration(spent) + time_left(share, spent) + "  " + detail;
  return std::string(cut(text, width));
}

void ProgressBar::show(double share, const std::string& detail) {
  const double now = output_.seconds();
  if (silent || now - last_ < (output_.is_terminal ? between_bars : between_lines)) return;
  last_ = now;
  share = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  const double spent = now - begin_;
  if (!output_.is_terminal) {
    output_.write(title_ + formatted(": %.0f %% after ", share * 100) + duration(spent) +
                  time_left(share, spent) + ": " + detail + '\n');
    return;
  }
  hide();
  // The last column stays free, because many terminals would begin the next line.
  const std::size_t known = output_.width(), width = known == 0 ? usual_width : known;
  const std::string text = bar(share, detail, spent, width - 1);
  drawn_ = text_width(text);
  on_terminal = this;
  output_.write(text);
}

void ProgressBar::hide() {
  if (drawn_ == 0) return;
  std::string text = "\r";
  // A window that has become narrower shows the line in several lines.
  const std::size_t width = output_.width();
  if (width != 0 && drawn_ > width) text += "\x1b[" + std::to_string((drawn_ - 1) / width) + 'A';
  output_.write(text + "\x1b[J");
  drawn_ = 0;
  on_terminal = nullptr;
}

void hide_progress() {
  if (on_terminal != nullptr) on_terminal->hide();
}

void silence_progress() {
  silent = true;
}

}  // namespace subcore
