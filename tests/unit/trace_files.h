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

#include "subcore/model/trace/trace.h"
#include "tests/temporary_folder.h"

namespace subcore::test {

// The error at the end of reading the whole kernel.
inline std::string error_of(const std::filesystem::path& file) {
  try {
    KernelReader reader(file, {});
    CtaTrace cta;
    while (reader.next(cta)) {
    }
  } catch (const TraceError& e) {
    return e.what();
  }
  return "no error";
}

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

// A header of 12 lines. The text of instructions starts behind it.
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

// A kernel of `ctas` warps. Each warp has 8 loads that touch 32 lines each. Wherever the kernel is ended,
// requests are under way.
inline std::string busy_kernel(unsigned ctas) {
  std::ostringstream text;
  text << header("3", "(" + std::to_string(ctas) + ",1,1)");
  for (unsigned c = 0; c < ctas; ++c) {
    text << "#BEGIN_TB\nthread block = " << c << ",0,0\nwarp = 0\ninsts = 9\n";
    for (unsigned i = 0; i < 8; ++i) {
      text << "00" << i << "0 ffffffff 1 R" << 5 + i << " LDG.E.SYS 1 R4 4 1 0x7f4" << std::hex
           << 0x100000000 + (8 * c + i) * 0x4000 << std::dec << " 512 \n";
    }
    text << "0080 ffffffff 0 EXIT 0 0 \n#END_TB\n";
  }
  return text.str();
}
// busy_kernel(), cut after the first instruction of the last CTA, in line 14 n + 3 if there are n CTAs.
inline std::string cut_kernel(unsigned ctas) {
  const std::string whole = busy_kernel(ctas);
  return whole.substr(0, whole.rfind("0010 ffffffff"));
}

// The project's own traces; empty if the tree was copied without them.
inline std::filesystem::path project_traces() {
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces";
}

// Traces too big for the project, if this machine has them.
inline std::filesystem::path shared_traces() {
  if (const char* folder = std::getenv("SUBCORE_TRACES")) return folder;
  return std::filesystem::path(SUBCORE_SOURCE_DIR) / ".." / "shared" / "traces";
}

}  // namespace subcore::test
