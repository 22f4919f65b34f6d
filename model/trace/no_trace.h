// What somebody gave for a trace that is none, and what there is near it that may have been meant.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The file that makes a folder a trace.
inline constexpr const char* list_name = "kernelslist.g";

// Those in and below a folder, sorted.
std::vector<std::filesystem::path> lists_below(const std::filesystem::path& folder);
// The first few of them in words: "a, b, c and 2 more".
std::string some_of(const std::vector<std::filesystem::path>& files);

// A file of Accel-Sim's tracer whose instructions are in the order in which they ran, warps mixed (.trace).
bool is_raw_trace(std::string_view file_name);
// What is expected instead of such a file.
inline constexpr const char* post_processed =
    "the .traceg files and kernelslist.g that Accel-Sim's post-traces-processing makes of raw traces";

// Whether the file is one of Accel-Sim's newer tracers, which is packed.
bool is_tracez(std::string_view file_name);
// What is expected instead of such a file.
inline constexpr const char* unpacked_tracez =
    "the .traceg files and kernelslist.g that Accel-Sim's traceDsm makes of .tracez";

// The name of the file in the same folder that holds the same kernel: compressed, unpacked, packed or raw;
// empty if there is none.
std::string other_form_of(const std::filesystem::path& kernel);

// Each throws TraceError. A folder without a kernel list in it or below; a file that lists no kernel; a path
// where nothing is.
[[noreturn]] void refuse_folder(const std::filesystem::path& folder);
// See refuse_folder().
[[noreturn]] void refuse_file(const std::filesystem::path& file);
// See refuse_folder().
[[noreturn]] void refuse_missing(const std::filesystem::path& path);

}  // namespace subcore
