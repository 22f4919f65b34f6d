// The cache of packed traces. A kernel is read as in its text, whatever happens to the cache.
#include "subcore/model/trace/trace_cache.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/packed_reader.h"
#include "tests/random/random_trace.h"
#include "tests/unit/trace_files.h"

// Counts the calls of fsync in this process.
static unsigned fsyncs = 0;
extern "C" int fsync(int file) {
  ++fsyncs;
  return static_cast<int>(syscall(SYS_fsync, file));
}

namespace trace_cache_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

// A cache in a folder of the test's, used by this process while this is there.
class Cache {
 public:
  explicit Cache(std::uint64_t most_bytes = 100'000'000, const std::string& program = "p") {
    use(most_bytes, program);
  }
  ~Cache() { use_trace_cache(std::nullopt); }
  void use(std::uint64_t most_bytes, const std::string& program) const {
    use_trace_cache(TraceCache::Options{path(), most_bytes, [program] { return program; }, true});
  }
  fs::path path() const { return folder_.path() / "cache"; }
  // Names of files, by their suffix; "" for all.
  std::set<std::string> files(const std::string& suffix = "") const {
    std::set<std::string> names;
    if (!fs::exists(path())) return names;
    for (const auto& e : fs::directory_iterator(path()))
      if (suffix.empty() || e.path().extension() == suffix) names.insert(e.path().filename().string());
    return names;
  }
  // The one packed copy.
  fs::path copy() const {
    REQUIRE(files(".packed").size() == 1);
    return path() / *files(".packed").begin();
  }

 private:
  TemporaryFolder folder_;
};

// Makes a file look old, because new files get no stamp.
void age(const fs::path& file) {
  const timespec old[2] = {{1000, 5}, {1000, 5}};
  REQUIRE(utimensat(AT_FDCWD, file.c_str(), old, 0) == 0);
}

fs::path write_kernel(const TemporaryFolder& folder, unsigned ctas = 3,
                      const std::string& name = "kernel-1.traceg") {
  return folder.write(name, busy_kernel(ctas));
}

// The results of reading a kernel, as text.
std::string content_of(const fs::path& kernel, const OperandOptions& options = {}) {
  KernelReader reader(kernel, options);
  std::string text = reader.header().name;
  CtaTrace cta;
  while (reader.next(cta))
    for (const WarpTrace& w : cta.warps) {
      text += "\n" + std::to_string(cta.id.x) + " " + std::to_string(w.warp) + ":";
      for (const TraceRecord& r : w.records)
        text += " " + std::to_string(r.code) + "/" + std::to_string(r.mask);
      text.append(w.addresses.begin(), w.addresses.end());
    }
  for (const StaticInstruction& s : reader.code().instructions) text += "\n" + std::to_string(s.pc);
  return text;
}

// Whether the kernel has a copy, whatever text the copy would give.
bool is_read_by_copy(const fs::path& kernel) {
  return trace_cache()->find(kernel).has_value();
}

bool is_read_packed(const fs::path& kernel) {
  return KernelReader(kernel, {}).index() != nullptr;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a kernel is read by its packed copy once that has been kept", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder);
  const std::string content = content_of(kernel);
  const Cache cache;
  CHECK(cache.files().empty());
  CHECK_FALSE(is_read_packed(kernel));
  keep_copy(kernel);
  CHECK(cache.files().size() == 1);  // no stamp: the kernel is new
  CHECK(is_read_packed(kernel));
  CHECK(content_of(kernel) == content);
  CHECK(cta_index(kernel).instructions == std::vector<std::uint32_t>{9, 9, 9});
  CHECK(kernel_size(kernel).instructions == 27);
  const fs::path packed = folder.path() / "k.traceg.packed";
  fs::copy_file(cache.copy(), packed);
  keep_copy(packed);
  CHECK(cache.files(".packed").size() == 1);  // a packed kernel needs no copy
  use_trace_cache(std::nullopt);
  CHECK_FALSE(is_read_packed(kernel));
}

