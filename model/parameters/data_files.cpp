#include "subcore/model/parameters/data_files.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "subcore/base/config_error.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

// The folder that SUBCORE_DATA names; empty if it is not set.
fs::path root_of_user() {
  const char* const data = std::getenv("SUBCORE_DATA");
  if (data == nullptr || *data == '\0') return {};
  const fs::path root = data;
  const auto refuse = [&](const std::string& problem) {
    throw ConfigError("SUBCORE_DATA=" + root.string() + ": " + problem +
                      "; expected a folder with platforms or power/tables in it, or no SUBCORE_DATA");
  };
  std::error_code error;
  const fs::file_status status = fs::status(root, error);
  if (!fs::exists(status)) refuse(fs::status_known(status) ? "no such folder" : error.message());
  if (!fs::is_directory(status)) refuse("is not a folder");
  if (!fs::is_directory(root / "platforms", error) && !fs::is_directory(root / "power/tables", error))
    refuse("has neither platforms nor power/tables");
  return root;
}

// The folders to search, in order of preference.
std::vector<fs::path> roots() {
  std::vector<fs::path> list;
  if (const fs::path data = root_of_user(); !data.empty()) list.push_back(data);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) list.push_back((program.parent_path() / "../share/subcore").lexically_normal());
  for (const std::string_view root : {SUBCORE_DATA_INSTALLED, SUBCORE_DATA_SOURCE})
    if (!root.empty()) list.emplace_back(root);
  return list;
}

// Adds the names of the data files in `folder` and below it. Adds none if there is no such folder.
void add_names(const fs::path& root, const fs::path& folder, std::set<std::string>& names) {
  for (const fs::path& entry : entries_of(folder)) {
    if (is_folder(entry)) {
      add_names(root, entry, names);
    } else if (entry.extension() == ".yaml" && is_file(entry)) {
      fs::path name = entry.lexically_relative(root);
      names.insert(name.replace_extension().generic_string());
    }
  }
}

// Files in subfolders of a kind's folder are meant to be extended.
bool is_fragment(const std::string& name) {
  return name.find('/') != std::string::npos;
}

}  // namespace

void check_data_folder() {
  root_of_user();
}

std::optional<fs::path> find_shipped(std::string_view kind, const std::string& name) {
  if (name.empty() || fs::path(name).is_absolute()) return std::nullopt;
  for (const fs::path& root : roots())
    for (const char* extension : {"", ".yaml"})
      if (const fs::path candidate = root / kind / (name + extension); is_file(candidate)) return candidate;
  return std::nullopt;
}

std::vector<std::string> shipped_names(std::string_view kind) {
  std::set<std::string> names;
  for (const fs::path& root : roots()) add_names(root / kind, root / kind, names);
  return {names.begin(), names.end()};
}

fs::path find_data(std::string_view kind, const std::string& name, const fs::path& base) {
  if (!name.empty() && is_file(base / name)) return base / name;
  if (const auto shipped = find_shipped(kind, name)) return *shipped;
  std::vector<std::string> available = shipped_names(kind);
  const fs::path stem =
      fs::path(name).extension() == ".yaml" ? fs::path(name).replace_extension() : fs::path(name);
  std::string hint = did_you_mean(stem.string(), available);
  available.erase(std::remove_if(available.begin(), available.end(), is_fragment), available.end());
  if (hint.empty()) hint = did_you_mean_file(base / name);
  std::error_code ignored;
  const char* const there = fs::is_directory(base / name, ignored) ? "a directory" : "no such file";
  std::string message = "'" + name + "': " + there + " and nothing of that name among the shipped " +
                        std::string(kind) + ";" + hint + " looked in ";
  bool first = true;
  for (const fs::path& root : roots()) {
    message += (first ? "" : ", ") + (root / kind).string();
    first = false;
  }
  message += "; expected a path or one of ";
  for (std::size_t i = 0; i < available.size(); ++i) message += (i > 0 ? ", " : "") + available[i];
  throw ConfigError(message);
}

}  // namespace subcore
