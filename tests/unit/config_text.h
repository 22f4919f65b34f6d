// Platform files written on the spot, and the message of the error they cause.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/platforms/config/reader.h"
#include "tests/unit/trace_files.h"

namespace subcore::test {

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "(no error)";
}

// The message without the folder's name, so that it starts with the file's own name.
inline std::string load_error(const TemporaryFolder& folder, const std::filesystem::path& file,
                              const std::vector<std::string>& overrides = {}) {
  std::string message = error_of([&] { load_platform(file, overrides); });
  const std::string prefix = folder.path().string() + '/';
  for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
  CHECK(message.find('\n') == std::string::npos);
  return message;
}

}  // namespace subcore::test
