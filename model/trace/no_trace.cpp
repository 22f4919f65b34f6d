#include "subcore/model/trace/no_trace.h"

#include <algorithm>

#include "subcore/base/file_kind.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/model/trace/compression.h"
#include "subcore/model/trace/trace.h"
#include "subcore/model/trace/trace_position.h"
#include "subcore/model/trace/tracez_text.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

// The files in and below a folder whose names `is` accepts, sorted. Looks at no more than `most_files` files,
// so that nobody waits long.
template <class Is>
std::vector<fs::path> found_below(const fs::path& folder, std::size_t most_files, Is is) {
  std::error_code error;
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error),
       end;
       !error && entry != end && most_files > 0; entry.increment(error), --most_files)
    if (is(entry->path().filename().string()) && entry->is_regular_file(error))
      found.push_back(entry->path());
  std::sort(found.begin(), found.end());
  return found;
}

constexpr std::size_t some_files = 10000;

}  // namespace

std::vector<fs::path> lists_below(const fs::path& folder) {
  std::vector<fs::path> lists;
  for (const fs::path& entry : entries_of(folder)) {
    if (entry.filename() == list_name && is_plain_file(entry)) {
      lists.push_back(entry);
    } else if (!fs::is_symlink(entry) && is_folder(entry)) {
      const std::vector<fs::path> below = lists_below(entry);
      lists.insert(lists.end(), below.begin(), below.end());
    }
  }
  std::sort(lists.begin(), lists.end());
  return lists;
}

std::string some_of(const std::vector<fs::path>& files) {
  constexpr std::size_t most = 3;
  std::string text;
  const std::size_t named = std::min(files.size(), most);
  for (std::size_t i = 0; i < named; ++i)
    text += (i == 0 ? "" : i + 1 == files.size() ? " and " : ", ") + files[i].string();
  return files.size() > most ? text + " and " + std::to_string(files.size() - most) + " more" : text;
}

bool is_raw_trace(std::string_view file_name) {
  return fs::path(without_compression(file_name)).extension() == ".trace";
}

bool names_kernel(std::string_view file_name) {
  return file_name.find(".traceg") != std::string_view::npos || is_tracez(file_name);
}

bool is_compressed_tracez(std::string_view file_name) {
  return !is_tracez(file_name) && is_tracez(without_compression(file_name));
}

std::string other_form_of(const fs::path& kernel) {
  const std::string name = kernel.filename().string();
  const std::size_t end = std::min(name.rfind(".traceg"), name.rfind(".tracez"));
  if (end == std::string::npos) return {};
  const std::string raw = name.substr(0, end) + ".trace", text = raw + "g", tracez = raw + "z";
  for (const std::string& base : {text, tracez, raw})
    for (const char* suffix : {"", ".xz", ".gz", ".zst", ".bz2", ".packed"}) {
      std::error_code error;
      if (base + suffix != name && fs::is_regular_file(kernel.parent_path() / (base + suffix), error))
        return base + suffix;
    }
  return {};
}

void refuse_folder(const fs::path& folder) {
  std::error_code error;
  const auto raw = found_below(folder, some_files, is_raw_trace);
  if (!raw.empty())
    throw TraceError(folder.string() + ": holds raw traces, " + some_of(raw) + "; expected " +
                     post_processed);
  const auto kernels = found_below(folder, some_files, names_kernel);
  if (!kernels.empty())
    throw TraceError(folder.string() + ": holds " + some_of(kernels) + ", but no " + list_name +
                     "; expected a list of the files to run, or one of them");
  const auto compressed = found_below(folder, some_files, is_compressed_tracez);
  if (!compressed.empty())
    throw TraceError(folder.string() + ": holds " + some_of(compressed) + "; expected " + plain_tracez);
  fs::directory_iterator(folder, error);
  throw TraceError(folder.string() +
                   (error ? ": cannot be read (" + error.message() + ")"
                          : std::string(": has no ") + list_name + ", nor has a folder below it") +
                   "; expected a folder with a " + list_name + ", or with such folders below it");
}

void refuse_file(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const auto lists =
      found_below(folder, some_files, [](const std::string& name) { return name == list_name; });
  throw TraceError(file.string() + ": does not name a trace file" + kind_words(file) +
                   "; expected a trace folder, a " + list_name + " or a trace file" +
                   (lists.empty() ? "" : " such as " + some_of(lists)));
}

std::string what_is_there(const fs::path& file) {
  if (is_folder(file)) return " is a folder";
  if (is_there(file)) return is_plain_file(file) ? "" : " is not a regular file";
  std::error_code error;
  return fs::is_symlink(file, error) ? " is a link to a missing file" : "";
}

void refuse_missing(const fs::path& path) {
  const std::string other = other_form_of(path);
  if (const std::string what = what_is_there(path); !what.empty())
    throw TraceError(path.string() + ":" + what + "; expected a trace folder, a " + list_name +
                     " or a trace file");
  throw TraceError(
      path.string() + ": cannot open" +
      (other.empty() ? ";" + did_you_mean_file(path) : ", but " + subcore::quoted(other) + " is there;") +
      " expected a trace folder, a " + list_name + " or a trace file");
}

}  // namespace subcore
