// The traces that Accel-Sim 2.0 writes: its lines (tracer version 6), and its .tracez files. No public
// .tracez file was at hand. tests/tracez_file.h writes these files, from the layout in Accel-Sim's source.
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/base/bits.h"
#include "subcore/model/isa/opcodes.h"
#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/pack.h"
#include "subcore/model/trace/sass_text.h"
#include "subcore/model/trace/trace.h"
#include "tests/random/random_trace.h"
#include "tests/tracez_file.h"
#include "tests/unit/trace_files.h"

namespace tracez_test {

using namespace subcore;
using namespace subcore::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;
using Registers = std::vector<Register>;

struct Read {
  CodeTable code;
  std::vector<CtaTrace> ctas;
  const StaticInstruction& instruction(std::size_t i) const {
    return code.instructions[ctas[0].warps[0].records[i].code];
  }
};

Read read(const fs::path& file, const OperandOptions& options = {}) {
  KernelReader reader(file, options);
  Read r;
  CtaTrace cta;
  while (reader.next(cta)) r.ctas.push_back(cta);
  CHECK(reader.bytes_read() == reader.bytes_total());
  r.code = reader.code();
  return r;
}

Read read_lines(const std::string& lines, const OperandOptions& options = {}) {
  const TemporaryFolder folder;
  return read(folder.write("kernel-1.traceg", header("6") + one_warp(lines)), options);
}

Registers sources(const StaticInstruction& s) {
  return {s.sources.begin(), s.sources.begin() + s.source_count};
}
Registers destinations(const StaticInstruction& s) {
  return {s.destinations.begin(), s.destinations.begin() + s.destination_count};
}

// An instruction line on line 18, behind a good one.
void check_line(const std::string& line, const std::string& problem, const std::string& expected) {
  const TemporaryFolder folder;
  const fs::path file =
      folder.write("kernel-1.traceg",
                   header("6") + one_warp("0000 ffffffff 1 R1 IADD3 2 R2 R3 0 0 0 NoVal\n" + line + "\n"));
  CHECK_THAT(error_of(file),
             Catch::StartsWith(file.string() + ":18: " + problem) && Contains("; expected " + expected));
}

// Values of so many registers, of one lane or of 32.
std::string values(unsigned registers, bool distinct = false) {
  std::string text = "Val";
  for (unsigned r = 0; r < registers; ++r) {
    text += distinct ? " 32" : " 1";
    for (unsigned lane = 0; lane < (distinct ? 32u : 1u); ++lane) text += " 0xab" + std::to_string(lane);
  }
  return text;
}

}  // namespace

TEST_CASE("registers of all kinds stand in the lines of Accel-Sim 2.0", "[trace]") {
  OperandOptions options;
  options.predicates = true;
  const Read r = read_lines(
      "0000 ffffffff 1 R1 IMAD 3 R2 UR4 R3 0 0 0 NoVal\n"
      "0010 ffffffff 1 UR4 R2UR 1 R5 0 0 0 NoVal\n"
      "0020 ffffffff 1 P0 ISETP.GE.AND 4 P7 R2 UR63 P3 0 0 0 NoVal\n"
      "0030 ffffffff 1 R4 IADD3 7 P1 P2 R5 R6 R7 P3 UP4 0 0 0 NoVal\n"
      "0040 ffffffff 1 P0 SHFL.IDX 3 R4 R2 R3 0 31 0 NoVal\n"
      "0050 ffffffff 1 UP1 UISETP.NE.AND 3 UP7 UR5 UR6 0 0 0 NoVal\n"
      "0060 ffffffff 1 R1 SEL 3 R2 R3 P6 0 0 0 NoVal\n"
      "0070 ffffffff 1 R4 IADD3.X 4 R5 R6 R7 P3 0 0 0 NoVal\n"
      "0080 ffffffff 0 EXIT 0 0 0 0 NoVal\n",
      options);
  CHECK(sources(r.instruction(0)) == Registers{2, 3});
  CHECK(sources(r.instruction(1)) == Registers{5});
  CHECK(destinations(r.instruction(1)).empty());
  const auto predicates = [&](std::size_t i) {
    return std::pair<unsigned, unsigned>{r.instruction(i).predicates_read,
                                         r.instruction(i).predicates_written};
  };
  using Pair = std::pair<unsigned, unsigned>;
  CHECK(sources(r.instruction(2)) == Registers{2});
  CHECK(predicates(2) == Pair{1u << 3, 1u << 0});
  CHECK(predicates(3) == Pair{1u << 3 | 1u << 12, 1u << 1 | 1u << 2});
  CHECK(destinations(r.instruction(4)) == Registers{4});
  CHECK(sources(r.instruction(4)) == Registers{2, 3});
  CHECK(r.instruction(4).behind_predicate);
  CHECK(predicates(4) == Pair{0, 1u << 0});
  CHECK(predicates(5) == Pair{1u << any_uniform, 1u << 9});
  CHECK(predicates(6) == Pair{1u << 6, 0});
  CHECK(predicates(7) == Pair{1u << 3, 0});
  // Predicates that were not asked for.
  CHECK(read_lines("0000 ffffffff 1 P0 ISETP.GE.AND 2 R2 P3 0 0 0 NoVal\n").instruction(0).predicates_read ==
        0);
  // A sidecar knows better.
  const TemporaryFolder folder;
  folder.write("kernel-1.sass",
               "0000 | 0 0 | 1 - 7 7 00 0 | S:R2x1/A | @!P5 ISETP.GE.AND P1, PT, R2, R3, PT\n");
  const fs::path file = folder.write(
      "kernel-1.traceg", header("6") + one_warp("0000 ffffffff 1 P0 ISETP.GE.AND 2 R2 P3 0 0 0 NoVal\n"));
  CHECK(read(file, options).instruction(0).predicates_read == 1u << 5);
  CHECK(read(file, options).instruction(0).predicates_written == 1u << 1);
}

