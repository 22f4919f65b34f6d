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

}  // namespace subcore
