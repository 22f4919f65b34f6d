// Output files that appear whole or not at all: they are written beside the target and renamed when complete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <string_view>

namespace subcore {

// Throws std::runtime_error (one line: path and reason) if the file cannot be written, and then leaves
// nothing behind.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

// Throws as write_whole_file() does, before there is anything to write. A long run is thus not lost to a
// mistyped path.
void require_writable(const std::filesystem::path& path);

// The name of a file beside its target is the target's name, then this mark, then numbers.
inline constexpr const char* aside_mark = ".partial-";

// Removes files, or folders with all their content, that killed writers of the target have left beside it. An
// unlocked file or folder has no living writer.
void remove_left_aside(const std::filesystem::path& target, bool are_folders);

// A file beside its target, under a name that no other writer uses. Its writer holds a lock on it. If another
// process can lock the file, the writer is dead, and remove_left_aside() removes the file. All functions
// throw std::system_error.
class FileAside {
 public:
  // Makes the file, empty. The target's folder must be there.
  explicit FileAside(const std::filesystem::path& target);
  // Removes the file, unless give_name() was called.
  ~FileAside();
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;

  // The file's path, for a writer that does not use write().
  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view content);
  // Reports errors that the file system has held back, such as a full disk.
  void flush();
  // Waits until the content is on the disk, so that a crash of the machine cannot leave the target without
  // content.
  void sync();
  // Renames the file to the target.
  void give_name(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  int number_ = -1;
};

}  // namespace subcore
