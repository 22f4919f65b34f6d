// Memory use is constant: only the CTAs that run are in memory, however long the trace is.
#include <fstream>

#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/platform/runs.h"

namespace memory_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A kernel of `ctas` CTAs with 8 warps of 500 instructions each: loads with scattered addresses, arithmetic.
void write_trace(const std::filesystem::path& folder, unsigned ctas) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernelslist.g") << "kernel-1.traceg.gz\n";
  std::string warp = "insts = 500\n";
  for (unsigned i = 0; i < 499; ++i) {
    const std::string pc = "0" + std::string(1, "0123456789abcdef"[i / 256 % 16]) +
                           std::string(1, "0123456789abcdef"[i / 16 % 16]) +
                           std::string(1, "0123456789abcdef"[i % 16]);
    const std::string d = " R" + std::to_string(4 + i % 24), s = " R" + std::to_string(4 + i * 7 % 24);
    if (i % 20 == 0) {
      warp += pc + " ffffffff 1" + d + " LDG.E.SYS 1 R2 4 1 0x7f00000" + pc + "0 4\n";
    } else {
      warp += pc + " ffffffff 1" + d + " FFMA 3" + s + d + " R3 0\n";
    }
  }
  warp += "0fff ffffffff 0 EXIT 0 0\n";
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::gzip_compressor(boost::iostreams::gzip_params(1)));
  out.push(boost::iostreams::file_sink((folder / "kernel-1.traceg.gz").string(), std::ios::binary));
  out << "-kernel name = long\n-kernel id = 1\n-grid dim = (" << ctas
      << ",1,1)\n-block dim = (256,1,1)\n-shmem = 0\n-nregs = 32\n-binary version = 75\n-cuda stream id = 0\n"
         "-shmem base_addr = 0x00007f3000000000\n-local mem base_addr = 0x00007f2000000000\n"
         "-nvbit version = none\n-accelsim tracer version = 3\n\n#traces format = PC mask ...\n";
  for (unsigned c = 0; c < ctas; ++c) {
    out << "\n#BEGIN_TB\n\nthread block = " << c << ",0,0\n";
    for (unsigned w = 0; w < 8; ++w) out << "\nwarp = " << w << "\n" << warp;
    out << "\n#END_TB\n";
  }
}

}  // namespace

TEST_CASE("ten million instructions take less than 300 MB") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("subcore_long_" + std::to_string(getpid()));
  write_trace(folder, 2500);
  const auto results = run(jobs(std::vector<std::string>{"malekeh"}, {folder}));
  std::filesystem::remove_all(folder);
  CHECK(results[0].instructions_retired == 10000000);
  rusage usage{};
  REQUIRE(getrusage(RUSAGE_CHILDREN, &usage) == 0);
  INFO("peak resident size of the run: " << usage.ru_maxrss << " KB");
  CHECK(usage.ru_maxrss < 300 * 1024);
}

TEST_CASE(
    "eight times as many CTAs take eight times as many cycles and no more memory with a memory hierarchy") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("subcore_longer_" + std::to_string(getpid()));
  rusage usage{};
  long peak = 0;
  Cycle cycles = 0;
  for (const unsigned ctas : {200u, 1600u}) {
    write_trace(folder, ctas);
    const auto results = run(jobs(std::vector<std::string>{"baseline"}, {folder}, {"memory.kind=hierarchy"}));
    CHECK(results[0].instructions_retired == ctas * 4000);
    // The cycles grow with the CTAs, apart from cycles in which the SM fills and drains.
    if (cycles != 0) {
      CHECK(10 * results[0].cycles > 76 * cycles);
      CHECK(10 * results[0].cycles < 84 * cycles);
    }
    cycles = results[0].cycles;
    REQUIRE(getrusage(RUSAGE_CHILDREN, &usage) == 0);
    // The peak of all runs so far: the longer one must not raise it by more than a few pages.
    if (peak != 0) CHECK(usage.ru_maxrss < peak + 4096);
    peak = usage.ru_maxrss;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace memory_test
