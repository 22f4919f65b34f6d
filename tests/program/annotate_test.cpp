#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace annotate_test {

using namespace subcore::test;

namespace {

// The instruction at that address.
nlohmann::json at(const nlohmann::json& kernel, unsigned pc) {
  for (const auto& i : kernel.at("instructions"))
    if (i.at("pc") == pc) return i;
  return {};
}

std::string small_lines() {
  return "0000 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f4000105000 4 \n"
         "0010 ffffffff 1 R1 IADD3 2 R6 R6 0 \n"
         "0020 ffffffff 1 R2 IADD3 2 R1 R8 0 \n"
         "0030 ffffffff 0 STG.E.SYS 2 R4 R2 4 1 0x7f4000105000 4 \n"
         "0040 ffffffff 0 EXIT 0 0 \n";
}

}  // namespace

TEST_CASE("annotate lists what the passes found") {
  const Desk desk;
  desk.trace("t", small_lines());
  const Outcome text = desk.succeed({"annotate", "t", "--json", "a.json"});
  for (const char* part :
       {"Kernel k", "profile-optimistic", "traced (trace lines)", "-- strand", "LDG.E.SYS"})
    CHECK(text.out.find(part) != std::string::npos);
  const auto j = desk.json("a.json");
  CHECK(j.at("trace") == "t");
  REQUIRE(j.at("kernels").size() == 1);
  const auto& k = j.at("kernels")[0];
  CHECK(k.at("kernel") == 1);
  CHECK(k.at("write_back").at("origin") == "profile-optimistic");
  CHECK(k.at("write_back").at("writes").at("window_only") == 3);
  CHECK(k.at("strands") == 2);
  CHECK(k.at("intervals") == 1);
  CHECK(at(k, 0x10).at("strand_start") == true);  // waits for the load
  CHECK(at(k, 0x20).at("strand_start") == false);
  CHECK(at(k, 0x10).at("destinations")[0].at("write_back") == "window");
  CHECK(at(k, 0x10).at("destinations")[0].at("level") == "lrf0");
  CHECK(at(k, 0x20).at("sources")[0].at("level") == "lrf0");
  CHECK(at(k, 0x20).at("sources")[0].at("dead") == true);
  CHECK(at(k, 0x00).at("sources")[0].at("dead") == false);  // the address is used again
  CHECK(at(k, 0x10).at("live_in") == nlohmann::json({4, 5, 6, 8}));
  CHECK(at(k, 0x40).at("live_in").empty());
}

TEST_CASE("annotate follows the hint keys of a platform") {
  const Desk desk;
  desk.trace("t", small_lines());
  desk.succeed({"annotate", "--trace", "t", "--platform", "baseline", "--json", "a.json", "--set",
                "passes.lrf_entries=0", "--set", "passes.write_back_window=1", "--set",
                "passes.interval_registers=2", "--set", "passes.reuse_flags=synthetic"});
  const auto k = desk.json("a.json").at("kernels")[0];
  CHECK(at(k, 0x10).at("destinations")[0].at("level") == "orf0");
  CHECK(at(k, 0x10).at("destinations")[0].at("write_back") == "banks");
  CHECK(k.at("intervals") > 1);
  CHECK(k.at("reuse_bits") == "none");
  CHECK(k.at("reuse_flags").get<std::string>().substr(0, 9) == "synthetic");
}

TEST_CASE("annotate shows one kernel of several, the same bytes each time") {
  const Desk desk;
  desk.trace("t", small_lines());
  desk.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  desk.write("t/kernel-2.traceg",
             header() + one_warp("0000 ffffffff 1 R1 MOV 0 0 \n0010 ffffffff 0 EXIT 0 0 \n"));
  const Outcome all = desk.succeed({"annotate", "t"});
  const Outcome second = desk.succeed({"annotate", "t", "--kernel", "2"});
  CHECK(second.out.find("LDG") == std::string::npos);
  CHECK(all.out.find(second.out) != std::string::npos);
  CHECK(desk.succeed({"annotate", "t"}).out == all.out);
  const Outcome json = desk.succeed({"annotate", "t", "--kernel", "2", "--json", "-"});
  CHECK(nlohmann::json::parse(json.out).at("kernels")[0].at("kernel") == 2);
  for (const char* bad : {"0", "3", "-1", "two"})
    desk.refuse({"annotate", "t", "--kernel", bad, "--json", "a.json"}, {"; expected "});
}