TEST_CASE("uniform registers of the lines of Accel-Sim 2.0 order instructions, if that is asked for",
          "[trace]") {
  struct Case {
    const char* text;  // behind the mask
    std::uint64_t read, written;
  };
  constexpr std::uint64_t last = std::uint64_t{1} << (uniform_count - 1);
  const std::vector<Case> cases{
      {"1 R1 IMAD 3 R2 UR4 R3 0 0 0 NoVal", 1u << 4, 0},
      {"1 R1 IADD3 3 R2 R3 R4 0 0 0 NoVal", 0, 0},
      {"1 UR4 R2UR 1 R5 0 0 0 NoVal", 0, 1u << 4},
      {"1 P0 R2UR 2 UR4 R5 0 0 0 NoVal", 0, 1u << 4},
      {"1 P0 R2UR 3 UR4 R5 UR6 0 0 0 NoVal", 1u << 6, 1u << 4},
      {"1 UR62 UMOV 1 UR63 0 0 0 NoVal", 0, last},
      {"1 UR4 ULDC.64 0 0 0 0 NoVal", 0, 3u << 4},
      {"1 UR8 UIMAD.WIDE 3 UR4 UR6 UR10 0 0 0 NoVal", 3u << 4 | 3u << 6 | 3u << 10, 3u << 8},
      {"1 UP1 UISETP.NE.AND 3 UP7 UR5 UR6 0 0 0 NoVal", 3u << 5, 0},
      {"0 HGMMA.64x64x16.F32 2 R8 UR8 0 0 0 0 NoVal", 0xfu << 8, 0},
      {"1 UR80 UMOV 1 UR100 0 0 0 NoVal", 0, 0},
  };
  OperandOptions options;
  options.predicates = true;
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const std::string line = "0000 ffffffff " + std::string(c.text) + "\n";
    const StaticInstruction i = read_lines(line, options).instruction(0);
    CHECK(i.uniforms_read == c.read);
    CHECK(i.uniforms_written == c.written);
    CHECK(bits::has(i.predicates_read, any_uniform) == (c.read != 0));
    CHECK(bits::has(i.predicates_written, any_uniform) == (c.written != 0));
    const StaticInstruction not_asked = read_lines(line).instruction(0);
    CHECK((not_asked.uniforms_read | not_asked.uniforms_written) == 0);
    CHECK((not_asked.predicates_read | not_asked.predicates_written) == 0);
  }
  const Read load = read_lines("0000 ffffffff 1 R4 LDG.E 2 R2 UR6 4 1 0x7f4000000000 4 0 0 NoVal\n", options);
  CHECK(load.instruction(0).uniforms_read == 3u << 6);
  // A sidecar knows better of such lines, and says nothing of older ones.
  for (const bool new_line : {true, false}) {
    const TemporaryFolder folder;
    folder.write("kernel-1.sass",
                 "0000 | 0 0 | 1 - 7 7 00 0 | D:R1x1 S:R2x1/A S:UR8x1/B S:R3x1/C | IMAD R1, R2, UR8, R3\n");
    const fs::path file = folder.write(
        "kernel-1.traceg",
        header(new_line ? "6" : "5") + one_warp(new_line ? "0000 ffffffff 1 R1 IMAD 3 R2 UR4 R3 0 0 0 NoVal\n"
                                                         : "0000 ffffffff 1 R1 IMAD 2 R2 R3 0 0\n"));
    CHECK(read(file, options).instruction(0).uniforms_read == (new_line ? 1u << 8 : 0u));
  }
}

