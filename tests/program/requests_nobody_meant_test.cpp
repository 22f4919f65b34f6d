// Requests that cannot be meant: outputs in wrong places or with wrong names, files of another kind, empty
// folders, and pipes without a writer. One check serves all commands, so each case is tried with every
// command that has it.
#include <cstdlib>
#include <thread>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/program/program.h"

namespace requests_nobody_meant_test {

using namespace subcore::test;
namespace fs = std::filesystem;

namespace {

const Strings plain_run{"run", "-p", "baseline", "-t", "t"};

std::string project_file(const std::string& name) {
  return content_of(fs::path(SUBCORE_SOURCE_DIR) / name);
}

}  // namespace

TEST_CASE("an output folder in a folder of inputs") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("all/a", sound_lines());
  desk.succeed(with(plain_run, {"-r", "r"}));
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nresults: t/out\n");
  fs::create_directory_symlink("t", desk.path() / "way");
  const Strings compare{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t"};
  const std::string there = ", which is read as the trace";
  for (const char* folder : {"t", "t/", "./t", "t/new", "t/a/b/c", "way", "way/new", "r/../t", "t/../t/."}) {
    for (const Strings& command : {plain_run, compare, Strings{"explain", "-p", "baseline", "-t", "t"}})
      desk.refuse(with(command, {"-r", folder}), {"--results " + std::string(folder) + ": is in ", there});
    desk.refuse(with(plain_run, {"-r", folder, "--dry-run"}), {"--results", there});
    desk.refuse({"pack", "t", "-o", folder}, {"--output " + std::string(folder) + ": is in ", there});
    desk.refuse({"pack", "t/kernelslist.g", "-o", folder}, {"--output", there});
  }
  desk.refuse({"run", "s.yaml"}, {"t/out: is in t, which is read as the trace", "expected a folder outside"});
  desk.refuse({"run", "-p", "baseline", "-t", "all", "-r", "all/results"}, {"is in all", there});
  desk.refuse({"run", "-p", "baseline", "-t", "all", "-r", "all/a/results"}, {"is in all", there});
  desk.refuse({"pack", ".", "-o", "new"}, {"has 2 traces below it"});
  for (const char* folder : {"r", "r/figures", "r/baseline"})
    desk.refuse({"report", "r", "--figures", folder}, {"--figures", "is in r, which is read as results"});
  // A folder beside another one is not in it, even if its name begins like the other's.
  desk.succeed(with(plain_run, {"-r", "t-results"}));
  desk.succeed({"pack", "t", "-o", "tt"});
  desk.succeed({"run", "-p", "baseline", "-t", "all/a", "-r", "all/results"});
  desk.succeed({"run", "-p", "baseline", "-t", "t/kernel-1.traceg", "-r", "."});
}

TEST_CASE("an output folder that has an input file in it") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("in/mine.yaml", "extends: baseline\nname: mine\n");
  desk.write("in/machine.yaml", "machine: machine\n");
  desk.write("in/table.yaml", "extends: cacti22\npreset: own\n");
  desk.write("in/s.yaml", "platforms: [baseline]\ntraces: [../t]\nresults: .\n");
  desk.write("in/list", "baseline/t\n");
  fs::create_directory_symlink("in", desk.path() / "way");
  for (const Strings& command :
       {Strings{"run", "-p", "in/mine.yaml", "-t", "t"}, with(plain_run, {"-g", "in/machine.yaml"}),
        with(plain_run, {"-s", "energy.preset=in/table.yaml"}), with(plain_run, {"--only", "in/list"}),
        Strings{"run", "in/s.yaml"}, Strings{"compare", "-p", "baseline", "-p", "in/mine.yaml", "-t", "t"}})
    for (const char* folder : {"in", "./in/", "way", "t/../in/."})
      desk.refuse(with(command, {"-r", folder}), {"--results " + std::string(folder) + ": has ", "in/",
                                                  "; expected a folder without inputs"});
  desk.refuse({"run", "in/s.yaml"}, {"--results in/: has in/s.yaml, which is read as the scenario"});
  desk.refuse(with(plain_run, {"-r", SUBCORE_SOURCE_DIR "/platforms", "--dry-run"}),
              {"which is read as a platform"});
  // A folder below an input's folder belongs to no other input. Nothing but the run's own folders comes above
  // it.
  desk.succeed({"run", "-p", "in/mine.yaml", "-t", "t", "-r", "in/results"});
  desk.write("here.yaml", "extends: baseline\nname: here\n");
  desk.succeed({"run", "-p", "here.yaml", "-t", "t", "-r", "results"});
  desk.succeed({"run", "-p", "in/mine.yaml", "-t", "t", "-r", "out"});
}

