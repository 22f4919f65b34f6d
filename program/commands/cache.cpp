// subcore cache: the folder of packed copies of traces.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <unistd.h>

#include "subcore/base/files.h"
#include "subcore/base/json_text.h"
#include "subcore/base/whole_file.h"
#include "subcore/model/trace/trace_cache.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/user_cache.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string in_words(const TraceCache::Usage& usage) {
  return counted(usage.traces, "packed copy of a kernel", "packed copies of kernels") + ", " +
         counted(usage.passes, "result of compiler passes", "results of compiler passes") + ", " +
         std::to_string((usage.bytes + 999'999) / 1'000'000) + " MB";
}

// Why the folder cannot be written to; empty if it can. If the folder does not exist, the one above it
// decides.
std::string reason_against(const fs::path& folder) {
  fs::path there = folder;
  while (there.has_relative_path() && !is_there(there)) there = there.parent_path();
  if (!is_folder(there)) return there.string() + " is not a folder";
  return access(there.c_str(), W_OK | X_OK) == 0 ? "" : there.string() + ": " + std::strerror(errno);
}

class CacheCommand : public Command {
 public:
  CacheCommand()
      : Command(
            "cache", "show, or remove, the packed copies of traces that are kept",
            "  subcore cache [--clear | --json FILE]\n"
            "\n"
            "Prints the cache's folder. The cache keeps packed copies of traces, and results of compiler\n"
            "passes over whole kernels, so that reading a trace again takes less time. The folder is\n"
            "$XDG_CACHE_HOME/subcore, or ~/.cache/subcore. SUBCORE_CACHE_MEGABYTES bounds its size\n"
            "(default: 4000); files that were used longest ago go first. With 0 the cache keeps nothing,\n"
            "as with --no-cache for a single command.\n") {
    option("clear", clear_, "remove all that the cache keeps");
    json_option(json_);
    example("subcore cache");
    example("subcore cache --json -");
  }

  int run() override {
    const UserCache cache = user_cache();
    if (cache.folder.empty()) {
      print("no cache: neither XDG_CACHE_HOME nor HOME names an absolute path\n");
      return 0;
    }
    if (!json_.empty()) {
      if (clear_) throw UsageError("--json and --clear, which prints its own text; expected one of them");
      const TraceCache::Usage usage = TraceCache::usage(cache.folder);
      const nlohmann::ordered_json text{{"folder", cache.folder.string()},
                                        {"traces", usage.traces},
                                        {"passes", usage.passes},
                                        {"bytes", usage.bytes},
                                        {"most_bytes", cache.most_bytes}};
      write_output(json_, json_text(text));
      return 0;
    }
    if (clear_) {
      print(cache.folder.string() + ": removed " + in_words(TraceCache::clear(cache.folder)) + "\n");
      return 0;
    }
    std::string text = cache.folder.string() + ": " + in_words(TraceCache::usage(cache.folder)) + " of " +
                       std::to_string(cache.most_bytes / 1'000'000) + " MB\n";
    if (cache.most_bytes == 0)
      text += "nothing is kept, as SUBCORE_CACHE_MEGABYTES says\n";
    else if (const std::string reason = reason_against(cache.folder); !reason.empty())
      text += "nothing can be kept there: " + reason + "\n";
    print(text);
    return 0;
  }

 private:
  bool clear_ = false;
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> cache_command() {
  return std::make_unique<CacheCommand>();
}

}  // namespace subcore
