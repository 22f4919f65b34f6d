// subcore pack, and packed traces wherever the program takes one.
#include <chrono>
#include <functional>
#include <thread>

#include <catch2/catch.hpp>
#include <signal.h>

#include "tests/program/program.h"

namespace pack_test {

using namespace subcore::test;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

nlohmann::json without_time(nlohmann::json results) {
  for (auto& run : results) run.erase("wall_seconds");
  return results;
}

const Strings platforms{"-p", "rtx2060_third/malekeh", "-p", "baseline", "-p", "bow_wr"};

}  // namespace

TEST_CASE("packed traces have the results of their text") {
  if (!fs::exists(project_traces())) return;
  const Desk desk;
  Strings text = with({"run", "-j", "text.json", "-s", "gpu.sms=1"}, platforms);
  Strings packed = with({"run", "-j", "packed.json", "-s", "gpu.sms=1"}, platforms);
  for (const char* trace : {"bfs", "hotspot", "hgemm_ldsm", "lud", "nn", "pathfinder", "lstm"}) {
    desk.succeed({"pack", (project_traces() / trace).string()});
    text.insert(text.end(), {"-t", (project_traces() / trace).string()});
    packed.insert(packed.end(), {"-t", std::string("packed/") + trace});
  }
  desk.succeed(text);
  desk.succeed(packed);
  const auto a = without_time(desk.json("text.json"));
  CHECK(a.size() == 21);
  CHECK(a == without_time(desk.json("packed.json")));
}

TEST_CASE("every command takes a packed trace") {
  if (!fs::exists(project_traces())) return;
  const Desk desk;
  const std::string text = (project_traces() / "bfs").string();
  const Outcome pack = desk.succeed({"pack", text, "-o", "p/bfs"});
  CHECK_THAT(pack.out, Contains("p/bfs: 14 kernels, ") && Contains(" bytes (before: "));
  const Strings commands[] = {
      {"trace-info", "-j", "-"},
      {"annotate", "--kernel", "3"},
      {"cache-study", "-j", "-"},
      {"cache-study", "--flags", "none", "--allocation", "look_ahead", "-j", "-"},
      {"timeline", "-p", "malekeh", "--from", "500"},
      {"explain", "-p", "baseline", "-p", "malekeh", "-s", "gpu.sms=1", "--kernel", "1"}};
  for (const Strings& command : commands) {
    INFO(command[0]);
    const bool bare = command[0] == "trace-info" || command[0] == "annotate";
    const Outcome a = desk.succeed(with(command, bare ? Strings{text} : Strings{"-t", text}));
    const Outcome b = desk.succeed(with(command, bare ? Strings{"p/bfs"} : Strings{"-t", "p/bfs"}));
    CHECK_FALSE(a.out.empty());
    CHECK(a.out == b.out);
  }
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [p/bfs/kernel-3.traceg.packed]\n");
  desk.succeed({"run", "s.yaml", "-j", "scenario.json"});
  desk.succeed({"run", "-p", "baseline", "-t", text, "--kernel", "3", "-j", "kernel.json"});
  CHECK(desk.json("scenario.json").at("cycles") == desk.json("kernel.json").at("cycles"));
}

TEST_CASE("one trace file can be packed") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"pack", "t/kernel-1.traceg", "--output", "one"});
  CHECK(desk.files() == std::set<std::string>{"t", "t/kernel-1.traceg", "t/kernelslist.g", "one",
                                              "one/kernelslist.g", "one/kernel-1.traceg.packed"});
  CHECK(desk.file("one/kernelslist.g") == "kernel-1.traceg.packed\n");
  CHECK(desk.succeed({"trace-info", "t"}).out.substr(8) ==
        desk.succeed({"trace-info", "one"}).out.substr(10));
}

