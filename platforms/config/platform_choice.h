// The files that a user means by a platform's name: a register system ("bow"), on a machine ("v100/bow").
#pragma once

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace subcore {

// A register system and the machine that it is on.
struct PlatformChoice {
  PlatformChoice(std::filesystem::path system, std::filesystem::path on = {})
      : file(std::move(system)), machine(std::move(on)) {}
  PlatformChoice(const std::string& system) : file(system) {}
  PlatformChoice(const char* system) : file(system) {}

  std::filesystem::path file;     // the register system's file, or a whole platform's
  std::filesystem::path machine;  // empty: the default machine, or the whole platform's own
  // Whoever chose the platform named no machine: `machine` is not in its name, and a whole platform has its own.
  bool by_trace = false;

  bool operator<(const PlatformChoice& other) const {
    return std::tie(file, machine, by_trace) < std::tie(other.file, other.machine, other.by_trace);
  }
  // The files for messages: "bow.yaml on v100.yaml".
  std::string text() const;
};

// The machine where none is named.
inline constexpr const char* default_machine = "rtx2060_sm";

// The machine's name that stands for that of each trace's architecture.
inline constexpr const char* machine_of_trace = "auto";

// The file of a machine: a path from `base`, or a name of platforms/gpus. Throws ConfigError.
std::filesystem::path find_machine(const std::string& name, const std::filesystem::path& base = {});

// The present name of a platform that had the name in version 0.2.0; empty if there was none.
std::string name_now(const std::string& name);

// The platform called `name`: a path from `base`, a name of platforms/, or MACHINE/SYSTEM, two such paths or
// names: the machine ends at the first slash behind one. `gpu` is the machine, unless it is empty or `name`
// has one. Throws ConfigError.
PlatformChoice find_platform(const std::string& name, const std::string& gpu = {},
                             const std::filesystem::path& base = {});

// The platform on the machine of code for a binary version (0 = nobody says which): where it is to be on
// machine_of_trace on the GPU of that architecture, where no machine is named on one SM of it. The latter is
// default_machine below version 80. Every other platform stays as it is.
PlatformChoice on_machine_of(const PlatformChoice& choice, unsigned binary_version);

// Every platform on every machine; `platforms` alone without machines. Throws ConfigError.
std::vector<PlatformChoice> find_platforms(const std::vector<std::string>& platforms,
                                           const std::vector<std::string>& gpus,
                                           const std::filesystem::path& base = {});
// The same systems on each of the machines instead of their own. Throws ConfigError.
std::vector<PlatformChoice> on_each(const std::vector<PlatformChoice>& platforms,
                                    const std::vector<std::string>& gpus);

}  // namespace subcore
