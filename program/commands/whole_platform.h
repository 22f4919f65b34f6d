// Conditions on a platform that a command is to put together.
#pragma once

#include <filesystem>

#include "subcore/platforms/config/platform.h"

namespace subcore {

// Throws UsageError, in one line that begins with the file, if memory is left for C++ to bind or SystemC has
// no such clock.
void require_whole(const std::filesystem::path& file, const PlatformParameters& platform);

}  // namespace subcore
