#include "subcore/platforms/config/platform_choice.h"

#include <algorithm>

#include "subcore/base/config_error.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/model/parameters/data_files.h"

namespace fs = std::filesystem;

namespace subcore {

std::string PlatformChoice::text() const {
  return machine.empty() ? file.string() : file.string() + " on " + machine.string();
}

fs::path find_machine(const std::string& name, const fs::path& base) {
  if (!is_file(base / name) && !find_shipped("platforms/gpus", name) && find_shipped("platforms", name))
    throw ConfigError("'" + name +
                      "': is a register system; expected a machine (subcore platforms lists both)");
  return find_data("platforms/gpus", name, base);
}

PlatformChoice find_platform(const std::string& name, const std::string& gpu, const fs::path& base) {
  const bool is_system = is_file(base / name) || find_shipped("platforms", name);
  if (!is_system && find_shipped("platforms/gpus", name))
    throw ConfigError("'" + name + "': is a machine; expected a register system, or one on it as " + name +
                      "/SYSTEM (subcore platforms lists both)");
  const std::size_t slash = name.rfind('/');
  const std::string machine = slash == std::string::npos ? "" : name.substr(0, slash);
  const auto names_machine = [&] {
    return is_file(base / machine) || find_shipped("platforms/gpus", machine) ||
           !did_you_mean(machine, shipped_names("platforms/gpus")).empty();
  };
  if (is_system || machine.empty() || !names_machine())
    return {find_data("platforms", name, base), gpu.empty() ? fs::path() : find_machine(gpu, base)};
  if (!gpu.empty())
    throw ConfigError("'" + name + "': names a machine, and '" + gpu + "' is another; expected one of them");
  return {find_data("platforms", name.substr(slash + 1), base), find_machine(machine, base)};
}

std::vector<PlatformChoice> find_platforms(const std::vector<std::string>& platforms,
                                           const std::vector<std::string>& gpus, const fs::path& base) {
  std::vector<PlatformChoice> all;
  for (const std::string& gpu : gpus.empty() ? std::vector<std::string>{""} : gpus)
    for (const std::string& p : platforms) all.push_back(find_platform(p, gpu, base));
  return all;
}

std::vector<PlatformChoice> on_each(const std::vector<PlatformChoice>& platforms,
                                    const std::vector<std::string>& gpus) {
  std::vector<PlatformChoice> all;
  for (const std::string& gpu : gpus)
    for (const PlatformChoice& p : platforms)
      if (PlatformChoice on{p.file, find_machine(gpu)};
          std::none_of(all.begin(), all.end(),
                       [&](const PlatformChoice& a) { return a.file == on.file && a.machine == on.machine; }))
        all.push_back(std::move(on));
  return all;
}

}  // namespace subcore