TEST_CASE("annotate refuses what it cannot use") {
  const Desk desk;
  desk.trace("t", small_lines());
  desk.refuse({"annotate"}, {"expected one trace folder"});
  desk.refuse({"annotate", "t", "u"}, {"expected one trace folder"});
  desk.refuse({"annotate", "nowhere", "--json", "a.json"}, {"nowhere: cannot open; expected"});
  desk.refuse({"annotate", "t", "--json", "no/a.json"}, {"no/a.json"});
  desk.refuse({"annotate", "t", "--platform", "nothing"}, {"nothing"});
  desk.refuse({"annotate", "t", "--set", "passes.orf_entries=65"}, {"passes.orf_entries", "expected"});
  desk.refuse({"annotate", "t", "--set", "passes.write_back_window=0"},
              {"passes.write_back_window", "expected"});
  desk.refuse({"annotate", "t", "--set", "passes.reuse_flags=some"}, {"passes.reuse_flags", "automatic"});
  desk.refuse({"annotate", "t", "--set", "passes.interval=true"}, {"passes.interval", "did you mean"});
  desk.trace("bad", "0000 ffffffff 1 R1 MOV 0 0 \n0010 ffffffff 1 R256 MOV 0 0 \n");
  desk.refuse({"annotate", "bad", "--json", "a.json"}, {"bad/kernel-1.traceg:18: ", "'R256'", "; expected "});
  desk.trace("cut", small_lines(), "9");
  desk.refuse({"annotate", "cut", "--json", "a.json"}, {"cut/kernel-1.traceg:", "expected 9 lines"});
}

TEST_CASE("a run with every pass gives the same result as one with none") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings passes{"--set", "passes.write_back=true", "--set", "passes.dead=true",
                       "--set", "passes.strands=true",    "--set", "passes.intervals=true",
                       "--set", "passes.liveness=true"};
  for (const char* platform : {"baseline", "malekeh"}) {
    Strings arguments{"run", "--platform", platform, "--trace", "t", "--json", "a.json"};
    desk.succeed(arguments);
    auto without = desk.json("a.json");
    arguments.insert(arguments.end(), passes.begin(), passes.end());
    desk.succeed(arguments);
    auto with = desk.json("a.json");
    for (auto* j : {&with, &without}) j->erase("wall_seconds");
    CHECK(with == without);
  }
}

TEST_CASE("annotate shows control bits, and says where they are from") {
  const Desk desk;
  desk.trace("t", small_lines());
  const Outcome made = desk.succeed({"annotate", "t", "--json", "a.json"});
  CHECK(made.out.find("control bits: synthetic") != std::string::npos);
  CHECK(made.out.find("stall 2, results SB2") != std::string::npos);
  const nlohmann::json k = desk.json("a.json").at("kernels")[0];
  CHECK(at(k, 0x00).at("control") == nlohmann::json({{"stall", 2},
                                                     {"yield", false},
                                                     {"write_barrier", 2},
                                                     {"read_barrier", nullptr},
                                                     {"waits", nlohmann::json::array()}}));
  CHECK(at(k, 0x10).at("control").at("waits") == nlohmann::json({2}));
  CHECK(at(k, 0x20).at("control").at("stall") == 8);
  desk.write("t/kernel-1.sass", "0000 | 0 0 | 12 Y 3 4 01 2 | D:R6x1 S:R4x2/A | LDG.E.SYS R6, [R4] ;\n");
  const Outcome told = desk.succeed({"annotate", "t", "--json", "b.json"});
  CHECK(told.out.find("control bits: sidecar") != std::string::npos);
  CHECK(told.out.find("stall 12, yield, results SB3, sources SB4, waits for SB0") != std::string::npos);
  CHECK(at(desk.json("b.json").at("kernels")[0], 0x10).at("control").is_null());
}

