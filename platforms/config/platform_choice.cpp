#include "subcore/platforms/config/platform_choice.h"

#include <algorithm>

#include "subcore/base/config_error.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/model/parameters/data_files.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// The machines of an architecture: a whole GPU, and one SM of it.
struct MachineLine {
  unsigned architecture;
  const char *gpu, *sm;
};
constexpr MachineLine machines[] = {
    {70, "v100", default_machine},  {75, "rtx2060", default_machine}, {80, "a100", "a100_sm"},
    {86, "rtx3070", "rtx3070_sm"},  {89, "rtx4090", "rtx4090_sm"},    {90, "h100", "h100_sm"},
    {120, "rtx5090", "rtx5090_sm"},
};

bool is_machine(const std::string& name, const fs::path& base) {
  return name == machine_of_trace || is_file(base / name) || find_shipped("platforms/gpus", name);
}

// The place of the slash between machine and system in MACHINE/SYSTEM: the first slash behind a machine. If
// there is none, the last slash, as long as the name of a machine is similar to what stands before it; else
// none.
std::size_t slash_behind_machine(const std::string& name, const fs::path& base) {
  for (std::size_t at = name.find('/', 1); at != std::string::npos; at = name.find('/', at + 1))
    if (is_machine(name.substr(0, at), base)) return at;
  const std::size_t last = name.rfind('/');
  const bool is_near = last != std::string::npos && last != 0 &&
                       !did_you_mean(name.substr(0, last), shipped_names("platforms/gpus")).empty();
  return is_near ? last : std::string::npos;
}

}  // namespace

std::string PlatformChoice::text() const {
  return machine.empty() ? file.string() : file.string() + " on " + machine.string();
}

std::string name_now(const std::string& name) {
  std::string now;
  if (name == "rtx2060_nvidia") now = "rtx2060_third/nvidia_turing";
  if (name == "socgpu_v100") now = "v100/socgpu";
  for (const auto& [before, after] : {std::pair{"rtx2060_", "rtx2060_third/"}, std::pair{"v100_", "v100/"}})
    if (const std::string prefix = before; name.compare(0, prefix.size(), prefix) == 0)
      if (const std::string system = name.substr(prefix.size()); find_shipped("platforms", system))
        now = after + system;
  return now;
}

fs::path find_machine(const std::string& name, const fs::path& base) {
  if (!is_machine(name, base) && find_shipped("platforms", name))
    throw ConfigError("'" + name +
                      "': is a register system; expected a machine (subcore platforms lists both)");
  if (name == machine_of_trace && !is_file(base / name)) return name;
  return find_data("platforms/gpus", name, base);
}

PlatformChoice on_machine_of(const PlatformChoice& choice, unsigned binary_version) {
  const bool whole_gpu = choice.machine == machine_of_trace;
  if (!whole_gpu && !choice.machine.empty()) return choice;
  const MachineLine* line = &machines[binary_version == 0 ? 1 : 0];
  for (const MachineLine& m : machines)
    if (m.architecture <= binary_version) line = &m;
  PlatformChoice on = choice;
  if (whole_gpu) {
    on.machine = find_machine(line->gpu);
  } else if (std::string(line->sm) != default_machine) {
    on.machine = find_machine(line->sm);
    on.by_trace = true;
  }
  return on;
}

PlatformChoice find_platform(const std::string& name, const std::string& gpu, const fs::path& base) {
  const bool is_system = is_file(base / name) || find_shipped("platforms", name);
  if (!is_system && find_shipped("platforms/gpus", name))
    throw ConfigError("'" + name + "': is a machine; expected a register system, or one on it as " + name +
                      "/SYSTEM (subcore platforms lists both)");
  const std::size_t slash = is_system ? std::string::npos : slash_behind_machine(name, base);
  if (slash == std::string::npos) {
    if (const std::string now = is_system ? "" : name_now(name); !now.empty())
      throw ConfigError("'" + name + "': is called '" + now + "' now; expected the new name");
    return {find_data("platforms", name, base), gpu.empty() ? fs::path() : find_machine(gpu, base)};
  }
  const std::string system = name.substr(slash + 1);
  if (system.empty())
    throw ConfigError("'" + name + "': does not name a register system; expected " + name + "SYSTEM");
  const fs::path machine = find_machine(name.substr(0, slash), base);
  if (!gpu.empty() && !fs::equivalent(find_machine(gpu, base), machine))
    throw ConfigError("'" + name + "': names a machine, and '" + gpu + "' is another; expected one of them");
  return {find_data("platforms", system, base), machine};
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
