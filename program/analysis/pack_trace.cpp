#include "subcore/program/analysis/pack_trace.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "subcore/base/new_folder.h"
#include "subcore/base/whole_file.h"
#include "subcore/model/trace/pack.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/model/trace/tracez_text.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// A kernel's path below the trace's folder, with the ending of packed kernels.
fs::path packed_name(const TraceProgram& program, const fs::path& kernel) {
  fs::path name = kernel.lexically_relative(program.folder);
  if (program.folder.empty()) name = kernel;
  if (name.empty() || name.is_absolute() || *name.begin() == "..")
    throw TraceError(kernel.string() + ": cannot be packed; expected a file in the trace's folder " +
                     program.folder.string());
  for (const char* suffix : {".packed", ".xz", ".gz"})
    if (name.extension() == suffix) name.replace_extension();
  if (is_tracez(name)) name.replace_extension(".traceg");
  return name += ".packed";
}

}  // namespace

PackedTrace pack_trace(const TraceProgram& program, const fs::path& folder,
                       const std::function<void(double)>& progress) {
  std::map<fs::path, fs::path> files;  // packed name -> kernel
  std::string list;
  PackedTrace result;
  for (const std::string& command : program.skipped_commands) list += command + '\n';
  for (const fs::path& kernel : program.kernels) {
    const fs::path name = packed_name(program, kernel);
    list += name.string() + '\n';
    const auto [other, is_new] = files.emplace(name, kernel);
    if (!is_new && other->second != kernel)
      throw TraceError(kernel.string() + ": would be packed under the same name as " +
                       other->second.string() + "; expected kernels with different names");
    if (is_new) result.bytes_before += fs::file_size(kernel);
  }
  result.kernels = program.kernels.size();
  const double total = static_cast<double>(std::max<std::uint64_t>(result.bytes_before, 1));
  NewFolder made(folder);
  std::uint64_t done = 0;
  for (const auto& [name, kernel] : files) {
    const auto bytes = static_cast<double>(fs::file_size(kernel));
    fs::create_directories((made.path() / name).parent_path());
    pack_kernel(kernel, made.path() / name, [&](double share) {
      if (progress) progress((static_cast<double>(done) + share * bytes) / total);
    });
    done += fs::file_size(kernel);
    result.bytes += fs::file_size(made.path() / name);
    if (const fs::path sidecar = find_sidecar(kernel); !sidecar.empty())
      result.bytes_before += fs::file_size(sidecar);
    if (progress) progress(static_cast<double>(done) / total);
  }
  write_whole_file(made.path() / "kernelslist.g", list);
  made.publish();
  return result;
}

}  // namespace subcore
