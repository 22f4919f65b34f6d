// TraceCache: packed copies of text traces, and compiler passes' results for whole kernels, in a folder of
// the user's. Reading a copy gives the same as reading the text, for a tenth of the instructions.
//
// The content from which a copy was made identifies it. A hash covers the bytes of the kernel's file and of
// its sidecar, their compression, and the version of the packed form. A small file, a stamp, saves reading
// those bytes each time. The stamp keeps the hash under facts about both files: device, inode, size, and the
// times of the last change of content and of the inode, in nanoseconds. The cache trusts that no file changes
// without a change of these facts. Only the system's clock can set the last of them. A file that changed
// within the last two seconds gets no stamp, because another change may come within the same tick of that
// clock.
//
// A file is written beside its place and renamed, so it is there whole or not at all. No process waits for
// another. Two writers of one file write the same, and a reader that finds a writer at work reads the text.
// The next writer removes files whose writers were killed. If all files together are larger than the bound,
// it also removes the files that were used longest ago. A file that does not look like a file of the cache is
// left alone. If anything goes wrong, the text is read.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "subcore/base/whole_file.h"

namespace subcore {

class TraceCache {
 public:
  // The settings of a cache.
  struct Options {
    std::filesystem::path folder;          // made together with the first copy
    std::uint64_t most_bytes = 0;          // bound for all files, on the disk
    std::function<std::string()> program;  // identifies the program whose passes' results are useful
    bool keeps = true;                     // false: makes no copies, and uses only existing ones
  };
  explicit TraceCache(Options options) : options_(std::move(options)) {}

  // The packed copy of a kernel's text, or nothing. Notes the copy's use.
  std::optional<std::filesystem::path> find(const std::filesystem::path& kernel);
  // Makes that copy unless it exists. Leaves nothing if it cannot: without room or permission, or if the text
  // is no trace.
  void keep(const std::filesystem::path& kernel);
  // Removes a copy that is damaged.
  void forget(const std::filesystem::path& copy);
  // The text that keep_pass() was given for a kernel, text or packed, under this name; nothing if there is
  // none.
  std::optional<std::string> find_pass(const std::filesystem::path& kernel, std::string_view name);
  // Keeps the results of a pass. `name` has everything on which they depend, except the kernel and the
  // program.
  void keep_pass(const std::filesystem::path& kernel, std::string_view name, std::string_view found);

  // Makes a cache's folder, accessible only to its user, because traces may be private. True if the folder is
  // new. Throws std::filesystem::filesystem_error.
  static bool make_folder(const std::filesystem::path& folder);
  // The files of a cache on the disk.
  struct Usage {
    std::uint64_t traces = 0, passes = 0;  // packed copies, and results of passes
    std::uint64_t bytes = 0;               // of these files and of stamps
  };
  static Usage usage(const std::filesystem::path& folder);
  // Removes all files of a cache, and the folder if nothing else is in it. Throws std::runtime_error if a
  // file cannot be removed.
  static Usage clear(const std::filesystem::path& folder);
  // Whether a file whose inode last changed at `changed` gets no stamp at `now` (in seconds since 1970).
  static bool is_fresh(std::int64_t changed, std::int64_t now);

 private:
  using Stamp = std::string;  // the hash of the file system's facts about a kernel's files
  std::optional<std::string> known_key(const Stamp& stamp);
  std::optional<std::string> key_of(const std::filesystem::path& kernel);
  std::filesystem::path file(const std::string& key, const char* suffix) const;
  void put(const std::filesystem::path& target, const std::function<void(FileAside&)>& write);
  std::string pass_key(const std::string& key, std::string_view name);
  void trim(const std::filesystem::path& made);

  Options options_;
  std::map<Stamp, std::string> keys_;                             // keys that this process knows
  std::pair<std::filesystem::path, std::filesystem::path> kept_;  // a kernel and its copy, for find() next
  std::string program_;
  std::optional<std::uint64_t> bytes_;  // of all files; counted once, and then kept up to date
};

// The cache that readers of kernels in this process use. Null if no cache has been set.
TraceCache* trace_cache();
// Makes a packed copy of a kernel's text in that cache. To be called before the kernel is read from end to
// end.
void keep_copy(const std::filesystem::path& kernel);
// Sets that cache, or removes it.
void use_trace_cache(std::optional<TraceCache::Options> options);

}  // namespace subcore
