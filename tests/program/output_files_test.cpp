// Output never overwrites an input or another output, is never half written, and is never mixed with another
// run's.
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/program/program.h"

namespace output_files_test {

using namespace subcore::test;
namespace fs = std::filesystem;

namespace {

const Strings plain_run{"run", "-p", "baseline", "-t", "t"};

}  // namespace

TEST_CASE("two outputs that are one file") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse(with(plain_run, {"--json", "x", "--vcd", "x"}),
              {"--json x", "--vcd, too; expected another file"});
  desk.refuse(with(plain_run, {"--json", "x", "--vcd", "./t/../x"}), {"--json x", "--vcd"});
  fs::create_directories(desk.path() / "r");
  desk.write("r/results.json", "old");
  desk.refuse(with(plain_run, {"--json", "r/results.json", "--results", "./r"}), {"--json", "--results"});
  desk.refuse(with(plain_run, {"--vcd", "r/baseline/t/stats.csv", "-r", "r"}), {"--vcd", "--results"});
  desk.refuse({"cache-study", "-t", "t", "--json", "x", "--csv", "./x"}, {"--csv", "--json, too"});
  desk.write("a", "");
  fs::create_symlink("a", desk.path() / "link");
  desk.refuse(with(plain_run, {"--json", "a", "--vcd", "link"}), {"--json", "--vcd"});
  fs::create_hard_link(desk.path() / "a", desk.path() / "hard");
  desk.refuse(with(plain_run, {"--json", "a", "--vcd", "hard"}), {"--json", "--vcd"});
  fs::create_directory_symlink("r", desk.path() / "way");
  desk.refuse(with(plain_run, {"--json", "r/new", "--vcd", "way/new"}), {"--json", "--vcd"});
  desk.succeed(with(plain_run, {"--json", "/dev/null", "--results", "other"}));
  desk.succeed({"cache-study", "-t", "t", "--json", "/dev/null", "--csv", "/dev/null"});
}

TEST_CASE("standard output is an output, too") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Outcome o = desk.run(with(plain_run, {"--vcd", "all.vcd"}), "exec >all.vcd");
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Catch::Contains("--vcd all.vcd: this file is written as standard output"));
}

TEST_CASE("an output that is an input") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("t/kernel-1.sass", "# nothing\n");
  desk.write("base.yaml", "extends: baseline.yaml\n");
  desk.write("mine.yaml", "extends: base.yaml\nenergy: {preset: table.yaml}\n");
  desk.write("table.yaml", content_of(fs::path(SUBCORE_SOURCE_DIR) / "power/tables/cacti22.yaml"));
  desk.write("s.yaml", "platforms: [mine.yaml]\ntraces: [t]\n");
  fs::create_hard_link(desk.path() / "base.yaml", desk.path() / "hard.yaml");
  fs::create_symlink("t", desk.path() / "way");
  for (const char* file : {"s.yaml", "mine.yaml", "base.yaml", "hard.yaml", "table.yaml", "t/kernelslist.g",
                           "way/kernel-1.traceg", "t/../t/kernel-1.sass"}) {
    for (const char* option : {"--json", "--vcd"}) {
      const std::string before = desk.file(file);
      desk.refuse({"run", "s.yaml", option, file}, {std::string(option) + " " + file, "read as", "expected"});
      CHECK(desk.file(file) == before);
    }
  }
  for (const char* command : {"trace-info", "annotate"}) {
    desk.refuse({command, "t", "--json", "t/kernel-1.traceg"}, {"--json", "read as the trace"});
    desk.refuse({command, "t", "-p", "mine.yaml", "--json", "base.yaml"}, {"--json", "read as a platform"});
  }
  desk.refuse({"cache-study", "-t", "t", "--json", "t/kernel-1.traceg"}, {"--json", "read as the trace"});
  desk.refuse({"cache-study", "-t", "t", "--csv", "t/kernelslist.g"}, {"--csv", "read as the trace"});
  // The platform file of an earlier run, which its results would replace, or remove.
  desk.succeed(with(plain_run, {"-r", "r"}));
  desk.refuse({"run", "-p", "r/baseline/t/platform.yaml", "-t", "t", "-r", "r"},
              {"--results", "read as a platform"});
}

