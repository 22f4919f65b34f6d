#include "subcore/base/files.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>

#include "subcore/base/input_file.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_of_device = std::size_t{256} << 20;

bool names_nothing(int reason) {
  return reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG;
}

[[noreturn]] void fail_reading(const fs::path& path, const std::string& reason, const char* expected) {
  throw std::runtime_error(path.string() + ": cannot be read: " + reason + "; expected " + expected);
}

fs::file_type type_of(const fs::path& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type != fs::file_type::none && type != fs::file_type::unknown) return type;
  if (names_nothing(error.value())) return fs::file_type::not_found;
  fail_reading(path, error.message(), "a path that can be looked at");
}

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
  try {  // without exceptions these functions would end the program when memory runs out
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  } catch (const fs::filesystem_error& e) {
    if (names_nothing(e.code().value())) return {};
    fail_reading(folder, e.code().message(), "a readable folder");
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::optional<std::string> file_text(const fs::path& file) {
  const fs::file_type type = type_of(file);
  if (type == fs::file_type::not_found || type == fs::file_type::directory) return std::nullopt;
  const std::size_t most = type == fs::file_type::regular ? std::string::npos : longest_of_device;
  try {
    std::string text = read_input(file, most);
    if (text.size() > most)
      fail_reading(file, "the content has no end, or more than 256 MiB", "a regular file of at most 256 MiB");
    return text;
  } catch (const InputError& e) {
    if (e.is_missing()) return std::nullopt;  // the file has been removed meanwhile
    fail_reading(file, e.what(), "a readable file");
  }
}

bool remove_file(const fs::path& path) {
  std::error_code error;
  const bool was_there = fs::remove(path, error);
  if (error && !names_nothing(error.value()))
    throw std::runtime_error(path.string() + ": cannot be removed: " + error.message());
  return was_there;
}

}  // namespace subcore
