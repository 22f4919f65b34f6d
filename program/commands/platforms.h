// Platforms for commands: those that come with the program, and those that can be put together.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "subcore/platforms/config/platform.h"

namespace subcore {

struct ShippedFile {
  std::string name, description;  // the word for --platform or --gpu; the file's `description`
  std::string file;
};

// Files that are whole. A file that is only there to extend another with has neither a key name nor a key
// machine.
std::vector<ShippedFile> shipped_systems();
std::vector<ShippedFile> shipped_machines();

// Throws UsageError, in one line that begins with the file, if C++ has to bind a memory or SystemC has no
// such clock.
void require_whole(const std::filesystem::path& file, const PlatformParameters& platform);

}  // namespace subcore
