#include "subcore/program/runs/user_cache.h"

#include <algorithm>
#include <cstdlib>

#include "subcore/base/config_error.h"
#include "subcore/base/text.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/trace_cache.h"
#include "subcore/program/runs/run_key.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

constexpr std::uint64_t megabyte = 1'000'000, usual_megabytes = 4000, most_megabytes = 1'000'000'000;

// The absolute folder that a variable names; empty if the variable names none.
fs::path folder_of(const char* variable) {
  const char* const text = std::getenv(variable);
  fs::path folder = text == nullptr ? "" : text;
  return folder.is_absolute() ? folder : fs::path();
}

std::uint64_t megabytes() {
  const char* const text = std::getenv("SUBCORE_CACHE_MEGABYTES");
  if (text == nullptr || *text == '\0') return usual_megabytes;
  std::uint64_t number = 0;
  if (!text::parse_unsigned(text, number, most_megabytes))
    throw ConfigError("SUBCORE_CACHE_MEGABYTES: '" + std::string(text) +
                      "'; expected a whole number of megabytes up to " + std::to_string(most_megabytes) +
                      ", 0 for no cache");
  return number;
}

}  // namespace

UserCache user_cache() {
  UserCache cache;
  cache.most_bytes = megabytes() * megabyte;
  if (const fs::path caches = folder_of("XDG_CACHE_HOME"); !caches.empty())
    cache.folder = caches / "subcore";
  else if (const fs::path home = folder_of("HOME"); !home.empty())
    cache.folder = home / ".cache" / "subcore";
  return cache;
}

void use_user_cache(CacheUse use, bool off, const std::vector<const TraceProgram*>& traces) {
  const UserCache cache = user_cache();
  if (off || cache.most_bytes == 0 || cache.folder.empty()) return;
  use_trace_cache(TraceCache::Options{cache.folder, cache.most_bytes, [] { return program_hash(); },
                                      use == CacheUse::keep});
  const bool has_text = std::any_of(traces.begin(), traces.end(), [](const TraceProgram* trace) {
    return !std::all_of(trace->kernels.begin(), trace->kernels.end(), is_packed);
  });
  if (use == CacheUse::look || !has_text) return;
  try {
    if (!TraceCache::make_folder(cache.folder)) return;
  } catch (const fs::filesystem_error&) {  // without a cache, traces are read as they are
    return;
  }
  note("packed copies of traces are kept in " + cache.folder.string() +
       ", so that reading them again takes less time (subcore cache --help)");
}

}  // namespace subcore
