// TraceCache: packed copies of text traces, and what compiler passes found in whole kernels, in a folder of
// the user's. Reading a copy gives what reading the text gives, for a tenth of the instructions.
//
// A copy is known by the content that it was made of: by a hash of the bytes of the kernel's file and of its
// sidecar, of their compression, and of the version of the packed form. So that these bytes need not be read
// each time, a small file, a stamp, keeps the hash by what the file system says of both files: device, inode,
// size, and the times of the last change of content and of the inode, in nanoseconds. What is trusted is that
// no file changes without one of these changing, too; nobody but the system's clock can set the last one. A
// file that changed within the last two seconds gets no stamp, since another change may still come within one
// tick of that clock.
//
// A file is written beside its place and renamed, so it is there whole or not at all, and nobody waits for
// anybody: two writers of one file write the same, and who finds another one at work reads the text. Files
// whose writers were killed are removed by the next writer, and those that were used longest ago where all
// together are larger than the bound. A file without the shape of a file of the cache is left alone. Whatever
// goes wrong, the text is read.
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
  // What makes a cache.
  struct Options {
    std::filesystem::path folder;          // made when the first copy is
    std::uint64_t most_bytes = 0;          // of all files, on the disk
    std::function<std::string()> program;  // what makes results of passes of other programs useless here
    bool keeps = true;                     // makes copies; otherwise only uses those that are there
  };
  explicit TraceCache(Options options) : options_(std::move(options)) {}

  // The packed copy of a kernel's text; nothing if there is none. Notes its use.
  std::optional<std::filesystem::path> find(const std::filesystem::path& kernel);
  // Makes that copy unless it is there. Leaves nothing where it cannot: for want of room or permission, or of
  // a text that is a trace.
  void keep(const std::filesystem::path& kernel);
  // Removes a copy that is damaged.
  void forget(const std::filesystem::path& copy);
  // What keep_pass() was given of a kernel, text or packed, under this name; nothing if it was not.
  std::optional<std::string> find_pass(const std::filesystem::path& kernel, std::string_view name);
  // Keeps what a pass found. `name` says everything that it depends on but the kernel and the program.
  void keep_pass(const std::filesystem::path& kernel, std::string_view name, std::string_view found);

  // Makes a cache's folder, for its user alone, as a trace may be. Whether it was not there. Throws
  // std::filesystem::filesystem_error.
  static bool make_folder(const std::filesystem::path& folder);
  // The files of a cache, as they lie on the disk.
  struct Usage {
    std::uint64_t traces = 0, passes = 0;  // packed copies, and what passes found
    std::uint64_t bytes = 0;               // of these and of stamps
  };
  static Usage usage(const std::filesystem::path& folder);
  // Removes all files of a cache, and the folder if nothing else is in it. Throws std::runtime_error if one
  // stays.
  static Usage clear(const std::filesystem::path& folder);

 private:
  using Stamp = std::string;  // the hash of what the file system says of a kernel's files
  std::optional<std::string> known_key(const Stamp& stamp);
  std::optional<std::string> key_of(const std::filesystem::path& kernel);
  std::filesystem::path file(const std::string& key, const char* suffix) const;
  void put(const std::filesystem::path& target, const std::function<void(FileAside&)>& write);
  std::string pass_key(const std::string& key, std::string_view name);
  void trim(const std::filesystem::path& made);

  Options options_;
  std::map<Stamp, std::string> keys_;                             // that this process knows
  std::pair<std::filesystem::path, std::filesystem::path> kept_;  // a kernel and its copy, for find() next
  std::string program_;
  std::optional<std::uint64_t> bytes_;  // of all files: counted once, and then reckoned
};

// The cache that readers of kernels in this process use; null: none, as in a process that has not set it.
TraceCache* trace_cache();
// Makes a packed copy of a kernel's text in it, for whoever is about to read the kernel from end to end.
void keep_copy(const std::filesystem::path& kernel);
// Sets it; nothing: none.
void use_trace_cache(std::optional<TraceCache::Options> options);

}  // namespace subcore