TEST_CASE("a copy goes with its content and with nothing else", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder);
  const Cache cache;
  keep_copy(kernel);
  // The same bytes elsewhere have the same copy. Another compression, or another sidecar, has another copy.
  keep_copy(write_kernel(folder, 3, "other/kernel-7.traceg"));
  CHECK(cache.files(".packed").size() == 1);
  keep_copy(folder.write("kernel-2.traceg.xz", compressed(busy_kernel(3), true)));
  CHECK(cache.files(".packed").size() == 2);
  // The text under a name of a compressed file is no trace, even if the text has a copy.
  const fs::path misnamed = folder.write("kernel-3.traceg.xz", busy_kernel(3));
  keep_copy(misnamed);
  CHECK_FALSE(is_read_by_copy(misnamed));
  folder.write("kernel-1.sass", "# nothing\n");
  CHECK_FALSE(is_read_packed(kernel));
  keep_copy(kernel);
  CHECK(cache.files(".packed").size() == 3);
  CHECK((is_read_packed(kernel) && KernelReader(kernel, {}).has_sidecar()));
  fs::remove(folder.path() / "kernel-1.sass");
  CHECK_FALSE(KernelReader(kernel, {}).has_sidecar());
  // Other bytes with the same size, and with the same time of change as far as that can be set.
  age(kernel);
  keep_copy(kernel);
  REQUIRE(is_read_packed(kernel));
  std::string text = busy_kernel(3);
  text.replace(text.find("512"), 3, "256");
  folder.write("kernel-1.traceg", text);
  age(kernel);
  CHECK_FALSE(is_read_packed(kernel));
  const std::string content = content_of(kernel);
  keep_copy(kernel);
  CHECK(is_read_packed(kernel));
  CHECK(content_of(kernel) == content);
}

// A file gets a stamp when it has not changed for two seconds, like the project's files.
TEST_CASE("a stamp saves reading the kernel, and is trusted only as far as it is one", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = fs::path(SUBCORE_SOURCE_DIR) / "examples" / "own_trace" / "kernel-1.traceg";
  const Cache cache;
  keep_copy(kernel);
  REQUIRE(cache.files(".stamp").size() == 1);
  const fs::path stamp = cache.path() / *cache.files(".stamp").begin();
  cache.use(100'000'000, "p");
  CHECK(is_read_packed(kernel));
  for (const std::string& wrong :
       {std::string("x"), std::string(36, 'g'), std::string(36, 'a'), std::string()}) {
    CAPTURE(wrong);
    folder.write("wrong", wrong);
    fs::copy_file(folder.path() / "wrong", stamp, fs::copy_options::overwrite_existing);
    cache.use(100'000'000, "p");
    CHECK_FALSE(is_read_packed(kernel));
    // If the stamp is no hash, the kernel is read for its key, which finds the copy. A wrong hash is
    // believed.
    keep_copy(kernel);
    CHECK(is_read_packed(kernel) == (wrong != std::string(36, 'a')));
    CHECK(cache.files(".packed").size() == 1);
  }
}

TEST_CASE("a file is fresh for two seconds", "[cache]") {
  CHECK(TraceCache::is_fresh(100, 99));  // the clock was set back
  CHECK(TraceCache::is_fresh(100, 102));
  CHECK_FALSE(TraceCache::is_fresh(100, 103));
}

// The other files of the cache contain their checksums, and a damaged one is not taken.
TEST_CASE("a copy, and no other file of a cache, is on the disk before it gets its name", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder);
  const Cache cache;
  fsyncs = 0;
  keep_copy(kernel);
  CHECK(fsyncs == 1);
  trace_cache()->keep_pass(kernel, "pass", "found");
  CHECK(fsyncs == 1);
}

