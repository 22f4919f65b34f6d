// The user's cache of packed traces (model/trace/trace_cache.h), as environment and options define it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "subcore/model/trace/trace.h"

namespace subcore {

// The place of the cache, and its largest size. The variables XDG_CACHE_HOME, or HOME, and
// SUBCORE_CACHE_MEGABYTES define them.
struct UserCache {
  std::filesystem::path folder;  // empty: no variable names a folder
  std::uint64_t most_bytes = 0;  // 0: the user wants no cache
};
// Throws ConfigError if SUBCORE_CACHE_MEGABYTES is no number.
UserCache user_cache();

// The help of the option --no-cache.
inline constexpr const char* no_cache_help =
    "read traces as they are, and keep no packed copies of them (subcore cache)";

// How a command uses the cache. With `keep` it reads kernels from end to end and keeps copies of them. With
// `look` it may read little of kernels, and takes copies that exist.
enum class CacheUse { keep, look };
// Makes this process and processes that it forks use the user's cache for these traces, unless `off`. If the
// folder is made by that, says so on standard error. Throws ConfigError like user_cache().
void use_user_cache(CacheUse use, bool off, const std::vector<const TraceProgram*>& traces);

}  // namespace subcore
