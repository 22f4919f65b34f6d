#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fnmatch.h>

#include "subcore/base/files.h"
#include "subcore/base/plain_text.h"
#include "subcore/base/text.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/no_trace.h"
#include "subcore/model/trace/trace.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

// Whether a folder has the name of a program's arguments, as Accel-Sim's tracer writes it: NO_ARGS, or the
// arguments with '_' in place of all but letters and digits. A name that may also be a program's counts as a
// program's.
bool names_arguments(std::string_view folder) {
  if (folder == "NO_ARGS" || folder.substr(0, 12) == "hashed_args_") return true;
  if (folder.find("__") != std::string_view::npos) return true;
  unsigned numbers = 0;
  bool begins = false;  // begins with a number, or with a '_' for another character
  for (std::size_t at = 0; at <= folder.size();) {
    const std::size_t end = std::min(folder.find('_', at), folder.size());
    std::uint64_t number = 0;
    const std::string_view piece = folder.substr(at, end - at);
    const bool is_number = text::parse_unsigned(piece, number);
    if (is_number) ++numbers;
    if (at == 0) begins = is_number || piece.empty();
    at = end + 1;
  }
  return begins || numbers > 1;
}

// The components of a folder's path that can name its trace, also for "." and "traces/bfs/". Accel-Sim's
// tracer makes APPLICATION/ARGUMENTS/traces.
struct FolderName {
  std::vector<std::string> components;
  bool has_arguments = false;  // the last component is the program's arguments

  // The shortest name, or a name with `longer` more components.
  std::string text(std::size_t longer) const {
    if (has_arguments && longer == 0) return components[components.size() - 2];
    std::string name;
    for (std::size_t i = components.size() - std::min(1 + longer, components.size()); i < components.size();
         ++i)
      name += (name.empty() ? "" : "/") + components[i];
    return name;
  }
  bool has_longer(std::size_t longer) const { return longer + 1 < components.size(); }
};

FolderName name_of(const fs::path& folder) {
  std::error_code error;
  fs::path full = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) full = folder;
  FolderName name;
  std::vector<std::string>& components = name.components;
  for (const fs::path& component : full.relative_path())
    if (!component.empty()) components.push_back(plain_text(component.string()));
  if (components.size() > 1 && components.back() == "traces") {
    components.pop_back();
    name.has_arguments = components.size() > 1 && names_arguments(components.back());
  }
  return name;
}

TraceProgram read_list(const fs::path& list) {
  TraceProgram program;
  program.folder = list.parent_path();
  program.name = name_of(program.folder).text(0);
  LineSource source(list);
  std::string_view line;
  while (source.next(line)) {
    line = text::trimmed(line);
    if (is_raw_trace(line)) source.fail("trace file " + quoted(line) + " is raw", post_processed);
    if (is_compressed_tracez(line))
      source.fail("trace file " + quoted(line) + " is a compressed .tracez file", plain_tracez);
    if (line.empty() || line.substr(0, 11) == "MemcpyHtoD,") continue;  // copies do not concern a sub-core
    if (!names_kernel(line) || line.find(',') != std::string_view::npos) {
      program.skipped_commands.emplace_back(line);
      continue;
    }
    // The system would take the name to end at the first NUL.
    if (line.find('\0') != std::string_view::npos)
      source.fail("trace file " + quoted(line) + " has a NUL in its name", "a file in the list's folder");
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

// The kernel lists of the folder, or else of the folders below it.
std::vector<fs::path> lists_of(const fs::path& folder) {
  if (is_plain_file(folder / list_name)) return {folder / list_name};
  if (const std::string what = what_is_there(folder / list_name); !what.empty())
    throw TraceError((folder / list_name).string() + ":" + what + "; expected a list of the files to run");
  std::vector<fs::path> lists = lists_below(folder);
  if (lists.empty()) refuse_folder(folder);
  return lists;
}

// The files for which `path` stands: kernel lists, or one trace file.
std::vector<fs::path> files_of(const fs::path& path) {
  if (is_folder(path)) return lists_of(path);
  if (!is_plain_file(path)) refuse_missing(path);
  return {path};
}

TraceProgram open_file(const fs::path& file) {
  const std::string file_name = file.filename().string();
  if (is_raw_trace(file_name)) throw TraceError(file.string() + ": is raw; expected " + post_processed);
  if (is_compressed_tracez(file_name))
    throw TraceError(file.string() + ": is a compressed .tracez file; expected " + plain_tracez);
  if (!names_kernel(file_name)) return read_list(file);
  TraceProgram program;
  program.folder = file.parent_path();
  program.name = name_of(program.folder).text(0);
  program.kernels.push_back(file);
  return program;
}

void require_one(const fs::path& path, const std::vector<fs::path>& files) {
  if (files.size() > 1)
    throw TraceError(path.string() + ": has " + std::to_string(files.size()) + " traces below it, " +
                     some_of(files) + "; expected one of them");
}

}  // namespace

TraceProgram open_trace(const fs::path& path) {
  const std::vector<fs::path> files = files_of(path);
  require_one(path, files);
  return open_file(files.front());
}

// A name stands in lines of text, and in paths of results.
void require_trace_name(const std::string& name) {
  constexpr std::size_t longest = 255;  // the usual file systems' longest name
  const bool spoils = name.find('/') != std::string::npos || plain_text(name) != name;
  if (name.empty() || name == "." || name == ".." || name.size() > longest || spoils)
    throw TraceError(
        subcore::quoted(name) +
        " cannot be a trace's name; expected a name without '/' and of at most 255 bytes, in UTF-8");
}

TracePath trace_path(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || is_there(text)) return {text, {}};
  const std::string name = text.substr(0, equals);
  // A '=' behind a '/' belongs to a path.
  if (name.find('/') != std::string::npos) return {text, {}};
  require_trace_name(name);
  return {text.substr(equals + 1), name};
}