TEST_CASE("a damaged copy is not read where that shows at once, and is an error where it shows late",
          "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder, 400);
  const std::string content = content_of(kernel);
  const Cache cache;
  keep_copy(kernel);
  const std::string whole = bytes_of(cache.copy());
  const auto spoil = [&](std::size_t byte) {
    std::string spoilt = whole;
    spoilt[byte] = static_cast<char>(spoilt[byte] ^ 1);
    const fs::path copy = cache.copy();
    std::ofstream(copy, std::ios::binary) << spoilt;
  };
  spoil(whole.size() - 1);
  CHECK_FALSE(is_read_packed(kernel));
  CHECK(cache.files(".packed").empty());
  keep_copy(kernel);
  CHECK(bytes_of(cache.copy()) == whole);
  spoil(100);
  CHECK(is_read_packed(kernel));
  std::string error;
  try {
    content_of(kernel);
  } catch (const TraceError& e) {
    error = e.what();
  }
  CHECK_THAT(error,
             Contains("kernel-1.traceg: its packed copy ") && Contains("was damaged and has been removed"));
  CHECK(cache.files(".packed").empty());
  CHECK(content_of(kernel) == content);
  // A seek meets the damage, too. CTA 1 is in the first block, so the reader must go through that block.
  keep_copy(kernel);
  spoil(100);
  KernelReader reader(kernel, {});
  REQUIRE(reader.index() != nullptr);
  error.clear();
  try {
    reader.seek(1);
  } catch (const TraceError& e) {
    error = e.what();
  }
  CHECK_THAT(error, Contains("was damaged and has been removed"));
  CHECK(cache.files(".packed").empty());
}

TEST_CASE("errors are those of the text, with its line", "[cache]") {
  const TemporaryFolder folder;
  std::string sources = " 17";
  for (int i = 0; i < 17; ++i) sources += " R" + std::to_string(2 * i);
  std::string head = header();
  head.replace(head.find("-nregs = 16"), 11, "-nregs = 40");
  const fs::path kernel =
      folder.write("kernel-1.traceg", head + one_warp("0010 ffffffff 1 R1 HMMA.1688.F16" + sources + " 0\n"));
  const std::string error = error_of(kernel);
  CHECK_THAT(error, Contains("kernel-1.traceg:17: 'HMMA.1688.F16' reads too many registers"));
  const Cache cache;
  keep_copy(kernel);
  REQUIRE(is_read_packed(kernel));  // named operands are read
  CHECK(error_of(kernel) == error);
  const fs::path cut = folder.write("kernel-2.traceg", cut_kernel(2));
  keep_copy(cut);
  CHECK(cache.files(".packed").size() == 1);
  CHECK_THAT(error_of(cut), Contains("kernel-2.traceg:31: file ends"));
}

TEST_CASE("a cache keeps to its bound, and to its own files", "[cache]") {
  const TemporaryFolder folder;
  std::vector<fs::path> kernels;
  for (unsigned k = 1; k <= 4; ++k)
    kernels.push_back(write_kernel(folder, k, "kernel-" + std::to_string(k) + ".traceg"));
  const Cache cache(3 * 4096);
  fs::create_directories(cache.path() / (std::string(36, 'b') + ".packed"));
  const std::vector<std::string> foreign{"note.txt",
                                         std::string(36, 'a') + ".txt",
                                         std::string(35, 'a') + ".packed",
                                         std::string(36, 'z') + ".packed",
                                         "x.packed.partial-1-2",
                                         std::string(36, 'a') + ".packed.partial-x"};
  for (const std::string& name : foreign) std::ofstream(cache.path() / name) << std::string(20000, 'x');
  for (unsigned k = 0; k < 3; ++k) {
    keep_copy(kernels[k]);
    for (const std::string& file : cache.files(".packed"))
      if (file != std::string(36, 'b') + ".packed") age(cache.path() / file);
  }
  KernelReader(kernels[0], {});  // used last
  keep_copy(kernels[3]);
  CHECK(is_read_packed(kernels[0]));
  CHECK(is_read_packed(kernels[3]));
  CHECK(is_read_packed(kernels[1]) != is_read_packed(kernels[2]));
  CHECK(TraceCache::usage(cache.path()).bytes == 3 * 4096);
  CHECK(TraceCache::usage(cache.path()).traces == 3);
  cache.use(4095, "p");
  keep_copy(kernels[1]);
  keep_copy(kernels[2]);
  CHECK(TraceCache::usage(cache.path()).traces == 0);
  for (const std::string& name : foreign) CHECK(fs::file_size(cache.path() / name) == 20000);
  cache.use(3 * 4096, "p");
  keep_copy(kernels[1]);
  CHECK(TraceCache::clear(cache.path()).traces == 1);
  CHECK(cache.files().size() == foreign.size() + 1);
}