TEST_CASE("a file whose name says that it is something else") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("x.yaml",
             "platforms: [baseline]\ntraces: [t]\nfigures:\n"
             "  - {id: one, paper: p, title: t, axis: IPC, value: ipc, series: {a: baseline}}\n");
  desk.succeed({"run", "x.yaml", "-r", "all/x"});
  const Strings page = {"would hold an HTML page; expected a name that ends in .html"},
                picture = {"would hold an SVG picture; expected a name that ends in .svg"},
                json = {"would hold JSON; expected a name that ends in .json"};
  for (const char* name : {"a.png", "a.pdf", "a.PDF", "a.svg", "a.json", "a.html.gz", "a.tex", "./a.jpeg"}) {
    desk.refuse({"report", "all/x", "-o", name}, with({"--output " + std::string(name)}, page));
    desk.refuse({"figures", "x.yaml", "-r", "all", "-o", name}, with({"--output"}, page));
  }
  for (const char* name : {"a.png", "a.pdf", "a.PnG", "a.html", "a.svgz", "a.eps", "t/a.webp"}) {
    desk.refuse({"draw", "baseline", "-o", name}, with({"--output " + std::string(name)}, picture));
    desk.refuse({"timeline", "-p", "baseline", "-t", "t", "-o", name}, with({"--output"}, picture));
  }
  for (const char* name : {"a.csv", "a.yaml", "a.html", "a.json.gz", "a.xlsx"}) {
    for (const Strings& command :
         {plain_run, Strings{"trace-info", "t"}, Strings{"annotate", "t"}, Strings{"parameters"},
          Strings{"platforms"}, Strings{"cache-study", "-t", "t"},
          Strings{"explain", "-p", "baseline", "-t", "t"}})
      desk.refuse(with(command, {"--json", name}), with({"--json " + std::string(name)}, json));
    desk.refuse({"figures", "x.yaml", "-r", "all", "-o", "f.html", "-j", name}, json);
  }
  desk.refuse({"cache-study", "-t", "t", "--csv", "a.json"}, {"would hold CSV; expected", ".csv"});
  for (const char* name : {"a", "a.svg", "a.SVG", "a.txt", "a.v.2", ".svg"})
    desk.succeed({"draw", "baseline", "-o", name});
  for (const char* name : {"a.html", "a.htm", "b", "b.HTML"}) desk.succeed({"report", "all/x", "-o", name});
  for (const char* name : {"a.json", "c", "c.JSON", "c.txt", "/dev/null"})
    desk.succeed({"parameters", "--json", name});
}

