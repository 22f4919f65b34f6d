#include "model/trace/line_source.h"
#include "model/trace/text.h"
#include "model/trace/trace.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

// "." and "traces/bfs/" have a name too.
std::string last_component(const fs::path& folder) {
  std::error_code error;
  fs::path full = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) full = folder;
  if (full.filename().empty()) full = full.parent_path();
  return full.filename().string();
}

TraceProgram read_list(const fs::path& list) {
  TraceProgram program;
  program.folder = list.parent_path();
  program.name = last_component(program.folder);
  LineSource source(list);
  std::string_view line;
  while (source.next(line)) {
    line = text::trimmed(line);
    if (line.empty() || line.substr(0, 11) == "MemcpyHtoD,") continue;  // copies do not concern a sub-core
    if (line.find(".traceg") == std::string_view::npos || line.find(',') != std::string_view::npos) {
      program.skipped_commands.emplace_back(line);
      continue;
    }
    const fs::path kernel = program.folder / std::string(line);
    std::error_code error;
    if (!fs::is_regular_file(kernel, error))
      source.fail("trace file " + quoted(line) + " is missing", "a file in the list's folder");
    program.kernels.push_back(kernel);
  }
  if (program.kernels.empty())
    source.fail("no trace file in the list", "at least one line such as kernel-1.traceg.xz");
  return program;
}

}  // namespace

TraceProgram open_trace(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    const fs::path list = path / "kernelslist.g";
    if (!fs::is_regular_file(list, error))
      throw TraceError(path.string() + ": cannot open; expected a folder with a kernelslist.g");
    return read_list(list);
  }
  if (!fs::is_regular_file(path, error))
    throw TraceError(path.string() +
                     ": cannot open; expected a trace folder, a kernelslist.g or a trace file");
  if (path.filename().string().find(".traceg") == std::string::npos) return read_list(path);
  TraceProgram program;
  program.folder = path.parent_path();
  program.name = last_component(program.folder);
  program.kernels.push_back(path);
  return program;
}

}  // namespace subcore
