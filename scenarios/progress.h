// A progress bar on a terminal; silent when standard error is anything else.
#pragma once

#include <chrono>
#include <string>

namespace subcore {

class ProgressBar {
 public:
  explicit ProgressBar(std::string title);
  ~ProgressBar();  // clears the line
  void show(double share, const std::string& detail);

 private:
  std::string title_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace subcore
