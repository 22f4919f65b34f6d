// Options of each command: every option that has no use is refused, and none is ignored.
#include <algorithm>
#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "tests/program/program.h"

namespace options_test {

using namespace subcore::test;

namespace {

// Kernel k reads k registers, in each of k instructions.
std::string three_kernels(const Desk& desk) {
  std::string list;
  for (unsigned k = 1; k <= 3; ++k) {
    const std::string name = "kernel-" + std::to_string(k) + ".traceg";
    std::string lines;
    for (unsigned i = 0; i < k; ++i) lines += "00" + std::to_string(i) + "0 ffffffff 1 R9 IADD3 2 R1 R2 0 \n";
    desk.write("t/" + name, header() + one_warp(lines + "0080 ffffffff 0 EXIT 0 0 \n"));
    list += name + "\n";
  }
  desk.write("t/kernelslist.g", list);
  return "t";
}

// The commands in the list of the program's help: "  run          what it does".
Strings listed_commands(const Desk& desk) {
  Strings commands;
  std::istringstream help(desk.succeed({"--help"}).out);
  static const std::regex entry("  ([a-z-]+)  +[^ ].*");
  std::smatch found;
  for (std::string line; std::getline(help, line);)
    if (std::regex_match(line, found, entry)) commands.push_back(found[1]);
  return commands;
}

// The options that the help of one command lists: "  -j [ --json ] arg   what it means".
Strings listed_options(const std::string& help) {
  Strings options;
  std::istringstream lines(help.substr(help.find("\noptions of ")));
  static const std::regex entry("  (?:-[a-z] \\[ )?(--[a-z-]+).*");
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, found, entry) && found[1] != "--help") options.push_back(found[1]);
  return options;
}

}  // namespace