TEST_CASE("a file of one kind where another kind is wanted") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("platform.yaml", "extends: baseline\nname: mine\nsub_core: {collector: {count: 4}}\n");
  desk.write("bare.yaml", "extends: baseline\n");
  desk.write("scenario.yaml", "name: mine\nplatforms: [baseline]\ntraces: [t]\n");
  desk.write("table.yaml", project_file("power/tables/cacti22.yaml"));
  desk.write("rfc.yaml",
             "arch: 0\nassoc: 2\nn_block: 8\nn_dw: 1\npolicy: {alloc: 1, repl: 1, evict: 0, dest_map: 0}\n"
             "bitwidth: 128\nenergy_model: {rfc.r: 1, rfc.w: 1, mrf.r: 1, mrf.w: 1}\n");
  const Strings files{"platform.yaml", "bare.yaml", "scenario.yaml", "table.yaml", "rfc.yaml"},
      kinds{"a platform", "a platform", "a scenario", "an energy table", "a configuration of RFC-sim"};
  struct Reader {
    std::string kind;
    Strings before, behind;
  };
  const Reader readers[] = {
      {"a scenario", {"run"}, {}},
      {"a scenario", {"figures"}, {"-r", "r"}},
      {"a platform", {"run", "-t", "t", "-p"}, {}},
      {"a platform", {"draw"}, {}},
      {"a platform", {"timeline", "-t", "t", "-p"}, {}},
      {"a platform", {"trace-info", "t", "-p"}, {}},
      {"an energy table", {"run", "-p", "baseline", "-t", "t", "-s"}, {}},
      {"a configuration of RFC-sim", {"cache-study", "-t", "t", "--rfcsim-config"}, {}},
  };
  for (const Reader& reader : readers)
    for (std::size_t f = 0; f < files.size(); ++f) {
      if (kinds[f] == reader.kind) continue;
      // A table may extend another and say no more.
      if (reader.kind == "an energy table" && files[f] == "bare.yaml") continue;
      const bool is_set = reader.before.back() == "-s";
      desk.refuse(with(with(reader.before, {(is_set ? "energy.preset=" : "") + files[f]}), reader.behind),
                  {files[f] + ": is " + kinds[f] + ", as its keys say; expected " + reader.kind});
    }
  desk.write("outer.yaml", "extends: scenario.yaml\n");
  desk.refuse({"draw", "outer.yaml"}, {"scenario.yaml: is a scenario, as its keys say; expected a platform"});
  // One key in the wrong place is a mistake in a scenario, not another kind of file.
  desk.write("typo.yaml", "platforms: [baseline]\ntraces: [t]\nsub_core: {collector: {count: 4}}\n");
  desk.refuse({"run", "typo.yaml"}, {"typo.yaml:3: sub_core: unknown key; expected one of name"});
}

TEST_CASE("lists and maps with nothing in them") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto refuse = [&](const std::string& yaml, const Strings& words) {
    desk.write("s.yaml", yaml);
    desk.refuse({"run", "s.yaml", "-r", "r"}, words);
  };
  refuse("platforms: [baseline]\ntraces: []\n",
         {"s.yaml:2: traces: an empty list; expected a list of texts"});
  refuse("platforms: []\ntraces: [t]\n", {"s.yaml:1: platforms: an empty list; expected"});
  refuse("platforms: [baseline]\ntraces: [t]\nset: []\n", {"s.yaml:3: set: an empty list; expected"});
  refuse("platforms: [baseline]\ntraces: {}\n", {"s.yaml:2: traces: an empty map; expected"});
  refuse("platforms: [baseline]\ntraces: [t]\nparts: [{traces: []}]\n", {"traces: an empty list; expected"});
  desk.write("p.yaml", "extends: []\n");
  desk.refuse({"draw", "p.yaml"}, {"p.yaml:1: extends: an empty list is not a file; expected a file name"});
}