TEST_CASE("what killed writers leave is removed, and what others are writing is not", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder);
  const Cache cache;
  fs::create_directories(cache.path());
  const std::string dead = std::string(36, 'a') + ".packed.partial-1-0",
                    alive = std::string(36, 'c') + ".pass.partial-1-0";
  for (const std::string& name : {dead, alive}) std::ofstream(cache.path() / name) << "half";
  const int lock = open((cache.path() / alive).c_str(), O_RDONLY);
  REQUIRE(flock(lock, LOCK_EX | LOCK_NB) == 0);
  keep_copy(kernel);
  CHECK(cache.files().count(dead) == 0);
  CHECK(cache.files().count(alive) == 1);
  close(lock);
  TraceCache::clear(cache.path());
  CHECK_FALSE(fs::exists(cache.path()));
}

TEST_CASE("a writer that is killed at any time leaves a cache that is right", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder, 1000);
  const std::string content = content_of(kernel);
  const Cache cache;
  for (unsigned i = 0; i < 30; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      keep_copy(kernel);
      _exit(0);
    }
    usleep(i * 400);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    REQUIRE(content_of(kernel) == content);
    if (i % 7 == 6) TraceCache::clear(cache.path());
  }
  TraceCache::clear(cache.path());
  keep_copy(kernel);
  CHECK(cache.files().size() == 1);
  CHECK(content_of(kernel) == content);
}

TEST_CASE("several processes that fill one cache at once leave each copy once", "[cache]") {
  const TemporaryFolder folder;
  std::vector<fs::path> kernels;
  std::vector<std::string> contents;
  for (unsigned k = 1; k <= 5; ++k) {
    kernels.push_back(write_kernel(folder, 40 * k, "kernel-" + std::to_string(k) + ".traceg"));
    contents.push_back(content_of(kernels.back()));
  }
  const Cache cache;
  std::vector<pid_t> children;
  for (unsigned c = 0; c < 8; ++c) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    bool right = true;
    for (unsigned k = 0; k < kernels.size(); ++k) {
      keep_copy(kernels[(k + c) % 5]);
      right &= content_of(kernels[(k + c) % 5]) == contents[(k + c) % 5];
    }
    _exit(right ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  CHECK(cache.files(".packed").size() == 5);
  for (const std::string& file : cache.files()) CHECK(file.find(".partial-") == std::string::npos);
}

TEST_CASE("where no cache can be, the text is read", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder);
  folder.write("file", "");
  for (const fs::path& place : {folder.path() / "file" / "cache", fs::path("/proc/nowhere")}) {
    use_trace_cache(TraceCache::Options{place, 1'000'000, {}, true});
    keep_copy(kernel);
    CHECK_FALSE(is_read_packed(kernel));
    CHECK(error_of(kernel) == "no error");
  }
  const fs::path pipe = folder.path() / "kernel-2.traceg";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  use_trace_cache(TraceCache::Options{folder.path() / "cache", 1'000'000, {}, true});
  keep_copy(pipe);
  use_trace_cache(TraceCache::Options{folder.path() / "cache", 1'000'000, {}, false});
  keep_copy(kernel);  // only looks
  trace_cache()->keep_pass(kernel, "a", "found");
  use_trace_cache(std::nullopt);
  CHECK_FALSE(fs::exists(folder.path() / "cache"));
}