TEST_CASE("a full disk is an error, whoever writes") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string full = "exec >/dev/full";
  for (const Strings& arguments :
       {with(plain_run, {}), with(plain_run, {"--lines"}), with(plain_run, {"--json", "-"}),
        Strings{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "--lines"},
        Strings{"trace-info", "t"}, Strings{"annotate", "t"}, Strings{"platforms"}, Strings{"parameters"},
        Strings{"--help"}, Strings{"run", "--help"}, Strings{"cache-study", "--help"}, Strings{"--version"},
        Strings{"cache-study", "-t", "t"}, Strings{"cache-study", "-t", "t", "--csv", "-"}})
    desk.refuse(arguments, {"standard output cannot be written: No space left on device; expected"}, full);
  for (const Strings& arguments : {plain_run, Strings{"trace-info", "t"}, Strings{"annotate", "t"},
                                   Strings{"parameters"}, Strings{"cache-study", "-t", "t"}})
    desk.refuse(with(arguments, {"--json", "/dev/full"}), {"/dev/full", "No space left on device"});
}

TEST_CASE("a standard stream that is closed gives its number to no file") {
  const Desk desk;
  desk.trace("t", sound_lines());
  // Without --quiet a table is printed while the lock of the results folder is open.
  const Strings command{"run", "-p", "baseline", "-t", "t", "-r", "r", "--vcd", "w.vcd"};
  desk.succeed(command);
  const std::string wave = desk.file("w.vcd");
  fs::remove_all(desk.path() / "r");
  const Outcome closed = desk.run(command, "exec >&-");
  CHECK(closed.code == 1);
  CHECK_THAT(closed.err, Catch::Contains("standard output cannot be written: Bad file descriptor; expected"));
  CHECK(desk.file("w.vcd") == wave);
  // --quiet is about progress: without standard output, the table has nowhere to go.
  for (const auto& [streams, code] : std::vector<std::pair<const char*, int>>{
           {"exec <&-", 0}, {"exec 2>&-", 0}, {"exec <&- >&- 2>&-", 1}}) {
    fs::remove_all(desk.path() / "r");
    CHECK(desk.run(with(command, {"--quiet"}), streams).code == code);
    CHECK(desk.file("w.vcd") == wave);
  }
}

TEST_CASE("a limit on file sizes is an error that names the file") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string limit = "ulimit -f 1";
  desk.refuse(with(plain_run, {"--vcd", "w.vcd"}), {"w.vcd", "File too large"}, limit);
  desk.refuse(with(plain_run, {"--vcd", "w.vcd.xz"}), {"w.vcd.xz", "File too large"}, limit);
  desk.refuse(with(plain_run, {"--json", "x.json"}), {"x.json", "File too large"}, limit);
  desk.refuse(with(plain_run, {"--results", "r"}), {"r/", "stats.json", "File too large"}, limit);
  desk.refuse({"trace-info", "t", "--json", "x.json"}, {"x.json", "File too large"}, limit);
  desk.refuse({"annotate", "t", "--json", "x.json"}, {"x.json", "File too large"}, limit);
  desk.refuse({"parameters", "--json", "x.json"}, {"x.json", "File too large"}, limit);
  desk.refuse({"cache-study", "-t", "t", "--csv", "x.csv"}, {"x.csv", "File too large"}, limit);
}

TEST_CASE("a reader that has read enough is no failure to talk of") {
  const Desk desk;
  const std::string command = "sh -c '\"$0\" parameters; echo $? > code' " + program() + " 2> err | true";
  REQUIRE(std::system(("cd " + desk.path().string() + " && " + command).c_str()) == 0);
  for (int i = 0; i < 500 && desk.file("code").empty(); ++i) usleep(10000);
  CHECK(desk.file("err").empty());
  // The code is 0 if all output went into the pipe before the reader was gone.
  CHECK((desk.file("code") == "141\n" || desk.file("code") == "0\n"));
}

TEST_CASE("all paths of a scenario are relative to it") {
  const Desk desk;
  desk.trace("in/t", sound_lines());
  desk.write("in/mine.yaml", "extends: baseline.yaml\n");
  desk.write("in/table.yaml", content_of(fs::path(SUBCORE_SOURCE_DIR) / "power/tables/cacti22.yaml"));
  desk.write("in/s.yaml",
             "platforms: [mine.yaml]\ntraces: [t]\nresults: out\nvcd: {file: w.vcd}\n"
             "set: [energy.preset=table.yaml]\n");
  desk.succeed({"run", "in/s.yaml"});
  CHECK(desk.files().count("in/out/mine/t/stats.json") == 1);
  CHECK(desk.files().count("in/w.vcd") == 1);
  CHECK(desk.files().count("out") + desk.files().count("w.vcd") == 0);
  // A platform file in the working directory is no candidate.
  desk.write("stray.yaml", "extends: baseline.yaml\n");
  desk.write("in/s.yaml", "platforms: [stray.yaml]\ntraces: [t]\n");
  desk.refuse({"run", "in/s.yaml"}, {"in/s.yaml:1: ", "'stray.yaml'", "expected"});
  // A folder with the name of a shipped platform does not hide it.
  fs::create_directory(desk.path() / "in/baseline");
  desk.write("in/s.yaml", "platforms: [baseline]\ntraces: [t]\n");
  desk.succeed({"run", "in/s.yaml"});
}

