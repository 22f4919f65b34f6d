// Finished runs of commands in which other runs failed or were interrupted, and commands that continue from
// there.
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include "tests/program/lease.h"
#include "tests/program/program.h"

namespace resume_test {

using namespace subcore::test;
using Catch::Contains;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

void wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(condition());
}

// `size` platforms on as many traces, all different and all small.
Strings grid(const Desk& desk, unsigned size) {
  Strings arguments{"compare"};
  std::string lines;
  for (unsigned i = 0; i < size; ++i) {
    const std::string n = std::to_string(i);
    desk.write("p" + n + ".yaml",
               "extends: baseline.yaml\nname: p" + n +
                   "\nmachine: own\nmemory: {miss_latency: " + std::to_string(100 + 10 * i) + "}\n");
    lines += "0010 ffffffff 1 R2 IADD3 2 R1 R3 0 \n0020 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f4000105000 4 \n";
    desk.trace("t" + n, lines + "0050 ffffffff 0 EXIT 0 0 \n");
    arguments = with(arguments, {"-p", "p" + n + ".yaml", "-t", "t" + n});
  }
  return arguments;
}

// Every file below the folder, results.json without its times.
std::map<std::string, std::string> contents_of(const Desk& desk, const std::string& folder) {
  std::map<std::string, std::string> all;
  for (const std::string& f : desk.files()) {
    if (f.rfind(folder + "/", 0) != 0 || fs::is_directory(desk.path() / f)) continue;
    std::string& content = all[f.substr(folder.size() + 1)] = desk.file(f);
    if (f != folder + "/results.json") continue;
    auto results = nlohmann::ordered_json::parse(content);
    for (auto& r : results) r.erase("wall_seconds");
    content = results.dump();
  }
  return all;
}

std::set<std::string> records(const Desk& desk, const std::string& folder) {
  std::set<std::string> all;
  for (const std::string& f : desk.files())
    if (f.rfind(folder + "/", 0) == 0 && fs::path(f).filename() == "run.json")
      all.insert(f.substr(folder.size() + 1));
  return all;
}

// The number of runs that the command made itself. Kept runs took no time.
std::size_t runs_done(const Desk& desk, const std::string& folder) {
  const Json results = desk.json(folder + "/results.json");
  return static_cast<std::size_t>(
      std::count_if(results.begin(), results.end(), [](const Json& r) { return r["wall_seconds"] != 0; }));
}

void check_nothing_of_ours(const Desk& desk) {
  for (const std::string& f : desk.files()) {
    INFO(f);
    CHECK(f.find(".subcore-") == std::string::npos);
    CHECK(f.find(".partial") == std::string::npos);
  }
}

const char* const staged = "r/.subcore-part";

}  // namespace

