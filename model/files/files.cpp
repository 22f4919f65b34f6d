#include "model/files/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace subcore {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_of_device = std::size_t{256} << 20;

bool names_nothing(int reason) {
  return reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG;
}

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw std::runtime_error(path.string() + ": cannot be read: " + reason);
}

fs::file_type type_of(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type != fs::file_type::none && type != fs::file_type::unknown) return type;
  if (names_nothing(error.value())) return fs::file_type::not_found;
  fail(path, error.message());
}

class OpenFile {
 public:
  explicit OpenFile(const fs::path& file) : number_(open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (number_ >= 0) close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

bool is_there(const fs::path& path) {
  return type_of(path) != fs::file_type::not_found;
}

bool is_file(const fs::path& path) {
  const fs::file_type type = type_of(path);
  return type != fs::file_type::not_found && type != fs::file_type::directory;
}

bool is_plain_file(const fs::path& path) {
  return type_of(path) == fs::file_type::regular;
}

bool is_folder(const fs::path& path) {
  return type_of(path) == fs::file_type::directory;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  try {  // the forms that do not throw end the program when they find no memory
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  } catch (const fs::filesystem_error& e) {
    if (names_nothing(e.code().value())) return {};
    fail(folder, e.code().message());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::optional<std::string> file_text(const fs::path& file) {
  const OpenFile in(file);
  if (in.number() < 0 && names_nothing(errno)) return std::nullopt;
  struct stat about {};
  if (in.number() < 0 || fstat(in.number(), &about) != 0) fail(file, std::strerror(errno));
  if (S_ISDIR(about.st_mode)) return std::nullopt;
  const bool is_regular = S_ISREG(about.st_mode);
  std::string text(is_regular ? static_cast<std::size_t>(about.st_size) + 1 : 1 << 16, '\0');
  std::size_t used = 0;
  for (;;) {
    if (used == text.size()) text.resize(2 * used);
    const ssize_t got = read(in.number(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(file, std::strerror(errno));
    used += static_cast<std::size_t>(got);
    if (got == 0) break;
    if (!is_regular && used > longest_of_device)
      fail(file, "it has no end, or more than 256 MiB; expected a file, or less");
  }
  text.resize(used);
  return text;
}

bool remove_file(const fs::path& path) {
  std::error_code error;
  const bool was_there = fs::remove(path, error);
  if (error && !names_nothing(error.value()))
    throw std::runtime_error(path.string() + ": cannot be removed: " + error.message());
  return was_there;
}

}  // namespace subcore
