#include "model/parameters/data_files.h"

#include <cstdlib>
#include <set>

#include "model/files/files.h"
#include "model/parameters/parameter.h"
#include "model/parameters/spelling.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

// In order of preference.
std::vector<fs::path> roots() {
  std::vector<fs::path> list;
  const char* data = std::getenv("SUBCORE_DATA");
  if (data != nullptr && *data != '\0') list.emplace_back(data);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) list.push_back((program.parent_path() / "../share/subcore").lexically_normal());
  for (const std::string_view root : {SUBCORE_DATA_INSTALLED, SUBCORE_DATA_SOURCE})
    if (!root.empty()) list.emplace_back(root);
  return list;
}

// Of the data files of a folder, and of those below it; nothing if there is no folder.
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

}  // namespace

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
  const std::vector<std::string> available = shipped_names(kind);
  const fs::path stem =
      fs::path(name).extension() == ".yaml" ? fs::path(name).replace_extension() : fs::path(name);
  std::string hint = did_you_mean(stem.string(), available);
  if (hint.empty()) hint = did_you_mean_file(base / name);
  std::string message = "'" + name + "': no such file and nothing of that name among the shipped " +
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
