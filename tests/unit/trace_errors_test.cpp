#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/model/trace/line_source.h"
#include "subcore/model/trace/trace.h"
#include "tests/unit/trace_files.h"

namespace trace_errors_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// The message names the file as given and the line, is one line, and says what was expected.
void check(const std::string& text, unsigned line, const std::string& problem, const std::string& expected,
           const std::string& name = "kernel-1.traceg") {
  TemporaryFolder folder;
  const auto file = folder.write(name, text);
  const std::string message = error_of(file);
  INFO(message);
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.rfind(file.string() + ":" + std::to_string(line) + ": ", 0) == 0);
  const std::size_t split = message.find("; expected ");
  REQUIRE(split != std::string::npos);
  CHECK(message.substr(0, split).find(problem) != std::string::npos);
  CHECK(message.substr(split).find(expected) != std::string::npos);
}

const std::string good = "0000 ffffffff 1 R1 IADD3 2 R2 R3 0\n";

// An instruction line on line 18, behind a good one.
void check_line(const std::string& line, const std::string& problem, const std::string& expected,
                const std::string& version = "3") {
  check(header(version) + one_warp(good + line + "\n"), version.empty() ? 17 : 18, problem, expected);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("malformed instruction lines", "[trace][errors]") {
  check_line("0010 fffffffff 0 NOP 0 0", "bad mask 'fffffffff'", "8 hexadecimal digits");
  check_line("0010 fff 0 NOP 0 0", "bad mask 'fff'", "8 hexadecimal digits");
  check_line("0010 fffffxff 0 NOP 0 0", "bad mask 'fffffxff'", "8 hexadecimal digits");
  check_line("0010 ffffffffx 0 NOP 0 0", "bad mask 'ffffffffx'", "8 hexadecimal digits");
  check_line("00g0 ffffffff 0 NOP 0 0", "bad program counter '00g0'", "hexadecimal");
  check_line("00000000000000010 ffffffff 0 NOP 0 0", "bad program counter", "16 hexadecimal");
  check_line("0010", "bad mask ''", "8 hexadecimal digits");
  check_line("0010 ffffffff -1 NOP 0 0", "bad destination count '-1'", "0 to 8");
  check_line("0010 ffffffff 9 R1 NOP 0 0", "bad destination count '9'", "0 to 8");
  check_line("0010 ffffffff 1 R256 MOV 0 0", "bad destination register 'R256'", "R0 to R255");
  check_line("0010 ffffffff 1 R99999999999999999999 MOV 0 0", "bad destination register", "R0 to R255");
  check_line("0010 ffffffff 1 MOV 1 R2 0", "bad destination register 'MOV'", "R0 to R255");
  check_line("0010 ffffffff 1 R1 MOV 1 UR2 0", "bad source register 'UR2'", "R0 to R255");
  check_line("0010 ffffffff 1 R1 MOV -2 R2 0", "bad source count '-2'", "0 to 32");
  check_line("0010 ffffffff 1 R1 MOV 1x R2 0", "bad source count '1x'", "0 to 32");
  check_line("0010 ffffffff 1 R1 MOV 33 R2 0", "bad source count '33'", "0 to 32");
  check_line("0010 ffffffff 1 R1 XYZ 1 R2 0", "unknown opcode 'XYZ'", "an opcode");
  check_line("0010 ffffffff 1 R1 R2 1 R2 0", "unknown opcode 'R2'", "an opcode");
  check_line("0010 ffffffff 1 R1 ZED 1 R2 0", "unknown opcode 'ZED'", "an opcode");
  check_line("0010 ffffffff 1 R1 mov 1 R2 0", "bad opcode 'mov'", "capitals");
  check_line("0010 ffffffff 1 R1 mOV 1 R2 0", "bad opcode 'mOV'", "capitals");
  check_line("0010 ffffffff 1 R1", "missing opcode", "an opcode");
  check_line("0010 ffffffff 1 R1 LDG.E 1 R2 3 1 0x0 4", "bad access width '3'", "0, 1, 2, 4, 8 or 16");
  check_line("0010 ffffffff 1 R1 LDG.E 1 R2 32 1 0x0 4", "bad access width '32'", "0, 1, 2, 4, 8 or 16");
  check_line("0010 ffffffff 1 R1 LDG.E 1 R2 -4 1 0x0 4", "bad access width '-4'", "0, 1, 2, 4, 8 or 16");
  check_line("0010 ffffffff 1 R1 LDG.E 1 R2", "bad access width ''", "0, 1, 2, 4, 8 or 16");
  check_line("0010 ffffffff 1 R1 IADD3 2 R2 R3 0 5", "unexpected '5'", "end of the line");
  check_line("0010 ffffffff 1 R1 IADD3 2 R2 R3 0 5 6", "unexpected '6'", "end of the line", "5");
  check_line("0010 ffffffff 1 R1 IADD3 2 R2 R3 0 reuse=x", "bad reuse mask", "reuse=0");
  check_line("0010 ffffffff 1 R1 IADD3 2 R2 R3 0 reuse=16", "bad reuse mask", "reuse=0");
  std::string seventeen = "0010 ffffffff 0 HMMA.1688.F32 17";
  for (unsigned n = 0; n < 17; ++n) seventeen += " R" + std::to_string(2 * n);
  check(replaced(header(), "-nregs = 16", "-nregs = 40") + one_warp(good + seventeen + " 0\n"), 18,
        "reads too many", "at most 32");
  check_line("0010 ffffffff 5 R0 R2 R4 R6 R8 HMMA.1688.F32 0 0", "writes too many", "at most 8");
}

TEST_CASE("malformed addresses", "[trace][errors]") {
  const std::string load = "0010 00000007 1 R1 LDG.E 1 R2 4";
  check_line(load, "missing address mode", "0, 1 or 2");
  check_line(load + " 3 0x0", "bad address mode '3'", "0, 1 or 2");
  check_line(load + " 0 0x0 0x4", "missing address '' of lane 3", "3 hexadecimal");
  check_line(load + " 0 0x0 0xq4 0x8", "address '0xq4' of lane 2", "3 hexadecimal");
  check_line(load + " 0 0x0 0x4 0x8 0xc", "unexpected '0xc'", "end of the line");
  check_line(load + " 1", "missing base address ''", "hexadecimal");
  check_line(load + " 1 0x11112222333344445", "base address '0x11112222333344445'", "hexadecimal");
  check_line(load + " 1 0x0", "missing stride ''", "decimal");
  check_line(load + " 1 0x0 4q", "stride '4q'", "decimal");
  check_line(load + " 1 0x0 99999999999999999999", "stride '99999999999999999999'", "decimal");
  check_line(load + " 1 0x0 4 4", "unexpected '4'", "end of the line");
  check_line(load + " 2 0x0 4", "missing address difference '' (number 2)", "2 decimal");
  check_line(load + " 2 0x0 4 4 4", "unexpected '4'", "end of the line");
  check_line("0010 00000005 1 R1 LDG.E 1 R2 4 1 0x0 4", "not contiguous", "mode 0 or 2");
  // A static instruction that is known already is checked as strictly.
  check(header() + one_warp(load + " 1 0x0 4\n" + load + " 2 0x0 4\n"), 18, "missing address difference",
        "2 decimal");
}

// A line that the end of the file cuts off is moved to the beginning of the reader's block. The file's first
// bytes stay behind the line, and look like its next differences.
TEST_CASE("a line that is cut off has no differences of the bytes behind it", "[trace][errors]") {
  const std::string line = "0010 000000ff 1 R1 LDG.E 1 R2 4 2 0x0 4 4 4 4 4", key = "-kernel name = ";
  const std::string name = std::string(line.size() - key.size(), 'x') + " 4 4 4 4 4 4 4 4";
  check(replaced(header(), key + "k", key + name) + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n" +
            line,
        17, "missing address difference '' (number 6)", "7 decimal numbers");
}

TEST_CASE("registers that the kernel does not have", "[trace][errors]") {
  const auto in_kernel_of = [](const std::string& registers, const std::string& line) {
    return replaced(header(), "-nregs = 16\n", registers) + one_warp(good + line + "\n");
  };
  const std::string highest = "0010 ffffffff 1 R254 IADD3 2 R2 R3 0";
  check(in_kernel_of("-nregs = 8\n", highest), 18, "R254 in a kernel of 8 registers a thread",
        "R0 to R7, or R255");
  check(in_kernel_of("-nregs = 9\n", "0010 ffffffff 1 R1 IADD3 2 R15 R16 0"), 18, "R16 in a kernel of 9",
        "R0 to R15, or R255");
  const auto fine = [&](const std::string& registers, const std::string& line) {
    TemporaryFolder folder;
    return error_of(folder.write("kernel-1.traceg", in_kernel_of(registers, line))) == "no error";
  };
  CHECK(fine("-nregs = 9\n", "0010 ffffffff 1 R15 IADD3 2 R255 R3 0"));
  // The second register of a pair is the table's guess.
  CHECK(fine("-nregs = 8\n", "0010 ffffffff 1 R7 DADD 2 R2 R4 0"));
  CHECK(fine("-nregs = 0\n", highest));
  CHECK(fine("", highest));
  CHECK(fine("-nregs = 255\n", highest));
}

TEST_CASE("malformed headers", "[trace][errors]") {
  const auto with = [](const std::string& from, const std::string& to) {
    return replaced(header(), from, to) + one_warp(good);
  };
  check(with("-grid dim = (1,1,1)", "-grid dim = (0,1,1)"), 3, "'(0,1,1)' of 'grid dim'", "each from 1");
  check(with("-block dim = (32,1,1)", "-block dim = (32,0,1)"), 4, "'(32,0,1)' of 'block dim'",
        "each from 1");
  check(with("-block dim = (32,1,1)", "-block dim = (1024,2,1)"), 4, "2048 threads", "at most 1024");
  check(with("-block dim = (32,1,1)", "-block dim = (41,25,1)"), 4, "1025 threads", "at most 1024");
  const TemporaryFolder folder;
  CHECK(error_of(folder.write("kernel-1.traceg", with("(32,1,1)", "(1024,1,1)"))) == "no error");
  check(with("-grid dim = (1,1,1)", "-grid dim = (1,1)"), 3, "'(1,1)'", "(x,y,z)");
  check(with("-grid dim = (1,1,1)", "-grid dim = (-1,1,1)"), 3, "'(-1,1,1)'", "(x,y,z)");
  check(with("-grid dim = (1,1,1)", "-grid dim = 1,1,1"), 3, "'1,1,1'", "(x,y,z)");
  check(with("-grid dim = (1,1,1)", "-grid dim = [1,1,1]"), 3, "'[1,1,1]'", "(x,y,z)");
  for (const char* grid : {"(2147483648,1,1)", "(1,65536,1)", "(1,1,65536)"})
    check(with("(1,1,1)", grid), 3, "'" + std::string(grid) + "' of 'grid dim'",
          "each from 1 to 2147483647, 65535, 65535");
  check(with("-shmem = 0", "-shmem = lots"), 5, "'lots' of 'shmem'", "a number");
  check(with("-nregs = 16", "-nregs = 4000"), 6, "'4000' of 'nregs'", "256");
  check(with("-binary version = 75", "-binary version = 35"), 7, "binary version 35", "60 to 121");
  check(with("0x00007f3000000000", "0xzz"), 9, "'0xzz' of 'shmem base_addr'", "hexadecimal");
  check(with("tracer version = 3", "tracer version = 7"), 11, "tracer version 7", "1 to 6");
  check(with("tracer version = 3", "tracer version = 7.1"), 11, "tracer version 7", "1 to 6");
  for (const char* version : {"1.x", "1.", ".2", "1.2.3", "x.1"})
    check(with("tracer version = 3", "tracer version = " + std::string(version)), 11,
          "of 'accelsim tracer version'", "a number");
  check(with("-kernel name = k\n", ""), 11, "without '-kernel name'", "the key");
  check(with("-grid dim = (1,1,1)\n", ""), 11, "without '-grid dim'", "the key");
  check(with("-block dim = (32,1,1)\n", ""), 11, "without '-block dim'", "the key");
  check(with("#traces format = PC mask\n", ""), 12, "'#BEGIN_TB' inside the header", "#traces format");
  check(with("-nregs = 16", "nregs 16"), 6, "bad header line 'nregs 16'", "-key = value");
  check(std::string("-kernel name = a\0b\n", 19), 1, "bad value 'a?b' of 'kernel name'",
        "a name without a NUL");
  check("-kernel name = k\n", 1, "file ends inside the header", "#traces format");
  check("", 1, "file ends inside the header", "#traces format");
  check(std::string("\0\x01\x02\n", 4), 1, "bad header line", "-key = value");
}

TEST_CASE("malformed blocks and warps", "[trace][errors]") {
  const std::string h = header("3", "(2,1,1)", "(64,1,1)");
  const std::string begin = "#BEGIN_TB\nthread block = 0,0,0\n";
  const std::string warp = "warp = 0\ninsts = 1\n" + good;
  check(h + "hello\n", 13, "unexpected 'hello'", "#BEGIN_TB");
  check(h + "#BEGIN_TB\nwarp = 0\n", 14, "unexpected 'warp = 0'", "thread block");
  check(h + "#BEGIN_TB\nthread block = 2,0,0\n", 14, "bad thread block '2,0,0'", "inside the grid (2,1,1)");
  check(h + "#BEGIN_TB\nthread block = 0,0\n", 14, "bad thread block '0,0'", "x,y,z");
  check(h + begin + "#END_TB\n" + begin, 17, "'0,0,0' given twice", "once");
  check(h + begin + "insts = 1\n", 15, "unexpected 'insts = 1'", "'warp = w' or #END_TB");
  check(h + begin + "warp = 2\n", 15, "bad warp '2'", "0 to 1");
  check(h + begin + "warp = -1\n", 15, "bad warp '-1'", "0 to 1");
  check(h + begin + warp + warp, 18, "warp 0 given twice", "once");
  check(h + begin + "warp = 0\n0000 ffffffff 0 NOP 0 0\n", 16, "unexpected '0000", "'insts = n'");
  check(h + begin + "warp = 0\ninsts = -3\n", 16, "bad instruction count '-3'", "a number");
  check(h + begin + "warp = 0\ninsts = 99999999999\n", 16, "bad instruction count", "4294967295");
  // A wild but legal count neither exhausts memory nor passes.
  check(h + begin + "warp = 0\ninsts = 4294967295\n" + good + "#END_TB\n", 18,
        "'#END_TB' after 1 instruction", "4294967295 lines");
  check(h + begin + "warp = 0\ninsts = 2\n" + good + "\nwarp = 1\n", 19,
        "'warp = 1' after 1 instruction lines of warp 0", "2 lines");
  check(h + begin + warp + good + "#END_TB\n", 18, "after the counted instruction lines",
        "'warp = w' or #END_TB");
  check(header("1") + one_warp("0 0 0 0 " + good + "0 0 0 1 " + good), 18, "line prefix has '1'", "warp 0");
  check(header("4", "(1,1,1)", "(32,1,1)", "-enable lineinfo = 1\n") + one_warp("7 " + good + "x7 " + good),
        19, "'x7", "2 lines");
}

TEST_CASE("files that end early", "[trace][errors]") {
  const std::string h = header("3", "(2,1,1)", "(64,1,1)");
  const std::string begin = "#BEGIN_TB\nthread block = 0,0,0\n";
  const std::string warp = "warp = 0\ninsts = 2\n" + good + good;
  check(h, 12, "file ends after 0 thread blocks", "2 of them");
  check(h + begin + warp + "#END_TB\n", 19, "file ends after 1 thread blocks", "2 of them");
  check(h + "#BEGIN_TB\n", 13, "file ends after #BEGIN_TB", "thread block");
  check(h + begin, 14, "file ends inside a thread block", "#END_TB");
  check(h + begin + "warp = 0\n", 15, "file ends after the header of warp 0", "insts = n");
  // The last line is whole even without a line end, so the message does not say that it is cut.
  check(h + begin + "warp = 0", 15, ":15: file ends after the header of warp 0", "insts = n");
  check(h + begin + "warp = 0\ninsts = 2\n" + good, 17, "file ends after 1 instruction lines of warp 0",
        "2 lines");
  check(h + begin + warp, 18, "file ends inside a thread block", "#END_TB");
  std::string place_in_cluster;
  unsigned last_line = 14;
  for (const char* place : {"cluster id = 0,0,0\n", "cluster cta = 0,0,0\n", "cluster rank = 0\n"}) {
    place_in_cluster += place;
    check(header("6", "(2,1,1)", "(64,1,1)") + begin + place_in_cluster, ++last_line,
          "file ends inside a thread block", "#END_TB");
  }
  check(h + begin + "warp = 0\ninsts = 2\n" + good + "0010 fff", 18,
        "file ends in the middle of a line (bad mask 'fff')", "8 hexadecimal digits");
  // Wherever a file is cut, there is an error and never a shorter run.
  const std::string whole = header() + one_warp(good + "0010 00000003 1 R1 LDG.E 1 R2 4 1 0x10 4 \n");
  TemporaryFolder folder;
  for (std::size_t n = 0; n + 1 < whole.size(); ++n) {
    const std::string message = error_of(folder.write("kernel-1.traceg", whole.substr(0, n)));
    INFO(n << ": " << message);
    REQUIRE(message.find("; expected ") != std::string::npos);
  }
}

TEST_CASE("a line longer than 1 MiB", "[trace][errors]") {
  const std::size_t most = std::size_t{1} << 20;
  const TemporaryFolder folder;
  const std::string fits(most, 'x');
  LineSource source(folder.write("text", fits + '\n'));
  std::string_view line;
  CHECK((source.next(line) && line == fits));
  check("-kernel id = 7\n-kernel name = " + std::string(2 * most, 'x') + '\n', 1, "line 2 is too long",
        "lines of at most 1 MiB");
}

TEST_CASE("compressed files that are cut or damaged", "[trace][errors]") {
  std::string lines;
  for (int i = 0; i < 3000; ++i) lines += std::to_string(1000 + i * 7919 % 8999) + good.substr(4);
  const std::string text = header() + one_warp(lines);
  TemporaryFolder folder;
  for (const bool xz : {true, false}) {
    const std::string whole = compressed(text, xz);
    const std::string name = xz ? "kernel-1.traceg.xz" : "kernel-1.traceg.gz";
    REQUIRE(error_of(folder.write(name, whole)) == "no error");
    for (const std::size_t cut : {std::size_t{1}, std::size_t{4}, std::size_t{9}, std::size_t{30},
                                  whole.size() / 2, whole.size() - 10, whole.size()}) {
      const std::string message = error_of(folder.write(name, whole.substr(0, whole.size() - cut)));
      INFO(name << " short of " << cut << " bytes: " << message);
      CHECK(message.find("compressed") != std::string::npos);
      CHECK(message.find("; expected a complete") != std::string::npos);
    }
    std::string damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(damaged[whole.size() / 2] ^ 0x55);
    CHECK(error_of(folder.write(name, damaged)).find("; expected ") != std::string::npos);
    CHECK(error_of(folder.write(name, text)).find("; expected a complete") != std::string::npos);
  }
}

TEST_CASE("a compressed file whose name does not say so", "[trace][errors]") {
  const TemporaryFolder folder;
  for (const bool xz : {true, false}) {
    const auto file = folder.write("kernel-1.traceg", compressed(header() + one_warp(good), xz));
    CHECK(error_of(file) == file.string() + ": holds " + (xz ? "xz" : "gzip") +
                                " data, but the file's name does not say so; expected a name that ends in " +
                                (xz ? ".xz" : ".gz"));
  }
}

TEST_CASE("a file compressed twice, or by what is not read", "[trace][errors]") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& name, const std::string& content) {
    const auto file = folder.write(name, content);
    try {
      LineSource source(file);
      std::string_view line;
      source.next(line);
    } catch (const TraceError& e) {
      const std::string message = e.what();
      CHECK(message.rfind(file.string() + ": ", 0) == 0);
      return message.substr(file.string().size() + 2);
    }
    return std::string("no error");
  };
  for (const bool xz : {true, false}) {
    const std::string once = compressed("text\n", xz);
    const std::string name = xz ? "xz" : "gzip";
    CHECK(error(xz ? "a.xz" : "a.gz", once) == "no error");
    CHECK(error("a.gz", compressed(once, false)) ==
          "is compressed twice, by " + name + " and then by gzip; expected once");
  }
  const std::string zstd = "\x28\xb5\x2f\xfd and more";
  CHECK(
      error("a.zst", zstd) ==
      "is compressed by zstd, which subcore does not read; expected text, or text compressed by gzip or xz");
  CHECK(error("a", zstd) ==
        "holds zstd data, but the file's name does not say so; expected text, or text compressed by gzip or "
        "xz");
}

