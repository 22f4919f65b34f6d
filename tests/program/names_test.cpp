// Traces by the folder, and names that people did not think of when they wrote a program.
#include <catch2/catch.hpp>

#include "tests/program/program.h"

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
  const Strings names{"bfs/NO_ARGS", "size_16", "nn/NO_ARGS"};
  desk.succeed({"run", "-p", "baseline", "-t", "run", "--json", "a.json", "--results", "r"});
  CHECK(traces_in(desk.json("a.json")) == names);
  for (const std::string& n : names) CHECK_FALSE(desk.file("r/baseline/" + n + "/stats.json").empty());
  desk.succeed({"compare", "-p", "baseline", "-p", "malekeh", "-t", "run/nn", "-t", "run/bfs/NO_ARGS/traces",
                "--json", "b.json"});
  CHECK(traces_in(desk.json("b.json")) == Strings{"nn/NO_ARGS", "nn/NO_ARGS", "bfs/NO_ARGS", "bfs/NO_ARGS"});
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
