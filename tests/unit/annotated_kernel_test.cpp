// Annotations of a whole kernel do not keep the kernel, and warps know their warpgroups.
#include "subcore/model/passes/annotated_kernel.h"

#include <fstream>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/trace_files.h"

namespace annotated_kernel_test {

using namespace subcore;
using namespace subcore::test;

namespace {

constexpr unsigned instructions = 1000;  // instructions of a CTA's only warp

std::filesystem::path write_kernel(const TemporaryFolder& folder, unsigned ctas) {
  std::string warp;
  for (unsigned i = 0; i < instructions; ++i) warp += "0000 ffffffff 1 R1 MOV 0 0\n";
  std::ofstream out(folder.write("kernel-1.traceg", header("3", "(" + std::to_string(ctas) + ",1,1)")),
                    std::ios::app);
  for (unsigned c = 0; c < ctas; ++c)
    out << "#BEGIN_TB\nthread block = " << c << ",0,0\nwarp = 0\ninsts = " << instructions << "\n"
        << warp << "#END_TB\n";
  return folder.path() / "kernel-1.traceg";
}

// Kilobytes that a process of its own needs at most to read the kernel when every warp is profiled.
long peak_of(const std::filesystem::path& file, unsigned ctas) {
  const pid_t child = fork();
  if (child == 0) {
    PassOptions options;
    options.near_bits.profile_fraction = 1;
    AnnotatedKernel kernel(file, {}, options);
    CtaTrace cta;
    unsigned met = 0;
    while (kernel.next(cta))
      if (cta.id.x == met && cta.warps.size() == 1 && cta.warps[0].records.size() == instructions) ++met;
    _exit(met == ctas ? 0 : 1);
  }
  int status = 0;
  rusage usage{};
  REQUIRE(wait4(child, &status, 0, &usage) == child);
  CHECK(status == 0);
  return usage.ru_maxrss;
}

}  // namespace

TEST_CASE("a profile of eight times as many warps takes no more memory", "[passes]") {
  const TemporaryFolder few, many;
  const long small = peak_of(write_kernel(few, 600), 600);  // 5 MB of records
  const long large = peak_of(write_kernel(many, 4800), 4800);
  INFO(small << " KB, " << large << " KB");
  CHECK(large < small + 4096);
}

// The first warpgroup is whole. Of the second one the trace has warps 4 to 6, and warp 5 runs nothing. No
// pass reads the kernel before its CTA does.
TEST_CASE("an annotated warp knows the running warps of its warpgroup, on machines with products",
          "[passes]") {
  const TemporaryFolder folder;
  std::string text = header("3", "(1,1,1)", "(256,1,1)") + "#BEGIN_TB\nthread block = 0,0,0\n";
  for (unsigned warp = 0; warp < 7; ++warp) {
    text += "warp = " + std::to_string(warp) + "\ninsts = " + (warp == 5 ? "0\n" : "2\n");
    if (warp != 5) text += "0000 ffffffff 1 R4 HGMMA.64x16x16.F32 1 R4 0\n0010 ffffffff 0 EXIT 0 0\n";
  }
  const std::filesystem::path file = folder.write("kernel-1.traceg", text + "#END_TB\n");
  for (const unsigned architecture : {0u, 90u}) {
    PassOptions options;
    options.near_bits.source = NearBitsSource::none;
    options.units.architecture = architecture;
    AnnotatedKernel kernel(file, {}, options);
    CtaTrace cta;
    REQUIRE(kernel.next(cta));
    std::vector<unsigned> running;
    for (const WarpTrace& warp : cta.warps) running.push_back(warp.warpgroup_warps);
    CAPTURE(architecture);
    const bool products = architecture == 90;
    CHECK(running == (products ? std::vector<unsigned>{4, 4, 4, 4, 2, 2, 2} : std::vector<unsigned>(7, 0)));
    CHECK((kernel.code().instructions[0].warpgroup == WarpgroupStep::product) == products);
  }
}

}  // namespace annotated_kernel_test
