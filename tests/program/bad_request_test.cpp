#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "tests/program/program.h"

namespace bad_request_test {

using namespace subcore::test;

namespace {

void refuse_platform(const std::string& yaml, const Strings& words) {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("mine.yaml", yaml);
  desk.refuse(everything({"run", "--platform", "mine.yaml", "--trace", "t"}), words);
}

void refuse_set(const std::string& assignment, const Strings& words) {
  const Desk desk;
  desk.trace("t", sound_lines());
  Strings all{"--set " + assignment, "expected "};
  all.insert(all.end(), words.begin(), words.end());
  desk.refuse(everything({"run", "--platform", "baseline", "--trace", "t", "--set", assignment}), all);
}

// Checks that a run with these further arguments is refused, on input that is sound.
void refuse_output(const Desk& desk, const Strings& more, const Strings& words) {
  desk.trace("t", sound_lines());
  Strings arguments{"run", "--platform", "baseline", "--trace", "t"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  desk.refuse(arguments, words);
}

}  // namespace

TEST_CASE("a platform that is not there") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse(everything({"run", "--platform", "nowhere.yaml", "--trace", "t"}),
              {"'nowhere.yaml': no such file", "expected a path or one of baseline", "malekeh_private"});
  desk.refuse(everything({"run", "--platform", "malekhe", "--trace", "t"}), {"did you mean 'malekeh'?"});
}

TEST_CASE("an unknown key in a platform file") {
  refuse_platform("extends: baseline.yaml\nsub_core:\n  colector:\n    count: 4\n",
                  {"mine.yaml:3: ", "unknown key; did you mean 'collector'? expected one of"});
}

TEST_CASE("values out of range in a platform file") {
  refuse_platform("extends: baseline.yaml\nsub_core:\n  register_file:\n    banks: 0\n",
                  {"mine.yaml:4: sub_core.register_file.banks: 0 is out of range; expected 1 to 64 banks"});
  refuse_platform("extends: baseline.yaml\nsub_core:\n  register_file:\n    banks: -1\n",
                  {"mine.yaml:4: ", "'-1'", "; expected 1 to 64 banks"});
  refuse_platform("extends: baseline.yaml\nsub_core:\n  scheduler:\n    priority: gtoo\n",
                  {"mine.yaml:4: ", "did you mean 'gto'?", "expected one of gto, lrr, malekeh"});
}

TEST_CASE("YAML that is none") {
  refuse_platform("sub_core: [1, 2\nname: x\n", {"mine.yaml:", "; expected "});
  refuse_platform("just text\n", {"mine.yaml:1: ", "; expected a map"});
  refuse_platform("extends: nowhere.yaml\n", {"mine.yaml:1: ", "no such file; expected"});
}

TEST_CASE("exact tensor operands do not fit six slots") {
  refuse_platform("extends: baseline.yaml\noperands:\n  tensor: exact\n",
                  {"mine.yaml:3: operands.tensor: ", "expected sub_core.collector.slots of at least 7"});
  refuse_set("operands.tensor=exact", {"sub_core.collector.slots of at least 7"});
}

TEST_CASE("overrides with an unknown key or a bad value") {
  refuse_set("sub_core.colector.count=4", {"unknown key; did you mean 'collector'?"});
  refuse_set("sub_core.collector.count=four", {"'four' is not a plain whole number; expected 1 to 64"});
  refuse_set("sub_core.register_file.banks=0", {"0 is out of range"});
  refuse_set("sub_core.collector=4", {"group of keys"});
  refuse_set("nothing", {"expected key=value"});
}

TEST_CASE("an energy preset that is not there") {
  const Desk desk;
  refuse_output(desk, {"--set", "energy.preset=cacti23"}, {"cacti23", "did you mean 'cacti22'?", "expected"});
}

TEST_CASE("a waveform that cannot be written") {
  const Desk desk;
  refuse_output(desk, {"--vcd", "no/where/wave.vcd", "--results", "r", "--json", "x.json"},
                {"no/where/wave.vcd", "No such file or directory"});
  desk.write("folder/inside", "");
  refuse_output(desk, {"--vcd", "folder", "--results", "r", "--json", "x.json"}, {"folder"});
  // A pipe stands in for a device. A program that fails here replaces it, and would replace /dev/null as
  // root.
  REQUIRE(mkfifo((desk.path() / "pipe").c_str(), 0600) == 0);
  refuse_output(desk, {"--vcd", "pipe", "--results", "r"}, {"pipe", "not a regular file; expected"});
  CHECK(std::filesystem::is_fifo(desk.path() / "pipe"));
}

TEST_CASE("a waveform scope that matches nothing") {
  const Desk desk;
  refuse_output(desk, everything({"--vcd", "wave.vcd", "--vcd-scope", "sm_0.sub_core_9"}),
                {"waveform scope 'sm_0.sub_core_9'", "expected e.g. sm_0.sub_core_0"});
}

TEST_CASE("a window or scope of no waveform, or an empty one") {
  const Desk desk;
  refuse_output(desk, everything({"--vcd", "w.vcd", "--vcd-from", "-5"}), {"--vcd-from", "-5", "expected"});
  refuse_output(desk, everything({"--vcd", "w.vcd", "--vcd-from", "9", "--vcd-to", "8"}),
                {"--vcd-to", "expected"});
  for (const char* option : {"--vcd-from", "--vcd-to", "--vcd-scope"})
    refuse_output(desk, {option, "5", "--results", "r"}, {option, "expected --vcd FILE"});
}

TEST_CASE("an error is a line that does a terminal no harm, however much it quotes") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse(everything({"run", "-p", "mine\x1b[1m", "-t", "t"}), {"'mine?[1m'", "expected"});
  desk.write("mine.yaml",
             "extends: baseline.yaml\nsub_core.collector.kind: " + std::string(500000, 'x') + '\n');
  const Outcome o = desk.run(everything({"run", "-p", "mine.yaml", "-t", "t"}));
  CHECK(o.code == 1);
  CHECK(o.err.size() < 8200);
  CHECK(o.err.find("xxx ... ") != std::string::npos);
}