TEST_CASE("a list of runs as editors of other systems write it") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines());
  const Strings two{"run", "-p", "baseline", "-t", "t", "-t", "u", "--json", "x.json"};
  for (const char* text : {"baseline/u\r\n",
                           "\xef\xbb\xbf"
                           "baseline/u\r\n\r\n",
                           "  baseline/u\t\r", "baseline/u"}) {
    desk.write("list", text);
    desk.succeed(with(two, {"--only", "list"}));
    CHECK(desk.json("x.json")["trace"] == "u");
  }
  desk.write("list", "baseline/v\r\n");
  desk.refuse(with(two, {"--only", "list"}), {"list:1: 'baseline/v': no such run; did you mean 'baseline/"});
  desk.write("list", " \r\n\r\n");
  desk.refuse(with(two, {"--only", "list"}), {"list: names no run; expected"});
  fs::create_directory(desk.path() / "folder");
  desk.refuse(with(two, {"--only", "folder"}), {"--only folder: cannot be read (Is a directory); expected"});
  desk.refuse(with(two, {"--only", "none"}), {"--only none: cannot be read (No such file"});
  desk.write("x.yaml",
             "platforms: [baseline]\ntraces: [t]\nfigures:\n"
             "  - {id: one, paper: p, title: t, axis: IPC, value: ipc, series: {a: baseline}}\n");
  CHECK(lines_of(desk.succeed({"figures", "x.yaml", "--list", "--only", "one\r"}).out) == 1);
}

TEST_CASE("blanks around the words of an override") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto cycles = [&](const Strings& more) {
    desk.succeed(with(plain_run, with({"--json", "x.json"}, more)));
    return desk.json("x.json")["cycles"].get<std::uint64_t>();
  };
  const std::uint64_t slow = cycles({"-s", "memory.hit_latency=400"});
  CHECK(slow > cycles({}));
  for (const char* set :
       {"memory.hit_latency = 400", " memory.hit_latency=400 ", "memory.hit_latency\t=400\r\n"})
    CHECK(cycles({"-s", set}) == slow);
  desk.refuse(with(plain_run, {"-s", " = 4"}), {"is not an assignment; expected key=value"});
  desk.refuse(with(plain_run, {"-s", "seed = x"}), {"'x' is not a plain whole number"});
  desk.write("s.yaml",
             "platforms: [baseline, malekeh]\ntraces: [t]\nset: ['memory.hit_latency = 400']\n"
             "sweep: {'seed ': [' 1', '2 ']}\n");
  desk.succeed({"run", "s.yaml", "--json", "x.json"});
  CHECK(desk.json("x.json")[0]["platform"] == "baseline,seed=1");
  CHECK(desk.json("x.json")[0]["cycles"] == slow);
  const Outcome o = desk.run({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-s",
                              "sub_core.collector.entries = 12", "--json", "x.json"});
  CHECK(o.err ==
        "subcore: note: --set sub_core.collector.entries = 12: read by all platforms but baseline\n");
}

TEST_CASE("SUBCORE_DATA that is no folder of data") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.write("file", "");
  desk.write("mine.yaml", "extends: baseline\n");
  const Strings commands[] = {plain_run,
                              {"platforms"},
                              {"parameters"},
                              {"draw", "mine.yaml"},
                              {"pack", "t"},
                              {"trace-info", "t"},
                              {"cache-study", "-t", "t"},
                              {"completion", "bash"}};
  for (const Strings& command : commands) {
    desk.refuse(command, {"SUBCORE_DATA=/nope: no such folder; expected a folder with platforms"},
                "export SUBCORE_DATA=/nope");
    desk.refuse(command, {"SUBCORE_DATA=t: has neither platforms nor power/tables; expected"},
                "export SUBCORE_DATA=t");
    desk.refuse(command, {"SUBCORE_DATA=file: is not a folder; expected"}, "export SUBCORE_DATA=file");
  }
  for (const char* good : {"", SUBCORE_SOURCE_DIR}) {
    const Outcome o = desk.run({"platforms"}, "export SUBCORE_DATA='" + std::string(good) + "'");
    CHECK(o.code == 0);
    CHECK(o.err.empty());
  }
  CHECK(desk.run({"--version"}, "export SUBCORE_DATA=/nope").code == 0);
}