TEST_CASE("a hundred runs that are ended in their middle go on where they were") {
  const Desk desk;
  const Strings command = grid(desk, 10);
  desk.succeed(with(command, {"-r", "whole"}));
  const auto whole = contents_of(desk, "whole");
  REQUIRE(whole.size() == 601);
  const auto end = [&](const std::function<void(pid_t)>& how) {
    // Five runs at once: nine traces of five platforms, and then the tenth of each.
    const Lease lease(desk.path() / "t9/kernel-1.traceg");
    const pid_t program = desk.start(with(command, {"-r", "r", "--jobs", "5", "--lines"}));
    wait_for([&] { return lines_of(desk.output()) == 45; });
    std::vector<pid_t> all;
    for (const pid_t platform : children_of(program)) {
      all.push_back(platform);
      for (const pid_t run : children_of(platform)) all.push_back(run);
    }
    how(program);
    const Outcome outcome = desk.finish(program);
    // Traces may be read again only then, because a run whose end takes a while would go on.
    for (const pid_t p : all) wait_for([&] { return is_dead(p); });
    return outcome;
  };
  const auto check_resumed = [&] {
    CHECK(records(desk, staged).size() == 45);
    CHECK_FALSE(desk.files().count("r/results.json"));
    const Outcome o = desk.run(with(command, {"-r", "r", "--resume", "--lines"}));
    CHECK(o.code == 0);
    CHECK(o.err == "subcore: 45 of 100 runs are kept from before\n");
    CHECK(lines_of(o.out) > 100);
    CHECK(runs_done(desk, "r") == 55);
    CHECK(contents_of(desk, "r") == whole);
    check_nothing_of_ours(desk);
    fs::remove_all(desk.path() / "r");
  };
  const std::string kept = "; 45 of 100 runs are kept in r: the same command with --resume runs the rest\n";
  for (const auto& [number, name] :
       {std::pair(SIGINT, "2 (Interrupt)"), std::pair(SIGTERM, "15 (Terminated)"),
        std::pair(SIGHUP, "1 (Hangup)")}) {
    const int s = number;
    const Outcome o = end([&](pid_t program) { kill(program, s); });
    CHECK(o.code == 128 + s);
    CHECK(o.err == "subcore: error: interrupted by signal " + std::string(name) + kept);
    check_resumed();
  }
  const Outcome of_child = end([](pid_t program) {
    for (const pid_t platform : children_of(program))
      for (const pid_t run : children_of(platform)) {
        kill(run, SIGKILL);
        return;
      }
  });
  CHECK(of_child.code == 1);
  CHECK_THAT(of_child.err,
             Contains(" on t9: the run was ended by signal 9 (Killed)") && Catch::EndsWith(kept));
  check_resumed();
  CHECK(end([](pid_t program) { kill(program, SIGKILL); }).signal == SIGKILL);
  check_resumed();
}

TEST_CASE("runs that were kept are dropped by a command that does not ask for them, and it says so") {
  const Desk desk;
  const Strings command = with(grid(desk, 2), {"-r", "r"});
  desk.write("t1/kernel-1.traceg", "no trace");
  const Outcome failed = desk.run(with(command, {"--jobs", "1"}));
  CHECK(failed.code == 1);
  CHECK_THAT(
      failed.err,
      Contains("t1/kernel-1.traceg:1: ") &&
          Catch::EndsWith("; 1 of 4 runs is kept in r: the same command with --resume runs the rest\n"));
  CHECK(records(desk, staged) == std::set<std::string>{"p0/t0/run.json"});
  grid(desk, 2);
  const Outcome o = desk.run(command);
  CHECK(o.code == 0);
  CHECK(o.err ==
        "subcore: note: finished runs kept in r and now dropped: 1; --resume would have taken them\n");
  CHECK(runs_done(desk, "r") == 4);
  check_nothing_of_ours(desk);
}

