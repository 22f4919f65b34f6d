// The user's cache of packed traces (model/trace/trace_cache.h), as environment and options say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "subcore/model/trace/trace.h"

namespace subcore {

// Where the cache is, and what it may hold. The variables XDG_CACHE_HOME, or HOME, and
// SUBCORE_CACHE_MEGABYTES say so.
struct UserCache {
  std::filesystem::path folder;  // empty: neither variable names one
  std::uint64_t most_bytes = 0;  // 0: no cache is wanted
};
// Throws ConfigError if SUBCORE_CACHE_MEGABYTES is no number.
UserCache user_cache();

// The help of the option --no-cache.
inline constexpr const char* no_cache_help =
    "read traces as they are, and keep no packed copies of them (subcore cache)";

// What a command does with the cache: it reads kernels from end to end, and keeps copies of them; or it reads
// what may be little of them, and takes copies that are there.
enum class CacheUse { keep, look };
// Makes this process and those that are forked from it use the user's cache for these traces, unless `off`.
// Says so on standard error when that makes the folder. Throws ConfigError like user_cache().
void use_user_cache(CacheUse use, bool off, const std::vector<const TraceProgram*>& traces);

}  // namespace subcore
