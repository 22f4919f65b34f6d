#include "subcore/model/trace/trace_cache.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "subcore/base/files.h"
#include "subcore/base/hash.h"
#include "subcore/model/trace/pack.h"
#include "subcore/model/trace/packed_reader.h"
#include "subcore/model/trace/sidecar.h"

namespace subcore {
namespace {

namespace fs = std::filesystem;

constexpr const char *packed_suffix = ".packed", *stamp_suffix = ".stamp", *pass_suffix = ".pass";
constexpr std::size_t key_length = 36;  // Hash::text()
// A file takes whole blocks of the disk.
std::uint64_t on_disk(std::uint64_t bytes) {
  constexpr std::uint64_t block = 4096;
  return (bytes + block - 1) / block * block;
}

struct CacheFile {
  fs::path path;
  std::uint64_t bytes = 0;  // on the disk
  timespec used{};
};

bool is_key(std::string_view text) {
  return text.size() == key_length && text.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

// Whether the name is that of a file of a cache, or of a file that is being written. In the second case
// `target` becomes the name that the file will have.
bool is_cache_name(std::string_view name, std::string& target) {
  const std::string_view mark = aside_mark;
  if (const std::size_t aside = name.find(mark); aside != std::string_view::npos) {
    const std::string_view numbers = name.substr(aside + mark.size());
    if (numbers.empty() || numbers.find_first_not_of("0123456789-") != std::string_view::npos) return false;
    target = name.substr(0, aside);
  } else {
    target = name;
  }
  if (target.size() < key_length || !is_key(std::string_view(target).substr(0, key_length))) return false;
  const std::string_view suffix = std::string_view(target).substr(key_length);
  return suffix == packed_suffix || suffix == stamp_suffix || suffix == pass_suffix;
}

bool is_older(const timespec& a, const timespec& b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

// The files of a cache, without the files that are being written. `each_aside` is called with the targets of
// those.
std::vector<CacheFile> cache_files(const fs::path& folder,
                                   const std::function<void(const fs::path&)>& each_aside = {}) {
  std::vector<CacheFile> files;
  std::error_code error;
  std::string target;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    struct stat about {};
    if (!is_cache_name(name, target) || lstat(entry->path().c_str(), &about) != 0 || !S_ISREG(about.st_mode))
      continue;
    if (target != name) {
      if (each_aside) each_aside(folder / target);
      continue;
    }
    files.push_back({entry->path(), on_disk(static_cast<std::uint64_t>(about.st_size)), about.st_mtim});
  }
  return files;
}

std::uint64_t bytes_of(const std::vector<CacheFile>& files) {
  std::uint64_t bytes = 0;
  for (const CacheFile& f : files) bytes += f.bytes;
  return bytes;
}

void remove_dead_writers_files(const fs::path& folder) {
  std::vector<fs::path> targets;
  cache_files(folder, [&](const fs::path& target) { targets.push_back(target); });
  for (const fs::path& target : targets) remove_left_aside(target, false);
}

void note_use(const fs::path& file) {
  utimensat(AT_FDCWD, file.c_str(), nullptr, 0);  // without permission, the file seems older
}

std::string text_of(const struct stat& about) {
  std::string text;
  for (const auto number :
       {static_cast<std::uint64_t>(about.st_dev), static_cast<std::uint64_t>(about.st_ino),
        static_cast<std::uint64_t>(about.st_size), static_cast<std::uint64_t>(about.st_mtim.tv_sec),
        static_cast<std::uint64_t>(about.st_mtim.tv_nsec), static_cast<std::uint64_t>(about.st_ctim.tv_sec),
        static_cast<std::uint64_t>(about.st_ctim.tv_nsec)})
    text += std::to_string(number) + ' ';
  return text;
}

// The claim of one process to make a file, so that runs that begin together do not all pack the same kernel.
// The claim is a locked file. A dead process holds no lock. If two processes have a claim nevertheless, they
// make the same file.
class Claim {
 public:
  explicit Claim(const fs::path& target) : file_(target.string() + aside_mark + "0") {
    number_ = open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    is_ours_ = number_ >= 0 && flock(number_, LOCK_EX | LOCK_NB) == 0;
    if (number_ >= 0 && !is_ours_ && errno != EWOULDBLOCK) unlink(file_.c_str());  // there are no locks
  }
  ~Claim() {
    if (is_ours_) unlink(file_.c_str());
    if (number_ >= 0) close(number_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  bool is_ours() const { return is_ours_; }

 private:
  const fs::path file_;
  int number_ = -1;
  bool is_ours_ = false;
};

// The files that make a kernel: its own, and its sidecar's.
std::vector<fs::path> parts_of(const fs::path& kernel) {
  std::vector<fs::path> parts{kernel};
  if (fs::path sidecar = find_sidecar(kernel); !sidecar.empty()) parts.push_back(std::move(sidecar));
  return parts;
}

// Nothing for anything but a regular file, such as a pipe.
std::optional<std::string> stamp_of(const fs::path& kernel) {
  std::string text = std::to_string(packed_version);
  try {
    for (const fs::path& part : parts_of(kernel)) {
      struct stat about {};
      if (stat(part.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
      // The extension decides how the file is unpacked.
      text += ' ' + part.extension().string() + ' ' + text_of(about);
    }
  } catch (const std::runtime_error&) {  // a sidecar that cannot be read
    return std::nullopt;
  }
  return Hash().add(text).text();
}

std::string content_key(const fs::path& kernel) {
  Hash hash;
  hash.add(std::to_string(packed_version));
  for (const fs::path& part : parts_of(kernel)) hash.add(part.extension().string()).add_file(part);
  return hash.text();
}

// Whether the kernel's files may still change without a change of their stamp.
bool may_change(const fs::path& kernel) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  for (const fs::path& part : parts_of(kernel)) {
    struct stat about {};
    if (stat(part.c_str(), &about) != 0 || TraceCache::is_fresh(about.st_ctim.tv_sec, now.tv_sec))
      return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> TraceCache::known_key(const Stamp& stamp) {
  if (const auto known = keys_.find(stamp); known != keys_.end()) return known->second;
  const fs::path stamped = file(stamp, stamp_suffix);
  std::optional<std::string> key;
  try {
    key = file_text(stamped);
  } catch (const std::runtime_error&) {
  }
  if (!key || !is_key(*key)) return std::nullopt;
  note_use(stamped);
  keys_[stamp] = *key;
  return key;
}

// The key of a kernel's content. The content is read unless the key is known. Throws std::runtime_error.
std::optional<std::string> TraceCache::key_of(const fs::path& kernel) {
  const std::optional<Stamp> stamp = stamp_of(kernel);
  if (!stamp) return std::nullopt;
  if (std::optional<std::string> key = known_key(*stamp)) return key;
  std::string key = content_key(kernel);
  if (stamp_of(kernel) != stamp) return std::nullopt;  // the file is being written
  keys_[*stamp] = key;
  try {
    if (options_.keeps && !may_change(kernel))
      put(file(*stamp, stamp_suffix), [&](FileAside& to) { to.write(key); });
  } catch (const std::exception&) {  // the next process reads the kernel again
  }
  return key;
}

fs::path TraceCache::file(const std::string& key, const char* suffix) const {
  return options_.folder / (key + suffix);
}

std::optional<fs::path> TraceCache::find(const fs::path& kernel) {
  if (const auto [kept, copy] = std::exchange(kept_, {}); !kept.empty() && kept == kernel) return copy;
  const std::optional<Stamp> stamp = is_packed(kernel) ? std::nullopt : stamp_of(kernel);
  const std::optional<std::string> key = stamp ? known_key(*stamp) : std::nullopt;
  if (!key) return std::nullopt;
  fs::path copy = file(*key, packed_suffix);
  if (access(copy.c_str(), R_OK) != 0) return std::nullopt;
  note_use(copy);
  return copy;
}

void TraceCache::keep(const fs::path& kernel) {
  if (!options_.keeps || is_packed(kernel)) return;
  try {
    const std::optional<std::string> key = key_of(kernel);
    if (!key) return;
    const fs::path copy = file(*key, packed_suffix);
    if (access(copy.c_str(), R_OK) == 0) {
      note_use(copy);
      kept_ = {kernel, copy};
      return;
    }
    make_folder(options_.folder);
    const Claim claim(copy);
    if (!claim.is_ours()) return;  // another process packs it, for later readers
    put(copy, [&](FileAside& to) {
      pack_kernel(kernel, to.path(), [&](double) {
        if (fs::file_size(to.path()) > options_.most_bytes)
          throw std::runtime_error("larger than the cache may be");
      });
      // The key must be that of the content that was packed.
      if (content_key(kernel) != *key) throw std::runtime_error("the file has changed meanwhile");
    });
  } catch (const std::exception&) {  // the text will be read, and its error reported
  }
}

void TraceCache::forget(const fs::path& copy) {
  std::error_code ignored;
  std::string target;
  if (copy.parent_path() == options_.folder && is_cache_name(copy.filename().string(), target))
    fs::remove(copy, ignored);
}

std::string TraceCache::pass_key(const std::string& key, std::string_view name) {
  if (program_.empty()) program_ = options_.program ? options_.program() : "none";
  return Hash().add(program_).add(key).add(name).text();
}

// A kept result has its hash in front of it.
std::optional<std::string> TraceCache::find_pass(const fs::path& kernel, std::string_view name) {
  try {
    const std::optional<std::string> key = key_of(kernel);
    if (!key) return std::nullopt;
    const fs::path kept = file(pass_key(*key, name), pass_suffix);
    const std::optional<std::string> text = file_text(kept);
    if (!text) return std::nullopt;
    std::string found = text->substr(std::min(key_length, text->size()));
    if (Hash().add(found).text() != text->substr(0, key_length)) {
      forget(kept);
      return std::nullopt;
    }
    note_use(kept);
    return found;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void TraceCache::keep_pass(const fs::path& kernel, std::string_view name, std::string_view found) {
  if (!options_.keeps) return;
  try {
    if (const std::optional<std::string> key = key_of(kernel))
      put(file(pass_key(*key, name), pass_suffix), [&](FileAside& to) {
        to.write(Hash().add(found).text());
        to.write(found);
      });
  } catch (const std::exception&) {
  }
}

bool TraceCache::make_folder(const fs::path& folder) {
  if (fs::is_directory(folder)) return false;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path());
  if (mkdir(folder.c_str(), 0700) == 0) return true;
  if (errno == EEXIST && fs::is_directory(folder)) return false;  // another process was faster
  throw fs::filesystem_error("cannot make", folder, std::error_code(errno, std::generic_category()));
}

bool TraceCache::is_fresh(std::int64_t changed, std::int64_t now) {
  return changed + 2 >= now;
}

// Calls `write` with a file beside the target, and gives that file the target's name. Throws std::exception.
void TraceCache::put(const fs::path& target, const std::function<void(FileAside&)>& write) {
  make_folder(options_.folder);
  if (!bytes_) {
    remove_dead_writers_files(options_.folder);
    bytes_ = bytes_of(cache_files(options_.folder));
  }
  FileAside aside(target);
  write(aside);
  // All other files contain their checksums.
  if (target.extension() == packed_suffix) aside.sync();
  const std::uint64_t bytes = on_disk(fs::file_size(aside.path()));
  aside.flush();
  aside.give_name(target);
  *bytes_ += bytes;
  if (*bytes_ > options_.most_bytes) trim(target);
}

// Removes the files that were used longest ago, until the cache is within its bound. The file that was just
// made goes last.
void TraceCache::trim(const fs::path& made) {
  std::vector<CacheFile> files = cache_files(options_.folder);
  bytes_ = bytes_of(files);
  std::sort(files.begin(), files.end(), [&](const CacheFile& a, const CacheFile& b) {
    if ((a.path == made) != (b.path == made)) return b.path == made;
    if (is_older(a.used, b.used) || is_older(b.used, a.used)) return is_older(a.used, b.used);
    return a.path < b.path;
  });
  for (const CacheFile& f : files) {
    if (*bytes_ <= options_.most_bytes) return;
    std::error_code ignored;
    fs::remove(f.path, ignored);
    *bytes_ -= f.bytes;
  }
}

TraceCache::Usage TraceCache::usage(const fs::path& folder) {
  Usage usage;
  const std::vector<CacheFile> files = cache_files(folder);
  usage.bytes = bytes_of(files);
  for (const CacheFile& f : files) {
    usage.traces += f.path.extension() == packed_suffix ? 1 : 0;
    usage.passes += f.path.extension() == pass_suffix ? 1 : 0;
  }
  return usage;
}

TraceCache::Usage TraceCache::clear(const fs::path& folder) {
  const Usage before = usage(folder);
  remove_dead_writers_files(folder);
  for (const CacheFile& f : cache_files(folder)) {
    std::error_code error;
    fs::remove(f.path, error);
    if (error) throw std::runtime_error("cannot remove " + f.path.string() + ": " + error.message());
  }
  std::error_code ignored;
  fs::remove(folder, ignored);
  return before;
}

namespace {

std::unique_ptr<TraceCache>& cache_in_use() {
  static std::unique_ptr<TraceCache> cache;
  return cache;
}

}  // namespace

TraceCache* trace_cache() {
  return cache_in_use().get();
}

void keep_copy(const fs::path& kernel) {
  if (trace_cache() != nullptr) trace_cache()->keep(kernel);
}

void use_trace_cache(std::optional<TraceCache::Options> options) {
  cache_in_use() = options ? std::make_unique<TraceCache>(std::move(*options)) : nullptr;
}

}  // namespace subcore