TEST_CASE("what a pass found is kept for its name, kernel and program", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder), other = write_kernel(folder, 4, "kernel-2.traceg");
  const Cache cache;
  CHECK_FALSE(trace_cache()->find_pass(kernel, "a"));
  trace_cache()->keep_pass(kernel, "a", "found");
  trace_cache()->keep_pass(kernel, "empty", "");
  CHECK(trace_cache()->find_pass(kernel, "a") == "found");
  CHECK(trace_cache()->find_pass(kernel, "empty") == "");
  CHECK_FALSE(trace_cache()->find_pass(kernel, "b"));
  CHECK_FALSE(trace_cache()->find_pass(other, "a"));
  CHECK(TraceCache::usage(cache.path()).passes == 2);
  cache.use(100'000'000, "another program");
  CHECK_FALSE(trace_cache()->find_pass(kernel, "a"));
  cache.use(100'000'000, "p");
  for (const std::string& file : cache.files(".pass"))
    for (const std::size_t size : {std::size_t{0}, std::size_t{20}, std::size_t{37}}) {
      const std::string whole = bytes_of(cache.path() / file);
      std::ofstream(cache.path() / file, std::ios::binary)
          << whole.substr(0, std::min(size, whole.size() - 1));
      CHECK_FALSE((trace_cache()->find_pass(kernel, "a") && trace_cache()->find_pass(kernel, "empty")));
      trace_cache()->keep_pass(kernel, "a", "found");
      trace_cache()->keep_pass(kernel, "empty", "");
    }
}

namespace {

// The annotations of a kernel by the passes, as text.
std::string annotation_of(const fs::path& kernel, const PassOptions& options) {
  AnnotatedKernel annotated(kernel, {}, options);
  std::string text;
  for (const StaticInstruction& s : annotated.code().instructions) {
    text += std::to_string(s.pc) + " " + std::to_string(s.source_near) + " " +
            std::to_string(s.destination_near) + " " + std::to_string(s.reuse_mask) + " " +
            std::to_string(s.control.stall) + " " + std::to_string(s.control.wait_mask);
    if (const Annotation* a = s.annotation) {
      for (const unsigned n : {unsigned{a->ends_older}, unsigned{a->to_window}, unsigned{a->to_banks},
                               unsigned{a->last_use}, unsigned{a->needs_banks}, unsigned{a->strand_start},
                               unsigned{a->keep_source}, unsigned{a->write_banks}, a->interval})
        text += " " + std::to_string(n);
      text += a->live_in.to_string() + (a->working_set != nullptr ? a->working_set->to_string() : "");
    }
    text += "\n";
  }
  if (const KernelAnnotation* a = annotated.annotation(); a != nullptr && a->write_back)
    for (const std::uint64_t n :
         {a->write_back->destinations.banks_only, a->write_back->destinations.window_only,
          a->write_back->writes.both, a->write_back->writes.window_only, a->write_back->unconfirmed,
          a->write_back->reads, a->write_back->window_reads})
      text += " " + std::to_string(n);
  CtaTrace cta;
  while (annotated.next(cta))
    for (const WarpTrace& w : cta.warps) text += " " + std::to_string(w.records.size());
  return text;
}

// Makes `found` the results that the cache has kept in the file `pass`.
void replace_pass(const Cache& cache, const fs::path& kernel, const fs::path& pass,
                  const std::string& found) {
  trace_cache()->keep_pass(kernel, "x", found);
  for (const std::string& file : cache.files(".pass"))
    if (cache.path() / file != pass) fs::rename(cache.path() / file, pass);
}

// The results that are kept in a file. A hash of 36 characters stands before them.
std::string found_in(const fs::path& pass) {
  return bytes_of(pass).substr(36);
}

std::vector<PassOptions> several_passes() {
  PassOptions every;
  every.write_back = every.dead = every.liveness = every.strands = every.intervals = true;
  every.reuse_flags = ReuseFlags::synthetic;
  every.control_bits = ControlBitsSource::synthetic;
  PassOptions covering = every;
  covering.write_back_partial = PartialWriteBack::covering;
  covering.write_back_window = 5;
  covering.window_ends_at_taken_branch = true;
  PassOptions of_code;
  of_code.near_bits.source = NearBitsSource::of_code;
  of_code.near_bits.store.entries = 4;
  PassOptions trained = every;
  trained.near_bits.source = NearBitsSource::trained;
  trained.near_bits.store.entries = 3;
  return {every, covering, of_code, trained};
}

}  // namespace

