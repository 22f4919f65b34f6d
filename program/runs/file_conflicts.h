// FileConflicts: no output may be an input of the same run, or another output: whichever is written last
// would destroy it. No folder of outputs may be in a folder of inputs, or be the folder of
// an input file, and no output's name may end like that of another kind of file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform.h"

namespace subcore {

// Contents of an output file. The ending of its name must not belie them.
enum class OutputForm { any, json, csv, svg, html };

class FileConflicts {
 public:
  // `what` is how a message calls the file: "the trace", "--json".
  void input(const std::string& what, const std::filesystem::path& file) { inputs_.push_back({what, file}); }
  // A folder with all that is in it. If there is no folder but a file, the file.
  void input_folder(const std::string& what, const std::filesystem::path& folder);
  // The trace's folder, its list, the kernels that are run and their sidecars.
  void trace(const TraceProgram& program);
  // An output, with the option that named it; - is standard output.
  void output(const std::string& what, const std::filesystem::path& file, OutputForm form = OutputForm::any);
  // A folder of outputs; files that are written there are outputs, too.
  void output_folder(const std::string& what, const std::filesystem::path& folder);
  // Throws std::runtime_error when an output is an input or another output, however it is spelled, or linked
  // to; when an output folder is, or is in, a folder of inputs, or is the folder of an input file; when an
  // output's name ends like that of another kind of file.
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
