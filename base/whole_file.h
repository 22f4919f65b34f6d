// Output files appear whole or not at all: written beside the target, renamed when complete.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <string_view>

namespace subcore {

// Throws std::runtime_error (one line: path and reason) and leaves nothing behind when it cannot.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

// Complains as write_whole_file() does before there is anything to write, so that a long run is not lost to a
// mistyped path.
void require_writable(const std::filesystem::path& path);

// What is written beside a target has this behind the target's name, and numbers behind that.
inline constexpr const char* aside_mark = ".partial-";

// Removes the files, or the folders with all that is in them, that writers of the target have left beside it
// when they were killed: those that nobody has locked.
void remove_left_aside(const std::filesystem::path& target, bool are_folders);

// A file beside its target, under a name that no other writer uses. Its writer holds a lock on it, so whoever
// can lock such a file knows that its writer is dead: remove_left_aside() removes it. All functions throw
// std::system_error.
class FileAside {
 public:
  // Makes the file, empty. The target's folder must be there.
  explicit FileAside(const std::filesystem::path& target);
  // Removes the file, unless give_name() was called.
  ~FileAside();
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;

  // Where it is: who writes it in another way than by write() opens it there.
  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view content);
  // Reports what the file system has not said yet, such as that a disk is full.
  void flush();
  // Waits until the content is on the disk, so that no crash of the machine leaves the target without it.
  void sync();
  // Renames it to the target.
  void give_name(const std::filesystem::path& target);

 private:
  std::filesystem::path path_;
  int number_ = -1;
};

}  // namespace subcore
