// The events that instructions wait for, from a trace's immediates and from sidecars.
#include "subcore/model/trace/wait_operands.h"

#include <catch2/catch.hpp>

#include "subcore/model/trace/pack.h"
#include "tests/unit/trace_files.h"

namespace wait_operands_test {

using namespace subcore;
using namespace subcore::test;

namespace {

StaticInstruction read(std::string_view opcode, std::string_view sass, std::string_view immediate,
                       unsigned sources = 0) {
  StaticInstruction s;
  s.source_count = static_cast<std::uint8_t>(sources);
  read_wait_operands(opcode, sass, immediate, s);
  return s;
}

struct Meeting {
  unsigned name, warps;
  bool operator==(const Meeting& m) const { return name == m.name && warps == m.warps; }
};
Meeting meeting(std::string_view sass, std::string_view immediate, unsigned sources = 0) {
  const StaticInstruction s = read("BAR.SYNC.DEFER_BLOCKING", sass, immediate, sources);
  return {s.barrier_name, s.barrier_warps};
}

// The instructions of a kernel of tracer version 5 with these lines.
std::vector<StaticInstruction> instructions_of(const std::filesystem::path& kernel) {
  KernelReader reader(kernel, {});
  CtaTrace cta;
  REQUIRE(reader.next(cta));
  std::vector<StaticInstruction> all;
  for (const TraceRecord& r : cta.warps[0].records) all.push_back(reader.code().instructions[r.code]);
  return all;
}

constexpr const char* lines =
    "0000 ffffffff 0 LDGSTS.E.BYPASS.128 2 R2 R4 16 1 0x7f4000000000 16 0\n"
    "0010 ffffffff 0 LDGDEPBAR 0 0 0\n"
    "0020 ffffffff 0 DEPBAR.LE 0 0 1\n"
    "0030 ffffffff 0 ARRIVES.LDGSTSBAR.64 1 R2 0 0\n"
    "0040 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 3\n"
    "0050 ffffffff 0 BAR.ARV 0 0 64\n"
    "0060 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 0\n"
    "0070 ffffffff 1 R4 LDSM.16.MT88.2 1 R2 2 1 0x7f3000000000 16 0\n"
    "0080 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 1 R3 0 5\n"
    "0090 ffffffff 0 EXIT 0 0 0\n";

}  // namespace

TEST_CASE("DEPBAR.LE lets as many groups be as its immediate or its sidecar says, otherwise none",
          "[trace]") {
  CHECK(read("DEPBAR.LE", "", "1").open_groups == 1);
  CHECK(read("DEPBAR.LE", "", "0x3").open_groups == 3);
  CHECK(read("DEPBAR.LE", "", "").open_groups == 0);
  CHECK(read("DEPBAR.LE", "", "-1").open_groups == 0);
  CHECK(read("DEPBAR.LE", "", "64").open_groups == 0);  // the counters have six bits
  CHECK(read("DEPBAR", "", "1").open_groups == 0);
  CHECK(read("DEPBAR.LE", "", "1").awaited_counter == no_barrier);
  const StaticInstruction s = read("DEPBAR.LE", "@!P0 DEPBAR.LE SB4, 0x2 ;", "");
  CHECK(s.open_groups == 2);
  CHECK(s.awaited_counter == 4);
  CHECK(read("DEPBAR.LE", "DEPBAR.LE SB0, 0x1, {2, 1} ;", "0").open_groups == 1);
  CHECK(read("DEPBAR.LE", "DEPBAR.LE SB6, 0x1 ;", "").awaited_counter == no_barrier);
  CHECK(read("DEPBAR.LE", "DEPBAR.LE SB5, 0x3f ;", "").awaited_counter == 5);
  CHECK(read("DEPBAR.LE", "DEPBAR.LE SB5, 0x3f ;", "").open_groups == 63);
  // A counter is awaited only if the first operand names it, and the second operand is a number.
  const StaticInstruction by_register = read("DEPBAR.LE", "DEPBAR.LE SB4, R2 ;", "3");
  CHECK(by_register.open_groups == 3);
  CHECK(by_register.awaited_counter == no_barrier);
  const StaticInstruction uniform = read("DEPBAR.LE", "DEPBAR.LE UR4, 0x2 ;", "");
  CHECK(uniform.open_groups == 2);
  CHECK(uniform.awaited_counter == no_barrier);
  CHECK(read("DEPBAR.LE", "a text of another kind", "1").open_groups == 1);
  CHECK(read("MOV", "DEPBAR.LE SB0, 0x1 ;", "1").open_groups == 0);
}

TEST_CASE("BAR meets at the barrier and with the warps that its operands tell", "[trace]") {
  CHECK(meeting("BAR.SYNC.DEFER_BLOCKING 0x0 ;", "0") == Meeting{0, 0});
  CHECK(meeting("BAR.SYNC.DEFER_BLOCKING 0x5, 0x40 ;", "64") == Meeting{5, 2});
  CHECK(meeting("BAR.RED.AND.DEFER_BLOCKING 0x2, P0 ;", "2") == Meeting{2, 0});
  CHECK(meeting("@P1 BAR.ARV 0xf, 0x400 ;", "") == Meeting{15, 32});
  CHECK(meeting("BAR.SYNC 0x1, R3 ;", "1", 1) == Meeting{1, 0});
  CHECK(meeting("BAR.SYNC R2, R3 ;", "0", 2) == Meeting{0, 0});
  CHECK(meeting("BAR.SYNC R2, 0x40 ;", "64", 1) == Meeting{0, 0});
  CHECK(meeting("BAR.SYNC 0x10, 0x40 ;", "3") == Meeting{0, 0});  // there are 16 barriers
  CHECK(meeting("BAR.SYNC 0x3, 0x30 ;", "") == Meeting{3, 0});    // not whole warps
  CHECK(meeting("BAR.SYNC 0x3, 0x420 ;", "") == Meeting{3, 0});   // more than a CTA has
  // Without a sidecar there is one immediate, the last.
  CHECK(meeting("", "") == Meeting{0, 0});
  CHECK(meeting("", "7") == Meeting{7, 0});
  CHECK(meeting("", "15") == Meeting{15, 0});
  CHECK(meeting("", "16") == Meeting{0, 0});
  CHECK(meeting("", "32") == Meeting{unnamed_barrier, 1});
  CHECK(meeting("", "48") == Meeting{0, 0});
  CHECK(meeting("", "64") == Meeting{unnamed_barrier, 2});
  CHECK(meeting("", "1024") == Meeting{unnamed_barrier, 32});
  CHECK(meeting("", "1056") == Meeting{0, 0});
  CHECK(meeting("", "64", 1) == Meeting{0, 0});  // the name is in a register
}

TEST_CASE("a trace's lines say who copies, who waits, and where warps meet, packed or not", "[trace]") {
  const TemporaryFolder folder;
  const auto kernel = folder.write("kernel-1.traceg", header("5") + one_warp(lines));
  const auto packed = folder.path() / "kernel-1.traceg.packed";
  pack_kernel(kernel, packed, [](double) {});
  for (const auto& file : {kernel, packed}) {
    CAPTURE(file);
    const std::vector<StaticInstruction> all = instructions_of(file);
    const std::vector<CopyStep> steps{CopyStep::copy, CopyStep::end_group, CopyStep::wait, CopyStep::arrive};
    for (std::size_t n = 0; n < all.size(); ++n)
      CHECK(all[n].copies == (n < steps.size() ? steps[n] : CopyStep::none));
    CHECK(all[2].open_groups == 1);
    CHECK(all[4].kind == InstructionKind::barrier);
    CHECK(all[4].barrier_name == 3);
    CHECK(all[4].barrier_warps == 0);
    CHECK_FALSE(arrives_at_barrier(all[4]));
    CHECK(arrives_at_barrier(all[5]));
    CHECK(all[5].barrier_name == unnamed_barrier);
    CHECK(all[5].barrier_warps == 2);
    CHECK(all[6].barrier_name == 0);
    CHECK(all[7].matrices == 2);
    CHECK(all[6].matrices == 0);
    CHECK(all[8].barrier_name == 5);  // R3 has the count of threads
  }
}

TEST_CASE("instructions of one program counter that wait for different events are different, packed or not",
          "[trace]") {
  const TemporaryFolder folder;
  std::string waits;
  for (const char* groups : {"1", "2"})
    waits += "0020 ffffffff 0 DEPBAR.LE 0 0 " + std::string(groups) + "\n";
  for (const char* operand : {"3", "5", "64", "96"})
    waits += "0040 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 " + std::string(operand) + "\n";
  const auto kernel = folder.write("kernel-1.traceg", header("5") + one_warp(waits));
  const auto packed = folder.path() / "kernel-1.traceg.packed";
  pack_kernel(kernel, packed, [](double) {});
  for (const auto& file : {kernel, packed}) {
    CAPTURE(file);
    const std::vector<StaticInstruction> all = instructions_of(file);
    REQUIRE(all.size() == 6);
    CHECK(all[0].open_groups == 1);
    CHECK(all[1].open_groups == 2);
    CHECK(all[2].barrier_name == 3);
    CHECK(all[3].barrier_name == 5);
    CHECK(all[4].barrier_warps == 2);
    CHECK(all[5].barrier_warps == 3);
  }
}

TEST_CASE("a sidecar says more of a wait than the line does", "[trace]") {
  const TemporaryFolder folder;
  const auto kernel =
      folder.write("kernel-1.traceg", header("4") + one_warp("0020 ffffffff 0 DEPBAR.LE 0 0\n"
                                                             "0040 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0\n"
                                                             "0080 ffffffff 0 EXIT 0 0\n"));
  folder.write("kernel-1.sass",
               "0020 | 0 0 | 4 Y 7 7 00 0 | | DEPBAR.LE SB0, 0x2 ;\n"
               "0040 | 0 0 | 6 - 7 7 00 0 | | BAR.SYNC.DEFER_BLOCKING 0x1, 0x40 ;\n"
               "0080 | 0 0 | 5 - 7 7 00 0 | | EXIT ;\n");
  const std::vector<StaticInstruction> all = instructions_of(kernel);
  CHECK(all[0].open_groups == 2);
  CHECK(all[0].awaited_counter == 0);
  CHECK(all[1].barrier_name == 1);
  CHECK(all[1].barrier_warps == 2);
}

}  // namespace wait_operands_test