TEST_CASE("a working folder that is gone") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string t = (desk.path() / "t").string();
  for (const Strings& command :
       {Strings{"run", "-p", "baseline", "-t", t}, Strings{"run", "-p", "baseline", "-t", t, "-r", "r"},
        Strings{"platforms"}, Strings{"pack", t}, Strings{"draw", "baseline"}, Strings{"trace-info", t}})
    desk.refuse(
        command,
        {"the working folder cannot be found (No such file or directory); expected a folder that exists"},
        "mkdir gone && cd gone && rmdir ../gone");
  CHECK(desk.run({"--help"}, "mkdir gone && cd gone && rmdir ../gone").code == 0);
}

TEST_CASE("a pipe that nobody writes to, and one that somebody does") {
  const Desk desk;
  desk.trace("t", sound_lines());
  REQUIRE(mkfifo((desk.path() / "pipe").c_str(), 0600) == 0);
  const std::string words = "pipe that nobody has written to for 5 s";
  struct Case {
    Strings command;
    pid_t child;
    std::unique_ptr<Desk> streams;
  };
  // The commands wait at the same time.
  std::vector<Case> cases;
  for (const Strings& command :
       {Strings{"run", "pipe"}, Strings{"run", "-p", "pipe", "-t", "t"}, Strings{"draw", "pipe"},
        with(plain_run, {"--only", "pipe"}), with(plain_run, {"-s", "energy.preset=pipe"}),
        Strings{"cache-study", "-t", "t", "--reuse-flags", "pipe"},
        Strings{"cache-study", "-t", "t", "--rfcsim-config", "pipe"}, Strings{"report", "pipe"}}) {
    auto streams = std::make_unique<Desk>();
    const pid_t child = streams->start(command, "cd '" + desk.path().string() + "'");
    cases.push_back({command, child, std::move(streams)});
  }
  const std::set<std::string> before = desk.files();
  for (Case& c : cases) {
    const Outcome o = c.streams->finish(c.child);
    INFO(c.command.front() << ' ' << c.command.back());
    CHECK(o.code == 1);
    CHECK(o.out.empty());
    CHECK(lines_of(o.err) == 1);
    CHECK_THAT(o.err, Catch::Contains(words));
  }
  CHECK(desk.files() == before);
  for (const char* trace : {"pipe"})
    desk.refuse({"trace-info", trace}, {"pipe: is not a regular file; expected a trace"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\n");
  const Outcome written = desk.run({"run", "pipe"}, "{ (sleep 0.2; cat s.yaml >pipe) & }");
  CHECK(written.code == 0);
  CHECK(written.err.empty());
  desk.write("list", "baseline/t\n");
  CHECK(desk.run(with(plain_run, {"--only", "pipe"}), "{ (cat list >pipe) & }").code == 0);
}

TEST_CASE("traces that are not read here, and folders without a list") {
  const Desk desk;
  const std::string expected = "expected the .tracez file itself, which is compressed already";
  desk.write("t/kernelslist.g", "MemcpyHtoD,0x7f00,4\nkernel-1.tracez.xz\n");
  desk.write("t/kernel-1.tracez.xz", "bytes");
  desk.refuse(
      {"trace-info", "t"},
      {"t/kernelslist.g:2: trace file 'kernel-1.tracez.xz' is a compressed .tracez file; " + expected});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "-r", "r"},
              {"'kernel-1.tracez.xz' is a compressed .tracez file", expected});
  desk.refuse({"trace-info", "t/kernel-1.tracez.xz"},
              {"t/kernel-1.tracez.xz: is a compressed .tracez file; " + expected});
  desk.write("u/kernel-9.tracez.xz", "bytes");
  desk.refuse({"trace-info", "u"}, {"u: holds u/kernel-9.tracez.xz; " + expected});
  desk.trace("both", sound_lines());
  desk.write("both/kernelslist.g", "kernel-1.traceg\nkernel-2.tracez\n");
  desk.refuse({"trace-info", "both"}, {"both/kernelslist.g:2: trace file 'kernel-2.tracez' is missing"});
  desk.write("both/kernelslist.g", "kernel-1.tracez\n");
  desk.refuse(
      {"trace-info", "both"},
      {"trace file 'kernel-1.tracez' is missing, but 'kernel-1.traceg' is there; expected a file in"});
  desk.write("both/kernel-1.tracez", "bytes");
  desk.refuse({"run", "-p", "baseline", "-t", "both", "-r", "r"},
              {"both/kernel-1.tracez: byte 0: no kernel header", "expected a .tracez file as"});
  fs::create_directories(desk.path() / "empty/deeper");
  for (const Strings& command : {Strings{"trace-info", "empty"}, Strings{"pack", "empty"},
                                 Strings{"run", "-p", "baseline", "-t", "empty"}})
    desk.refuse(command,
                {"empty: has no kernelslist.g, nor has a folder below it; expected a folder with a"});
}

