#include "subcore/model/trace/trace.h"

#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/trace/addresses.h"
#include "subcore/model/trace/instruction_table.h"
#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/sass_text.h"
#include "subcore/model/trace/sidecar.h"
#include "tests/unit/trace_files.h"

namespace trace_test {

using namespace subcore;
using namespace subcore::test;

namespace {

struct Read {
  KernelHeader header;
  CodeTable code;
  std::vector<CtaTrace> ctas;
  const StaticInstruction& instruction(std::size_t i) const {
    return code.instructions[ctas[0].warps[0].records[i].code];
  }
};

Read read(const std::filesystem::path& file, const OperandOptions& options = {}) {
  KernelReader reader(file, options);
  Read r;
  CtaTrace cta;
  while (reader.next(cta)) r.ctas.push_back(cta);
  CHECK(reader.bytes_read() == reader.bytes_total());
  r.header = reader.header();
  r.code = reader.code();
  return r;
}

Read read_text(const std::string& text, const OperandOptions& options = {}) {
  TemporaryFolder folder;
  return read(folder.write("kernel-1.traceg", text), options);
}

std::vector<Register> sources(const StaticInstruction& s) {
  return {s.sources.begin(), s.sources.begin() + s.source_count};
}
std::vector<Register> destinations(const StaticInstruction& s) {
  return {s.destinations.begin(), s.destinations.begin() + s.destination_count};
}
using Registers = std::vector<Register>;

std::vector<std::uint64_t> addresses(const Read& r, std::size_t record) {
  const WarpTrace& warp = r.ctas[0].warps[0];
  std::size_t at = 0;
  for (std::size_t i = 0; i < record; ++i)
    if (r.instruction(i).memory_bytes && warp.records[i].mask) at += encoded_size(warp.addresses.data() + at);
  LaneAddresses lanes;
  decode_addresses(warp.addresses.data() + at, warp.records[record].mask, lanes);
  std::vector<std::uint64_t> out;
  for (unsigned i = 0; i < warp_lanes; ++i)
    if (lanes.mask >> i & 1) out.push_back(lanes.address[i]);
  return out;
}

bool same(const Read& a, const Read& b) {
  if (a.ctas.size() != b.ctas.size() || a.code.instructions.size() != b.code.instructions.size())
    return false;
  for (std::size_t i = 0; i < a.ctas.size(); ++i)
    for (std::size_t w = 0; w < a.ctas[i].warps.size(); ++w) {
      const WarpTrace &x = a.ctas[i].warps[w], &y = b.ctas[i].warps[w];
      if (x.addresses != y.addresses || x.records.size() != y.records.size()) return false;
      for (std::size_t k = 0; k < x.records.size(); ++k)
        if (x.records[k].code != y.records[k].code || x.records[k].mask != y.records[k].mask) return false;
    }
  return true;
}

const std::string three_lines =
    "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 \n"
    "0010 0000000f 1 R4 LDG.E.64.SYS 1 R2 8 1 0x7f4000100000 8 \n"
    "0020 ffffffff 0 EXIT 0 0 \n";

}  // namespace

TEST_CASE("a header is read whole", "[trace]") {
  const Read r =
      read_text(header("3", "(2,1,1)", "(16,8,1)") +
                "#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n#BEGIN_TB\nthread block = 1,0,0\n#END_TB\n");
  CHECK(r.header.name == "k");
  CHECK(r.header.id == 7);
  CHECK(r.header.grid.count() == 2);
  CHECK(r.header.block.count() == 128);
  CHECK(r.header.warps_per_cta() == 4);
  CHECK(r.header.registers_per_thread == 16);
  CHECK(r.header.binary_version == 75);
  CHECK(r.header.shared_base == 0x7f3000000000);
  CHECK(r.header.local_base == 0x7f2000000000);
  CHECK(r.header.tracer_version == 3);
  CHECK(r.ctas.size() == 2);
  CHECK(r.ctas[1].id.x == 1);
}

TEST_CASE("operands of what is predicated off count only where that is asked for", "[trace]") {
  const std::string text = header() + one_warp("0000 00000000 1 R1 IADD3 1 R2 0 \n");
  for (const bool counted : {false, true}) {
    OperandOptions options;
    options.count_predicated_off = counted;
    const Read r = read_text(text, options);
    CHECK(touches_operands(r.instruction(0), 0) == counted);
    CHECK(touches_operands(r.instruction(0), 1));
  }
}

TEST_CASE("a warp begins with the lanes that have a thread", "[trace]") {
  const std::string warps = "warp = 0\ninsts = 0\nwarp = 1\ninsts = 0\n";
  const auto lanes = [&](const std::string& block) {
    const Read r =
        read_text(header("3", "(1,1,1)", block) + "#BEGIN_TB\nthread block = 0,0,0\n" + warps + "#END_TB\n");
    return std::vector<std::uint32_t>{r.ctas[0].warps[0].lanes, r.ctas[0].warps[1].lanes};
  };
  CHECK(lanes("(32,2,1)") == std::vector<std::uint32_t>{~0u, ~0u});
  CHECK(lanes("(12,4,1)") == std::vector<std::uint32_t>{~0u, 0xffff});
  CHECK(lanes("(11,3,1)") == std::vector<std::uint32_t>{~0u, 1});
  CHECK(KernelHeader{}.lanes_of(1) == 0);
}

TEST_CASE("every tracer's line layout gives the same instructions", "[trace]") {
  const Read plain = read_text(header() + one_warp(three_lines));
  REQUIRE(plain.ctas.size() == 1);
  REQUIRE(plain.ctas[0].warps[0].records.size() == 3);
  CHECK(plain.ctas[0].warps[0].records[1].mask == 0xf);
  CHECK(addresses(plain, 1) ==
        std::vector<std::uint64_t>{0x7f4000100000, 0x7f4000100008, 0x7f4000100010, 0x7f4000100018});
  std::string prefixed, lined, immediate, both;
  std::istringstream lines(three_lines);
  for (std::string line; std::getline(lines, line);) {
    prefixed += "0 0 0 0 " + line + "\n";
    lined += "123 " + line + "\n";
    both += "0 0 0 0 44 " + line + "\n";
    immediate += line + "-264 \n";
  }
  const std::string info = "-enable lineinfo = 1\n", no_info = "-enable lineinfo = 0\n";
  CHECK(same(plain, read_text(header("1") + one_warp(prefixed))));
  CHECK(same(plain, read_text(header("2") + one_warp(prefixed))));
  CHECK(same(plain, read_text(header("2") + one_warp(three_lines))));  // declared, but not there
  CHECK(same(plain, read_text(header("3") + one_warp(prefixed))));
  CHECK(same(plain, read_text(header("4", "(1,1,1)", "(32,1,1)", info) + one_warp(lined))));
  CHECK(same(plain, read_text(header("4", "(1,1,1)", "(32,1,1)", info) + one_warp(three_lines))));
  CHECK(same(plain, read_text(header("4", "(1,1,1)", "(32,1,1)", no_info) + one_warp(lined))));
  CHECK(same(plain, read_text(header("2", "(1,1,1)", "(32,1,1)", info) + one_warp(both))));
  CHECK(same(plain, read_text(header("5") + one_warp(immediate))));
  CHECK(same(plain, read_text(header("5") + one_warp(three_lines))));
  CHECK(same(plain, read_text(header("") + one_warp(three_lines))));
}

TEST_CASE("line ends and compression make no difference", "[trace]") {
  const std::string text = header() + one_warp(three_lines);
  const Read plain = read_text(text);
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(same(plain, read_text(crlf)));
  CHECK(same(plain, read_text(text.substr(0, text.size() - 1))));  // no line end after #END_TB
  CHECK(same(plain, read_text(crlf.substr(0, crlf.size() - 1))));  // CR, but no LF after #END_TB
  CHECK(same(plain, read_text("\xef\xbb\xbf" + text)));            // a byte order mark
  TemporaryFolder folder;
  CHECK(same(plain, read(folder.write("kernel-1.traceg.xz", compressed(text, true)))));
  CHECK(same(plain, read(folder.write("kernel-1.traceg.gz", compressed(text, false)))));
  // Several streams in one file, as parallel compressors write them.
  CHECK(same(plain, read(folder.write("kernel-2.traceg.gz", compressed(text.substr(0, 300), false) +
                                                                compressed(text.substr(300), false)))));
  CHECK(same(plain, read(folder.write("kernel-2.traceg.xz", compressed(text.substr(0, 300), true) +
                                                                compressed(text.substr(300), true)))));
}

TEST_CASE("lines longer and files bigger than a block", "[trace]") {
  std::string lines;
  for (int i = 0; i < 60000; ++i) lines += three_lines.substr(0, three_lines.find("0020"));
  const Read r = read_text(header() + one_warp(lines));
  CHECK(r.ctas[0].warps[0].records.size() == 120000);
  CHECK(r.code.instructions.size() == 2);
}

// A file is read in pieces of 64 KiB. The last piece may be a single byte.
TEST_CASE("a file of any length is read to its last byte", "[trace]") {
  const TemporaryFolder folder;
  for (const std::size_t length : {1u, 2u, 65535u, 65536u, 65537u, 65538u, 131073u}) {
    CAPTURE(length);
    const std::string text = std::string(length - 1, 'x') + 'y';
    LineSource source(folder.write("text", text));
    std::string_view line;
    REQUIRE(source.next(line));
    CHECK((line == text));
    CHECK(source.bytes_read() == length);
    CHECK_FALSE(source.next(line));
  }
}

TEST_CASE("address modes", "[trace]") {
  const Read r =
      read_text(header() + one_warp("0000 80000003 1 R4 LDG.E 1 R2 4 0 0x100 0x7f0000000000 0x20 \n"
                                    "0010 00000070 0 STS 2 R2 R4 4 1 0x40 -8 \n"
                                    "0020 00010005 1 R4 LDG.E 1 R2 4 2 0x7fffffffff00 -256 123456789012 \n"
                                    "0030 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 \n"
                                    "0040 00000000 1 R4 LDG.E 1 R2 4 \n"
                                    "0050 00000001 1 R4 LDG.E 1 R2 4 2 0xffffffffffffffff \n"
                                    "0060 00000007 1 R4 LDC 1 R2 4 1 0x0 4 \n"
                                    "0070 00000001 1 R4 LDG.E 1 R2 4 1 0x30 0 reuse=1\n"
                                    "0070 00000001 1 R4 LDG.E 1 R2 4 1 0x34 0 \n"));
  CHECK(addresses(r, 0) == std::vector<std::uint64_t>{0x100, 0x7f0000000000, 0x20});
  CHECK(addresses(r, 1) == std::vector<std::uint64_t>{0x40, 0x38, 0x30});
  CHECK(addresses(r, 2) ==
        std::vector<std::uint64_t>{0x7fffffffff00, 0x7ffffffffe00, 0x7ffffffffe00 + 123456789012});
  CHECK(r.instruction(4).memory_bytes == 4);
  CHECK(addresses(r, 5) == std::vector<std::uint64_t>{~std::uint64_t{0}});
  CHECK(r.instruction(6).memory_bytes == 0);  // the load/store unit does not fetch constants
  CHECK(addresses(r, 7) == std::vector<std::uint64_t>{0x30});
  CHECK(addresses(r, 8) == std::vector<std::uint64_t>{0x34});
  CHECK(r.instruction(7).reuse_mask == 1);
  CHECK(r.instruction(8).reuse_mask == 0);
}

TEST_CASE("one static instruction per PC and meaning", "[trace]") {
  const Read r = read_text(header("5") + one_warp("0000 ffffffff 1 R1 IADD3 2 R2 R3 0 1\n"
                                                  "0000 0000ffff 1 R1 IADD3 2 R2 R3 0 2\n"
                                                  "0000 ffffffff 1 R1 IADD3 2 R2 R3 0 1 reuse=2\n"
                                                  "0008 ffffffff 1 R1 IADD3 2 R2 R3 0 1\n"
                                                  "7fffffff0004 ffffffff 1 R1 IADD3 2 R2 R3 0 1\n"
                                                  "7fffffff0004 ffffffff 1 R1 IADD3 2 R2 R3 0 1\n"
                                                  "0000 ffffffff 1 R1 IADD3 2 R2 R3 0 1\n"));
  const auto& records = r.ctas[0].warps[0].records;
  std::vector<std::uint32_t> codes;
  for (const TraceRecord& record : records) codes.push_back(record.code);
  CHECK(codes == std::vector<std::uint32_t>{0, 0, 1, 2, 3, 3, 0});
  CHECK(r.code.instructions[3].pc == 0x7fffffff0004);
  CHECK(r.code.instructions[2].index == 2);
  CHECK(r.code.opcode_names.size() == 1);
}

// A program counter has a text for each immediate of its lines.
TEST_CASE("a line that comes again is found however many texts its program counter has", "[trace]") {
  const LineSource position("kernel", std::string_view());
  CodeTable code;
  InstructionTable table(code, {}, nullptr);
  table.take_form(LineForm::immediate);
  std::vector<std::size_t> places;
  const auto text_of = [](std::size_t immediate) {
    return "1 R1 IADD3 2 R2 R3 0 " + std::to_string(immediate);
  };
  const auto find = [&](const std::string& text) {
    return table.find(0x10, text.data(), text.data() + text.size());
  };
  for (std::size_t n = 0; n < 40; ++n) {
    const std::string text = text_of(n);
    CHECK(find(text) == nullptr);
    places.push_back(table.add(position, 0x10, text.data(), text.data() + text.size())->text);
  }
  for (std::size_t n = 0; n < places.size(); ++n) {
    CAPTURE(n);
    const InstructionTable::Variant* const found = find(text_of(n));
    REQUIRE(found != nullptr);
    CHECK(found->text == places[n]);
  }
  CHECK(code.instructions.size() == 1);
}

TEST_CASE("SHFL goes through the unit that the options name", "[trace]") {
  const std::string text = header() + one_warp(
                                          "0000 ffffffff 0 SHFL.BFLY 2 R4 R2 0\n"
                                          "0010 ffffffff 1 R8 MOVM.16.MT88 1 R6 0\n");
  OperandOptions options;
  CHECK(read_text(text, options).instruction(0).execution == ExecutionClass::integer);
  CHECK(read_text(text, options).instruction(0).kind == InstructionKind::arithmetic);
  options.shuffles = ShufflePath::load_store;
  const Read r = read_text(text, options);
  CHECK(r.instruction(0).execution == ExecutionClass::load_store);
  CHECK(r.instruction(0).kind == InstructionKind::exchange);
  CHECK(r.instruction(1).execution == ExecutionClass::integer);  // MOVM is another exchange between lanes
  CHECK(r.instruction(1).kind == InstructionKind::arithmetic);
}

TEST_CASE("operands are normalised", "[trace]") {
  const std::string text = header("3", "(1,1,1)", "(32,1,1)", "-nregs = 255\n") +
                           one_warp(
                               "0000 ffffffff 1 R8 HMMA.1688.F32 3 R2 R6 R8 0\n"
                               "0010 ffffffff 1 R255 IADD3 3 R2 R2 R255 0\n"
                               "0020 ffffffff 1 R4 IMAD.WIDE 3 R2 R3 R2 0\n"
                               "0030 00000001 1 R253 LDG.E.128 1 R10 16 1 0x0 0\n"
                               "0040 ffffffff 1 R4 HMMA.1688.F32 3 R2 R255 R255 0\n");
  const Read x2 = read_text(text);
  CHECK(sources(x2.instruction(0)) == Registers{2, 3, 6, 7, 8, 9});
  CHECK(destinations(x2.instruction(0)) == Registers{8, 9});
  CHECK(sources(x2.instruction(1)) == Registers{2});
  CHECK(destinations(x2.instruction(1)).empty());
  CHECK(x2.instruction(1).duplicate_sources == 1);
  CHECK(sources(x2.instruction(2)) == Registers{2, 3});
  CHECK(x2.instruction(2).duplicate_sources == 2);
  CHECK(destinations(x2.instruction(2)) == Registers{4, 5});
  CHECK(destinations(x2.instruction(3)) == Registers{253, 254});  // R255 is no storage
  CHECK(sources(x2.instruction(3)) == Registers{10, 11});
  CHECK(sources(x2.instruction(4)) == Registers{2, 3});
  const Read exact = read_text(text, {TensorOperands::exact, false, true});
  CHECK(sources(exact.instruction(0)) == Registers{2, 3, 6, 8, 9, 10, 11});
  CHECK(destinations(exact.instruction(0)) == Registers{8, 9, 10, 11});
  const Read named = read_text(text, {TensorOperands::named, true, true});
  CHECK(sources(named.instruction(0)) == Registers{2, 6, 8});
  CHECK(sources(named.instruction(1)) == Registers{2, 255});
  CHECK(destinations(named.instruction(1)) == Registers{255});
  CHECK(sources(named.instruction(4)) == Registers{2, 255});
  CHECK(named.instruction(4).duplicate_sources == 1);
}

TEST_CASE("a sidecar gives exact widths and reuse flags", "[trace]") {
  TemporaryFolder folder;
  const std::string text = header() + one_warp(
                                          "0000 ffffffff 1 R4 IMAD.WIDE 2 R2 R6 0\n"
                                          "0010 ffffffff 1 R8 HMMA.1688.F16 3 R2 R6 R8 0\n"
                                          "0020 ffffffff 1 R8 IADD3 2 R2 R3 0 reuse=2\n");
  const auto file = folder.write("kernel-1.traceg", text);
  const std::string sidecar =
      "# comment\n"
      "0000 | 1 2 |  4 Y 7 7 00 1 | D:R4x2 S:R2x1/A* S:R6x1/B | IMAD.WIDE R4, R2, R6, c[0x0][0x170] ;\n"
      "0010 | 1 2 |  4 Y 7 7 00 0 | D:R8x2 S:R2x2/A S:R6x1/B S:UR4x1/B S:R8x2/C | HMMA ;\n";
  CHECK(sources(read(file).instruction(0)) == Registers{2, 6, 7});
  for (const bool xz : {false, true}) {
    if (xz) std::filesystem::remove(folder.path() / "kernel-1.sass");
    folder.write(xz ? "kernel-1.sass.xz" : "kernel-1.sass", xz ? compressed(sidecar, true) : sidecar);
    CHECK(KernelReader(file, {}).has_sidecar());
    const Read x2 = read(file);
    CHECK(sources(x2.instruction(0)) == Registers{2, 6});
    CHECK(x2.instruction(0).reuse_mask == 1);
    CHECK(sources(x2.instruction(1)) == Registers{2, 3, 6, 7, 8, 9});  // x2 holds beside a sidecar too
    CHECK(x2.instruction(2).reuse_mask == 2);                          // not in the sidecar: as the line says
    const Read exact = read(file, {TensorOperands::exact, false, true});
    CHECK(sources(exact.instruction(1)) == Registers{2, 3, 6, 8, 9});
    const OperandOptions without{TensorOperands::exact, false, false};
    CHECK_FALSE(KernelReader(file, without).has_sidecar());
    CHECK(sources(read(file, without).instruction(0)) == Registers{2, 6, 7});
  }
}

TEST_CASE("a sidecar gives the width of each operand, by its place or else by its register", "[trace]") {
  TemporaryFolder folder;
  const auto file =
      folder.write("kernel-1.traceg", header() + one_warp("0000 ffffffff 2 R4 R8 FADD 3 R2 R6 R10 0\n"
                                                          "0010 ffffffff 1 R4 FADD 2 R2 R2 0\n"));
  folder.write("kernel-1.sass",
               "0000 | 1 2 | 4 Y 7 7 00 0 | D:R8x2 D:R4x1 S:R6x2/A S:R2x1/B | FADD ;\n"
               "0010 | 1 2 | 4 Y 7 7 00 0 | D:R4x1 S:R2x1/A S:R2x2/B | FADD ;\n");
  const Read r = read(file);
  CHECK(destinations(r.instruction(0)) == Registers{4, 8, 9});
  CHECK(sources(r.instruction(0)) == Registers{2, 6, 7, 10});  // the opcode gives the width of R10
  CHECK(destinations(r.instruction(1)) == Registers{4});
  CHECK(sources(r.instruction(1)) == Registers{2, 3});
  CHECK(r.instruction(1).duplicate_sources == 1);
}

// Registers as NVBit lists them. The first operand is a result if it is a register. All others are sources.
TEST_CASE("a result behind a predicate is no source, with a sidecar and without", "[trace]") {
  struct Case {
    const char *line, *sidecar;
    Registers destinations, sources;
    bool behind_predicate = true;
  };
  const Case cases[] = {
      {"0 SHFL.BFLY 2 R4 R2 0", "D:R4x1 S:R2x1/A | SHFL.BFLY PT, R4, R2, 0x1, 0x1f", {4}, {2}},
      {"0 SHFL.IDX 4 R4 R2 R3 R5 0",
       "D:R4x1 S:R2x1/A S:R3x1/B S:R5x1/C | SHFL.IDX P0, R4, R2, R3, R5",
       {4},
       {2, 3, 5}},
      {"0 LOP3.LUT 3 R2 R2 R255 0",
       "D:R2x1 S:R2x1/A S:R255x1/C | LOP3.LUT P2, R2, R2, 0x3, RZ, 0xc0, !PT",
       {2},
       {2}},
      {"0 LOP3.LUT 3 R255 R5 R255 0",
       "D:R255x1 S:R5x1/A S:R255x1/C | LOP3.LUT P2, RZ, R5, 0x1, RZ, 0xc0, !PT",
       {},
       {5}},
      {"0 ATOMG.E.ADD.64.STRONG.GPU 3 R4 R2 R6 8 1 0x7f4000000000 8",
       "D:R4x2 S:R2x2/A S:R6x2/B | ATOMG.E.ADD.64.STRONG.GPU PT, R4, [R2.64], R6",
       {4, 5},
       {2, 3, 6, 7}},
      {"0 MATCH.ALL 2 R4 R2 0", "D:R4x1 S:R2x1/A | MATCH.ALL PT, R4, R2", {4}, {2}},
      {"0 LDG.E.ZD.64 2 R4 R2 8 1 0x7f4000000000 8",
       "D:R4x2 S:R2x2/A | LDG.E.ZD.64 P0, R4, [R2.64]",
       {4, 5},
       {2, 3}},
      // In this instruction the first register is a source.
      {"1 R2 RET.REL.NODEC 0 0", "S:R2x2/A | RET.REL.NODEC R2, 0x0", {}, {2, 3}, false},
      {"1 R2 WARPSYNC 0 0", "S:R2x1/A | WARPSYNC R2", {}, {2}, false},
      {"1 R2 BAR.SYNC 1 R3 0", "S:R2x1/A S:R3x1/B | BAR.SYNC R2, R3", {}, {2, 3}, false},
      // A trace that lists the result as one, and an instruction without a register as result.
      {"1 R4 SHFL.BFLY 1 R2 0", "D:R4x1 S:R2x1/A | SHFL.BFLY PT, R4, R2, 0x1, 0x1f", {4}, {2}, false},
      {"0 REDUX.MAX 1 R2 0", "D:UR4x1 S:R2x1/A | REDUX.MAX UR4, R2", {}, {2}, false},
      {"0 ISETP.GE.AND 2 R2 R3 0", "S:R2x1/A S:R3x1/B | ISETP.GE.AND P0, PT, R2, R3, PT", {}, {2, 3}, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.line);
    TemporaryFolder folder;
    const auto file =
        folder.write("kernel-1.traceg", header() + one_warp("0000 ffffffff " + std::string(c.line) + "\n"));
    for (const bool with_sidecar : {false, true}) {
      CAPTURE(with_sidecar);
      if (with_sidecar)
        folder.write("kernel-1.sass", "0000 | 1 2 |  4 Y 7 7 00 0 | " + std::string(c.sidecar) + " ;\n");
      const Read r = read(file);
      CHECK(destinations(r.instruction(0)) == c.destinations);
      CHECK(sources(r.instruction(0)) == c.sources);
      CHECK(r.instruction(0).behind_predicate == c.behind_predicate);
      CHECK(r.code.sidecar_results.empty());  // the sidecar agrees with the table of opcodes
    }
  }
}

TEST_CASE("what is a result is the sidecar's word", "[trace]") {
  TemporaryFolder folder;
  const auto file =
      folder.write("kernel-1.traceg", header() + one_warp("0000 ffffffff 0 FADD 3 R4 R2 R3 0\n"));
  CHECK(destinations(read(file).instruction(0)).empty());
  folder.write("kernel-1.sass",
               "0000 | 1 2 |  4 Y 7 7 00 0 | D:R4x1 S:R2x1/A S:R3x1/B | FADD P0, R4, R2, R3 ;\n");
  const Read r = read(file);
  CHECK(destinations(r.instruction(0)) == Registers{4});
  CHECK(sources(r.instruction(0)) == Registers{2, 3});
  CHECK((r.instruction(0).slots == std::array<Register, operand_slots>{2, 3, rz, rz}));
  CHECK(r.code.sidecar_results == std::map<std::string, std::uint64_t>{{"FADD", 1}});
}

TEST_CASE("a sidecar may name as many results as an instruction may have", "[trace]") {
  static_assert(max_destinations == 8);
  TemporaryFolder folder;
  const auto file = folder.write(
      "kernel-1.traceg", header() + one_warp("0000 ffffffff 8 R0 R1 R2 R3 R4 R5 R6 R7 FADD 1 R8 0\n"));
  folder.write(
      "kernel-1.sass",
      "0000 | 1 2 |  4 Y 7 7 00 0 | D:R0x1 D:R1x1 D:R2x1 D:R3x1 D:R4x1 D:R5x1 D:R6x1 D:R7x1 S:R8x1/A | "
      "FADD ;\n");
  const Read r = read(file);
  CHECK(destinations(r.instruction(0)) == Registers{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(sources(r.instruction(0)) == Registers{8});
}

TEST_CASE("a sidecar gives control bits", "[trace]") {
  TemporaryFolder folder;
  const auto file = folder.write("kernel-1.traceg", header() + one_warp("0000 ffffffff 1 R4 LDG.E 1 R2 0\n"
                                                                        "0010 ffffffff 1 R8 IADD3 1 R4 0\n"
                                                                        "0020 ffffffff 0 EXIT 0 0\n"));
  CHECK_FALSE(read(file).instruction(0).controlled);
  folder.write("kernel-1.sass",
               "0000 | 1 2 |  2 - 0 3 00 0 | D:R4x1 S:R2x2/A | LDG.E.SYS R4, [R2] ;\n"
               "0010 | 1 2 | 15 Y 7 7 2b 1 | D:R8x1 S:R4x1/A* | IADD3 R8, R4.reuse, 0x1, RZ ;\n");
  const Read r = read(file);
  CHECK(r.instruction(0).controlled);
  CHECK((r.instruction(0).control == ControlBits{2, false, 0, 3, 0}));
  CHECK((r.instruction(1).control == ControlBits{15, true, no_barrier, no_barrier, 0b101011}));
  CHECK_FALSE(r.instruction(2).controlled);  // not in the sidecar
  CHECK_FALSE(read(file, {TensorOperands::x2, false, false}).instruction(0).controlled);
}

TEST_CASE("a source has the slots of its sidecar, wherever constants stand", "[trace]") {
  TemporaryFolder folder;
  const std::string text = header() + one_warp(
                                          "0000 ffffffff 1 R4 IMAD 2 R2 R3 0\n"
                                          "0010 ffffffff 1 R4 FFMA 3 R2 R3 R2 0\n"
                                          "0020 ffffffff 1 R4 IMAD.WIDE 2 R2 R3 0\n"
                                          "0030 ffffffff 1 R4 IMAD.MOV 2 R255 R3 0\n"
                                          "0040 ffffffff 1 R4 FADD 2 R2 R3 0 reuse=2\n");
  const auto file = folder.write("kernel-1.traceg", text);
  const auto slots = [](const StaticInstruction& s) {
    return std::vector<unsigned>(s.source_slots.begin(), s.source_slots.begin() + s.source_count);
  };
  using Slots = std::vector<unsigned>;
  CHECK(slots(read(file).instruction(0)) == Slots{0b1, 0b10});
  folder.write("kernel-1.sass",
               "0000 | 1 2 | 1 - 7 7 00 4 | D:R4x1 S:R2x1/A S:R3x1/C* | IMAD R4, R2, c[0x0][0x0], R3 ;\n"
               "0010 | 1 2 | 1 - 7 7 00 4 | D:R4x1 S:R2x1/A S:R3x1/B S:R2x1/C* | FFMA ;\n"
               "0020 | 1 2 | 1 - 7 7 00 1 | D:R4x2 S:R2x1/A* S:UR4x1/B S:R3x2/C | IMAD.WIDE ;\n"
               "0030 | 1 2 | 1 - 7 7 00 4 | D:R4x1 S:R255x1/A S:R255x1/B S:R3x1/C* | IMAD.MOV ;\n");
  const Read r = read(file);
  CHECK(slots(r.instruction(0)) == Slots{0b1, 0b100});
  CHECK((r.instruction(0).slots == std::array<Register, operand_slots>{2, rz, 3, rz}));
  CHECK(r.instruction(0).reused_slots(0) == 0);
  CHECK(r.instruction(0).reused_slots(1) == 0b100);
  // The second R2 is dropped, but its flag is not.
  CHECK(slots(r.instruction(1)) == Slots{0b101, 0b10});
  CHECK(r.instruction(1).duplicate_sources == 1);
  CHECK(r.instruction(1).reused_slots(0) == 0b100);
  CHECK(sources(r.instruction(2)) == Registers{2, 3, 4});
  CHECK(slots(r.instruction(2)) == Slots{0b1, 0b100, 0b100});
  CHECK(slots(r.instruction(3)) == Slots{0b100});
  CHECK((r.instruction(3).slots == std::array<Register, operand_slots>{rz, rz, 3, rz}));
  CHECK(slots(r.instruction(4)) == Slots{0b1, 0b10});  // not in the sidecar
  CHECK(r.instruction(4).reused_slots(1) == 0b10);
}

// An operand that the list no longer has still lies behind the list's end in memory. A slot taken from there
// would be slot 1.
TEST_CASE("a source that its sidecar does not name has no slot", "[trace]") {
  SidecarOperands told;
  told.push_back({2, 1, 0});
  told.push_back({3, 1, 1});
  told.pop_back();
  const Registers listed{2, 3};
  const SourceSlots slots = slots_of(told, listed.data(), listed.size());
  CHECK(std::vector<unsigned>(slots.begin(), slots.end()) ==
        std::vector<unsigned>{0, SidecarOperand::no_slot});
}

TEST_CASE("predicates come from a sidecar's texts, if they are asked for", "[trace]") {
  struct Case {
    const char* text;
    unsigned written, read;  // bit per predicate
  };
  const Case cases[] = {
      {"@!P1 ISETP.GE.AND P0, PT, R0, c[0x0][0x190], P2", 0b1, 0b110},
      {"LEA R2, P0, R8.reuse, c[0x0][0x160], 0x3", 0b1, 0},
      {"LEA.HI.X R3, R8, c[0x0][0x164], R9, 0x3, P0", 0, 0b1},
      {"IADD3.X R1, P3, R2, R3, R4, P4, !PT", 0b1000, 0b10000},
      {"IADD3 R1, P1, P2, R2, R3, R4", 0b110, 0},
      {"PLOP3.LUT P0, PT, P5, !P6, PT, 0x80, 0x0", 0b1, 0b1100000},
      // PT takes the place of a result.
      {"PLOP3.LUT PT, P1, P5, !P6, PT, 0x80, 0x0", 0b10, 0b1100000},
      {"IADD3 R1, PT, P2, R2, R3, R4", 0b100, 0},
      {"VOTE.ANY PT, P3", 0, 0b1000},
      {"SEL R1, R2, R3, !P4", 0, 0b10000},
      {"VOTE.ANY R1, PT, P3", 0, 0b1000},
      {"SHFL.DOWN P2, R1, R2, 0x1, 0x1f", 0b100, 0},
      {"QSPC.E.S P0, RZ, [R2]", 0b1, 0},
      {"R2P PR, R1, 0x7f", 0b1111111, 0},
      {"P2R R8, PR, RZ, 0x5", 0, 0b101},
      {"LOP3.LUT P2, RZ, R5, 0x1, RZ, 0xc0, !PT", 0b100, 0},
      {"LOP3.LUT R3, R5, 0x1, RZ, 0xc0, !P3", 0, 0b1000},
      {"PLOP3.LUT P1, PT, P0, PT, UP2, 0x80, 0x0", 0b10, 0b1},
      {"B2R.RESULT RZ, P1", 0b10, 0},
      {"@UP0 UIADD3 UR4, UP1, UR5, UR6, URZ", 0, 0},
      {"@P0 EXIT", 0, 0b1},
      {"BRA P6, 0x20", 0, 0b1000000},
      {"FFMA R1, R2, R3, R4", 0, 0},
      {"", 0, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    TemporaryFolder folder;
    const std::string_view known = read_sass_text(c.text).opcode;
    const std::string opcode(known.empty() ? "IADD3" : known);
    const auto file =
        folder.write("kernel-1.traceg", header() + one_warp("0000 ffffffff 1 R1 " + opcode + " 2 R2 R3 0\n"));
    folder.write("kernel-1.sass", "0000 | 1 2 |  4 Y 7 7 00 0 | | " + std::string(c.text) + " ;\n");
    OperandOptions options;
    CHECK(read(file, options).instruction(0).predicates_read == 0);
    options.predicates = true;
    CHECK(unsigned{read(file, options).instruction(0).predicates_written} == c.written);
    CHECK(unsigned{read(file, options).instruction(0).predicates_read} == c.read);
  }
}

TEST_CASE("the text of an instruction has no predicate P7, because number 7 is PT", "[trace]") {
  CHECK(read_sass_text("BRA P6, 0x20").read == 0b1000000);
  CHECK(read_sass_text("BRA P7, 0x20").read == 0);
}

TEST_CASE("the text of an instruction names its guard, its uniform predicates and its address", "[trace]") {
  const SassText branch = read_sass_text("@!P1 BRA UP0, 0x20 ;");
  CHECK(branch.opcode == "BRA");
  CHECK(branch.guard == 0b10);
  CHECK(branch.unless);
  CHECK(branch.read == (0b10 | 1u << first_uniform_predicate));
  CHECK(branch.written == 0);
  CHECK((branch.address == std::uint64_t{0x20}));
  const SassText logic = read_sass_text("@UP1 UPLOP3.LUT UPT, UP2, UP3, UP6, UPT, 0x80 ;");
  CHECK(logic.guard == 1u << (first_uniform_predicate + 1));
  CHECK_FALSE(logic.unless);
  CHECK(logic.written == 1u << (first_uniform_predicate + 2));
  CHECK(logic.read == (1u << (first_uniform_predicate + 1) | 1u << (first_uniform_predicate + 3) |
                       1u << (first_uniform_predicate + 6)));
  CHECK(read_sass_text("@PT EXIT").guard == 0);
  CHECK_FALSE(read_sass_text("EXIT").address.has_value());
}

TEST_CASE("a header's line needs no blanks around its equals sign", "[trace]") {
  TemporaryFolder folder;
  std::string text = header();
  for (std::size_t at = 0; (at = text.find(" = ")) != std::string::npos;) text.replace(at, 3, "=");
  text.replace(text.find("#traces format="), 15, "#traces format = ");
  const auto file = folder.write("kernel-1.traceg", text + one_warp("0000 ffffffff 0 EXIT 0 0\n"));
  KernelReader reader(file, {});
  CHECK(reader.header().name == "k");
  CHECK(reader.header().binary_version == 75);
}

TEST_CASE("the second of two registers of IMAD.WIDE is a factor if it holds a constant, else an address",
          "[trace]") {
  const auto reads = [](const std::string& before, const std::string& sources = "R4 R6") {
    const TemporaryFolder folder;
    const std::filesystem::path file =
        folder.write("kernel-1.traceg",
                     header() + one_warp(before + "0100 ffffffff 1 R8 IMAD.WIDE 2 " + sources + " 0\n"));
    const Read r = read(file);
    const StaticInstruction i = r.instruction(r.code.instructions.size() - 1);
    return Registers(i.sources.begin(), i.sources.begin() + i.source_count);
  };
  const std::string size = "0000 ffffffff 1 R6 MOV 0 0\n", high = "0010 ffffffff 1 R7 MOV 0 0\n",
                    computed = "0020 ffffffff 1 R7 SHF.R.S32.HI 2 R255 R2 0\n",
                    thread = "0020 ffffffff 1 R7 S2R 0 0\n";
  const Registers pair{4, 6, 7}, factor{4, 6};
  CHECK(reads("") == pair);  // nothing is known
  CHECK(reads(size) == factor);
  CHECK(reads("0000 ffffffff 1 R6 IMAD.MOV.U32 2 R255 R255 0\n") == factor);
  CHECK(reads(size + computed) == factor);
  CHECK(reads(size + thread) == factor);
  CHECK(reads(size + high) == pair);  // both halves of an address
  CHECK(reads("0000 ffffffff 1 R6 IMAD.WIDE 2 R255 R255 0\n") == pair);
  CHECK(reads(computed + size) == factor);
  CHECK(reads("0000 ffffffff 1 R6 IADD3 2 R2 R3 0\n" + computed) == pair);
  CHECK(reads(size + "0020 ffffffff 1 R6 IADD3 2 R2 R3 0\n") == pair);
  CHECK(reads("0000 ffffffff 1 R6 S2R 0 0\n") == pair);
  CHECK(reads(high, "R4 R7") == Registers{4, 7});  // an odd register is no pair's first
  // The meaning of an instruction is found once: the same words mean the same later.
  const TemporaryFolder folder;
  const std::string wide = "0100 ffffffff 1 R8 IMAD.WIDE 2 R4 R6 0";
  const Read r = read(
      folder.write("kernel-1.traceg", header() + one_warp(size + wide + "\n" + high + wide + " reuse=1\n")));
  CHECK(unsigned{r.instruction(1).source_count} == 2);
  CHECK(unsigned{r.instruction(3).source_count} == 2);
}

TEST_CASE("what real files leave out is no error", "[trace]") {
  // Warps without EXIT, without instructions, out of order, missing.
  const Read r =
      read_text(header("3", "(1,1,1)", "(128,1,1)") +
                "\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 3\ninsts = 1\n0000 ffffffff 0 NOP 0 0\n\n"
                "warp = 0\ninsts = 0\n\nwarp = 1\ninsts = 2\n0000 ffffffff 0 NOP 0 0\n"
                "0010 ffffffff 0 FQUX.X 0 0\n\n#END_TB\n\n");
  REQUIRE(r.ctas[0].warps.size() == 3);
  CHECK(r.ctas[0].warps[0].warp == 0);
  CHECK(r.ctas[0].warps[0].records.empty());
  CHECK(r.ctas[0].warps[1].warp == 1);
  CHECK(r.ctas[0].warps[2].warp == 3);
  CHECK(r.ctas[0].warps[2].records.size() == 1);
  CHECK(r.code.unknown_opcodes == std::map<std::string, std::uint64_t>{{"FQUX.X", 1}});
}

TEST_CASE("a block's storage is used again", "[trace]") {
  TemporaryFolder folder;
  std::string text = header("3", "(2,1,1)", "(64,1,1)");
  for (const char* block : {"0,0,0", "1,0,0"}) {
    text += std::string("#BEGIN_TB\nthread block = ") + block + "\n";
    for (const char* warp : {"0", "1"})
      if (block[0] == '0' || warp[0] == '0')
        text += std::string("warp = ") + warp + "\ninsts = 3\n" + three_lines;
    text += "#END_TB\n";
  }
  KernelReader reader(folder.write("kernel-1.traceg", text), {});
  CtaTrace cta;
  REQUIRE(reader.next(cta));
  CHECK(cta.warps.size() == 2);
  const TraceRecord* storage = cta.warps[0].records.data();
  const StaticInstruction* first = &reader.code().instructions[0];
  REQUIRE(reader.next(cta));
  CHECK(cta.warps.size() == 1);
  CHECK(cta.warps[0].records.data() == storage);
  CHECK(cta.warps[0].records.size() == 3);
  CHECK(&reader.code().instructions[0] == first);
  CHECK_FALSE(reader.next(cta));
  CHECK_FALSE(reader.next(cta));
}

TEST_CASE("generic accesses go where their address lies", "[trace]") {
  KernelHeader h;
  CHECK(resolve_space(h, MemorySpace::generic, 0) == MemorySpace::global);
  h.shared_base = 0x7f3000000000;
  h.local_base = 0x7f2000000000;
  CHECK(resolve_space(h, MemorySpace::generic, h.shared_base) == MemorySpace::shared);
  CHECK(resolve_space(h, MemorySpace::generic, h.shared_base + 0xffffff) == MemorySpace::shared);
  CHECK(resolve_space(h, MemorySpace::generic, h.shared_base + 0x1000000) == MemorySpace::global);
  CHECK(resolve_space(h, MemorySpace::generic, h.shared_base - 1) == MemorySpace::global);
  CHECK(resolve_space(h, MemorySpace::generic, h.local_base + 4) == MemorySpace::local);
  CHECK(resolve_space(h, MemorySpace::shared, 4) == MemorySpace::shared);
}

TEST_CASE("a tracer's version may have a fraction", "[trace]") {
  const std::string line = "0 0 0 0 0010 ffffffff 1 R1 IADD3 2 R2 R3 0\n";
  const Read r = read_text(header("1.2") + one_warp(line));
  CHECK(r.header.tracer_version == 1);
  CHECK(destinations(r.instruction(0)) == Registers{1});
}

// Texts as where an immediate varies, so many that looking at one after the other would not end in a day.
TEST_CASE("a program counter may have any number of texts", "[trace]") {
  constexpr unsigned texts = 300000;
  std::string lines;
  const auto line = [](unsigned i) {
    const std::string number = std::to_string(i), reuse = " reuse=" + std::to_string(i % 4);
    if (i % 3 == 0) return "0020 0000000f 1 R7 LDG.E 1 R2 4 1 0x" + number + " 4" + reuse;
    return "0010 ffffffff 1 R8 IADD3 2 R2 R3 0 " + number + reuse;
  };
  for (unsigned i = 0; i < texts; ++i) lines += line(i) + "\n";
  for (unsigned i = 0; i < texts; i += 7) lines += line(i) + "\n";  // and once more
  const Read r = read_text(header("5") + one_warp(lines));
  const auto& records = r.ctas[0].warps[0].records;
  REQUIRE(records.size() == texts + (texts + 6) / 7);
  std::size_t wrong = 0;
  for (unsigned i = 0; i < texts; ++i) {
    const StaticInstruction& s = r.instruction(i);
    wrong += destinations(s) != Registers{static_cast<Register>(i % 3 == 0 ? 7 : 8)};
    wrong += s.reuse_mask != i % 4;
    if (i % 7 == 0) wrong += records[i].code != records[texts + i / 7].code;
  }
  CHECK(wrong == 0);
  // Immediates do not count: one instruction for each opcode and mask.
  CHECK(r.code.instructions.size() == 2 * 4);
}

// The reader finds the oldest of more than 8 texts by their hash. The first text is how all others begin.
TEST_CASE("a longer text than one of many at its program counter is read whole", "[trace]") {
  const std::string text = "0010 ffffffff 1 R8 IADD3 2 R2 R3 0";
  std::string lines = text + "\n";
  for (unsigned i = 1; i <= 9; ++i) lines += text + " " + std::to_string(i) + "\n";
  lines += text + " 10 reuse=2\n" + text + " reuse=1\n" + text + "\n";
  const Read r = read_text(header("5") + one_warp(lines));
  CHECK(r.instruction(9).reuse_mask == 0);
  CHECK(r.instruction(10).reuse_mask == 2);
  CHECK(r.instruction(11).reuse_mask == 1);
  CHECK(r.instruction(12).reuse_mask == 0);
  CHECK(r.code.instructions.size() == 3);  // one for each mask
  const TemporaryFolder folder;
  CHECK(error_of(folder.write("kernel-1.traceg", header("5") + one_warp(lines + text + " 11 12\n")))
            .find("kernel-1.traceg:30: unexpected '12'; expected the end of the line") != std::string::npos);
}

// A difference that repeats is found again by its bytes. The difference is not found in a longer number, or
// behind other blanks.
TEST_CASE("differences of any lengths, repeated or not", "[trace]") {
  const std::vector<std::string> words{"4",   "4",    "4",      "45",      "-4",
                                       "452", "-452", "123456", "1234567", "12345678"};
  const std::vector<std::string> blanks{" ", " ", " ", "  ", "\t"};
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string line = "0010 ffffffff 1 R2 LDG.E.SYS 1 R4 4 2 0x7f4000000000";
    std::vector<std::uint64_t> wanted{0x7f4000000000};
    const std::size_t kinds = 1 + random() % words.size();
    for (int lane = 1; lane < 32; ++lane) {
      const std::string& word = words[random() % kinds];
      line += blanks[random() % blanks.size()] + word;
      wanted.push_back(wanted.back() + static_cast<std::uint64_t>(std::stoll(word)));
    }
    INFO(line);
    REQUIRE(addresses(read_text(header() + one_warp(line + (i % 2 == 0 ? "\n" : " reuse=1\n"))), 0) ==
            wanted);
  }
}

}  // namespace trace_test
