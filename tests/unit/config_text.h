// Platform files written on the spot, and the message of the error they cause.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <stdlib.h>  // mkdtemp

#include "model/config/reader.h"

namespace subcore::test {

// A fresh folder below the temporary directory, removed with its content.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "subcore-test-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "(no error)";
}

// The message with the folder's name taken out, so that it starts with the file's own name.
inline std::string load_error(const TemporaryFolder& folder, const std::filesystem::path& file,
                              const std::vector<std::string>& overrides = {}) {
  std::string message = error_of([&] { load_platform(file, overrides); });
  const std::string prefix = folder.path().string() + '/';
  for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
  CHECK(message.find('\n') == std::string::npos);
  return message;
}

}  // namespace subcore::test
