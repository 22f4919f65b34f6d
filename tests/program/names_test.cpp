// Traces by the folder, by names and in other forms, and names that authors of programs do not think of.
#include <catch2/catch.hpp>

#include "tests/program/program.h"
#include "tests/tracez_file.h"

namespace names_test {

using namespace subcore::test;

namespace {

// Three applications as Accel-Sim's tracer leaves them.
void write_applications(const Desk& desk) {
  for (const char* folder : {"run/bfs/NO_ARGS/traces", "run/nn/NO_ARGS/traces", "run/lud/size_16/traces"})
    desk.trace(folder, sound_lines());
}

Strings traces_in(const nlohmann::json& results) {
  Strings names;
  for (const auto& r : results) names.push_back(r.at("trace"));
  return names;
}

}  // namespace

TEST_CASE("a folder of applications runs them all") {
  const Desk desk;
  write_applications(desk);
  const Strings names{"bfs", "size_16", "nn"};
  desk.succeed({"run", "-p", "baseline", "-t", "run", "--json", "a.json", "--results", "r"});
  CHECK(traces_in(desk.json("a.json")) == names);
  for (const std::string& n : names) CHECK_FALSE(desk.file("r/baseline/" + n + "/stats.json").empty());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "run/nn", "-t", "run/bfs/NO_ARGS/traces",
                "--json", "b.json"});
  CHECK(traces_in(desk.json("b.json")) == Strings{"nn", "nn", "bfs", "bfs"});
  desk.write("s.yaml", "platforms: [baseline]\ntraces: [run]\nresults: s\n");
  desk.succeed({"run", "s.yaml"});
  CHECK(traces_in(desk.json("s/results.json")) == names);
}

TEST_CASE("a folder of one application serves where one trace is wanted") {
  const Desk desk;
  write_applications(desk);
  for (const char* command : {"trace-info", "annotate"}) {
    desk.succeed({command, "run/lud", "--json", "x.json"});
    CHECK(desk.json("x.json").at("trace") == "size_16");
    desk.refuse({command, "run", "--json", "y.json"}, {"run: has 3 traces below it", "expected one"});
  }
  desk.succeed({"cache-study", "--trace", "run/lud", "--json", "x.json"});
  CHECK(desk.json("x.json").at("trace") == "size_16");
  desk.refuse({"cache-study", "--trace", "run", "--json", "y.json"}, {"run: has 3 traces below it"});
  desk.succeed({"run", "-p", "baseline", "-t", "run/lud", "--vcd", "w.vcd"});
  desk.refuse({"run", "-p", "baseline", "-t", "run", "--vcd", "v.vcd"},
              {"--vcd with several runs; expected one"});
}

TEST_CASE("a trace is called as it is told, on the command line and in a scenario file") {
  const Desk desk;
  write_applications(desk);
  desk.succeed(
      {"run", "-p", "baseline", "-t", "mine=run/bfs", "-t", "run/nn", "--json", "a.json", "-r", "r"});
  CHECK(traces_in(desk.json("a.json")) == Strings{"mine", "nn"});
  CHECK_FALSE(desk.file("r/baseline/mine/stats.json").empty());
  for (const Strings& command :
       {Strings{"trace-info", "mine=run/lud"}, Strings{"annotate", "-t", "mine=run/lud"},
        Strings{"cache-study", "-t", "mine=run/lud"}}) {
    desk.succeed(with(command, {"--json", "x.json"}));
    CHECK(desk.json("x.json").at("trace") == "mine");
  }
  desk.succeed({"pack", "mine=run/lud"});
  CHECK_FALSE(desk.file("packed/mine/kernelslist.g").empty());
  desk.succeed({"timeline", "-p", "baseline", "-t", "mine=run/lud", "-o", "x.svg"});
  CHECK(desk.file("x.svg").find("baseline on mine") != std::string::npos);
  desk.write("s.yaml",
             "platforms: [baseline]\ntraces: [run/nn, {name: small, path: run/bfs/NO_ARGS}]\nresults: s\n");
  desk.succeed({"run", "s.yaml"});
  CHECK(traces_in(desk.json("s/results.json")) == Strings{"nn", "small"});
  const auto refuse = [&](const std::string& traces, const Strings& words) {
    desk.write("bad.yaml", "platforms: [baseline]\ntraces: " + traces + "\nresults: b\n");
    desk.refuse({"run", "bad.yaml"}, words);
  };
  refuse("[{name: a}]", {"bad.yaml:2: traces", "path"});
  refuse("[{name: a, path: run/nn, more: 1}]", {"bad.yaml:2: traces.more: unknown key"});
  refuse("[{name: a/b, path: run/nn}]",
         {"bad.yaml:2: traces.name: 'a/b' cannot be a trace's name; expected a name without '/'"});
  refuse("[[run/nn]]", {"bad.yaml:2: traces: a list; expected a text, or a map of name and path"});
  refuse("[{name: a, path: run/nn}, {name: a, path: run/bfs}]", {"another trace is called a, too"});
  desk.refuse({"run", "-p", "baseline", "-t", "=run/nn"}, {"'' cannot be a trace's name; expected a name"});
  desk.refuse({"trace-info", "a=run"}, {"run: has 3 traces below it"});
  desk.refuse({"trace-info", "a=none"}, {"none: cannot open"});
}

