#include <algorithm>
#include <map>
#include <set>

#include "subcore/base/files.h"
#include "subcore/base/text.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/no_trace.h"
#include "subcore/model/trace/trace.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

// The components of a folder's path that can name its trace. "." and "traces/bfs/" have some, too; what
// Accel-Sim's tracer makes is APPLICATION/ARGUMENTS/traces.
std::vector<std::string> name_components(const fs::path& folder) {
  std::error_code error;
  fs::path full = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) full = folder;
  std::vector<std::string> components;
  for (const fs::path& component : full.relative_path())
    if (!component.empty()) components.push_back(component.string());
  if (components.size() > 1 && components.back() == "traces") components.pop_back();
  return components;
}

std::string tail(const std::vector<std::string>& components, std::size_t length) {
  std::string name;
  for (std::size_t i = components.size() - std::min(length, components.size()); i < components.size(); ++i)
    name += (name.empty() ? "" : "/") + components[i];
  return name;
}

TraceProgram read_list(const fs::path& list) {
  TraceProgram program;
  program.folder = list.parent_path();
  program.name = tail(name_components(program.folder), 1);
  LineSource source(list);
  std::string_view line;
  while (source.next(line)) {
    line = text::trimmed(line);
    if (is_raw_trace(line)) source.fail("trace file " + quoted(line) + " is raw", post_processed);
    if (is_tracez(line)) source.fail("trace file " + quoted(line) + " is not read here", unpacked_tracez);
    if (line.empty() || line.substr(0, 11) == "MemcpyHtoD,") continue;  // copies do not concern a sub-core
    if (line.find(".traceg") == std::string_view::npos || line.find(',') != std::string_view::npos) {
      program.skipped_commands.emplace_back(line);
      continue;
    }
    const fs::path kernel = program.folder / std::string(line);
    if (!is_plain_file(kernel)) {
      const std::string other = other_form_of(kernel), what = what_is_there(kernel);
      source.fail("trace file " + quoted(line) + (what.empty() ? " is missing" : what) +
                      (other.empty() ? "" : ", but " + subcore::quoted(other) + " is there"),
                  "a file in the list's folder");
    }
    program.kernels.push_back(kernel);
  }
  if (program.kernels.empty() && list.filename() != list_name) refuse_file(list);
  if (program.kernels.empty())
    source.fail("no trace file in the list", "at least one line such as kernel-1.traceg.xz");
  return program;
}

// The lists of the folder, or else of the folders below it.
std::vector<fs::path> lists_of(const fs::path& folder) {
  if (is_plain_file(folder / list_name)) return {folder / list_name};
  if (const std::string what = what_is_there(folder / list_name); !what.empty())
    throw TraceError((folder / list_name).string() + ":" + what + "; expected a list of the files to run");
  std::vector<fs::path> lists = lists_below(folder);
  if (lists.empty()) refuse_folder(folder);
  return lists;
}

// The files that `path` stands for: kernel lists, or one trace file.
std::vector<fs::path> files_of(const fs::path& path) {
  if (is_folder(path)) return lists_of(path);
  if (!is_plain_file(path)) refuse_missing(path);
  return {path};
}

TraceProgram open_file(const fs::path& file) {
  const std::string file_name = file.filename().string();
  if (is_raw_trace(file_name)) throw TraceError(file.string() + ": is raw; expected " + post_processed);
  if (is_tracez(file_name))
    throw TraceError(file.string() + ": is not read here; expected " + unpacked_tracez);
  if (file_name.find(".traceg") == std::string::npos) return read_list(file);
  TraceProgram program;
  program.folder = file.parent_path();
  program.name = tail(name_components(program.folder), 1);
  program.kernels.push_back(file);
  return program;
}

}  // namespace

TraceProgram open_trace(const fs::path& path) {
  const std::vector<fs::path> files = files_of(path);
  if (files.size() > 1)
    throw TraceError(path.string() + ": has " + std::to_string(files.size()) + " traces below it, " +
                     some_of(files) + "; expected one of them");
  return open_file(files.front());
}

void name_apart(std::vector<TraceProgram>& programs) {
  std::vector<std::vector<std::string>> components;
  for (const TraceProgram& p : programs) components.push_back(name_components(p.folder));
  std::vector<std::size_t> length(programs.size(), 1);
  for (;;) {
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      programs[i].name = tail(components[i], length[i]);
      by_name[programs[i].name].push_back(i);
    }
    bool longer = false;
    for (const auto& [name, same] : by_name) {
      if (same.size() == 1) continue;
      bool grew = false;
      for (const std::size_t i : same)
        if (length[i] < components[i].size()) {
          ++length[i];
          grew = true;
        }
      if (!grew)
        throw TraceError(programs[same[1]].kernels.front().string() + ": another trace is called " + name +
                         ", too; expected traces in folders of their own");
      longer = true;
    }
    if (!longer) return;
  }
}

std::vector<TraceProgram> open_traces(const std::vector<fs::path>& paths) {
  std::vector<TraceProgram> programs;
  std::set<fs::path> given;
  for (const fs::path& path : paths) {
    const std::vector<fs::path> files = files_of(path);
    for (const fs::path& file : files) {
      if (!given.insert(fs::weakly_canonical(file)).second)
        throw TraceError((files.size() == 1 ? path : file).string() +
                         ": this trace was given before; expected each once");
      programs.push_back(open_file(file));
    }
  }
  name_apart(programs);
  return programs;
}

void require_kernel(const TraceProgram& program, std::uint64_t kernel) {
  if (kernel < 1 || kernel > program.kernels.size())
    throw TraceError(program.folder.string() + ": no kernel " + std::to_string(kernel) + "; expected 1 to " +
                     std::to_string(program.kernels.size()));
}

void keep_kernel(TraceProgram& program, std::uint64_t kernel) {
  require_kernel(program, kernel);
  program.selection = "kernel " + std::to_string(kernel) + " of " + std::to_string(program.kernels.size());
  program.kernels = {program.kernels[kernel - 1]};
}

std::uint32_t binary_version_of(const TraceProgram& program) {
  OperandOptions header_only;
  header_only.use_sidecar = false;
  try {
    return program.kernels.empty() ? 0 : KernelReader(program.kernels.front(), header_only).header().binary_version;
  } catch (const TraceError&) {
    return 0;  // whoever reads the kernel says why
  }
}

}  // namespace subcore
