// Divergent paths that write the same registers, on every platform of one SM. The check of operands finds
// lanes that lack a write, and no others.
#include <catch2/catch.hpp>

#include "subcore/model/policy/operand_cache/operand_cache_parameters.h"
#include "tests/platform/edited_run.h"
#include "tests/platform/invariants.h"
#include "tests/random/divergent_trace.h"
#include "tests/temporary_folder.h"

namespace lanes_test {

using namespace subcore;
using namespace subcore::test;

namespace {

namespace fs = std::filesystem;

const fs::path traces = fs::path(SUBCORE_SOURCE_DIR) / "tests/traces";

std::vector<std::string> of_one_sm() {
  std::vector<std::string> all{
      "reuse_ocu",           "socgpu", "socgpu_literal", "malekeh_socgpu", "traditional_results",
      "monolithic_baseline", "war",    "war_counters"};
  for (const auto* some : {&all_platforms, &written_back_platforms, &bypassing_platforms,
                           &operand_cache_platforms, &nvidia_platforms})
    all.insert(all.end(), some->begin(), some->end());
  return all;
}

void check_in_three_orders(const std::vector<fs::path>& folders) {
  const auto first = run(jobs(of_one_sm(), folders));
  check_invariants(first);
  for (const char* order : {"tick_order=reverse", "tick_order=shuffled"}) {
    const auto again = run(jobs(of_one_sm(), folders, {order}));
    REQUIRE(again.size() == first.size());
    for (std::size_t n = 0; n < first.size(); ++n) CHECK(without_time(again[n]) == without_time(first[n]));
  }
}

// A register cache that is not emptied when another warp issues, and does not know which warp its entries
// belong to.
class KeptBetweenWarps : public OperandCachePolicy {
 public:
  Lookup read(const Instruction& i, unsigned source) override {
    const Version& v = versions_[i.source(source)];
    return {v.write != 0, v, true};
  }
  std::uint8_t to_banks(const Instruction&) const override { return 0xff; }
  bool written(const Instruction& i, unsigned d) override {
    versions_[i.destination(d)] = i.result(d);
    return true;
  }