TEST_CASE("annotate checks control bits") {
  const Desk desk;
  desk.trace("t", small_lines());
  CHECK(desk.succeed({"annotate", "t", "--lint"}).out ==
        "t: violations 0, instructions 5, kernels 1, kernels with synthetic bits 1\n");
  const auto sidecar = [&](const std::string& stall) {
    desk.write("t/kernel-1.sass",
               "0010 | 0 0 | " + stall +
                   " - 7 7 00 0 | D:R1x1 S:R6x1/A | IADD3 R1, R6, R6, RZ ;\n"
                   "0020 | 0 0 | 1 - 7 7 00 0 | D:R2x1 S:R1x1/A | IADD3 R2, R1, R8, RZ ;\n");
  };
  sidecar("4");
  desk.succeed({"annotate", "t", "--lint"});
  sidecar("3");
  const Outcome found = desk.run({"annotate", "t", "--lint"});
  CHECK(found.code == 1);
  CHECK(found.out ==
        "kernel 1 k: 0020: reads R1 of 0010, 3 cycles behind it; expected 4\n"
        "t: violations 1, instructions 2, kernels 1, kernels with synthetic bits 0\n");
  desk.succeed({"annotate", "t", "--lint", "--set", "passes.control_bits=synthetic"});
  // Names of C++ templates are longer than a line of the program's tables.
  const std::string name(400, 'k'), lines = small_lines();
  desk.trace("long", lines);
  std::string text = desk.file("long/kernel-1.traceg");
  text.replace(text.find("= k\n"), 4, "= " + name + "\n");
  desk.write("long/kernel-1.traceg", text);
  desk.write("long/kernel-1.sass", desk.file("t/kernel-1.sass"));
  CHECK(
      desk.run({"annotate", "long", "--lint"}).out.find("kernel 1 " + name + ": 0020: reads R1 of 0010, ") ==
      0);
  // A packed trace has its sidecar in it.
  desk.succeed({"pack", "t", "-o", "p"});
  CHECK(desk.run({"annotate", "p", "--lint"}).code == 1);
  desk.refuse({"annotate", "t", "--lint", "--json", "a.json"}, {"--lint", "; expected "});
  desk.refuse({"annotate", "t", "--lint", "--kernel", "2"}, {"; expected "});
}

TEST_CASE("annotate says how the vote on near bits went, and its file gives the bits to another run") {
  const Desk desk;
  desk.trace("t", small_lines());
  const std::vector<std::string> trained{"--set", "passes.near_bits=trained", "--set",
                                         "passes.near_entries=2"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Outcome text = desk.succeed(with({"annotate", "t", "--json", "a.json"}, trained));
  CHECK(text.out.find("-> R6   near 1/1") != std::string::npos);
  CHECK(text.out.find("<- R8   far  0/1") != std::string::npos);
  const auto load = at(desk.json("a.json").at("kernels")[0], 0).at("destinations")[0];
  CHECK(load.at("near") == true);
  CHECK(load.at("near_executions") == 1);
  CHECK(load.at("far_executions") == 0);
  const auto hits = [&](const std::vector<std::string>& set) {
    desk.succeed(with({"run", "-p", "near_cache_2", "-t", "t", "--json", "r.json", "-q"}, set));
    return desk.json("r.json").at("cache_read_hits").get<int>();
  };
  const std::vector<std::string> of_file{"--set", "passes.near_bits=file", "--set",
                                         "passes.near_file=a.json"};
  CHECK(hits(of_file) == hits(trained));
  CHECK(hits(of_file) > 0);
  desk.succeed(with({"annotate", "t", "--json", "a.json"}, {"--set", "passes.near_bits=none"}));
  CHECK(hits(of_file) == 0);
  desk.refuse({"run", "-p", "near_cache_2", "-t", "t", "--set", "passes.near_bits=file"},
              {"passes.near_file: '': no such file"});
}

}  // namespace annotate_test