TraceProgram open_trace(const TracePath& path) {
  TraceProgram program = open_trace(path.path);
  if (path.name.empty()) return program;
  program.name = path.name;
  program.is_named = true;
  return program;
}

void name_apart(std::vector<TraceProgram>& programs) {
  std::vector<FolderName> folders;
  for (const TraceProgram& p : programs) folders.push_back(name_of(p.folder));
  std::vector<std::size_t> longer(programs.size(), 0);
  for (;;) {
    std::map<std::string, std::vector<std::size_t>> by_name;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      if (!programs[i].is_named) programs[i].name = folders[i].text(longer[i]);
      by_name[programs[i].name].push_back(i);
    }
    bool again = false;
    for (const auto& [name, same] : by_name) {
      if (same.size() == 1) continue;
      bool grew = false;
      for (const std::size_t i : same)
        if (!programs[i].is_named && folders[i].has_longer(longer[i])) {
          ++longer[i];
          grew = true;
        }
      if (!grew)
        throw TraceError(programs[same[1]].kernels.front().string() + ": another trace is called " + name +
                         ", too; expected traces in folders of their own, or other names");
      again = true;
    }
    if (!again) return;
  }
}

std::vector<TraceProgram> open_traces(const std::vector<TracePath>& paths) {
  std::vector<TraceProgram> programs;
  std::set<fs::path> given;
  for (const TracePath& path : paths) {
    const std::vector<fs::path> files = files_of(path.path);
    if (!path.name.empty()) require_one(path.path, files);
    for (const fs::path& file : files) {
      if (!given.insert(fs::weakly_canonical(file)).second)
        throw TraceError((files.size() == 1 ? path.path : file).string() +
                         ": this trace was given before; expected each once");
      programs.push_back(open_file(file));
      if (path.name.empty()) continue;
      programs.back().name = path.name;
      programs.back().is_named = true;
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
  program.selection_name = "kernel=" + std::to_string(kernel);
  program.kernels = {program.kernels[kernel - 1]};
}

namespace {

// "A:B", where B may be missing. Nothing for any other text.
std::optional<std::pair<std::uint64_t, std::uint64_t>> range_of(const std::string& text, std::uint64_t last) {
  const std::size_t colon = text.find(':');
  std::uint64_t from = 0, to = last;
  const std::string_view all = text;
  if (colon == std::string::npos || !text::parse_unsigned(all.substr(0, colon), from)) return std::nullopt;
  if (colon + 1 != text.size() && !text::parse_unsigned(all.substr(colon + 1), to)) return std::nullopt;
  return std::pair(from, to);
}

std::string kernel_name(const fs::path& file) {
  OperandOptions header_only;
  header_only.use_sidecar = false;
  return KernelReader(file, header_only).header().name;
}

}  // namespace

void keep_kernels(TraceProgram& program, const std::string& text) {
  const std::uint64_t all = program.kernels.size();
  std::uint64_t number = 0;
  if (text::parse_unsigned(text, number)) return keep_kernel(program, number);
  std::vector<fs::path> kept;
  const std::string of_all = " of " + std::to_string(all);
  if (const auto range = range_of(text, all)) {
    const auto [from, to] = *range;
    if (from < 1 || from > to || to > all)
      throw TraceError(program.folder.string() + ": no kernels " + text + "; expected FIRST:LAST of 1 to " +
                       std::to_string(all));
    kept.assign(program.kernels.begin() + static_cast<std::ptrdiff_t>(from - 1),
                program.kernels.begin() + static_cast<std::ptrdiff_t>(to));
    program.selection = "kernels " + std::to_string(from) + " to " + std::to_string(to) + of_all;
    program.selection_name = "kernels=" + std::to_string(from) + "-" + std::to_string(to);
  } else {
    std::map<fs::path, std::string> names;  // by path, because a list may name a file several times
    for (const fs::path& kernel : program.kernels) {
      const auto [name, is_new] = names.try_emplace(kernel);
      if (is_new) name->second = kernel_name(kernel);
      if (fnmatch(text.c_str(), name->second.c_str(), 0) == 0) kept.push_back(kernel);
    }
    if (kept.empty())
      throw TraceError(program.folder.string() + ": no kernel has the name " + subcore::quoted(text) +
                       "; expected a name such as " + names.begin()->second + ", or a part of one with *");
    program.selection = std::to_string(kept.size()) + of_all + " kernels, those called " + text;
    program.selection_name = "kernels=" + text;
    std::replace(program.selection_name.begin(), program.selection_name.end(), '/', '_');
  }
  program.kernels = std::move(kept);
}

void keep_ctas(TraceProgram& program, std::uint64_t first, std::uint64_t last) {
  program.parts.assign(program.kernels.size(), {first - 1, last, KernelPart::none, 0});
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  program.selection += (program.selection.empty() ? "" : ", ") + ("CTAs " + range + " of each kernel");
  program.selection_name += (program.selection_name.empty() ? "" : ",") + ("ctas=" + std::to_string(first)) +
                            "-" + std::to_string(last);
}

std::uint32_t binary_version_of(const TraceProgram& program) {
  OperandOptions header_only;
  header_only.use_sidecar = false;
  // A pipe can be read only once.
  std::error_code error;
  if (program.kernels.empty() || !fs::is_regular_file(program.kernels.front(), error)) return 0;
  try {
    return KernelReader(program.kernels.front(), header_only).header().binary_version;
  } catch (const TraceError&) {
    return 0;  // the reader of the kernel reports the error
  }
}

}  // namespace subcore
