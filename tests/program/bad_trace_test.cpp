#include <algorithm>
#include <filesystem>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "tests/program/program.h"

namespace bad_trace_test {

using namespace subcore::test;

namespace {

// A trace whose 41st instruction is `line`, so deep in the trace that the run is under way when it meets the
// line.
void refuse_line(const std::string& line, const Strings& words) {
  const Desk desk;
  std::string before;
  for (int i = 0; i < 40; ++i) before += "0000 ffffffff 1 R1 MOV 0 0 \n";
  desk.trace("t", before + line + "\n0050 ffffffff 0 EXIT 0 0 \n");
  Strings expected{"t/kernel-1.traceg:" + std::to_string(17 + 40) + ": ", "; expected "};
  expected.insert(expected.end(), words.begin(), words.end());
  for (const char* platform : {"baseline", "malekeh"})
    desk.refuse(everything({"run", "--platform", platform, "--trace", "t"}), expected);
  desk.refuse({"trace-info", "t", "--json", "info.json"}, expected);
  desk.refuse(everything({"compare", "--platform", "baseline", "--platform", "traditional", "--trace", "t"}),
              expected);
}

void refuse_trace(const Desk& desk, const Strings& words, const Strings& more = {}) {
  Strings arguments{"run", "--platform", "baseline", "--trace", "t"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  desk.refuse(everything(arguments), words);
}

}  // namespace

TEST_CASE("a trace folder that is not there") {
  const Desk desk;
  desk.refuse(everything({"run", "--platform", "baseline", "--trace", "nowhere"}),
              {"nowhere: cannot open; expected a trace folder"});
  desk.refuse({"trace-info", "nowhere", "--json", "info.json"}, {"nowhere: cannot open; expected"});
}

TEST_CASE("a folder without a kernel list") {
  const Desk desk;
  desk.write("t/readme", "");
  refuse_trace(desk, {"t: has no kernelslist.g, nor has a folder below it; expected a folder"});
}

TEST_CASE("a kernel list that names a missing file") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("t/kernelslist.g", "MemcpyHtoD,0x1000,64\nkernel-1.traceg\nkernel-2.traceg.xz\n");
  refuse_trace(desk, {"t/kernelslist.g:3: ", "kernel-2.traceg.xz", "missing; expected"});
}

TEST_CASE("an empty kernel list") {
  const Desk desk;
  desk.write("t/kernelslist.g", "");
  refuse_trace(desk, {"t/kernelslist.g", "; expected "});
}

TEST_CASE("an xz file that was cut") {
  const Desk desk;
  std::string lines;
  for (int i = 0; i < 500; ++i) lines += sound_lines();
  const std::string whole = compressed(header() + one_warp(lines), true);
  desk.write("t/kernelslist.g", "kernel-1.traceg.xz\n");
  for (const std::size_t length : {std::size_t{0}, std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    desk.write("t/kernel-1.traceg.xz", whole.substr(0, length));
    refuse_trace(desk, {"t/kernel-1.traceg.xz", "; expected "});
  }
  desk.write("t/kernel-1.traceg.xz", "this is no xz file");
  refuse_trace(desk, {"t/kernel-1.traceg.xz", "; expected "});
}

TEST_CASE("a file cut in the middle of a line") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string whole = desk.file("t/kernel-1.traceg");
  const std::size_t in_line_19 = whole.find("0020 ffffffff") + 20;  // ...1 R6 LDG
  desk.write("t/kernel-1.traceg", whole.substr(0, in_line_19));
  refuse_trace(desk, {"t/kernel-1.traceg:19: ", "; expected "});
}

TEST_CASE("a file cut at any byte is refused") {
  const Desk desk;
  desk.trace("t", "0000 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f4000105000 4 \n0010 ffffffff 0 EXIT 0 0 \n");
  const std::string whole = desk.file("t/kernel-1.traceg");
  // The last line end may be missing; everything else counts.
  for (std::size_t length = 0; length + 1 < whole.size(); length += 7) {
    desk.write("t/kernel-1.traceg", whole.substr(0, length));
    refuse_trace(desk, {"t/kernel-1.traceg", "; expected "});
  }
}

TEST_CASE("register 256") {
  refuse_line("0010 ffffffff 1 R256 MOV 0 0 ", {"'R256'", "R0 to R255"});
  refuse_line("0010 ffffffff 1 R1 MOV 1 R256 0 ", {"'R256'", "R0 to R255"});
}

TEST_CASE("a mask of 9 digits") {
  refuse_line("0010 fffffffff 1 R1 MOV 0 0 ", {"'fffffffff'", "8 hexadecimal digits"});
}

TEST_CASE("negative counts") {
  refuse_line("0010 ffffffff -1 R1 MOV 0 0 ", {"'-1'"});
  refuse_line("0010 ffffffff 1 R1 MOV -2 0 ", {"'-2'"});
  const Desk desk;
  desk.trace("t", sound_lines(), "-5");
  refuse_trace(desk, {"t/kernel-1.traceg:16: ", "'-5'; expected a number"});
}

TEST_CASE("an opcode of no known family") {
  refuse_line("0010 ffffffff 1 R1 QUUX.7 0 0 ", {"'QUUX.7'", "expected an opcode"});
}

TEST_CASE("a count that promises more lines than there are") {
  const Desk desk;
  desk.trace("t", "0000 ffffffff 1 R1 MOV 0 0 \n", "2");
  refuse_trace(desk, {"t/kernel-1.traceg:18: ", "expected 2 lines"});
}

TEST_CASE("more source registers than a collector has slots") {
  const std::string seven = "0010 ffffffff 1 R12 FFMA 7 R1 R2 R3 R4 R5 R6 R7 0 \n0020 ffffffff 0 EXIT 0 0 \n";
  const Desk desk;
  desk.trace("t", seven);
  for (const char* platform : {"baseline", "malekeh", "malekeh_private", "traditional"}) {
    desk.refuse(everything({"run", "--platform", platform, "--trace", "t"}),
                {"t/kernel-1.traceg: ", "pc 0x10", "7 source operands; expected at most 6"});
  }
  desk.succeed({"run", "--platform", "baseline", "--trace", "t", "--set", "sub_core.collector.slots=7"});
  // An instruction that is predicated off reads nothing and fits everywhere.
  desk.trace("t", "0010 00000000 1 R12 FFMA 7 R1 R2 R3 R4 R5 R6 R7 0 \n0020 ffffffff 0 EXIT 0 0 \n");
  desk.succeed({"run", "--platform", "baseline", "--trace", "t"});
}

TEST_CASE("a CTA that no SM can hold") {
  const Desk desk;
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  const std::string body = one_warp("0000 ffffffff 0 EXIT 0 0 \n");
  desk.write("t/kernel-1.traceg", header("3", "(1,1,1)", "(1024,1,1)") + body);
  desk.succeed({"run", "--platform", "baseline", "--trace", "t"});
  refuse_trace(desk, {"t/kernel-1.traceg: ", "32 warps", "expected at most 16"},
               {"--set", "sub_core.warp_slots=4"});
  refuse_trace(desk, {"t/kernel-1.traceg: ", "registers", "; expected at most"},
               {"--set", "sm.registers=8192"});
}

TEST_CASE("the second kernel's error does not leave the first one's results") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  desk.write("t/kernel-2.traceg", header() + one_warp("0000 ffffffff 1 R999 MOV 0 0 \n"));
  refuse_trace(desk, {"t/kernel-2.traceg:17: ", "'R999'; expected R0 to R255"});
}

