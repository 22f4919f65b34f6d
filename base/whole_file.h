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

}  // namespace subcore