TEST_CASE("what pack refuses leaves nothing") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse({"pack"}, {"no trace; expected one trace folder"});
  desk.refuse({"pack", "t", "t"}, {"unexpected argument 't'"});
  desk.refuse({"pack", "nowhere"}, {"nowhere: cannot open; expected a trace folder"});
  desk.write("there/file", "");
  desk.refuse({"pack", "t", "-o", "there"},
              {"cannot write ", "/there: the path exists already; expected the name of a new folder"});
  desk.refuse({"pack", "t", "-o", "there/file/x"}, {"cannot write ", "/there/file/x"});
  desk.trace("bad", "0000 ffffffff 1 R1 MOV 0 0\nnonsense\n");
  desk.refuse({"pack", "bad", "-o", "some/where/new"}, {"bad/kernel-1.traceg:18: "});
  desk.write("twice/kernelslist.g", "kernel-1.traceg\nkernel-1.traceg.gz\n");
  desk.write("twice/kernel-1.traceg", desk.file("t/kernel-1.traceg"));
  desk.write("twice/kernel-1.traceg.gz", compressed(desk.file("t/kernel-1.traceg"), false));
  desk.refuse({"pack", "twice"},
              {"twice/kernel-1.traceg.gz: would be packed under the same name as twice/kernel-1.traceg"});
  desk.write("out/kernelslist.g", "../t/kernel-1.traceg\n");
  desk.refuse({"pack", "out"},
              {"../t/kernel-1.traceg: cannot be packed; expected a file in the trace's folder out"});
}

TEST_CASE("a damaged packed trace is refused by every command") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed({"pack", "t"});
  std::string spoilt = desk.file("packed/t/kernel-1.traceg.packed");
  spoilt[40] = static_cast<char>(spoilt[40] ^ 4);  // in the block of CTAs
  desk.write("packed/t/kernel-1.traceg.packed", spoilt);
  const Strings words{"packed/t/kernel-1.traceg.packed: byte ",
                      "wrong checksum; expected a file as subcore pack wrote it"};
  desk.refuse(everything({"run", "-p", "malekeh", "-t", "packed/t"}), words);
  desk.refuse({"trace-info", "packed/t", "-j", "x.json"}, words);
  desk.refuse({"annotate", "packed/t"}, words);
  desk.refuse({"cache-study", "-t", "packed/t"}, words);
  desk.refuse({"pack", "packed/t", "-o", "again"}, words);
}

TEST_CASE("packing that is interrupted or meets a full disk leaves nothing") {
  const Desk desk;
  // Large accesses of all kinds. Packed, they take more than a block, and more than a limit of 1 KB.
  std::string lines;
  for (unsigned i = 0, n = 1; i < 60000; ++i, n = n * 1664525 + 1013904223) {
    lines += "0010 ffffffff 1 R5 LDG.E.SYS 1 R4 4 2 0x7f4100000000";
    for (unsigned lane = 1; lane < 32; ++lane) lines += " " + std::to_string((n >> lane % 17) & 0xfff);
    lines += "\n";
  }
  std::string text = header("3", "(6,1,1)");
  for (int c = 0; c < 6; ++c)
    text += "#BEGIN_TB\nthread block = " + std::to_string(c) + ",0,0\nwarp = 0\ninsts = 60000\n" + lines +
            "#END_TB\n";
  desk.write("t/kernelslist.g", "kernel-1.traceg\n");
  desk.write("t/kernel-1.traceg", text);
  const std::set<std::string> before = desk.files();
  desk.refuse({"pack", "t", "-o", "a/b"}, {"cannot write ", "File too large"}, "ulimit -f 1");
  const pid_t child = desk.start({"pack", "t", "-o", "a/b"});
  for (int i = 0; i < 3000 && desk.files() == before; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  REQUIRE(desk.files() != before);
  kill(child, SIGINT);
  const Outcome outcome = desk.finish(child);
  CHECK(outcome.code == 128 + SIGINT);
  CHECK(desk.files() == before);
}

}  // namespace pack_test
