#include "subcore/program/runs/view_file.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "subcore/base/files.h"
#include "subcore/observers/packed_file.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// The path of the file that is written. A link stays, and the file that it leads to is written.
fs::path regular(const fs::path& file) {
  if (fs::exists(file) && !fs::is_regular_file(file))  // a move would destroy a device
    throw std::runtime_error("cannot write " + file.string() +
                             ": the path is not a regular file; expected a new file name");
  return fs::is_symlink(file) ? fs::canonical(file) : file;
}

}  // namespace

ViewFile::ViewFile(const fs::path& asked) : ViewFile(asked, regular(asked)) {}

ViewFile::ViewFile(const fs::path& asked, const fs::path& target)
    : files_{{target, fs::path(target) += ".subcore-part"}},
      lock_(std::make_unique<LockFile>(fs::path(target) += ".subcore-lock", asked)) {
  remove_parts();  // a dead run may have left some
}

ViewFile::~ViewFile() {
  remove_parts();
}

void ViewFile::add(const fs::path& asked, const fs::path& aside) {
  files_.push_back({regular(asked), aside});
}

bool ViewFile::is_there() const {
  return std::all_of(files_.begin(), files_.end(), [](const File& f) { return fs::exists(f.aside); });
}

void ViewFile::publish() {
  for (auto f = files_.rbegin(); f != files_.rend(); ++f) move(f->aside, f->target);
}

fs::path ViewFile::publish_partial(bool was_killed) {
  fs::path last;
  for (auto f = files_.rbegin(); f != files_.rend(); ++f) {
    const auto is_left = [&](const fs::path& file) {
      std::error_code error;
      return fs::is_regular_file(file, error) && fs::file_size(file, error) != 0;
    };
    const fs::path partial = partial_aside(f->aside), written = PackedFile::temporary(f->aside);
    last = is_left(partial)                 ? partial
           : is_left(f->aside)              ? f->aside
           : was_killed && is_left(written) ? written
                                            : fs::path();
    if (last.empty()) continue;
    move(last, partial_name(f->target));
    last = partial_name(f->target);
  }
  return last;
}

void ViewFile::move(const fs::path& aside, const fs::path& target) {
  std::error_code error;
  fs::rename(aside, target, error);
  if (error) throw std::runtime_error("cannot write " + target.string() + ": " + error.message());
}

// Also removes files that a killed process left aside while it wrote.
void ViewFile::remove_parts() {
  const fs::path first = files_.front().aside;
  const std::string begin = first.filename().string();
  try {
    for (const fs::path& file : entries_of(fs::absolute(first).parent_path()))
      if (file.filename().string().compare(0, begin.size(), begin) == 0) remove_file(file);
  } catch (const std::exception&) {
    // The next run that writes there removes the files.
  }
}

}  // namespace subcore
