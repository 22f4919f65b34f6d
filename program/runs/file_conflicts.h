// FileConflicts: checks the files of a run. No output may be an input of the same run, or another output: the
// one that is written last would destroy the other. No folder of outputs may be in a folder of inputs, or be
// the folder of an input file. No output's name may end like that of another kind of file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform.h"

namespace subcore {

// The contents of an output file. The ending of the file's name must agree with them.
enum class OutputForm { any, json, csv, svg, html };

class FileConflicts {
 public:
  // Adds an input. `what`: the file's name in messages: "the trace", "--json".
  void input(const std::string& what, const std::filesystem::path& file) { inputs_.push_back({what, file}); }
  // Adds a folder of inputs, with all files in it. If the path is a file and no folder, adds the file.
  void input_folder(const std::string& what, const std::filesystem::path& folder);
  // Adds the trace's folder, its list, the kernels that are run, and their sidecars.
  void trace(const TraceProgram& program);
  // Adds an output, with the option that named it; - is standard output.
  void output(const std::string& what, const std::filesystem::path& file, OutputForm form = OutputForm::any);
  // Adds a folder of outputs. Files that are written there are outputs, too.
  void output_folder(const std::string& what, const std::filesystem::path& folder);
  // Throws std::runtime_error in these cases:
  // * An output is an input or another output, in any spelling, or by a link.
  // * A folder of outputs is, or is in, a folder of inputs, or is the folder of an input file.
  // * An output's name ends like that of another kind of file.
  void check() const;

 private:
  struct Named {
    std::string what;
    std::filesystem::path path;
    OutputForm form = OutputForm::any;
  };
  void check_files() const;
  void check_folders() const;

  std::vector<Named> inputs_, outputs_, input_folders_, output_folders_;
};

}  // namespace subcore