TEST_CASE("only what a change touches runs again") {
  const Desk desk;
  const Strings command = grid(desk, 3);
  desk.succeed(with(command, {"-r", "r"}));
  const auto resume = [&](const Strings& arguments, const std::string& said, std::size_t done) {
    const Outcome o = desk.run(with(arguments, {"-r", "r", "--resume", "--overwrite"}));
    CHECK(o.code == 0);
    CHECK(o.err.substr(0, o.err.find('\n')) == "subcore: " + said);
    CHECK(runs_done(desk, "r") == done);
    fs::remove_all(desk.path() / "anew");
    desk.succeed(with(arguments, {"-r", "anew"}));
    CHECK(contents_of(desk, "r") == contents_of(desk, "anew"));
    check_nothing_of_ours(desk);
  };
  resume(command, "9 of 9 runs are kept from before", 0);
  desk.write("p1.yaml", "extends: malekeh.yaml\n");
  resume(command, "6 of 9 runs are kept from before; 3 of another platform", 3);
  desk.trace("t2", sound_lines());
  resume(command, "6 of 9 runs are kept from before; 3 of another trace", 3);
  desk.write("t0/kernel-1.sass", "# nothing\n");
  resume(command, "6 of 9 runs are kept from before; 3 of another trace", 3);
  resume(with(command, {"-s", "seed=1"}), "9 of 9 runs are kept from before", 0);  // the seed was 1 before
  resume(with(command, {"-s", "memory.hit_latency=77"}),
         "0 of 9 runs are kept from before; 9 of another platform", 9);
  resume(command, "0 of 9 runs are kept from before; 9 of another platform", 9);
  desk.trace("t3", sound_lines() + sound_lines());
  resume(with(command, {"-t", "t3"}), "9 of 12 runs are kept from before", 3);
  resume({"run", "-p", "p1.yaml", "-t", "t2", "-t", "t0"}, "2 of 2 runs are kept from before", 0);
  resume({"run", "-p", "p1.yaml", "-t", "t2", "-t", "t0", "--kernel", "1"},
         "0 of 2 runs are kept from before; 2 of another trace", 2);
  // A table of energies by another name for the same file.
  desk.write("table.yaml", content_of(fs::path(SUBCORE_SOURCE_DIR) / "power/tables/cacti22.yaml"));
  const Strings own{"run", "-p", "p1.yaml", "-t", "t2", "-s", "energy.preset=table.yaml"};
  resume(own, "0 of 1 runs are kept from before; 1 of another platform", 1);
  resume(own, "1 of 1 runs is kept from before", 0);
  std::string table = desk.file("table.yaml");
  table.replace(table.find("{32: 24.7}"), 10, "{32: 42.7}");
  desk.write("table.yaml", table);
  resume(own, "0 of 1 runs are kept from before; 1 of another platform", 1);
}

TEST_CASE("what is not whole, or has been changed, is no finished run") {
  const Desk desk;
  const Strings command = with(grid(desk, 2), {"-r", "r"});
  desk.succeed(command);
  const auto whole = contents_of(desk, "r");
  const auto spoil = [&](const std::string& file, const std::string& content) {
    // The command seems to have been killed before it could publish the runs.
    fs::rename(desk.path() / "r", desk.path() / "old");
    fs::create_directory(desk.path() / "r");
    fs::rename(desk.path() / "old", desk.path() / staged);
    fs::remove(desk.path() / staged / "results.json");
    if (content.empty())
      fs::remove(desk.path() / staged / "p1/t0" / file);
    else
      desk.write(std::string(staged) + "/p1/t0/" + file, content);
    const Outcome o = desk.run(with(command, {"--resume"}));
    CHECK(o.code == 0);
    CHECK(runs_done(desk, "r") == 1);
    CHECK(contents_of(desk, "r") == whole);
    check_nothing_of_ours(desk);
    return o.err;
  };
  const std::string kept = "subcore: 3 of 4 runs are kept from before";
  for (const char* file :
       {"stats.json", "stats.csv", "intervals.csv", "power.csv", "platform.yaml", "run.json"}) {
    CHECK(spoil(file, "") == kept + "\n");
    const std::string content = whole.at("p1/t0/" + std::string(file));
    CHECK(spoil(file, content.substr(0, content.size() / 2)) == kept + "\n");
  }
  // A record that has been changed does not count.
  std::string record = whole.at("p1/t0/run.json");
  const std::size_t program = record.find("\"program\": \"") + 12;
  record[program] = record[program] == '0' ? '1' : '0';
  CHECK(spoil("run.json", record) == kept + "\n");
}

TEST_CASE("a run without a profile does not stand in for one with it") {
  const Desk desk;
  const Strings command = with(grid(desk, 2), {"-r", "r"});
  desk.succeed(command);
  const auto without = contents_of(desk, "r");
  const Outcome o = desk.run(with(command, {"--profile", "--resume"}));
  CHECK(o.err == "subcore: 0 of 4 runs are kept from before\n");
  const auto profiled = contents_of(desk, "r");
  CHECK(profiled.size() == without.size() + 4);
  CHECK(desk.run(with(command, {"--profile", "--resume"})).err ==
        "subcore: 4 of 4 runs are kept from before\n");
  CHECK(contents_of(desk, "r") == profiled);
  CHECK(desk.run(with(command, {"--resume"})).err == "subcore: 4 of 4 runs are kept from before\n");
  CHECK(contents_of(desk, "r") == without);
}