TEST_CASE("a platform name that would leave the results folder") {
  for (const char* name : {"../outside", "a/b", "..", "."}) {
    refuse_platform("extends: baseline.yaml\nname: " + std::string(name) + "\n",
                    {"mine.yaml", "'" + std::string(name) + "'", "expected a name without"});
  }
}

TEST_CASE("results that have no place") {
  const Desk desk;
  desk.write("taken", "a file");
  refuse_output(desk, {"--results", "taken", "--json", "x.json", "--vcd", "w.vcd"},
                {"taken: is not a folder; expected"});
  refuse_output(desk, {"--results", "taken/below", "--json", "x.json", "--vcd", "w.vcd"}, {"taken/below"});
  refuse_output(desk, {"--results", "/proc/nowhere/results", "--json", "x.json", "--vcd", "w.vcd"},
                {"/proc/nowhere/results"});
  CHECK(desk.file("taken") == "a file");
}

TEST_CASE("JSON that has no place") {
  const Desk desk;
  refuse_output(desk, {"--json", "no/where.json", "--results", "new/results", "--vcd", "w.vcd"},
                {"no/where.json", "No such file or directory"});
  desk.write("folder/inside", "");
  refuse_output(desk, {"--json", "folder", "--results", "r"}, {"folder", "the path is a directory"});
  desk.refuse({"trace-info", "t", "--json", "no/where.json"}, {"no/where.json"});
  desk.refuse({"parameters", "--json", "no/where.json"}, {"no/where.json"});
}

TEST_CASE("standard output that takes nothing") {
  const Desk desk;
  // Through a shell, because only a shell redirects.
  const std::string command =
      "sh -c 'exec \"$0\" parameters > /dev/full' " + program() + " 2> " + (desk.path() / "err").string();
  CHECK(std::system(command.c_str()) != 0);
  CHECK(lines_of(desk.file("err")) == 1);
}