TEST_CASE("files and lists that are not there", "[trace][errors]") {
  TemporaryFolder folder;
  CHECK(error_of(std::filesystem::path("nowhere.traceg")) ==
        "nowhere.traceg: cannot open: No such file or directory; expected a readable file");
  const auto opening = [](const std::filesystem::path& path) -> std::string {
    try {
      open_trace(path);
    } catch (const TraceError& e) {
      return e.what();
    }
    return "no error";
  };
  CHECK(opening("nowhere").find("nowhere: cannot open; expected ") == 0);
  CHECK(opening(folder.path()).find(": has no kernelslist.g, nor has a folder below it; expected a") !=
        std::string::npos);
  const auto list = folder.write("kernelslist.g", "MemcpyHtoD,0x0,1\nkernel-1.traceg\n");
  CHECK(
      opening(folder.path()).find(list.string() + ":2: trace file 'kernel-1.traceg' is missing; expected ") ==
      0);
  folder.write("kernelslist.g", "MemcpyHtoD,0x0,1\n");
  CHECK(opening(list).find("no trace file in the list; expected ") != std::string::npos);
}

TEST_CASE("a program counter with two instructions", "[trace][errors]") {
  const std::string expected = "one instruction at each program counter";
  const auto refused = [&](const std::string& first, const std::string& second, const std::string& problem) {
    check(header() + one_warp(first + "\n" + good + second + "\n"), 19, problem, expected);
  };
  refused("0010 ffffffff 1 R1 FADD 2 R2 R3 0", "0010 ffffffff 1 R1 FMUL 2 R2 R3 0",
          "'FMUL' at pc 0010, which had 'FADD' before");
  refused("0010 ffffffff 1 R1 FADD 2 R2 R3 0", "0010 ffffffff 1 R1 FADD 2 R2 R4 0",
          "'FADD' at pc 0010, which had other operands before");
  refused("0010 ffffffff 1 R1 FADD 2 R2 R3 0", "0010 ffffffff 1 R4 FADD 2 R2 R3 0", "other operands");
  refused("0010 ffffffff 1 R1 FADD 2 R2 R3 0", "0010 ffffffff 1 R1 FADD 1 R2 0", "other operands");
  refused("0010 ffffffff 1 R1 FADD 2 R2 R2 0", "0010 ffffffff 1 R1 FADD 1 R2 0", "other operands");
  refused("0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x100 4", "0010 ffffffff 1 R1 LDG.E 1 R2 8 1 0x100 4",
          "other operands");
  refused("0010 ffffffff 1 R1 LDG.E 1 R2 4 1 0x100 4", "0010 ffffffff 1 R1 LDG.E 1 R3 4 2 0x100 4 4 4",
          "other operands");
  // The first line's text, up to its access width of 1, begins the second line, whose width is 16.
  refused("0010 ffffffff 1 R1 LDG.E 1 R2 1 1 0x100 4", "0010 ffffffff 1 R1 LDG.E 1 R2 16 1 0x100 4",
          "other operands");
  // Lines of one program counter may differ in mask, addresses and their mode, immediate, reuse flags and
  // blanks.
  TemporaryFolder folder;
  const auto fine = [&](const std::string& first, const std::string& second) {
    return error_of(folder.write("kernel-1.traceg",
                                 header("5") + one_warp(first + "\n" + good + second + "\n"))) == "no error";
  };
  CHECK(fine("0010 ffffffff 1 R1 FADD 2 R2 R3 0 1", "0010 0000000f 1 R1 FADD 2 R2 R3 0 7 reuse=2"));
  CHECK(fine("0010 ffffffff 1 R1 FADD 2 R2 R3 0", "0010 00000000 1 R1 FADD 2 R2  R3 0 "));
  CHECK(fine("0010 00000003 1 R1 LDG.E 1 R2 4 1 0x100 4", "0010 00000003 1 R1 LDG.E 1 R2 4 0 0x200 0x100 8"));
  // Program counters of functions begin at 0 again. Behind a call that is no error, unless there is a
  // sidecar.
  const std::string call = "0020 ffffffff 0 CALL.ABS.NOINC 0 0";
  const std::string callee = "0000 ffffffff 1 R1 MOV 1 R2 0";
  CHECK(fine(call, callee));
  CHECK_FALSE(fine(callee, call));
  folder.write("kernel-1.sass", "0000 | 1 1 | 1 - 7 7 00 0 | D:R1x1 S:R2x1/A S:R3x1/B | IADD3 ;\n");
  CHECK_FALSE(fine(call, callee));
}

