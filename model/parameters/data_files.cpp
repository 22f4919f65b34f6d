#include "model/parameters/data_files.h"

#include <cstdlib>
#include <set>

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

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
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
  for (const fs::path& root : roots()) {
    const fs::path folder = root / kind;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      if (entry->path().extension() != ".yaml" || !is_file(entry->path())) continue;
      fs::path name = entry->path().lexically_relative(folder);
      names.insert(name.replace_extension().generic_string());
    }
  }
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