TEST_CASE("a record that somebody has changed is no finished run") {
  const Desk desk;
  const Strings command = with(grid(desk, 2), {"-r", "r"});
  desk.succeed(command);
  const auto whole = contents_of(desk, "r");
  const Json record = desk.json("r/p1/t0/run.json");
  for (const Json& cycles :
       {Json(record["result"]["cycles"].get<long>() + 1), Json(-5), Json(1e100), Json("7"), Json()}) {
    nlohmann::ordered_json changed = nlohmann::ordered_json::parse(whole.at("p1/t0/run.json"));
    changed["result"]["cycles"] = cycles;
    desk.write("r/p1/t0/run.json", changed.dump(2) + "\n");
    const Outcome o = desk.run(with(command, {"--resume"}));
    CHECK(o.code == 0);
    CHECK(o.err == "subcore: 3 of 4 runs are kept from before\n");
    CHECK(contents_of(desk, "r") == whole);
  }
}

TEST_CASE("a run of which a view is asked for runs") {
  const Desk desk;
  grid(desk, 1);
  const Strings command{"run", "-p", "p0.yaml", "-t", "t0", "-r", "r", "--resume"};
  desk.run(command);
  const Outcome o = desk.run(with(command, {"--vcd", "w.vcd"}));
  CHECK(o.err == "subcore: 0 of 1 runs are kept from before\n");
  CHECK(runs_done(desk, "r") == 1);
  CHECK(desk.files().count("w.vcd") == 1);
  CHECK(desk.run(with(command, {"--pipeline", "p.log"})).code == 0);
  CHECK(desk.files().count("p.log") == 1);
}

TEST_CASE("runs made apart are gathered, whatever their traces are called together") {
  const Desk desk;
  const Strings command = grid(desk, 3);
  fs::create_directories(desk.path() / "a");
  fs::copy(desk.path() / "t2", desk.path() / "a/t1", fs::copy_options::recursive);
  const Strings all = with(command, {"-t", "a/t1"});
  desk.succeed(with(all, {"-r", "whole"}));
  desk.succeed({"run", "-p", "p0.yaml", "-t", "t0", "-t", "t1", "-t", "t2", "-r", "chunks/0"});
  desk.succeed({"run", "-p", "p1.yaml", "-p", "p2.yaml", "-t", "t0", "-r", "chunks/1"});
  desk.succeed({"run", "-p", "p1.yaml", "-p", "p2.yaml", "-t", "a/t1", "-r", "chunks/2"});
  const auto chunks = contents_of(desk, "chunks");
  const Outcome o = desk.run(with(all, {"-r", "r", "--finished", "chunks/1", "--finished", "chunks"}));
  CHECK(o.code == 0);
  CHECK(o.err == "subcore: 10 of 12 runs are kept from before\n");  // t2 is a/t1 by another name
  CHECK(contents_of(desk, "r") == contents_of(desk, "whole"));
  CHECK(contents_of(desk, "chunks") == chunks);
  desk.refuse(with(all, {"-r", "s", "--finished", "t1"}), {"t1: has no finished run", "expected"});
  desk.refuse(with(all, {"-r", "s", "--finished", "nowhere"}), {"nowhere: ", "No such file"});
}

