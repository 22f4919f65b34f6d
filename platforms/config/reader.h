// Reads a platform file (YAML) and `--set` overrides into checked parameters, and writes parameters as YAML.
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
// overrides ("sub_core.collector.count=4", with blanks around key and value if one likes).
//
// Files that a file extends come before its own keys (`extends: other.yaml`, or a list, in order). Such files
// are beside the file, or else among the shipped platforms. A system extends no machine. A file with both
// `name` and `machine`, as resolved_yaml() writes it, is a whole platform, which takes no other machine.
//
// `name`, `machine` and `description` belong to a file and are not inherited: a file without `name` is called
// after itself. On a machine that was chosen the platform is called MACHINE/NAME. Adds the files that it has
// read to `files`.
//
// Throws ConfigError. If a file's own key, or an override, is not read in this platform, that is an error. If
// `unread` is given, such overrides are only added to it, because they may be meant for another platform.
PlatformParameters load_platform(const PlatformChoice& choice, const std::vector<std::string>& overrides = {},
                                 std::set<std::filesystem::path>* files = nullptr,
                                 std::set<std::string>* unread = nullptr);

// A platform file that is read once and then loaded with any sets of overrides.
class PlatformFile {
 public:
  // Reads the file and checks it as load_platform() does without overrides. Throws ConfigError.
  explicit PlatformFile(const PlatformChoice& choice);
  // The parameters that load_platform() returns for these overrides. Throws ConfigError.
  PlatformParameters with(const std::vector<std::string>& overrides,
                          std::set<std::string>* unread = nullptr) const;
  // The files that were read: this one, and the files that it extends.
  const std::set<std::filesystem::path>& files() const;
  // Whether the file has its own machine, and so is a whole platform.
  bool is_whole() const;

 private:
  class Content;
  std::shared_ptr<const Content> content_;
};

// Values that are each in their range but contradict each other.
std::vector<Contradiction> contradictions(const PlatformParameters& parameters);

// Checks platforms that are put together in C++. The first contradiction throws ConfigError, which names no
// line.
void validate(const PlatformParameters& parameters);

// The complete configuration as a platform file. The file loads to identical parameters.
std::string resolved_yaml(const PlatformParameters& parameters);

// Every parameter with key, default, unit, range or choices, and help, for `subcore parameters`. With
// `words`, only the parameters whose entries have all of the words, in small or capital letters. Throws
// ConfigError if no parameter has all words.
std::string parameters_text(const std::vector<std::string>& words = {});
// The parameters that parameters_text() selects, as JSON for programs.
std::string parameters_json(const std::vector<std::string>& words = {});

}  // namespace subcore