TEST_CASE("one bad trace among good ones spoils all") {
  const Desk desk;
  desk.trace("good", sound_lines());
  desk.trace("t", "0000 ffffffff 1 R999 MOV 0 0 \n");
  for (const char* jobs : {"1", "4"}) {
    desk.refuse({"compare", "--platform", "baseline", "--platform", "malekeh", "--trace", "good", "--trace",
                 "t", "--json", "result.json", "--jobs", jobs},
                {"t/kernel-1.traceg:17: ", "'R999'"});
  }
}

TEST_CASE("control bits for another machine are refused before anything runs") {
  const Desk desk;
  desk.trace("t", sound_lines());
  std::string text = desk.file("t/kernel-1.traceg");
  text.replace(text.find("-binary version = 75"), 20, "-binary version = 86");
  // The second kernel is wrong, so the first would have run.
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  desk.write("t/kernel-2.traceg", text);
  desk.write("t/kernel-2.sass", "0000 | 0 0 | 2 - 7 7 00 0 | D:R1x1 | MOV R1, 0x0 ;\n");
  const Strings words{"t/kernel-2.traceg: control bits of code for binary version 86",
                      "the times of version 75",
                      "; expected code for that version, or passes.control_bits=synthetic"};
  desk.refuse(everything({"run", "--platform", "nvidia_turing", "--trace", "t"}), words);
  desk.refuse({"run", "--platform", "nvidia_ampere", "--trace", "t", "--dry-run"}, words);
  desk.refuse(everything({"compare", "--platform", "baseline", "--platform", "nvidia_turing", "--keep-going",
                          "--trace", "t"}),
              words);
  desk.succeed({"run", "--platform", "baseline", "--trace", "t"});
  desk.succeed({"run", "--platform", "nvidia_turing", "--trace", "t", "--kernel", "1"});
  // The trace runs with the message's advice, and one note says what was done.
  const Strings way_out{
      "run",       "--platform", "nvidia_turing", "--trace", "t", "--set", "passes.control_bits=synthetic",
      "--results", "r",          "--wide"};
  const Outcome o = desk.succeed(way_out);
  const std::string made =
      "control bits and reuse flags of some kernels were made from the trace, not by a compiler";
  const std::size_t at = o.out.find("note: nvidia_turing on t: " + made + "\n");
  CHECK(at != std::string::npos);
  CHECK(o.out.find("made from the trace", at + made.size() + 26) == std::string::npos);
  const auto notes = desk.json("r/results.json")[0].at("notes");
  CHECK(std::count(notes.begin(), notes.end(), made) == 1);
}

