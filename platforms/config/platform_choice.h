// The files that a platform's name means: a register system ("bow"), or a register system on a machine
// ("v100/bow").
#pragma once

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace subcore {

// A register system, and its machine.
struct PlatformChoice {
  PlatformChoice(std::filesystem::path system, std::filesystem::path on = {})
      : file(std::move(system)), machine(std::move(on)) {}
  PlatformChoice(const std::string& system) : file(system) {}
  PlatformChoice(const char* system) : file(system) {}

  std::filesystem::path file;     // the file of the register system, or of a whole platform
  std::filesystem::path machine;  // empty: the default machine, or the whole platform's own
  // The trace chose `machine`, and no user named one. The machine is then not in the platform's name, and a
  // whole platform keeps its own.
  bool by_trace = false;

  bool operator<(const PlatformChoice& other) const {
    return std::tie(file, machine, by_trace) < std::tie(other.file, other.machine, other.by_trace);
  }
  // The files, for messages: "bow.yaml on v100.yaml".
  std::string text() const;
};

// The machine of a platform that names none.
inline constexpr const char* default_machine = "rtx2060_sm";

// The name that stands for the machine of each trace's architecture.
inline constexpr const char* machine_of_trace = "auto";

// The file of a machine, which is named by a path from `base` or by its name in platforms/gpus. Throws
// ConfigError.
std::filesystem::path find_machine(const std::string& name, const std::filesystem::path& base = {});

// The present name of a platform that had the name `name` in version 0.2.0; empty if there was no such
// platform.
std::string name_now(const std::string& name);

// The platform called `name`: a path from `base`, a name in platforms/, or MACHINE/SYSTEM, which are two such
// paths or names. The machine ends at the first slash behind a machine. `gpu` is the machine, unless `gpu` is
// empty or `name` has a machine. Throws ConfigError.
PlatformChoice find_platform(const std::string& name, const std::string& gpu = {},
                             const std::filesystem::path& base = {});

// The platform on the machine that goes with code of a binary version (0: not known). If the machine is
// machine_of_trace, this is the GPU of that architecture. If the platform names no machine, this is one SM of
// that GPU, and default_machine below version 80. Every other platform stays as it is.
PlatformChoice on_machine_of(const PlatformChoice& choice, unsigned binary_version);

// Every platform on every machine; without machines, `platforms` alone. Throws ConfigError.
std::vector<PlatformChoice> find_platforms(const std::vector<std::string>& platforms,
                                           const std::vector<std::string>& gpus,
                                           const std::filesystem::path& base = {});
// The register systems of these platforms, on each of the machines instead of their own. Throws ConfigError.
std::vector<PlatformChoice> on_each(const std::vector<PlatformChoice>& platforms,
                                    const std::vector<std::string>& gpus);

}  // namespace subcore
