// ViewFile: a waveform or pipeline view is written beside its target by the process that runs the model, and
// moved there when all runs have succeeded. The program moves it, because that process may be killed before
// it can clean up.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "subcore/program/runs/lock_file.h"

namespace subcore {

class ViewFile {
 public:
  explicit ViewFile(const std::filesystem::path& asked);
  ~ViewFile();
  ViewFile(const ViewFile&) = delete;
  ViewFile& operator=(const ViewFile&) = delete;

  // The file's final path, and its path until then.
  const std::filesystem::path& target() const { return files_.front().target; }
  const std::filesystem::path& aside() const { return files_.front().aside; }
  // Adds another file that comes with it; the name aside begins with that of the first.
  void add(const std::filesystem::path& asked, const std::filesystem::path& aside);
  // A run that has failed may have left one all the same: it was asked for the cycles around a failure.
  bool is_there() const;
  void publish();
  // Publishes the view up to the failure that a failed run has left, or a whole view, if it has left that,
  // under partial_name() of the target; of a run that was killed, what it has written. Returns that name;
  // empty if the run has left nothing.
  std::filesystem::path publish_partial(bool was_killed);

 private:
  struct File {
    std::filesystem::path target, aside;
  };
  ViewFile(const std::filesystem::path& asked, const std::filesystem::path& target);
  void remove_parts();
  static void move(const std::filesystem::path& aside, const std::filesystem::path& target);

  std::vector<File> files_;
  std::unique_ptr<LockFile> lock_;
};

}  // namespace subcore