TEST_CASE("what was typed is never what was meant") {
  const Desk desk;
  desk.trace("t", sound_lines());
  fs::create_symlink("nowhere", desk.path() / "link.yaml");
  fs::create_symlink("loop", desk.path() / "loop");
  desk.write("mine.yaml", "extends: link.yaml\n");
  for (const Strings& command :
       {Strings{"run", "link.yaml"}, Strings{"run", "-p", "link.yaml", "-t", "t"},
        Strings{"draw", "mine.yaml"}, Strings{"run", "loop"}, Strings{"trace-info", "loop"},
        Strings{"report", "link.yaml"}, Strings{"explain", "link.yaml"},
        with(plain_run, {"--finished", "loop", "-r", "r"})}) {
    const Outcome o = desk.run(command);
    INFO(o.err);
    CHECK(o.code == 1);
    CHECK(lines_of(o.err) == 1);
    CHECK(o.err.find("did you mean") == std::string::npos);
  }
}

TEST_CASE("parameters by words") {
  const Desk desk;
  const std::string all = desk.succeed({"parameters"}).out, banks = desk.succeed({"parameters", "bank"}).out;
  CHECK(lines_of(banks) < lines_of(all) / 2);
  CHECK_THAT(banks, Catch::Contains("sub_core.register_file.banks = "));
  CHECK(banks.find("gpu.sms = ") == std::string::npos);
  CHECK(desk.succeed({"parameters", "BANK"}).out == banks);
  CHECK(desk.succeed({"parameters", "bank", "--json", "-"}).out.find("\"gpu.sms\"") == std::string::npos);
  // Parameters are found by a whole key; by several words that all have to be there; by a word of the
  // description.
  CHECK(desk.succeed({"parameters", "gpu.sms"}).out.rfind("gpu.sms = ", 0) == 0);
  CHECK(lines_of(desk.succeed({"parameters", "bank", "register_file.banks"}).out) <= lines_of(banks));
  CHECK_THAT(desk.succeed({"parameters", "round robin"}).out, Catch::Contains("gpu.sms = "));
  desk.refuse({"parameters", "colector"},
              {"no parameter with 'colector'; did you mean 'collector'? expected a word"});
  desk.refuse({"parameters", "bank", "gpu.sms"},
              {"no parameter with 'gpu.sms' and all other words; expected"});
  desk.refuse({"parameters", "xyzzy", "--json", "x.json"}, {"no parameter with 'xyzzy'; expected"});
}