TEST_CASE("unknown commands, options and leftovers on the command line") {
  const Desk desk;
  desk.refuse({"frobnicate"}, {"unknown command 'frobnicate'; expected run, compare"});
  desk.refuse({"comapre"}, {"unknown command 'comapre'; did you mean 'compare'? expected run, compare"});
  desk.refuse({"--platform", "baseline"}, {"unknown command '--platform'; expected run, compare"});
  desk.refuse({"run", "--frobnicate"}, {"--frobnicate", "expected"});
  desk.refuse({"run", "--plat", "baseline"}, {"--plat", "expected"});  // no guessing
  desk.refuse({"annotate", "t", "--krenel", "1"},
              {"'--krenel'; did you mean '--kernel'? expected options as `subcore annotate --help`"});
  desk.refuse({"run", "--jobs", "many"}, {"many", "--jobs", "expected"});
  desk.refuse({"run", "--jobs", "-1"}, {"-1", "--jobs", "expected"});
  desk.refuse({"run", "--json"}, {"--json", "expected"});
  desk.refuse({"run"}, {"no platform; expected --platform"});
  desk.refuse({"run", "--platform", "baseline"}, {"no trace; expected --trace"});
  desk.refuse({"trace-info"}, {"expected one trace folder"});
  desk.refuse({"trace-info", "a", "b"}, {"expected one trace folder"});
  desk.refuse({"compare", "stray"}, {"'stray'; expected"});
  CHECK(desk.run({}).code == 2);
}

TEST_CASE("comparisons that compare nothing") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse(everything({"compare", "--platform", "baseline", "--trace", "t"}),
              {"one platform; expected at least two"});
  desk.refuse(everything({"compare", "--platform", "baseline", "--platform", "baseline", "--trace", "t"}),
              {"a platform named 'baseline' was given before; expected distinct names"});
  desk.refuse(everything({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "--trace", "t"}),
              {"t: this trace was given before", "expected"});
  desk.refuse(everything({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-t", "./t/"}),
              {"./t/: this trace was given before", "expected"});
  desk.refuse({"run", "-p", "baseline", "-p", "malekeh", "-t", "t", "--vcd", "w.vcd"},
              {"--vcd with several runs; expected one"});
}

TEST_CASE("scenario files with mistakes") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto refuse = [&](const std::string& yaml, const Strings& words) {
    desk.write("s.yaml", yaml);
    desk.refuse(everything({"run", "s.yaml"}), words);
  };
  refuse("platforms: [baseline]\ntraces: [t]\nresult: r\n",
         {"s.yaml:3: result: unknown key; did you mean 'results'? expected one of"});
  refuse("platforms: [baseline]\n", {"s.yaml: no traces; expected a list under 'traces'"});
  refuse("traces: [t]\n", {"s.yaml: no platforms; expected a list under 'platforms'"});
  refuse("platforms: [baseline]\ntraces: []\n", {"s.yaml:2: ", "expected a list"});
  refuse("platforms: [baseline]\ntraces: [nowhere]\n", {"nowhere: cannot open; expected"});
  refuse("platforms: [baseline]\ntraces: [t]\nvcd: {scope: sm_0}\n", {"s.yaml:3: ", "expected a key 'file'"});
  refuse("platforms: [baseline]\ntraces: [t]\nvcd: {file: w.vcd, from: -1}\n",
         {"s.yaml:3: ", "'-1'; expected a whole number of cycles from 0"});
  refuse("platforms: [baseline]\ntraces: [t]\nset: [seed=x]\n", {"seed=x", "expected"});
  refuse("platforms: [baseline\n", {"s.yaml:", "expected"});
  desk.refuse(everything({"run", "none.yaml"}), {"none.yaml: no such file; expected"});
}

TEST_CASE("a waveform is not left when another run of the scenario fails") {
  const Desk desk;
  desk.trace("good", sound_lines());
  desk.trace("bad", "0000 ffffffff 1 R999 MOV 0 0 \n");
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [bad, good]\nvcd: {file: scenario.vcd}\nresults: r\n");
  desk.refuse({"run", "s.yaml", "--jobs", "1"}, {"'R999'"});
  // The good run may end first when two run at a time, and is kept for --resume, as the error says.
  const std::set<std::string> before = desk.files();
  const Outcome o = desk.run({"run", "s.yaml", "--jobs", "2"});
  CHECK(o.code == 1);
  CHECK(lines_of(o.err) == 1);
  CHECK_THAT(o.err, Catch::Contains("'R999'"));
  std::set<std::string> after = desk.files();
  if (after.count("r") != 0) {
    CHECK_THAT(o.err, Catch::Contains("; 1 of 2 runs is kept in r: "));
    CHECK(after.count("r/.subcore-part/baseline/good/run.json") == 1);
  }
  for (auto f = after.begin(); f != after.end();)
    f = *f == "r" || f->rfind("r/.subcore-part", 0) == 0 || f->find(".partial.") != std::string::npos
            ? after.erase(f)
            : std::next(f);
  CHECK(after == before);
}

}  // namespace bad_request_test