TEST_CASE("a .tracez file runs as the text does that it was made of") {
  const Desk desk;
  std::string lines;
  for (const std::string& line : lines_in(sound_lines())) lines += line + " 0 0 NoVal\n";
  const std::string text = header("6") + one_warp(lines);
  desk.write("text/kernelslist.g", "kernel-1.traceg\n");
  desk.write("text/kernel-1.traceg", text);
  desk.write("tracez/kernelslist.g", "MemcpyHtoD,0x7f00,4\nkernel-1.tracez\n");
  desk.write("tracez/kernel-1.tracez", bytes_of(tracez_of(text)));
  desk.succeed({"pack", "tracez"});
  const Strings traces{"tracez", "text", "packed/tracez"};
  std::set<std::string> cycles, infos;
  for (const std::string& trace : traces) {
    desk.succeed({"run", "-p", "malekeh", "-t", "t=" + trace, "--json", "x.json"});
    cycles.insert(desk.json("x.json").at("cycles").dump());
    desk.succeed({"cache-study", "-t", "t=" + trace, "--json", "y.json"});
    infos.insert(desk.file("y.json"));
  }
  CHECK(cycles.size() == 1);
  CHECK(infos.size() == 1);
  // And as the text of older tracers.
  desk.trace("old", sound_lines());
  desk.succeed({"cache-study", "-t", "t=old", "--json", "y.json"});
  infos.insert(desk.file("y.json"));
  CHECK(infos.size() == 1);
}

TEST_CASE("names that are no UTF-8 come out as JSON") {
  const Desk desk;
  const std::string bad = "caf\xe9";
  desk.write(bad + "/kernelslist.g", "kernel-1.traceg\n");
  std::string head = header();
  head.replace(head.find("name = k"), 8, "name = k\xff\xfe");
  desk.write(bad + "/kernel-1.traceg", head + one_warp(sound_lines()));
  for (const Strings& command :
       {Strings{"annotate", bad}, Strings{"trace-info", bad}, Strings{"cache-study", "--trace", bad},
        Strings{"run", "-p", "baseline", "-t", bad}}) {
    INFO(command.front());
    Strings arguments = command;
    arguments.insert(arguments.end(), {"--json", "x.json"});
    desk.succeed(arguments);
    CHECK(desk.json("x.json").at("trace") == "caf\xef\xbf\xbd");
  }
}

TEST_CASE("a folder's name that is no text becomes a trace's name that is one") {
  const Desk desk;
  desk.trace("a\xff\n", sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", "a\xff\n", "--results", "r"});
  CHECK(traces_in(desk.json("r/results.json")) == Strings{"a\xef\xbf\xbd?"});
  CHECK_FALSE(desk.file("r/baseline/a\xef\xbf\xbd?/stats.json").empty());
  desk.refuse({"run", "-p", "baseline", "-t", "b\xff=a\xff\n"},
              {"'b?' cannot be a trace's name", "in UTF-8"});
  desk.write("p\xff.yaml", "extends: baseline\n");
  desk.refuse(everything({"run", "-p", "p\xff.yaml", "-t", "a\xff\n"}), {"name is 'p?'", "in UTF-8"});
}

TEST_CASE(
    "a platform's name that is too long for a folder or spoils a line is refused before anything runs") {
  const Desk desk;
  desk.trace("t", sound_lines());
  const auto named = [&](const std::string& name) {
    desk.write("mine.yaml", "extends: baseline.yaml\nname: " + name + "\n");
    return everything({"run", "-p", "mine.yaml", "-t", "t"});
  };
  desk.refuse(named(std::string(256, 'n')),
              {"mine.yaml", "'nnnn", "expected a name without '/' and of at most 255 bytes"});
  desk.refuse(named("\"a\\nb\""), {"mine.yaml", "'a?b'", "expected a name without"});
  desk.succeed(named(std::string(255, 'n')));
}

TEST_CASE("a trace's name may be longer than a file's") {
  const Desk desk;
  const std::string longest(250, 'a');
  for (const char* application : {"x", "y"}) desk.trace(longest + application + "/" + longest, sound_lines());
  desk.succeed({"run", "-p", "baseline", "-t", longest + "x", "-t", longest + "y", "--results", "r"});
  CHECK_FALSE(desk.file("r/baseline/" + longest + "x/" + longest + "/stats.json").empty());
}

TEST_CASE("a clock period that the time resolution cannot express is one line") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.refuse(everything({"run", "-p", "baseline", "-t", "t", "--set", "clock_period_ns=0.0123"}),
              {"baseline.yaml: clock_period_ns 0.0123: the time resolution", "1 ps", "expected"});
}

}  // namespace names_test
