// The progress of runs, on standard error: a bar on a terminal, a line a minute on anything else. Wall time
// is for the reader's eyes only.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace subcore {

// The output that progress is shown on.
struct ProgressOutput {
  bool is_terminal;
  std::function<std::size_t()> width;  // the terminal's width, now; 0 if nobody knows
  std::function<double()> seconds;     // since any point in time
  std::function<void(std::string_view)> write;

  static ProgressOutput standard_error();
};

class ProgressBar {
 public:
  explicit ProgressBar(std::string title, ProgressOutput output = ProgressOutput::standard_error());
  ~ProgressBar();  // hides it
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Shows the share of the whole, 0 to 1; called as often as one likes.
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

// Hides the bar, before anything is printed that a terminal may show in the bar's line.
void hide_progress();
// Shows no bar and no lines from here on.
void silence_progress();

}  // namespace subcore