TEST_CASE("a record of results that is none stays, and so does what it leads to") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("x/y/stats.json", "mine");
  desk.succeed(with(plain_run, {"-r", "good"}));
  auto leads_out = desk.json("good/results.json");
  leads_out[0]["platform"] = "..";
  leads_out[0]["trace"] = "x/y";
  auto twice = desk.json("good/results.json");
  twice.push_back(twice[0]);
  for (const std::string& record :
       {std::string("old"), std::string("{}"), std::string("[7]"), leads_out.dump(), twice.dump(),
        desk.file("good/results.json").substr(0, 300)}) {
    desk.write("r/results.json", record);
    desk.refuse(with(plain_run, {"-r", "r"}),
                {"r/results.json: ", "; expected results as", ", another folder, or --overwrite"});
    CHECK(desk.file("r/results.json") == record);
    const Outcome o = desk.run(with(plain_run, {"-r", "r", "--overwrite"}));
    CHECK(o.code == 0);
    CHECK(desk.json("r/results.json").size() == 1);
    CHECK(desk.file("x/y/stats.json") == "mine");
  }
}

TEST_CASE("a folder where a result should go leaves the results of before") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.succeed(with(plain_run, {"-r", "r"}));
  const std::string before = desk.file("r/results.json");
  desk.write("r/malekeh/t/stats.csv/mine", "mine");
  desk.refuse({"run", "-p", "malekeh", "-t", "t", "-r", "r"},
              {"r/malekeh/t/stats.csv", "the path is a directory"});
  CHECK(desk.file("r/results.json") == before);
}

TEST_CASE("what a dead run left is removed by the next, or completed if it had finished") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines());
  desk.succeed(with(plain_run, {"-r", "r"}));
  desk.succeed({"run", "-p", "malekeh", "-t", "u", "-r", "new"});
  // The run seems to have been killed while it moved its files. Some files are in place, but the record is
  // not.
  fs::rename(desk.path() / "new", desk.path() / "r/.subcore-part");
  fs::create_directories(desk.path() / "r/malekeh/u");
  fs::rename(desk.path() / "r/.subcore-part/malekeh/u/stats.csv", desk.path() / "r/malekeh/u/stats.csv");
  desk.write("r/.subcore-lock", "");
  desk.write("t/bad.traceg", "");
  const Outcome failed = desk.run({"run", "-p", "baseline", "-t", "t/bad.traceg", "-r", "r"});
  CHECK(failed.code == 1);
  CHECK(desk.json("r/results.json")[0]["platform"] == "malekeh");
  CHECK(desk.files().count("r/malekeh/u/stats.csv") + desk.files().count("r/malekeh/u/stats.json") == 2);
  CHECK(desk.files().count("r/baseline") + desk.files().count("r/.subcore-part") == 0);
  // A half-written run has no record yet.
  desk.write("r/.subcore-part/baseline/t/stats.json", "half");
  desk.write("w.vcd.subcore-part.part", "half");
  desk.write("p.log.subcore-part.part", "half");
  desk.write("w.vcd.subcore-lock", "");
  desk.succeed(with(plain_run, {"-r", "r", "--vcd", "w.vcd", "--pipeline", "p.log"}));
  CHECK(desk.json("r/results.json").size() == 2);
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
}

TEST_CASE("an output to a pipe that nobody reads is refused, and one that is read is written") {
  const Desk desk;
  desk.trace("t", sound_lines());
  REQUIRE(mkfifo((desk.path() / "o.json").c_str(), 0600) == 0);
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--json", "o.json"},
              {"cannot write o.json: the path is a pipe that nobody reads"});
  REQUIRE(mkfifo((desk.path() / "o.svg").c_str(), 0600) == 0);
  desk.refuse({"draw", "baseline", "-o", "o.svg"},
              {"cannot write o.svg: the path is a pipe that nobody reads"});
  const Outcome o = desk.run({"run", "-p", "baseline", "-t", "t", "--json", "o.json", "--quiet"},
                             "{ cat o.json >copy.json; } & true");
  CHECK(o.code == 0);
  for (int i = 0; i < 500 && (desk.files().count("copy.json") == 0 || desk.file("copy.json").empty()); ++i)
    usleep(10000);
  CHECK(desk.json("copy.json")["platform"] == "baseline");
}

}  // namespace output_files_test