TEST_CASE("a run says which hints are no compiler's, and no run without such hints does") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Outcome o = desk.succeed({"compare", "--platform", "baseline", "--platform", "malekeh", "--platform",
                                  "nvidia_turing", "--trace", "t", "--results", "r", "--wide"});
  CHECK_THAT(o.out,
             Catch::Contains("note: malekeh on t: near bits were made from the trace, not by a compiler\n"));
  CHECK_THAT(o.out, Catch::Contains("note: nvidia_turing on t: control bits and reuse flags were made from"));
  const auto results = desk.json("r/results.json");
  const auto says_so = [&](std::size_t run) {
    std::size_t notes = 0;
    for (const std::string note : results.at(run).at("notes"))
      notes += note.find("made from the trace") != std::string::npos ? 1 : 0;
    return notes;
  };
  CHECK(says_so(0) == 0);
  CHECK(says_so(1) == 1);
  CHECK(says_so(2) == 1);
}

TEST_CASE("the sidecar of another kernel, and a program counter with two instructions") {
  {
    const Desk desk;
    desk.trace("t", sound_lines());
    desk.write("t/kernel-1.sass",
               "0000 | 0 0 | 2 - 7 7 00 0 | D:R1x1 | MOV R1, 0x0 ;\n"
               "0010 | 0 0 | 2 - 7 7 00 0 | D:R2x1 S:R1x1/A S:R3x1/B | FADD R2, R1, R3 ;\n");
    const Strings words{"t/kernel-1.traceg:18: 'IADD3' at pc 0010, where ", "t/kernel-1.sass:2 has 'FADD'",
                        "; expected the sidecar of this kernel"};
    for (const char* platform : {"baseline", "nvidia_turing"})
      desk.refuse(everything({"run", "--platform", platform, "--trace", "t"}), words);
    desk.refuse({"annotate", "t", "--lint"}, words);
    desk.refuse({"trace-info", "t"}, words);
    desk.succeed({"run", "--platform", "baseline", "--trace", "t", "--set", "operands.use_sidecar=false"});
  }
  refuse_line("0000 ffffffff 1 R1 MOV 1 R2 0", {"'MOV' at pc 0000, which had other operands before",
                                                "expected one instruction at each program counter"});
}

TEST_CASE("what has a sidecar's name and is no file is not taken for a missing sidecar") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto sidecar = desk.path() / "t/kernel-1.sass";
  const auto refused = [&] {
    for (const Strings& command :
         {Strings{"run", "-p", "baseline", "-t", "t"}, Strings{"run", "-p", "nvidia_turing", "-t", "t"},
          Strings{"annotate", "t", "--lint"}, Strings{"pack", "t", "-o", "packed"}})
      desk.refuse(command, {"t/kernel-1.sass: is not a file that can be read",
                            "; expected a sidecar, or no such file"});
    std::filesystem::remove(sidecar);
  };
  std::filesystem::create_directory(sidecar);
  refused();
  std::filesystem::create_symlink("nowhere", sidecar);
  refused();
  REQUIRE(mkfifo(sidecar.c_str(), 0600) == 0);
  refused();
  desk.succeed({"run", "-p", "baseline", "-t", "t"});
}

}  // namespace bad_trace_test