TEST_CASE("with --keep-going the other runs go on, and the failures are listed at the end") {
  const Desk desk;
  const Strings plain = grid(desk, 3), command = with(plain, {"-r", "r", "--jobs", "1"});
  desk.succeed(with(plain, {"-r", "whole"}));
  desk.write("t1/kernel-1.traceg", "no trace");
  const Outcome o = desk.run(with(command, {"--keep-going"}));
  CHECK(o.code == 1);
  CHECK(o.out.empty());
  CHECK(lines_of(o.err) == 4);
  CHECK_THAT(o.err, Catch::StartsWith("subcore: failed: t1/kernel-1.traceg:1: ") &&
                        Catch::EndsWith(
                            "subcore: error: 3 of 9 runs have failed, as said above; 6 of 9 runs are kept "
                            "in r: the same command with --resume runs the rest\n"));
  CHECK(records(desk, staged).size() == 6);
  CHECK_FALSE(desk.files().count("r/results.json"));
  grid(desk, 3);
  CHECK(desk.run(with(command, {"--resume", "-k"})).err == "subcore: 6 of 9 runs are kept from before\n");
  CHECK(contents_of(desk, "r") == contents_of(desk, "whole"));
}

TEST_CASE("with --keep-going a platform that is killed takes only its running runs with it") {
  const Desk desk;
  const Strings command = with(grid(desk, 3), {"-r", "r", "--jobs", "1", "--keep-going"});
  pid_t program = 0;
  {
    const Lease lease(desk.path() / "t1/kernel-1.traceg");
    program = desk.start(with(command, {"--lines"}));
    wait_for([&] { return lines_of(desk.output()) == 1; });
    lease.await_other();
    REQUIRE(children_of(program).size() == 1);
    const pid_t platform = children_of(program).front();
    const std::vector<pid_t> runs = children_of(platform);
    REQUIRE(runs.size() == 1);
    kill(platform, SIGKILL);
    // The trace may be read again only then, because a run whose end takes a while would be kept.
    wait_for([&] { return is_dead(runs.front()); });
  }
  const Outcome o = desk.finish(program);
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Catch::StartsWith("subcore: failed: p0 on t1: the run was ended by signal 9 (Killed)") &&
                        Contains("1 of 9 runs have failed, as said above; 8 of 9 runs are kept in r"));
  CHECK(desk.run(with(command, {"--resume"})).err == "subcore: 8 of 9 runs are kept from before\n");
}

TEST_CASE("what cannot be published is kept") {
  const Desk desk;
  const Strings plain = grid(desk, 2), command = with(plain, {"-r", "r"});
  desk.succeed(with(plain, {"-r", "whole"}));
  pid_t program = 0;
  {
    const Lease lease(desk.path() / "t1/kernel-1.traceg");
    program = desk.start(command);
    lease.await_other();
    desk.write("r/p1/t1/stats.csv/mine", "mine");
  }
  const Outcome o = desk.finish(program);
  CHECK(o.code == 1);
  CHECK(o.err ==
        "subcore: error: cannot write r/p1/t1/stats.csv: the path is a directory; 4 of 4 runs are kept in r: "
        "the "
        "same "
        "command with --resume runs the rest\n");
  desk.refuse(command, {"r/p1/t1/stats.csv: the path is a directory"});
  fs::remove_all(desk.path() / "r/p1/t1/stats.csv");
  CHECK(desk.run(with(command, {"--resume"})).err == "subcore: 4 of 4 runs are kept from before\n");
  CHECK(contents_of(desk, "r") == contents_of(desk, "whole"));
  check_nothing_of_ours(desk);
}

TEST_CASE("options for runs that are finished without a place for them") {
  const Desk desk;
  const Strings command = grid(desk, 2);
  desk.refuse(with(command, {"--resume"}), {"--resume without results", "expected --results"});
  desk.refuse(with(command, {"--finished", "r"}), {"--finished without a place", "expected --results"});
  Strings explain = command;
  explain.front() = "explain";
  desk.refuse(with(explain, {"--resume"}), {"--resume without results", "expected --results"});
}

}  // namespace resume_test
