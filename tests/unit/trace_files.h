// Small trace files for the tests of everything that reads traces.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include "model/trace/trace.h"

namespace subcore::test {

// A folder of its own that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "subcore-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

 private:
  std::filesystem::path path_;
};

inline std::string compressed(const std::string& text, bool xz) {
  std::ostringstream out;
  boost::iostreams::filtering_ostream filter;
  if (xz)
    filter.push(boost::iostreams::lzma_compressor());
  else
    filter.push(boost::iostreams::gzip_compressor());
  filter.push(out);
  filter << text;
  filter.reset();
  return out.str();
}

// 12 lines; the instruction text starts behind it.
inline std::string header(const std::string& version = "3", const std::string& grid = "(1,1,1)",
                          const std::string& block = "(32,1,1)", const std::string& extra = "") {
  return "-kernel name = k\n-kernel id = 7\n-grid dim = " + grid + "\n-block dim = " + block +
         "\n-shmem = 0\n-nregs = 16\n-binary version = 75\n-cuda stream id = 0\n"
         "-shmem base_addr = 0x00007f3000000000\n-local mem base_addr = 0x00007f2000000000\n" +
         (version.empty() ? "" : "-accelsim tracer version = " + version + "\n") + extra +
         "#traces format = PC mask\n";
}

// Line 13 is #BEGIN_TB, 14 the block, 15 the warp, 16 the count; the first instruction is line 17.
inline std::string one_warp(const std::string& lines, const std::string& count = "") {
  std::size_t n = 0;
  for (const char c : lines) n += c == '\n' ? 1 : 0;
  return "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " + (count.empty() ? std::to_string(n) : count) +
         "\n" + lines + "#END_TB\n";
}

// The project's own traces, or nothing when the tree was copied without them.
inline std::filesystem::path project_traces() {
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
}

// Traces too big for the project, if this machine has them.
inline std::filesystem::path shared_traces() {
  if (const char* folder = std::getenv("SUBCORE_TRACES")) return folder;
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / ".." / "shared" / "traces";
}

}  // namespace subcore::test
