// No output may be an input of the same run, or another output: whichever is written last would destroy it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/trace/trace.h"
#include "platforms/config/platform.h"

namespace subcore {

class FileConflicts {
 public:
  // `what` is how a message calls the file: "the trace", "--json".
  void input(const std::string& what, const std::filesystem::path& file) { inputs_.emplace_back(what, file); }
  void trace(const TraceProgram& program);  // the list, the kernels that are run, their sidecars
  // With the option that named it; - is standard output.
  void output(const std::string& what, const std::filesystem::path& file);
  // Throws std::runtime_error when two of them are one file, however it is spelled, or linked to.
  void check() const;

 private:
  using Named = std::pair<std::string, std::filesystem::path>;
  std::vector<Named> inputs_, outputs_;
};

}  // namespace subcore