TEST_CASE("lines of Accel-Sim 2.0 may end in immediates, values and reuse flags", "[trace]") {
  const std::string line = "0000 ffffffff 1 R1 IADD3 3 R2 UR4 P0 0";
  for (const std::string& tail :
       {std::string(), std::string(" 7"), std::string(" 7 -8"), std::string(" 7 8 NoVal"),
        std::string(" NoVal"), " 7 8 " + values(4), " 7 8 " + values(4, true)})
    for (const std::string& reuse : {std::string(), std::string(" reuse=3")}) {
      INFO(tail << reuse);
      const Read r = read_lines(line + tail + reuse + "\n" + line + " 0 0 NoVal" + reuse + "\n");
      CHECK(r.code.instructions.size() == 1);  // one meaning
      CHECK(unsigned{r.instruction(0).reuse_mask} == (reuse.empty() ? 0u : 3u));
    }
  const Read load = read_lines(
      "0000 00000003 1 R8 LDG.E.256 2 UR4 R2 32 2 0x7f40 32 5 0 NoVal\n"
      "0010 00000003 0 STG.E.256 3 UR4 R2 R8 32 1 0x7f40 32 5 0 " +
      values(3) + "\n0000 00000001 1 R8 LDG.E.256 2 UR4 R2 32 0 0x7f40\n");
  CHECK(unsigned{load.instruction(0).memory_bytes} == 32);
  CHECK(destinations(load.instruction(0)) == Registers{8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(sources(load.instruction(1)) == Registers{2, 3, 8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(load.instruction(2).index == load.instruction(0).index);
  LaneAddresses lanes;
  decode_addresses(load.ctas[0].warps[0].addresses.data(), 3, lanes);
  CHECK((lanes.address[0] == 0x7f40 && lanes.address[1] == 0x7f60));
}

TEST_CASE("bulk copies, commit flags, marks of replays and clusters are read", "[trace]") {
  const std::string lines =
      "0000 00000001 0 UTMALDG.2D 2 UR4 UR6 16 1f000 0 4096 0 3 2 7f0000 7f0080 0 0 NoVal\n"
      "0000 00000001 0 UTMALDG.2D 2 UR4 UR6 16 0x1f000 1 000f 4096 128 4 0x7f0000 3 128 -256 0 0 NoVal\n"
      "0000 00000000 0 UTMALDG.2D 2 UR4 UR6 16\n"
      "0000 00000001 0 UTMALDG.2D 2 UR4 UR6 16 0 0 0 0 4 0 0\n"
      "0010 00000001 0 UBLKCP.S.G 2 UR4 UR6 0 0 0 0 0 3 0 " +
      values(2) +
      " reuse=1\n"
      "0020 ffffffff 0 REPLAY_START 0 0 0 0 NoVal\n"
      "0020 ffffffff 1 R24 HGMMA.64x64x16.F32 2 UR4 R24 0 0 0 0 NoVal\n"
      "0020 ffffffff 0 REPLAY_END 0 0 0 0 NoVal\n"
      "0030 ffffffff 1 R24 HGMMA.64x64x16.F32 2 UR4 R24 1 0 0 0 NoVal\n";
  const TemporaryFolder folder;
  std::string text = header("6", "(1,1,1)", "(32,1,1)", "") + one_warp(lines);
  text.replace(text.find("-nregs = 16"), 11, "-nregs = 32");
  const std::string block = "thread block = 0,0,0\n";
  text.replace(text.find(block), block.size(),
               block + "cluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\n");
  const fs::path file = folder.write("kernel-1.traceg", text);
  const Read r = read(file);
  const WarpTrace& warp = r.ctas[0].warps[0];
  REQUIRE(warp.records.size() == 7);
  CHECK(warp.addresses.empty());
  CHECK(r.code.instructions.size() == 4);
  CHECK_FALSE(r.instruction(5).ends_group);
  CHECK(r.instruction(6).ends_group);
  CHECK(r.code.opcode_name(r.instruction(5)) == "HGMMA.64x64x16.F32");
  // The packed kernel is the same kernel.
  const fs::path packed = folder.path() / "packed.traceg.packed";
  pack_kernel(file, packed, [](double) {});
  const Read p = read(packed);
  REQUIRE(p.ctas[0].warps[0].records.size() == warp.records.size());
  for (std::size_t i = 0; i < warp.records.size(); ++i) {
    CHECK(p.ctas[0].warps[0].records[i].code == warp.records[i].code);
    CHECK(p.instruction(i).ends_group == r.instruction(i).ends_group);
    CHECK(p.instruction(i).reuse_mask == r.instruction(i).reuse_mask);
  }
  std::ostringstream unpacked;
  LineSource source(packed);
  for (std::string_view line; source.next(line);) unpacked << line << '\n';
  const Read again = read(folder.write("kernel-2.traceg", unpacked.str()));
  CHECK(again.ctas[0].warps[0].records.size() == warp.records.size());
  CHECK(again.code.instructions.size() == r.code.instructions.size());
}

TEST_CASE("bulk copies and mbarriers keep what their lines say, packed or not", "[trace]") {
  const std::string lanes =
      " 32 0 1 2 3 4 5 6 7 8 9 a b c d e f 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f";
  const std::string lines =
      "0000 00000001 1 UR255 SYNCS.EXCH.64 2 UR4 UR6 8 1 0x7f3000000400 0 0 0 Val 1 0 1 400 1 "
      "7fe00000001ffff0\n"
      "0010 00000004 0 UTMALDG.2D 2 UR4 UR6 16 2000400 0 4096 128 3 2 7f0000 7f0080 0 0 NoVal\n"
      "0020 00000001 0 UBLKCP.S.G 2 UR4 UR6 16 0x408 1 000f 768 0 4 0x7f0000 3 256 -512 0 0 Val 1 0 1 0\n"
      "0030 00000006 1 R255 SYNCS.ARRIVE.TRANS64 2 UR4 R2 8 0 0x402 0x40a 0 0 Val 1 0 1 0" +
      lanes +
      " reuse=1\n"
      "0040 00000001 1 R255 SYNCS.ARRIVE.TRANS64.A1T0 1 R2 8 1 0x400 0 0 0 Val 1 0 1 400\n"
      "0050 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 0 1 400 1 80000000\n"
      "0060 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x408 0 0 0 Val 1 0 1 408 1 80000000\n"
      "0050 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 0 1 400 1 80000000\n"
      "0050 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 0 1 400 1 0\n"
      "0050 00000000 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8\n"
      "0070 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 0 0 0 NoVal\n"
      "0080 ffffffff 0 ARRIVES.LDGSTSBAR.64.ARVCNT 1 R2 8 1 0x410 0 0 0 NoVal\n"
      "0090 00000000 0 UTMASTG.2D 2 UR4 UR6 16\n"
      "0090 00000001 0 UTMASTG.2D 2 UR4 UR6 16 0 0 64 0 3 1 7f0100 0 0 NoVal\n";
  const TemporaryFolder folder;
  const fs::path text = folder.write("kernel-1.traceg", header("6") + one_warp(lines));
  const fs::path packed = folder.path() / "packed.traceg.packed";
  pack_kernel(text, packed, [](double) {});
  std::ostringstream unpacked;
  LineSource source(packed);
  for (std::string_view line; source.next(line);) unpacked << line << '\n';
  for (const fs::path& file : {text, packed, folder.write("kernel-2.traceg", unpacked.str())}) {
    INFO(file);
    const Read r = read(file);
    const WarpTrace& w = r.ctas[0].warps[0];
    const std::vector<AsyncRecord>& all = w.async;
    REQUIRE(all.size() == 11);
    const auto of_syncs = [&](std::size_t n, AsyncStep step, std::uint32_t mbarrier, std::uint64_t value,
                              bool has_value, bool retried) {
      INFO(n);
      CHECK(all[n].step == step);
      CHECK(all[n].mbarrier == mbarrier);
      CHECK(all[n].value == value);
      CHECK(all[n].has_value == has_value);
      CHECK(all[n].retried == retried);
    };
    const auto of_copy = [&](std::size_t n, AsyncStep step, std::uint32_t mbarrier, std::uint32_t bytes,
                             std::uint32_t out_of_bounds, std::uint32_t ctas,
                             const std::vector<std::uint64_t>& addresses) {
      INFO(n);
      CHECK(all[n].step == step);
      CHECK(all[n].mbarrier == mbarrier);
      CHECK(all[n].bytes == bytes);
      CHECK(all[n].out_of_bounds == out_of_bounds);
      CHECK(all[n].ctas == ctas);
      const auto first = w.bulk_addresses.begin() + all[n].first_address;
      CHECK(std::vector<std::uint64_t>(first, first + all[n].addresses) == addresses);
    };
    of_syncs(0, AsyncStep::init, 0x400, 0x7fe00000001ffff0, true, false);
    of_copy(1, AsyncStep::load, 0x400, 4096, 128, 0, {0x7f0000, 0x7f0080});
    of_copy(2, AsyncStep::load, 0x408, 768, 0, 15, {0x7f0000, 0x7f0100, 0x7eff00});
    of_syncs(3, AsyncStep::arrive, 0x402, 1, true, false);  // of lane 1
    of_syncs(4, AsyncStep::arrive, 0x400, 0, false, false);
    of_syncs(5, AsyncStep::check, 0x400, 0x80000000, true, true);  // asked once more
    of_syncs(6, AsyncStep::check, 0x408, 0x80000000, true, false);
    of_syncs(7, AsyncStep::check, 0x400, 0x80000000, true, false);
    of_syncs(8, AsyncStep::check, 0x400, 0, true, false);
    of_syncs(9, AsyncStep::check, AsyncRecord::no_mbarrier, 0, false, false);
    of_copy(10, AsyncStep::store, 0, 64, 0, 0, {0x7f0100});
    // An arrival behind copies has the address of its mbarrier.
    LaneAddresses of_last;
    std::size_t at = 0, last = 0;
    for (; at < w.addresses.size(); at += encoded_size(w.addresses.data() + at)) last = at;
    decode_addresses(w.addresses.data() + last, ~0u, of_last);
    CHECK(of_last.address[31] == 0x410);
  }
  // Older tracers' lines say nothing of these.
  const Read old = read(folder.write(
      "kernel-3.traceg",
      header("5") +
          one_warp("0000 00000001 0 UTMALDG.2D 0 0\n0010 00000001 0 SYNCS.EXCH.64 0 8 1 0x400 0\n")));
  CHECK(old.ctas[0].warps[0].async.empty());
}

TEST_CASE("a question to an mbarrier is asked again whatever comes between the two", "[trace]") {
  const std::string question =
      "0000 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R2 R3 8 1 0x400 0 0 0 Val 1 0 1 400 1 80000000\n";
  // An arrival is no question, and without a value nobody knows which phase a question means.
  for (const std::string between :
       {"0010 00000001 1 R255 SYNCS.ARRIVE.TRANS64 2 UR4 R2 8 1 0x400 0 0 0 Val 1 0 1 0 1 1\n",
        "0010 ffffffff 1 P0 SYNCS.PHASECHK.TRANS64.TRYWAIT 1 R2 8 1 0x400 0 0 0 Val 1 0 1 400\n"}) {
    CAPTURE(between);
    const Read r = read_lines(question + between + question);
    const std::vector<AsyncRecord>& all = r.ctas[0].warps[0].async;
    REQUIRE(all.size() == 3);
    CHECK(all[0].retried);
    CHECK_FALSE(all[1].retried);
    CHECK_FALSE(all[2].retried);
  }
}

// A copy of three addresses has a base and two differences. The immediates behind them do not count.
TEST_CASE("immediates behind a bulk copy are left out of a packed trace", "[trace]") {
  const std::string copy = " 0 UTMALDG.2D 2 UR4 UR6 16 0 0 64 0 4 0x7f0000 3 128 -256";
  const TemporaryFolder folder;
  const fs::path packed = folder.path() / "packed.traceg.packed";
  pack_kernel(
      folder.write("kernel-1.traceg", header("6") + one_warp("0000 00000001" + copy + " 7 0x7f0000 NoVal\n")),
      packed, [](double) {});
  LineSource source(packed);
  std::vector<std::string> lines;
  for (std::string_view line; source.next(line);) lines.emplace_back(line);
  REQUIRE(lines.size() > 2);
  CHECK(lines[lines.size() - 2] == "0000 00000001" + copy + " 0 0x00");
}

TEST_CASE("a bulk copy's count of bytes has 32 bits", "[trace]") {
  const Read r = read_lines("0000 00000001 0 UTMALDG.2D 1 UR4 16 0 0 4294967295 0 4 0x0 0 0 0 NoVal\n");
  REQUIRE(r.ctas[0].warps[0].async.size() == 1);
  CHECK(r.ctas[0].warps[0].async[0].bytes == 4294967295u);
}

TEST_CASE("malformed lines of Accel-Sim 2.0", "[trace][errors]") {
  const std::string registers = "R0 to R255, UR0 to UR255, P0 to P7 or UP0 to UP7";
  check_line("0010 ffffffff 1 R1 MOV 1 UR256 0", "bad source register 'UR256'", registers);
  check_line("0010 ffffffff 1 R1 MOV 1 P8 0", "bad source register 'P8'", registers);
  check_line("0010 ffffffff 1 UP8 MOV 1 R1 0", "bad destination register 'UP8'", registers);
  check_line("0010 ffffffff 1 R1 MOV 1 Q1 0", "bad source register 'Q1'", registers);
  check_line("0010 ffffffff 1 R1 MOV 2 UR4 0", "bad source register '0'", registers);
  check_line("0010 ffffffff 1 R1 LDG.E 1 R2 64 1 0x0 4", "bad access width '64'", "0, 1, 2, 4, 8, 16 or 32");
  check_line("0010 ffffffff 1 R1 LDG.E 1 R2 4 3 1 0x0", "bad address mode '3'", "0, 1 or 2");
  check_line("0010 ffffffff 1 R1 HGMMA.64x8x16.F32 1 R2 2 0", "bad commit flag '2'", "0 or 1");
  check_line("0010 ffffffff 1 R1 IADD3 1 R2 0 1 2 3", "unexpected '3'", "the end of the line");
  check_line("0010 ffffffff 1 R1 IADD3 1 R2 0 1 2 NoVal 3", "unexpected '3'", "the end of the line");
  check_line("0010 ffffffff 1 R1 IADD3 2 R2 UR4 0 1 2 Val 1 ff 1 ff",
             "bad or missing count of values '' of register 3", "1 or 32, for each of 3 registers");
  check_line("0010 ffffffff 1 R1 IADD3 1 R2 0 1 2 Val 2 ff ff 1 ff",
             "bad or missing count of values '2' of register 1", "1 or 32");
  check_line("0010 ffffffff 1 R1 IADD3 1 R2 0 1 2 Val 1 ff 1 fg", "bad or missing value 'fg' of register 2",
             "1 hexadecimal number");
  check_line("0010 ffffffff 1 R1 IADD3 1 R2 0 1 2 Val 1 ff 32 1", "bad or missing value '' of register 2",
             "32 hexadecimal numbers");
  check_line("0010 ffffffff 1 R1 IADD3 1 R2 0 1 2 " + values(3), "unexpected '1'", "the end of the line");
  const std::string copy = "0010 00000001 0 UTMALDG.2D 1 UR4 ";
  check_line(copy + "x", "bad access width 'x'", "a number");
  check_line(copy + "16", "missing mbarrier", "a hexadecimal number");
  check_line(copy + "16 0g", "bad mbarrier '0g'", "a hexadecimal number");
  check_line(copy + "16 0 2", "bad multicast flag '2'", "0 or 1");
  check_line(copy + "16 0 1 x", "bad mask of CTAs 'x'", "a hexadecimal number of up to 32 bits");
  check_line(copy + "16 0 0 0x10", "bad count of bytes '0x10'", "a decimal number of up to 32 bits");
  check_line(copy + "16 0 0 4294967296", "bad count of bytes '4294967296'",
             "a decimal number of up to 32 bits");
  check_line(copy + "16 0 0 16", "missing count of bytes out of bounds", "a decimal number of up to 32 bits");
  check_line(copy + "16 0 0 16 0 1 0x0 4", "bad address mode '1'", "3 or 4");
  check_line(copy + "16 0 0 16 0", "missing address mode", "3 or 4");
  check_line(copy + "16 0 0 16 0 3 2 0x0", "missing address", "a hexadecimal number");
  check_line(copy + "16 0 0 16 0 4 0x0 3 8", "bad or missing address difference ''", "a decimal number");
  check_line(copy + "16 0 0 16 0 4 0x0 2 8 7 6 5", "unexpected '5'", "the end of the line");
  // A line that is known already is checked as strictly.
  check_line("0000 ffffffff 1 R1 IADD3 2 R2 R3 0 0 0 Val 1 0 1 0 2 0", "bad or missing count of values '2'",
             "1 or 32");
  // Older tracers' lines have none of this.
  const TemporaryFolder folder;
  for (const char* version : {"3", "5", ""})
    CHECK_THAT(error_of(folder.write("kernel-1.traceg",
                                     header(version) + one_warp("0010 ffffffff 1 R1 MOV 1 UR2 0\n"))),
               Contains("bad source register 'UR2'; expected R0 to R255"));
}

TEST_CASE("malformed clusters", "[trace][errors]") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& lines) {
    std::string text = header("6") + one_warp("0000 ffffffff 0 EXIT 0 0 0 0 NoVal\n");
    const std::string block = "thread block = 0,0,0\n";
    text.replace(text.find(block), block.size(), block + lines);
    return error_of(folder.write("kernel-1.traceg", text));
  };
  CHECK(error("cluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n") == "no error");
  CHECK_THAT(error("cluster id = 0,0\n"), Contains(":15: bad cluster id '0,0'; expected x,y,z"));
  CHECK_THAT(error("cluster id = 0,0,0\ncluster cta = a\n"), Contains(":16: bad cluster cta 'a'"));
  for (const char* rank : {"-1", "4294967296"})
    CHECK_THAT(error("cluster rank = " + std::string(rank) + "\n"),
               Contains(":15: bad cluster rank '" + std::string(rank) + "'; expected a number"));
  CHECK_THAT(error("cluster rank = 1\ncluster id = 0,0,0\n"), Contains(":16: unexpected 'cluster id"));
}

TEST_CASE("opcodes of Blackwell and of sparse helpers are known", "[isa]") {
  for (const char* known :
       {"CLMAD",        "GATHER",     "SCATTER",  "GENMETADATA", "SPMETADATA", "BITEXTRACT",
        "MXQMMA.16832", "ACQSHMINIT", "SETCTAID", "LDTM.x16",    "STTM.x4",    "UTCHMMA",
        "UTCQMMA.2CTA", "UTCCP.S.T",  "UTCBAR",   "FHFMA",       "MOV64IUR",   "UF2IP",
        "USTGR",        "UREDGR",     "UMEMSETS", "UCGABAR_GET", "UFENCE"}) {
    INFO(known);
    REQUIRE(opcode_info(known));
    CHECK(opcode_info(known)->known);
  }
  CHECK(opcode_info("CLMAD")->execution == ExecutionClass::double_);
  CHECK(opcode_info("GATHER")->execution == ExecutionClass::integer);
  CHECK(opcode_info("UF2F")->execution == ExecutionClass::uniform);
  CHECK(opcode_info("USTGR")->kind == InstructionKind::store);
  CHECK(opcode_info("UREDGR")->kind == InstructionKind::atomic);
  CHECK(opcode_info("UMEMSETS")->space == MemorySpace::shared);
  CHECK_FALSE(opcode_info("LDTM")->accesses_memory());
  CHECK(opcode_info("LDTM")->execution == ExecutionClass::load_store);
}

namespace {

// A random kernel's text as Accel-Sim 2.0 would have written it. This text has words of uniform registers and
// predicates between the others, two immediates, values, clusters and marks of replays.
class InNewForm {
 public:
  explicit InNewForm(std::uint64_t seed) : random_(seed) {}
  std::string text(const fs::path& kernel, const fs::path& packed) {
    // Packed and unpacked, lines have single blanks and nothing before the PC.
    pack_kernel(kernel, packed, [](double) {});
    LineSource source(packed);
    std::string out, warp;
    std::size_t marks = 0;
    bool in_header = true;
    for (std::string_view view; source.next(view);) {
      const std::string line(view);
      if (in_header) {
        in_header = line.rfind("#traces format", 0) != 0;
        if (line.rfind("-accelsim tracer version", 0) == 0 || line.rfind("-enable lineinfo", 0) == 0)
          continue;
        if (!in_header) out += "-accelsim tracer version = 6\n-enable lineinfo = 0\n";
        out += line + '\n';
      } else if (line.rfind("insts = ", 0) == 0) {
        left_ = std::stoul(line.substr(8));
        warp.clear();
        marks = 0;
        if (left_ == 0) out += line + '\n';
        count_ = left_;
      } else if (left_ > 0) {
        if (random_() % 16 == 0) {
          warp += line.substr(0, line.find(' ')) + " ffffffff 0 REPLAY_START 0 0 0 0 NoVal\n";
          ++marks;
        }
        warp += instruction(line) + '\n';
        if (--left_ == 0) out += "insts = " + std::to_string(count_ + marks) + '\n' + warp;
      } else {
        out += line + '\n';
        if (line.rfind("thread block", 0) == 0)
          out += "cluster id = 0,0,0\ncluster cta = " + std::to_string(random_() % 4) +
                 ",0,0\ncluster rank = 2\n";
      }
    }
    return out;
  }

 private:
  // Lines of a program counter name the same registers of all kinds.
  static std::string other_register(std::size_t kind) {
    const std::string number = std::to_string(kind / 4 % 7);
    return kind % 4 < 2 ? " UR" + number : kind % 4 == 2 ? " P" + number : " UP" + number;
  }
  std::string instruction(const std::string& line) {
    std::istringstream words(line);
    std::string pc, mask, opcode, word, tail, reuse, sources;
    unsigned results = 0, count = 0, width = 0;
    words >> pc >> mask >> results;
    std::string out;
    std::size_t kind = std::hash<std::string>{}(pc);
    for (unsigned i = 0; i < results; ++i) {
      words >> word;
      out += ' ' + word;
    }
    words >> opcode >> count;
    if (results < max_destinations && kind % 3 == 0) {
      out += other_register(kind >> 3);
      ++results;
    }
    const unsigned listed = count;
    for (unsigned i = 0; i < listed; ++i) {
      words >> word;
      if ((kind >> (6 + i)) % 3 == 0 && count < max_sources) {
        sources += other_register(kind >> (8 + i));
        ++count;
      }
      sources += ' ' + word;
    }
    words >> width;
    out = pc + ' ' + mask + ' ' + std::to_string(results) + out + ' ' + opcode + ' ' + std::to_string(count) +
          sources;
    if (opcode.find("GMMA") != std::string::npos) out += " 0";
    out += ' ' + std::to_string(width);
    std::getline(words, tail);
    if (const std::size_t at = tail.find(" reuse="); at != std::string::npos) {
      reuse = tail.substr(at);
      tail.resize(at);
    }
    // The last word may be the immediate of version 5. Then a second immediate stands behind it.
    out += tail + " 0";
    const unsigned all = results + count;
    return out + (random_() % 8 == 0 ? ' ' + values(all, random_() % 8 == 0) : " NoVal") + reuse;
  }

  std::mt19937_64 random_;
  std::size_t left_ = 0, count_ = 0;
};

bool same(const StaticInstruction& a, const StaticInstruction& b) {
  return a.pc == b.pc && a.opcode == b.opcode && a.index == b.index && a.execution == b.execution &&
         a.kind == b.kind && a.space == b.space && a.memory_bytes == b.memory_bytes &&
         a.source_count == b.source_count && a.destination_count == b.destination_count &&
         a.duplicate_sources == b.duplicate_sources && a.reuse_mask == b.reuse_mask && a.slots == b.slots &&
         a.source_slots == b.source_slots && a.controlled == b.controlled && a.control == b.control &&
         a.sources == b.sources && a.destinations == b.destinations && a.name == b.name &&
         a.behind_predicate == b.behind_predicate;
}

// Returns the count of instructions.
std::size_t require_same(const Read& a, const Read& b) {
  std::size_t instructions = 0;
  REQUIRE(a.code.instructions.size() == b.code.instructions.size());
  for (std::size_t i = 0; i < a.code.instructions.size(); ++i)
    REQUIRE(same(a.code.instructions[i], b.code.instructions[i]));
  REQUIRE(a.code.opcode_names == b.code.opcode_names);
  REQUIRE(a.ctas.size() == b.ctas.size());
  for (std::size_t c = 0; c < a.ctas.size(); ++c) {
    const CtaTrace &x = a.ctas[c], &y = b.ctas[c];
    REQUIRE((x.id.x == y.id.x && x.id.y == y.id.y && x.id.z == y.id.z));
    // Warps of a .tracez file have no numbers. So warps that a text leaves out are there without
    // instructions.
    std::size_t w = 0;
    for (const WarpTrace& warp : y.warps) {
      if (w == x.warps.size() || x.warps[w].warp != warp.warp) {
        REQUIRE(warp.records.empty());
        continue;
      }
      const WarpTrace& other = x.warps[w++];
      REQUIRE((other.lanes == warp.lanes && other.records.size() == warp.records.size() &&
               other.addresses == warp.addresses));
      for (std::size_t i = 0; i < warp.records.size(); ++i)
        REQUIRE(
            (other.records[i].code == warp.records[i].code && other.records[i].mask == warp.records[i].mask));
      instructions += warp.records.size();
    }
    REQUIRE(w == x.warps.size());
  }
  return instructions;
}

const std::string small_text = [] {
  std::string text = header("6", "(2,1,1)", "(64,1,1)");
  for (const char* block : {"0", "1"}) {
    text += "#BEGIN_TB\nthread block = " + std::string(block) + ",0,0\n";
    for (const char* warp : {"0", "1"})
      text += "warp = " + std::string(warp) +
              "\ninsts = 4\n0000 ffffffff 1 R1 IADD3 2 R2 UR3 0 0 0 NoVal\n"
              "0010 0000000f 1 R4 LDG.E.64 2 UR4 R2 8 1 0x7f4000100000 8 0 0 NoVal\n"
              "0020 ffffffff 1 R5 FFMA 3 R4 R4 R1 0 0 0 NoVal\n0030 ffffffff 0 EXIT 0 0 0 0 NoVal\n";
    text += "#END_TB\n";
  }
  return text;
}();

}  // namespace

TEST_CASE("a random kernel is the same in its old text, in the new one, and as a .tracez file", "[trace]") {
  std::size_t instructions = 0, sidecars = 0, dictionaries = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const TemporaryFolder folder;
    random::write_trace(random::random_trace(seed), folder.path());
    for (const fs::path& file : open_trace(folder.path()).kernels) {
      const std::string text = InNewForm(seed).text(file, folder.path() / "form.traceg.packed");
      const std::string name = file.filename().string(), stem = name.substr(0, name.find(".traceg"));
      const TemporaryFolder other;
      for (const char* suffix : {".sass", ".sass.xz", ".sass.gz"})
        if (fs::exists(folder.path() / (stem + suffix))) {
          fs::copy(folder.path() / (stem + suffix), other.path() / (stem + suffix));
          ++sidecars;
        }
      const fs::path as_text = other.write(stem + ".traceg", text);
      Tracez parts = tracez_of(text);
      parts.part_lines = 1 + seed * 7 % 50;
      if (seed % 3 == 0) parts.dictionary = trained_dictionary(parts);
      if (seed % 3 == 1) parts.dictionary = "ffffffff 1 R1 IADD3 2 R2 R3 0 0 0 NoVal";
      dictionaries += parts.dictionary.empty() ? 0 : 1;
      const fs::path as_tracez = other.write(stem + ".tracez", bytes_of(parts));
      OperandOptions without;
      without.tensor = TensorOperands::exact;
      without.use_sidecar = false;
      for (const OperandOptions& options : {OperandOptions{}, without}) {
        const Read old = read(file, options);
        instructions += require_same(old, read(as_text, options));
        require_same(old, read(as_tracez, options));
      }
      KernelReader again(as_tracez, {});
      CtaTrace cta;
      while (again.next(cta)) {
      }
      again.rewind();
      CHECK(again.next(cta));
    }
  }
  CHECK(instructions > 20000);
  CHECK(sidecars > 5);
  CHECK(dictionaries > 15);
}

TEST_CASE("a .tracez file stands wherever a .traceg does", "[trace]") {
  const TemporaryFolder folder;
  folder.write("t/kernelslist.g", "MemcpyHtoD,0x7f00,4\nkernel-1.tracez\n");
  folder.write("t/kernel-1.tracez", bytes_of(tracez_of(small_text)));
  folder.write("t/kernel-1.sass", "0000 | 0 0 | 1 - 7 7 00 0 | D:R1x1 S:R2x1/A | IADD3 R1, R2, UR3, RZ\n");
  const TraceProgram program = open_trace(folder.path() / "t");
  REQUIRE(program.kernels.size() == 1);
  KernelReader reader(program.kernels[0], {});
  CHECK(reader.has_sidecar());
  CHECK(reader.header().warps_per_cta() == 2);
  CHECK(open_trace(folder.path() / "t/kernel-1.tracez").kernels.size() == 1);
  // Lines have the numbers that Accel-Sim's traceDsm would print.
  std::string bad = small_text;
  bad.replace(bad.find("R4 LDG"), 2, "RX");
  CHECK_THAT(error_of(folder.write("bad.tracez", bytes_of(tracez_of(bad)))),
             Contains("bad.tracez:24: bad destination register 'RX'; expected R0 to R255"));
  // Warps that did nothing have no parts.
  Tracez idle = tracez_of(small_text);
  idle.blocks[0].warps[1].lines.clear();
  CHECK(read(folder.write("idle.tracez", bytes_of(idle))).ctas[0].warps[1].records.empty());
  CHECK_THAT(error_of(folder.path() / "none.tracez"), Contains("none.tracez: cannot open: "));
  fs::create_directories(folder.path() / "folder.tracez");
  CHECK_THAT(error_of(folder.path() / "folder.tracez"), Contains("expected a file, not a folder"));
}

// 32 addresses of 40 random bits take at least 160 bytes. So 1000 lines do not fit into two pieces of 64 KiB.
TEST_CASE("a part of a .tracez file may have many pieces", "[trace]") {
  std::mt19937_64 random(1);
  std::ostringstream lines;
  for (int i = 0; i < 1000; ++i) {
    lines << "0010 ffffffff 1 R4 LDG.E 1 R2 4 0" << std::hex;
    for (unsigned lane = 0; lane < warp_lanes; ++lane) lines << " 0x" << (random() >> 24);
    lines << std::dec << " 0 0 NoVal\n";
  }
  const std::string text = header("6") + one_warp(lines.str());
  Tracez parts = tracez_of(text);
  parts.part_lines = 1000;
  const std::string bytes = bytes_of(parts);
  REQUIRE(bytes.size() > 2 * 65536);
  const TemporaryFolder folder;
  CHECK(require_same(read(folder.write("kernel-1.traceg", text)),
                     read(folder.write("kernel-2.tracez", bytes))) == 1000);
}

TEST_CASE("a .tracez file of any other length is an error that names it", "[trace][errors]") {
  const TemporaryFolder folder;
  Tracez parts = tracez_of(small_text);
  parts.dictionary = "ffffffff 1 R1 IADD3 2 R2 UR3 0 0 0 NoVal";
  const std::string whole = bytes_of(parts);
  REQUIRE(error_of(folder.write("k.tracez", whole)) == "no error");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const std::string message = error_of(folder.write("k.tracez", whole.substr(0, n)));
    INFO(n << ": " << message);
    REQUIRE(message.find("k.tracez: byte ") != std::string::npos);
    REQUIRE(message.find("; expected a .tracez file as ") != std::string::npos);
  }
  for (const std::size_t more : {1u, 8u, 1000u})
    CHECK_THAT(error_of(folder.write("k.tracez", whole + std::string(more, '\1'))),
               Contains("k.tracez: byte "));
}