TEST_CASE("passes over whole kernels are kept, and say the same", "[cache]") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const TemporaryFolder folder;
    random::write_trace(random::random_trace(seed), folder.path());
    for (const fs::path& kernel : open_trace(folder.path()).kernels)
      for (const PassOptions& options : several_passes()) {
        const std::string without = annotation_of(kernel, options);
        const Cache cache;
        REQUIRE(annotation_of(kernel, options) == without);
        REQUIRE(cache.files(".pass").size() == 1);
        const fs::path pass = cache.path() / *cache.files(".pass").begin();
        REQUIRE(annotation_of(kernel, options) == without);
        REQUIRE(cache.files(".pass").size() == 1);
        // Something that is no profile is not taken for one.
        for (const std::size_t cut : {std::size_t{1}, std::size_t{9}}) {
          const std::string found = found_in(pass);
          replace_pass(cache, kernel, pass, found.substr(0, found.size() - cut));
          REQUIRE(annotation_of(kernel, options) == without);
        }
      }
  }
}

TEST_CASE("a kept pass without its last byte is not taken", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = folder.write(
      "kernel-1.traceg", header() + one_warp("0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 STS 1 R1 0\n"
                                             "0020 ffffffff 0 EXIT 0 0\n"));
  // The last number of this pass is the count of reads in the window: 1.
  PassOptions options;
  options.near_bits.source = NearBitsSource::none;
  options.write_back = true;
  const std::string without = annotation_of(kernel, options);
  const Cache cache;
  REQUIRE(annotation_of(kernel, options) == without);
  REQUIRE(cache.files(".pass").size() == 1);
  const fs::path pass = cache.path() / *cache.files(".pass").begin();
  const std::string found = found_in(pass);
  replace_pass(cache, kernel, pass, found.substr(0, found.size() - 1));
  CHECK(annotation_of(kernel, options) == without);
  CHECK(found_in(pass) == found);
}

TEST_CASE("a kept pass knows a warpgroup's product", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = folder.write(
      "kernel-1.traceg",
      header() + one_warp("0000 ffffffff 1 R4 MOV 0 0\n0010 ffffffff 1 R4 HGMMA.64x16x16.F32 1 R4 0\n"
                          "0020 ffffffff 0 EXIT 0 0\n"));
  PassOptions options;
  options.liveness = true;
  options.units.architecture = 90;
  const std::string without = annotation_of(kernel, options);
  const Cache cache;
  REQUIRE(annotation_of(kernel, options) == without);
  REQUIRE(cache.files(".pass").size() == 1);
  CHECK(annotation_of(kernel, options) == without);
  const AnnotatedKernel annotated(kernel, {}, options);
  CHECK(annotated.annotation()->instructions[1].live_in.count() == 8);  // R4 to R11
}

TEST_CASE("passes run over a packed kernel without a cache", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder), packed = folder.path() / "k.traceg.packed";
  {
    const Cache cache;
    keep_copy(kernel);
    fs::copy_file(cache.copy(), packed);
  }
  const PassOptions every = several_passes().front();
  CHECK(annotation_of(packed, every) == annotation_of(kernel, every));
}

TEST_CASE("a kept pass saves reading the kernel for it", "[cache]") {
  const TemporaryFolder folder;
  const fs::path kernel = write_kernel(folder, 3000);
  const Cache cache;
  const PassOptions every = several_passes().front();
  const auto blocks_of = [&](const PassOptions& options) {
    const std::uint64_t before = LineSource::blocks_read();
    const AnnotatedKernel annotated(kernel, {}, options);
    return LineSource::blocks_read() - before;
  };
  blocks_of(every);
  CHECK(blocks_of(every) == 1);  // the tables
  PassOptions other = every;
  other.write_back_window = 4;
  CHECK(blocks_of(other) > 2);
  CHECK(blocks_of(other) == 1);
}

}  // namespace trace_cache_test