 private:
  std::array<Version, 256> versions_{};
};
class KeptBetweenWarpsChoice : public OperandCacheChoice {
 public:
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters&, unsigned) const override {
    return std::make_unique<KeptBetweenWarps>();
  }
};

// The error that ends a run of a trace in which each of these warps executes these lines; empty if there is
// none.
std::string failure_of_warps(const std::string& platform, const std::vector<std::string>& settings,
                             const std::vector<std::string>& lines) {
  const TemporaryFolder folder;
  std::string text = "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (" +
                     std::to_string(32 * lines.size()) +
                     ",1,1)\n-shmem = 0\n-nregs = 16\n-binary version = 75\n-accelsim tracer version = 5\n"
                     "#traces format = PC mask\n#BEGIN_TB\nthread block = 0,0,0\n";
  for (std::size_t w = 0; w < lines.size(); ++w)
    text += "\nwarp = " + std::to_string(w) +
            "\ninsts = " + std::to_string(std::count(lines[w].begin(), lines[w].end(), '\n')) + "\n" +
            lines[w];
  folder.write("kernel-1.traceg", text + "\n#END_TB\n");
  folder.write("kernelslist.g", "kernel-1.traceg\n");
  try {
    run(jobs({platform}, {folder.path()}, settings));
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

}  // namespace

// A double addition of the upper half of the lanes comes behind results of the lower half in the same
// registers.
TEST_CASE("a late result of one path is no stale operand of the other") {
  check_in_three_orders({traces / "late_lanes"});
}

TEST_CASE("a late result that its own path does not wait for is one") {
  const auto without_wait = [](SidecarLine& l) {
    const auto at = l.control.find(" 01 ");
    if (at != std::string::npos) l.control.replace(at, 4, " 00 ");
  };
  for (const char* platform : {"nvidia_turing", "nvidia_near", "nvidia_turing_no_rfc"})
    CHECK_THAT(failure(platform, traces / "late_lanes", without_wait),
               Catch::Contains("pc 0x90") && Catch::Contains("R12 is version 4, program order demands 4") &&
                   Catch::Contains("older writes are missing"));
}

// Of two loads from shared memory under opposite guards, the last one has the barrier and runs in no lane.
// The lanes of the first one take the banks one after the other.
TEST_CASE("a load that runs in no lane completes behind the loads that it has the barrier for") {
  check_in_three_orders({traces / "off_lanes"});
  const auto without_wait = [](SidecarLine& l) {
    const auto at = l.control.find(" 01 ");
    if (at != std::string::npos) l.control.replace(at, 4, " 00 ");
  };
  for (const char* platform : {"nvidia_turing", "nvidia_near", "nvidia_turing_no_rfc"})
    CHECK_THAT(failure(platform, traces / "off_lanes", without_wait),
               Catch::Contains("pc 0x50") && Catch::Contains("R4 is version 1, program order demands 2"));
}

// Eight warps, two to a sub-core, write R4 once each and read it when all warps have written. So their counts
// of writes agree.
TEST_CASE("what a cache keeps of one warp is a stale operand of the next, though counts of writes agree") {
  OperandCacheChoice::choices().add<KeptBetweenWarpsChoice>("kept_between_warps", "of any warp");
  std::string lines = "0000 ffffffff 1 R4 MOV 0 0\n0010 ffffffff 0 BAR.SYNC 0 0\n";
  for (int n = 0; n < 9; ++n) lines += "0020 ffffffff 1 R8 IADD3 1 R8 0\n";
  lines += "0030 ffffffff 1 R6 IADD3 1 R4 0\n0040 ffffffff 0 EXIT 0 0\n";
  const std::vector<std::string> kept{"sub_core.operand_cache.kind=kept_between_warps"};
  const std::string found = failure_of_warps("baseline", kept, std::vector<std::string>(8, lines));
  CHECK_THAT(found, Catch::Contains("pc 0x30") && Catch::Contains("R4 is version 1 of R4 of s") &&
                        Catch::Contains("program order demands 1"));
  // A warp that is alone on its sub-core finds only its own entries.
  CHECK(failure_of_warps("baseline", kept, std::vector<std::string>(4, lines)).empty());
  CHECK(failure_of_warps("baseline", {}, std::vector<std::string>(8, lines)).empty());
  // The cache is not accepted on any kernel whose warps share a sub-core, either.
  unsigned fired = 0;
  for (const fs::path& trace : own_traces()) {
    try {
      run(jobs({"baseline"}, {trace}, kept));
    } catch (const std::exception& e) {
      ++fired;
      CHECK_THAT(e.what(), Catch::Contains(" of sub-core ") && Catch::Contains("program order demands"));
    }
  }
  INFO(fired << " of " << own_traces().size());
  CHECK(fired >= own_traces().size() / 2);
}

// With invalidation switched off a collector keeps values that a result has outdated. Two warps take turns on
// the one collector of a sub-core. An outdated copy of the other warp is never read, and an outdated copy of
// the warp's own is found.
TEST_CASE("without stale_invalidate an outdated copy is found behind other warps, and theirs is none") {
  const std::string one = "sub_core.collector.count=1";
  const std::vector<std::string> off{one, "sub_core.collector.stale_invalidate=false",
                                     "sub_core.collector.cache_results=false"};
  const std::string reads = "0000 ffffffff 1 R6 FADD 2 R2 R2 0\n",
                    writes = "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 1 0x7f4000105000 4\n",
                    again = "0020 ffffffff 1 R7 FADD 2 R2 R2 0\n", end = "0030 ffffffff 0 EXIT 0 0\n";
  std::vector<std::string> warps(4, reads + writes + again + end);
  CHECK_THAT(failure_of_warps("malekeh", off, warps),
             Catch::Contains("pc 0x20") && Catch::Contains("R2 is version 0, program order demands 1"));
  CHECK(failure_of_warps("malekeh", {one}, warps).empty());
  // The first four instructions only read. The others write what they read.
  warps.assign(4, reads + end);
  warps.resize(8, writes + again + end);
  CHECK(failure_of_warps("malekeh", off, warps).empty());
}

// If two registers are counted for each operand of a tensor instruction, R51 stands for R51 and R52. Its
// reuse flag is for R51 only: R52 is written before it is read again.
TEST_CASE("a reuse flag is not of a register that only the counting of operands adds") {
  check_in_three_orders({traces / "reuse_of_added_register"});
  const auto counted = run(jobs({"reuse_ocu"}, {traces / "reuse_of_added_register"}))[0];
  CHECK(counted.cache_read_hits == 1);  // R51
  CHECK(counted.source_operands == 13);
}

TEST_CASE("random divergent paths whose results come at different times leave the proof intact") {
  const TemporaryFolder folder;
  std::vector<fs::path> folders;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    folders.push_back(folder.path() / ("divergent_" + std::to_string(seed)));
    random::write_trace(random::divergent_trace(seed), folders.back());
  }
  check_in_three_orders(folders);
}

TEST_CASE("traces on which versions of whole registers were wrong") {
  check_shared(of_one_sm(), {"found/particlefilter"});
  const fs::path found = shared_traces() / "found";
  if (fs::exists(found)) check_in_three_orders({found / "lane_stale", found / "streamcluster"});
}

}  // namespace lanes_test