TEST_CASE("a .tracez file whose parts contradict each other is an error", "[trace][errors]") {
  const TemporaryFolder folder;
  const Tracez parts = tracez_of(small_text);
  const std::string whole = bytes_of(parts);
  std::uint64_t footer = 0;
  std::memcpy(&footer, whole.data() + whole.size() - 8, 8);
  const std::size_t first = parts.header.size() + 9;  // the first warp
  const auto with = [&](std::size_t at, auto value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return error_of(folder.write("k.tracez", bytes));
  };
  // Footer: the count of blocks, 11 numbers of the first block, and its first warp, with 4 instructions in 2
  // parts of 3 and 1.
  const std::size_t warp = footer + 4 + 44;
  CHECK_THAT(with(whole.size() - 8, whole.size()), Contains("a footer at byte"));
  CHECK_THAT(with(whole.size() - 8, std::uint64_t{3}), Contains("a footer at byte 3"));
  CHECK_THAT(with(footer, 1u), Contains("more in the footer than its thread blocks"));
  CHECK_THAT(with(footer, 3u), Contains("no room for a thread block"));
  CHECK_THAT(with(footer, ~0u), Contains("no room for a thread block"));
  CHECK_THAT(with(footer + 44, ~0u), Contains("; expected "));
  CHECK_THAT(with(warp, 5u), Contains("a warp of 4 instructions in 2 parts, where the footer has 5 in 2"));
  CHECK_THAT(with(warp + 4, 1u), Contains("where the footer has 4 in 1"));
  CHECK_THAT(with(warp + 8, std::uint64_t{0}), Contains("a warp at byte 0"));
  CHECK_THAT(with(warp + 8, footer + 1), Contains("a warp at byte"));
  CHECK_THAT(with(warp + 8, std::uint64_t{first} + 1), Contains("where the footer has 4 in 2"));
  CHECK_THAT(with(warp + 16, 2u), Contains("more lines than the 2 instructions"));
  CHECK_THAT(with(warp + 16, 4u), Contains("3 lines, where the footer has 4 instructions"));
  CHECK_THAT(with(warp + 16, 5u), Contains("parts with more instructions than their warp"));
  CHECK_THAT(with(warp + 20, 0u), Contains("more lines than the 0 instructions"));
  CHECK_THAT(with(first, 9u), Contains("a warp of 9 instructions"));
  CHECK_THAT(with(first + 8, ~0u), Contains("a part of 4294967295 bytes"));
  CHECK_THAT(with(first + 8, 0u), Contains("a zstd frame that is cut"));
  CHECK_THAT(with(first + 8, 5u), Contains("; expected "));
  CHECK_THAT(with(first + 12, 0u), Contains("no zstd frame of lines"));
  CHECK_THAT(with(first - 8, 100'000'000u), Contains("a dictionary of 100000000 bytes"));
  CHECK_THAT(with(first - 8, 16'000'000u), Contains("no room for a dictionary of 16000000 bytes"));
  std::string nameless = whole;
  nameless[parts.header.size()] = ' ';
  CHECK_THAT(error_of(folder.write("k.tracez", "no header")), Contains("byte 0: no kernel header"));
  // The second part of a warp is empty, behind a part whose last line has no line end, as always.
  Tracez blank = parts;
  blank.blocks[0].warps[0].lines.back().clear();
  CHECK_THAT(error_of(folder.write("k.tracez", bytes_of(blank))),
             Contains("0 lines, where the footer has 1 instructions"));
  Tracez fewer = parts;
  fewer.blocks.pop_back();
  CHECK_THAT(error_of(folder.write("k.tracez", bytes_of(fewer))),
             Contains("file ends after 1 thread blocks; expected 2 of them"));
  Tracez longer = parts;
  longer.blocks[0].warps[0].lines.push_back("#END_TB");
  CHECK_THAT(error_of(folder.write("k.tracez", bytes_of(longer))),
             Contains("'#END_TB' after 4 instruction lines"));
}

TEST_CASE("made-up bytes of a .tracez file are an error or another trace", "[trace]") {
  const TemporaryFolder folder;
  Tracez parts = tracez_of(small_text);
  parts.dictionary = "ffffffff 1 R1 IADD3 2 R2 UR3 0 0 0 NoVal";
  const std::string whole = bytes_of(parts);
  std::size_t errors = 0, tries = 0;
  const auto attempt = [&](const std::string& bytes) {
    ++tries;
    const std::string message = error_of(folder.write("k.tracez", bytes));
    if (message == "no error") return;
    ++errors;
    REQUIRE(message.find("; expected ") != std::string::npos);
    REQUIRE(message.find('\n') == std::string::npos);
  };
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int flip : {0x01, 0x10, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      attempt(bytes);
    }
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    for (int k = 0; k < 4; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (i % 4 == 0) bytes.erase(random() % bytes.size(), random() % 20);
    attempt(bytes);
  }
  CHECK(errors > tries / 2);
}

}  // namespace tracez_test