TEST_CASE("what no option reads, and standard output where there is none") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings explain{"explain", "-p", "baseline", "-t", "t"};
  CHECK_THAT(desk.succeed(with(explain, {"--dry-run"})).out, Catch::Contains("1 of 1 runs to do"));
  desk.succeed(with(plain_run, {"-r", "r", "--profile"}));
  for (const Strings& more : {Strings{"--only", "x"}, Strings{"--dry-run"}, Strings{"--quiet"}, Strings{"-k"},
                              Strings{"--jobs", "1"}, Strings{"--resume"}})
    desk.refuse(with({"explain", "r"}, more), {" with results folders, which need no runs; expected"});
  for (const char* option : {"--vcd", "--pipeline", "--results"})
    desk.refuse(with(plain_run, {option, "-"}),
                {std::string(option) + " -: cannot be standard output", "; expected a f"});
  desk.refuse({"pack", "t", "-o", "-"}, {"--output -: cannot be standard output; expected a folder"});
  desk.refuse({"report", "r", "--figures", "-"},
              {"--figures -: cannot be standard output; expected a folder"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nvcd: {file: w.vcd, from: 9, to: 8}\n");
  desk.refuse({"run", "s.yaml"}, {"s.yaml:3: vcd: to 8 is before from; expected at least 9"});
  desk.refuse(explain, {"no folder for the time of the runs", "; expected TMPDIR to name a folder"},
              "export TMPDIR=/nope");
  const std::string study = desk.succeed({"cache-study", "-t", "t", "--allocation", "write"}).out;
  CHECK(desk.succeed({"cache-study", "-t", "t", "--allocation", "write,write"}).out == study);
}

TEST_CASE("a sweep of more points than anybody waits for") {
  const Desk desk;
  desk.trace("t", sound_lines());
  std::string values = "[1";
  for (int i = 2; i <= 1001; ++i) values += ", " + std::to_string(i);
  values += ']';
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [t]\nsweep:\n  seed: " + values +
                           "\n  interval_cycles: " + values + "\n  memory.hit_latency: " + values + '\n');
  desk.refuse({"run", "s.yaml", "--dry-run"},
              {"s.yaml: sweep: more than a million points; expected at most"});
}

TEST_CASE("line ends in what was typed do not break the line that quotes it") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::string odd = "o\nd\x1b[1md";
  desk.refuse({odd}, {"unknown command 'o?d?[1md'"});
  desk.refuse({"run", odd}, {"no such file; expected the YAML file"});
  desk.refuse({"trace-info", odd}, {"o?d?[1md: cannot open"});
  desk.refuse({"run", "-p", "baseline", "-t", odd}, {"o?d?[1md: cannot open"});
  desk.refuse({"run", "-p", odd, "-t", "t"}, {"no such file"});
  desk.refuse({"report", odd}, {"o?d?[1md: is not there"});
  for (const Strings& json : {Strings{"--json", odd + "/x.json"}, Strings{"--json=" + odd + "/x.json"}})
    desk.refuse(with(plain_run, json), {"cannot write o?d?[1md/x.json"});
}

TEST_CASE("a dry run of many points says how far it is, on a terminal") {
  const Desk desk;
  desk.trace("t", sound_lines());
  std::string seeds = "[1";
  for (int i = 2; i <= 4000; ++i) seeds += ", " + std::to_string(i);
  desk.write("s.yaml", "platforms: [malekeh]\ntraces: [t]\nsweep: {seed: " + seeds + "]}\n");
  const auto said = [&](const Strings& more) {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE(grantpt(terminal) == 0);
    REQUIRE(unlockpt(terminal) == 0);
    const std::string name = ptsname(terminal);
    std::string text;
    const pid_t child = desk.start(with({"run", "s.yaml", "--dry-run", "--json", "x.json"}, more),
                                   "export TERM=xterm; exec 2>" + name);
    std::thread reader([&] {
      char piece[4096];
      for (ssize_t n; (n = read(terminal, piece, sizeof piece)) > 0;)
        text.append(piece, static_cast<std::size_t>(n));
    });
    const Outcome o = desk.finish(child);
    reader.join();  // the terminal ends with its last writer
    close(terminal);
    CHECK(o.code == 0);
    CHECK_THAT(o.out, Catch::Contains("4000 of 4000 runs to do"));
    CHECK(desk.json("x.json")["runs"].size() == 4000);
    return text;
  };
  CHECK_THAT(said({}), Catch::Contains("reading platforms [") && Catch::Contains(" %"));
  CHECK(said({"--quiet"}).empty());
}

}  // namespace requests_nobody_meant_test
