// ViewFile: a waveform or pipeline view. The process that runs the model writes it beside its target. The
// program moves the file to the target when all runs have succeeded, because the process may be killed before
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

  // The file's final path, and its path until the move.
  const std::filesystem::path& target() const { return files_.front().target; }
  const std::filesystem::path& aside() const { return files_.front().aside; }
  // Adds another file of the same view. Its name aside begins with that of the first file.
  void add(const std::filesystem::path& asked, const std::filesystem::path& aside);
  // Whether the file is there. A run that has failed may have left one if it was asked for the cycles around
  // a failure.
  bool is_there() const;
  void publish();
  // Publishes the view that a failed run has left, under partial_name() of the target. The view may be whole,
  // end at the failure or, if the run was killed, end anywhere. Returns the name; empty if the run has left
  // nothing.
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
