// The progress of runs, on standard error: a bar on a terminal, and a line a minute elsewhere. Wall time is
// only shown to the reader.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace subcore {

// The output for progress.
struct ProgressOutput {
  bool is_terminal;
  std::function<std::size_t()> width;  // width of the terminal now; 0: not known
  std::function<double()> seconds;     // since any point in time
  std::function<void(std::string_view)> write;

  static ProgressOutput standard_error();
};

class ProgressBar {
 public:
  explicit ProgressBar(std::string title, ProgressOutput output = ProgressOutput::standard_error());
  ~ProgressBar();  // hides the bar
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Shows the share of the whole, 0 to 1. To be called as often as one likes.
  void show(double share, const std::string& detail);
  // Leaves the terminal's line empty until the next show().
  void hide();

 private:
  std::string bar(double share, const std::string& detail, double spent, std::size_t width) const;

  std::string title_;
  ProgressOutput output_;
  double begin_, last_;
  std::size_t drawn_ = 0;  // columns on the terminal
};

// Hides the bar. To be called before something is printed that a terminal may show in the bar's line.
void hide_progress();
// Shows no bar and no lines from here on.
void silence_progress();

}  // namespace subcore