TEST_CASE("the sidecar of another kernel", "[trace][errors]") {
  TemporaryFolder folder;
  const auto file = folder.write(
      "kernel-1.traceg", header() + one_warp(good + "0010 ffffffff 1 R1 LDG.E.64 1 R2 8 1 0x100 8\n"));
  const auto error_with = [&](const std::string& operands) {
    folder.write("kernel-1.sass",
                 "# head\n0000 | 1 1 | 1 - 7 7 00 0 | D:R1x1 S:R2x1/A S:R3x1/B | IADD3 ;\n"
                 "0010 | 1 1 | 1 - 7 7 00 0 | " +
                     operands + " ;\n");
    return error_of(file);
  };
  const std::string here = file.string() + ":18: 'LDG.E.64' at pc 0010";
  const std::string there = (folder.path() / "kernel-1.sass").string() + ":3";
  const std::string expected = "; expected the sidecar of this kernel";
  CHECK(error_with("D:R1x2 S:R2x2/A | LDG.E.64 R1, [R2.64]") == "no error");
  CHECK(error_with("D:R1x2 S:R2x2/A | @!P0 LDG.E.64.CONSTANT.SYS R1, [R2.64]") == "no error");
  CHECK(error_with("D:R1x2 S:R2x2/A | LDG R1, [R2.64]") == "no error");
  CHECK(error_with("|") == "no error");  // a sidecar with control words only
  CHECK(error_with("D:R1x1 S:R2x1/A | FADD R1, R2, R2") ==
        here + ", where " + there + " has 'FADD'" + expected);
  CHECK(error_with("D:R1x4 S:R2x2/A | LDG.E.128 R1, [R2.64]") ==
        here + ", where " + there + " has 'LDG.E.128'" + expected);
  CHECK(error_with("D:R4x2 S:R2x2/A | LDG.E.64 R4, [R2.64]") ==
        here + " that writes R1, which " + there + " does not" + expected);
  CHECK(error_with("D:R1x2 | LDG.E.64 R1, [R2.64]") == "no error");
  // An opcode begins with a capital. Any other text is a remark, which is not compared.
  for (const char* remark : {"a load", "[R2.64]", "64 bits"}) {
    CAPTURE(remark);
    CHECK(error_with("D:R1x2 S:R2x2/A | " + std::string(remark)) == "no error");
  }
  for (const char* other : {"ATOM", "Add", "ZED"}) {
    CAPTURE(other);
    CHECK(error_with("D:R1x2 S:R2x2/A | " + std::string(other) + " R1, [R2.64]") ==
          here + ", where " + there + " has '" + other + "'" + expected);
  }
  // The sidecar has to name each result.
  const auto pair =
      folder.write("kernel-2.traceg", header() + one_warp("0010 ffffffff 2 R4 R8 FADD 2 R2 R6 0\n"));
  folder.write("kernel-2.sass",
               "# head\n0010 | 1 1 | 1 - 7 7 00 0 | D:R4x1 D:R9x1 S:R2x1/A S:R6x1/B | FADD ;\n");
  CHECK(error_of(pair) == pair.string() + ":17: 'FADD' at pc 0010 that writes R8, which " +
                              (folder.path() / "kernel-2.sass").string() + ":2 does not" + expected);
  folder.write("kernel-1.sass", "0000 | 1 1 | 1 - 7 7 00 0 | D:R1x1 S:R2x1/A | MOV R1, R2 ;\n");
  OperandOptions without;
  without.use_sidecar = false;
  KernelReader reader(file, without);
  CtaTrace cta;
  CHECK(reader.next(cta));
}

