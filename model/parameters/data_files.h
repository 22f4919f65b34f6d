// The places of the files that come with the program: platforms and energy tables.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace subcore {

// The file that a user means by `name`: a path, or the name of a shipped file with or without ".yaml". `kind`
// is "platforms" or "power/tables". The function looks for the file in this order:
// * as a path from `base` (empty: the working directory);
// * below the directory in the environment variable SUBCORE_DATA;
// * beside the installed program (../share/subcore);
// * where the library was configured to be installed;
// * in the source tree.
// Throws ConfigError that says where it looked and which names there are.
std::filesystem::path find_data(std::string_view kind, const std::string& name,
                                const std::filesystem::path& base = {});

// Throws ConfigError if SUBCORE_DATA names no folder of such files. The functions below throw the same when
// they use SUBCORE_DATA.
void check_data_folder();

// find_data() without its first step. Nothing if there is no such file.
std::optional<std::filesystem::path> find_shipped(std::string_view kind, const std::string& name);

// Names (without ".yaml") of the shipped files of a kind, sorted. A file in a subfolder has a name like
// "units/papers".
std::vector<std::string> shipped_names(std::string_view kind);

}  // namespace subcore
