// From a platform file (YAML) and `--set` overrides to checked parameters, and back.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "subcore/model/parameters/checker.h"
#include "subcore/platforms/config/platform.h"
#include "subcore/platforms/config/platform_choice.h"

namespace subcore {

// Reads a platform: the machine's file (which has a key `machine`), then the register system's, then the
// overrides ("sub_core.collector.count=4", with blanks around key and value if one likes). What a file
// extends comes before its own keys (`extends: other.yaml` or a list, in order; beside the file, or else
// among the shipped platforms). A system extends no machine. A file with both `name` and `machine`, as
// resolved_yaml() writes it, is a whole platform, which takes no other machine. `name`, `machine` and
// `description` belong to a file and are not inherited: a file without `name` is called after itself. On a
// machine that was chosen the platform is called MACHINE/NAME. Adds the files that it has read to `files`.
// Throws ConfigError. A key of its own, or of an override, that nothing reads in this platform is an error;
// but overrides are only added to `unread`, if that is given: they may be meant for another platform.
PlatformParameters load_platform(const PlatformChoice& choice, const std::vector<std::string>& overrides = {},
                                 std::set<std::filesystem::path>* files = nullptr,
                                 std::set<std::string>* unread = nullptr);

// A platform file that is read once and can then be loaded with many sets of overrides.
class PlatformFile {
 public:
  // Reads the file, and checks it as load_platform() does without overrides. Throws ConfigError.
  explicit PlatformFile(const PlatformChoice& choice);
  // The parameters that load_platform() gives with these overrides. Throws ConfigError.
  PlatformParameters with(const std::vector<std::string>& overrides,
                          std::set<std::string>* unread = nullptr) const;
  // All files that were read: this one and those that it extends.
  const std::set<std::filesystem::path>& files() const;
  // The file has its own machine: it is a whole platform.
  bool is_whole() const;

 private:
  class Content;
  std::shared_ptr<const Content> content_;
};

// Values that are each in range but cannot stand together.
std::vector<Contradiction> contradictions(const PlatformParameters& parameters);

// For platforms put together in C++. Throws ConfigError (which names no line) on the first contradiction.
void validate(const PlatformParameters& parameters);

// The complete configuration as a platform file, which loads back to identical parameters.
std::string resolved_yaml(const PlatformParameters& parameters);

// Every parameter: key, default, unit, range or choices, help. For `subcore parameters`. With `words` only
// the parameters in whose entry each of the words is, in small or capital letters. Throws ConfigError if no
// parameter has them all.
std::string parameters_text(const std::vector<std::string>& words = {});
// The parameters as parameters_text() selects them, as JSON for programs.
std::string parameters_json(const std::vector<std::string>& words = {});

}  // namespace subcore