TEST_CASE("an option that a command does not use is refused") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const std::map<std::string, Strings> arguments{{"run", {"-p", "baseline", "-t", "t"}},
                                                 {"compare", {"-p", "baseline", "-p", "malekeh", "-t", "t"}},
                                                 {"explain", {"-p", "baseline", "-t", "t"}},
                                                 {"trace-info", {"t"}},
                                                 {"annotate", {"t"}},
                                                 {"parameters", {}},
                                                 {"platforms", {}},
                                                 {"cache-study", {"-t", "t"}},
                                                 {"pack", {"t"}},
                                                 {"cache", {}},
                                                 {"timeline", {"-p", "baseline", "-t", "t"}}};
  const std::map<std::string, Strings> unused{
      {"run", {}},
      {"compare",
       {"vcd", "vcd-scope", "vcd-from", "vcd-to", "vcd-on", "vcd-around", "pipeline", "pipeline-scope"}},
      {"explain", {"vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "pipeline", "rows"}},
      {"trace-info",
       {"results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "pipeline", "lines", "jobs", "kernel"}},
      {"timeline", {"results", "json", "vcd", "pipeline", "pipeline-from", "pipeline-to", "lines", "jobs"}},
      {"annotate", {"results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs"}},
      {"pack", {"platform", "trace", "set", "results", "json", "vcd", "lines", "jobs", "kernel"}},
      {"cache", {"platform", "trace", "set", "results", "no-cache"}},
      {"parameters",
       {"platform", "trace", "set", "results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs",
        "kernel"}},
      {"platforms",
       {"platform", "trace", "set", "results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs",
        "kernel"}},
      {"cache-study",
       {"platform", "set", "results", "vcd", "vcd-scope", "vcd-from", "vcd-to", "lines", "jobs", "kernel"}}};
  for (const auto& [command, options] : unused) {
    for (const std::string& option : options) {
      Strings all{command};
      all.insert(all.end(), arguments.at(command).begin(), arguments.at(command).end());
      all.push_back("--" + option);
      if (option != "lines" && option != "no-cache") all.emplace_back("1");
      desk.refuse(all, {"--" + option, "expected"});
    }
  }
}

TEST_CASE("an option without a value, an argument too many, a window nobody looks through") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* option : {"--json", "--vcd", "--results", "--jobs", "--kernel", "--platform", "--set"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", option, ""}, {option, "expected a value"});
  desk.refuse({"cache-study", "-t", "t", "--csv", ""}, {"--csv", "expected a value"});
  desk.refuse({"cache-study", "-t", "t", "--window", "5"}, {"--window without look_ahead", "expected"});
  desk.refuse({"platforms", "stray"},
              {"'stray'; expected systems, machines, a register system or no argument"});
  desk.refuse({"--version", "stray"}, {"'stray'; expected nothing"});
  desk.refuse({"trace-info", "t", "-p", "baseline", "-p", "malekeh"}, {"several platforms; expected"});
  desk.refuse({"run", "-p", "baseline", "-t", "t", "--lines", "--json", "-"},
              {"--lines and --json", "expected"});
}

TEST_CASE("each option is in the help of the commands that take it, whom the others name") {
  const Desk desk;
  const Strings commands = listed_commands(desk);
  CHECK(commands == Strings{"run", "compare", "explain", "report", "figures", "timeline", "trace-info",
                            "annotate", "cache-study", "pack", "cache", "trace", "draw", "parameters",
                            "platforms"});
  std::map<std::string, Strings> owners;  // commands of an option
  for (const std::string& command : commands) {
    const std::string help = desk.succeed({command, "--help"}).out;
    CHECK(help == desk.succeed({command, "-h"}).out);
    CHECK(help.rfind("  subcore " + command, 0) == 0);
    CHECK_THAT(help, Catch::Contains("\noptions of " + command + ":\n"));
    for (const std::string& option : listed_options(help)) owners[option].push_back(command);
  }
  CHECK(owners.at("--vcd") == Strings{"run"});
  CHECK(owners.at("--lines") == Strings{"run", "compare"});
  CHECK(owners.at("--pipeline") == Strings{"run"});
  CHECK(owners.at("--rows") == Strings{"timeline"});
  CHECK(owners.at("--kernel") == Strings{"run", "compare", "explain", "timeline", "annotate", "trace"});
  CHECK(owners.at("--lint") == Strings{"annotate"});
  CHECK(owners.at("--profile") == Strings{"run", "compare"});
  CHECK(owners.at("--top") == Strings{"explain"});
  CHECK(owners.at("--csv") == Strings{"cache-study"});
  CHECK(owners.at("--wide") == Strings{"run", "compare"});
  CHECK(owners.at("--quiet") == Strings{"run", "compare", "explain"});
  CHECK(owners.at("--resume") == Strings{"run", "compare", "explain"});
  CHECK(owners.at("--figures") == Strings{"report"});
  CHECK(owners.at("--manual") == Strings{"draw"});
  CHECK(owners.at("--ctas") == Strings{"run", "compare", "explain", "trace"});
  CHECK(owners.at("--sample") == Strings{"run", "compare"});
  CHECK(owners.at("--pieces") == Strings{"run", "compare"});
  CHECK(owners.at("--html") == Strings{"timeline"});
  CHECK(owners.at("--warp") == Strings{"timeline"});
  CHECK(owners.at("--no-cache") ==
        Strings{"run", "compare", "explain", "timeline", "trace-info", "annotate"});
  CHECK(owners.at("--clear") == Strings{"cache"});
  CHECK(owners.size() == 64);
  for (const auto& [option, takers] : owners) {
    std::string names = takers.front();
    for (std::size_t i = 1; i < takers.size(); ++i)
      names += (i + 1 < takers.size() ? ", " : " and ") + takers[i];
    for (const std::string& command : commands) {
      if (std::find(takers.begin(), takers.end(), command) != takers.end()) continue;
      desk.refuse({command, option, "1"},
                  {command + " does not take " + option + ", an option of " + names + "; expected "});
    }
  }
}

TEST_CASE("an option that nothing would read is refused in one line") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings run{"run", "-p", "baseline", "-t", "t"};
  const Strings study{"cache-study", "-t", "t"};
  struct Case {
    Strings command, more, words;
  };
  const Case cases[] = {
      {{"parameters"}, {"--platform", "nosuch", "--vcd", "y"}, {"--platform, an option of run", "--json"}},
      {{"parameters"}, {"-pnosuch"}, {"parameters does not take -p, an option of run, compare"}},
      {{"parameters"},
       {"--results=r"},
       {"does not take --results, an option of run, compare, explain and figures"}},
      {{"platforms"}, {"-p", "bow"}, {"does not take -p, an option of run", "expected --json"}},
      {{"trace-info"}, {"--vcd", "w.vcd", "t"}, {"does not take --vcd, an option of run; expected"}},
      {{"compare", "-t", "t"}, {"--vcd-from", "1"}, {"does not take --vcd-from, an option of run; expected"}},
      {{"compare", "-p", "baseline"}, {"--entries", "8"}, {"--entries, an option of cache-study; expected"}},
      {run, {"--vcd-from", "5"}, {"--vcd-from without a waveform; expected --vcd FILE, too"}},
      {run, {"--vcd-scope", "sm_0"}, {"--vcd-scope without a waveform; expected --vcd FILE, too"}},
      {run, {"-p", "malekeh", "--vcd", "w.vcd"}, {"--vcd with several runs; expected one platform"}},
      {run, {"--lines", "--json", "-"}, {"--lines and --json, both to standard output; expected"}},
      {run, {"--wide", "--lines"}, {"--wide without a table; expected no --lines"}},
      {run, {"--wide", "--json", "-"}, {"--wide without a table; expected no --json -"}},
      {run, {"--lines=1"}, {"'--lines' does not take any arguments; expected"}},
      {run, {"--json", "a.json", "--json", "b.json"}, {"'--json' cannot be specified more than once"}},
      {run, {"--json", "--lines"}, {"nothing for --json before --lines; expected a value"}},
      {run, {"--results", "-t", "t"}, {"--results", "expected"}},
      {run, {"--json=", "s.yaml"}, {"--json", "expected"}},
      {run, {""}, {"an empty argument; expected one scenario file"}},
      {{"trace-info", "t"}, {"--trace", "t"}, {"expected one trace folder"}},
      {{"annotate", "t"}, {"-p", "bow", "-p", "malekeh"}, {"several platforms; expected at most one"}},
      {study, {"t"}, {"unexpected argument 't'; expected --trace FOLDER"}},
      {study,
       {"--kernel", "1"},
       {"does not take --kernel, an option of run, compare, explain, timeline, annotate and trace"}},
      {study, {"--window", "5"}, {"--window without look_ahead; expected"}},
      {study, {"--ways", "full,8", "--mapping", "linear"}, {"--mapping", "the one set; expected"}},
      {study, {"--flags", "auto", "--reuse-flags", "a.sass"}, {"--flags auto with --reuse-flags; expected"}},
      {study, {"--rfcsim-config", "c.yaml", "--csv", "x"}, {"--csv with --rfcsim-config; expected one"}},
      {study, {"--json", "-", "--csv", "-"}, {"JSON and CSV both to standard output; expected"}},
  };
  for (const Case& c : cases) {
    Strings all = c.command;
    all.insert(all.end(), c.more.begin(), c.more.end());
    desk.refuse(all, c.words);
  }
}

TEST_CASE("option --kernel runs one kernel of each trace") {
  const Desk desk;
  three_kernels(desk);
  for (const unsigned k : {1u, 2u, 3u}) {
    const std::string text = std::to_string(k);
    desk.succeed({"run", "-p", "baseline", "-t", "t", "--kernel", text, "-j", "x.json", "-r", "r" + text});
    CHECK(desk.json("x.json")["kernels"] == 1);
    CHECK(desk.json("x.json")["instructions_retired"] == k + 1);
    CHECK(desk.json("x.json")["notes"] == nlohmann::json{"only kernel " + text + " of 3"});
  }
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "--kernel", "2", "-j", "x.json"});
  for (const auto& r : desk.json("x.json")) CHECK(r["instructions_retired"] == 3);
  desk.succeed({"run", "-p", "baseline", "-t", "t", "-j", "x.json"});
  CHECK(desk.json("x.json")["kernels"] == 3);
  CHECK(desk.json("x.json")["notes"].empty());
  const std::set<std::string> before = desk.files();
  for (const char* wrong : {"0", "4"})
    desk.refuse({"run", "-p", "baseline", "-t", "t", "--kernel", wrong, "-r", "new", "--vcd", "w.vcd"},
                {"t: no kernel " + std::string(wrong) + "; expected 1 to 3"});
  desk.refuse({"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "--kernel", "-1"},
              {"'-1'", "expected"});
}

TEST_CASE("of several platforms one has to read an override, and a note says which do not") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const Strings compare{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t"};
  const auto with = [&](Strings more) {
    more.insert(more.begin(), compare.begin(), compare.end());
    return more;
  };
  const Outcome o = desk.run(with({"-s", "sub_core.collector.entries=12", "-s", "seed=2", "-j", "r.json"}));
  CHECK(o.code == 0);
  CHECK(o.err == "subcore: note: --set sub_core.collector.entries=12: read by all platforms but baseline\n");
  CHECK(desk.json("r.json").size() == 2);
  std::filesystem::remove(desk.path() / "r.json");
  desk.refuse(with({"-s", "sub_core.collector.window=5"}),
              {"--set sub_core.collector.window=5", "sub_core.collector.kind boc"});
  // If other overrides make an override useless on every platform, no platform reads it, either.
  desk.refuse(with({"-s", "sub_core.collector.near_filter=false", "-s", "sub_core.collector.kind=ocu", "-s",
                    "sub_core.collector.allocation=any_free"}),
              {"sub_core.collector.near_filter", "sub_core.collector.kind ccu"});
}

}  // namespace options_test
