// Functions that tell what is at a path, and in a file, and whether a file is missing or cannot be looked at.
// A file that failed to open does not count as missing.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace subcore {

// Each function here throws std::runtime_error (one line: path and reason) when it cannot tell: without
// permission, without a free file descriptor, or when the disk fails. Nothing is at a path that leads through
// a file, or that is too long.

// Whether anything is at the path, a folder included.
bool is_there(const std::filesystem::path& path);
// Whether anything but a folder is there: a file, a pipe, a device.
bool is_file(const std::filesystem::path& path);
// Whether a file is there that can be read from end to end, so no pipe and no device.
bool is_plain_file(const std::filesystem::path& path);
// Whether a folder is there.
bool is_folder(const std::filesystem::path& path);
// The entries of a folder, in the order of their names; none if there is no folder.
std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder);
// The content of a file, or nothing if no file is there. A pipe or a device may hold 256 MiB at most, because
// some devices never end.
std::optional<std::string> file_text(const std::filesystem::path& file);
// Removes a file or an empty folder. False if it is not there.
bool remove_file(const std::filesystem::path& path);

}  // namespace subcore