TEST_CASE("malformed sidecars", "[trace][errors]") {
  TemporaryFolder folder;
  const auto file = folder.write("kernel-1.traceg", header() + one_warp(good));
  const auto with = [&](const std::string& line) {
    folder.write("kernel-1.sass", "# head\n" + line + "\n");
    const std::string message = error_of(file);
    CHECK(message.find((folder.path() / "kernel-1.sass").string() + ":2: ") == 0);
    return message;
  };
  CHECK(with("0000 | 1 2").find("bad sidecar line") != std::string::npos);
  CHECK(with("zz | 1 | 0 | D:R1x1 | x").find("bad program counter") != std::string::npos);
  CHECK(with("0000 | 1 | 1 - 7 7 00 q | D:R1x1 | x").find("bad reuse mask 'q'") != std::string::npos);
  CHECK(with("0000 | 1 | 1 - 7 7 00 10 | D:R1x1 | x").find("bad reuse mask '10'") != std::string::npos);
  CHECK(with("0000 | 1 | 16 - 7 7 00 0 | D:R1x1 | x").find("bad stall count '16'; expected a number") !=
        std::string::npos);
  CHECK(with("0000 | 1 | | D:R1x1 | x").find("bad stall count ''") != std::string::npos);
  CHECK(with("0000 | 1 | 1 N 7 7 00 0 | D:R1x1 | x").find("bad yield flag 'N'; expected Y or -") !=
        std::string::npos);
  CHECK(with("0000 | 1 | 1 - 6 7 00 0 | D:R1x1 | x").find("bad write barrier '6'; expected 0 to 5, or 7") !=
        std::string::npos);
  CHECK(with("0000 | 1 | 1 - 7 8 00 0 | D:R1x1 | x").find("bad read barrier '8'") != std::string::npos);
  CHECK(with("0000 | 1 | 1 - 7 7 40 0 | D:R1x1 | x").find("bad wait mask '40'") != std::string::npos);
  CHECK(with("0000 | 1 | 1 - 7 7 00 0 0 | D:R1x1 | x").find("'0' behind the reuse mask") !=
        std::string::npos);
  const std::string control = "0000 | 1 | 1 - 7 7 00 0 | ";
  CHECK(with(control + "D:R300x1 | x").find("bad operand 'D:R300x1'") != std::string::npos);
  CHECK(with(control + "E:R3x1 | x").find("bad operand 'E:R3x1'") != std::string::npos);
  CHECK(with(control + "S:R3 | x").find("bad operand 'S:R3'") != std::string::npos);
}

TEST_CASE("a text of nothing, as the header of a damaged packed trace, has no line") {
  LineSource source("nothing", std::string_view());
  std::string_view line;
  CHECK_FALSE(source.next(line));
  CHECK_FALSE(source.next(line));
}

}  // namespace trace_errors_test
