// Errors for a path that is no trace. The errors name traces near it that may have been meant.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The file that makes a folder a trace.
inline constexpr const char* list_name = "kernelslist.g";

// The kernel lists in and below a folder, sorted.
std::vector<std::filesystem::path> lists_below(const std::filesystem::path& folder);
// The first few of the files in words: "a, b, c and 2 more".
std::string some_of(const std::vector<std::filesystem::path>& files);

// Whether the name is that of a raw trace (.trace) of Accel-Sim's tracer, in which instructions stand in the
// order in which they ran, with warps mixed.
bool is_raw_trace(std::string_view file_name);
// The files that are expected instead of a raw trace.
inline constexpr const char* post_processed =
    "the .traceg files and kernelslist.g that Accel-Sim's post-traces-processing makes of raw traces";

// Whether the name is that of a kernel's trace: *.traceg, plain, compressed or packed, or *.tracez.
bool names_kernel(std::string_view file_name);
// Whether the name is that of a .tracez file that has been compressed again.
bool is_compressed_tracez(std::string_view file_name);
// The file that is expected instead, because its warps may lie anywhere in it.
inline constexpr const char* plain_tracez = "the .tracez file itself, which is compressed already";

// The name of the file in the same folder that holds the same kernel in another form: compressed, unpacked,
// packed or raw. Empty if there is none.
std::string other_form_of(const std::filesystem::path& kernel);

// Throws TraceError for a folder without a kernel list in it or below.
[[noreturn]] void refuse_folder(const std::filesystem::path& folder);
// Throws TraceError for a file that lists no kernel.
[[noreturn]] void refuse_file(const std::filesystem::path& file);
// Throws TraceError for a path that does not exist.
[[noreturn]] void refuse_missing(const std::filesystem::path& path);

// Words for what stands in place of a file: " is a folder", " is no regular file", " is a link that leads
// nowhere". Empty for a regular file, or for nothing.
std::string what_is_there(const std::filesystem::path& file);

}  // namespace subcore
