// A run that fails leaves its waveform, pipeline view and profile up to the failure, named as partial.
#include <catch2/catch.hpp>

#include "tests/program/kanata.h"
#include "tests/program/program.h"
#include "tests/program/vcd.h"

namespace partial_test {

using namespace subcore::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

Strings stale_run(const Desk& desk, const Strings& more) {
  desk.trace("t", stale_lines());
  return with(with({"run", "-p", "malekeh", "-t", "t"}, stale_settings), more);
}

void check_views(const Desk& desk, const Outcome& o, const std::string& first_word) {
  INFO(o.err);
  CHECK(o.code == 1);
  CHECK(o.out.empty());
  CHECK_THAT(o.err, Contains(first_word) &&
                        Contains("; up to there: waveform w.partial.vcd, pipeline view p.partial.log, "
                                 "profile r/"));
  for (const char* f : {"w.vcd", "w.gtkw", "p.log", "x.json", "r/results.json"})
    CHECK_FALSE(desk.files().count(f));
  const Vcd v = read_vcd(desk.file("w.partial.vcd"));
  CHECK(v.times.size() > 10);
  CHECK_THAT(desk.file("w.partial.vcd"),
             Contains("$comment partial: the run failed: ") && Contains(first_word));
  CHECK_THAT(desk.file("w.partial.gtkw"), Contains("[dumpfile] \"w.partial.vcd\""));
  const std::string view = desk.file("p.partial.log");
  CHECK(view.rfind("Kanata\t0004\n", 0) == 0);
  CHECK(view.back() == '\n');
  CHECK(lines_of(view) > 30);
  CHECK(Kanata(view).operations.size() > 1);
  for (const std::string& f : desk.files()) CHECK(f.find(".subcore-") == std::string::npos);
}

const Strings views{"--vcd", "w.vcd", "--pipeline", "p.log", "-r", "r", "--profile", "-j", "x.json"};

}  // namespace

TEST_CASE("a stale operand leaves its views and its profile") {
  const Desk desk;
  const Outcome o = desk.run(stale_run(desk, views));
  check_views(desk, o, "program order demands");
  CHECK(lines_of(o.err) == 1);
  const auto profile = desk.json("r/malekeh/t/profile.partial.json");
  CHECK_THAT(profile["partial"].get<std::string>(), Contains("program order demands"));
  CHECK(profile["cycles"] > 10);
  const Outcome told = desk.succeed({"explain", "r/malekeh/t/profile.partial.json"});
  CHECK_THAT(told.out, Contains("malekeh (partial)"));
  // A run that then succeeds writes its waveform beside the partial one, and its profile in place of the
  // partial one.
  Strings right = with({"run", "-p", "malekeh", "-t", "t"}, views);
  desk.succeed(with(right, {"--quiet"}));
  CHECK(desk.files().count("w.vcd") + desk.files().count("w.partial.vcd") == 2);
  CHECK(desk.files().count("r/malekeh/t/profile.json") == 1);
  CHECK(desk.files().count("r/malekeh/t/profile.partial.json") == 0);
}

TEST_CASE("a run without progress and a trace that ends in the middle leave theirs") {
  const Desk desk;
  desk.trace("t", sound_lines());
  Outcome o = desk.run(with({"run", "-p", "baseline", "-t", "t", "-s", "checks.watchdog_cycles=1000", "-s",
                             "memory.miss_latency=90000"},
                            views));
  check_views(desk, o, "no progress in 1000 cycles");
  const Desk other;
  other.trace("t", sound_lines());
  other.write("t/kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n");
  other.write("t/kernel-2.traceg", header() + one_warp("0000 ffffffff 1 R999 MOV 0 0 \n"));
  o = other.run(with({"run", "-p", "baseline", "-t", "t"}, views));
  check_views(other, o, "t/kernel-2.traceg:17: ");
  CHECK(lines_of(o.err) == 1);
}

TEST_CASE("packed views of a run that fails can be unpacked") {
  const Desk desk;
  const Outcome o = desk.run(stale_run(desk, {"--vcd", "w.vcd.gz", "--pipeline", "p.log.gz"}));
  CHECK_THAT(o.err, Contains("; up to there: waveform w.partial.vcd.gz, pipeline view p.partial.log.gz\n"));
  const std::string folder = desk.path().string();
  CHECK(std::system(
            ("cd " + folder + " && gzip -dc w.partial.vcd.gz >w && gzip -dc p.partial.log.gz >p").c_str()) ==
        0);
  CHECK(read_vcd(desk.file("w")).times.size() > 10);
  CHECK(desk.file("p").rfind("Kanata", 0) == 0);
}

TEST_CASE("a run that fails before its first cycle leaves nothing to look at") {
  const Desk desk;
  desk.trace("t", "0000 ffffffff 1 R999 MOV 0 0 \n");
  const std::set<std::string> before = desk.files();
  const Outcome o = desk.run(with({"run", "-p", "baseline", "-t", "t"}, views));
  CHECK(o.code == 1);
  CHECK_THAT(o.err, !Contains("up to there"));
  CHECK(desk.files() == before);
}

TEST_CASE("of several runs each one that fails leaves its profile") {
  const Desk desk;
  stale_run(desk, {});
  desk.trace("u", sound_lines());
  const Outcome o =
      desk.run(with({"run", "-p", "malekeh", "-t", "t", "-t", "u", "-r", "r", "--profile", "--keep-going"},
                    stale_settings));
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Contains("2 of 2 runs have failed") &&
                        Contains("; up to there: profile r/malekeh/t/profile.partial.json"));
  CHECK(desk.json("r/malekeh/t/profile.partial.json").contains("partial"));
  CHECK_FALSE(desk.files().count("r/results.json"));
}

TEST_CASE("timeline shows the rows up to a failure") {
  const Desk desk;
  desk.trace("t", stale_lines());
  const Outcome o =
      desk.run(with({"timeline", "-p", "malekeh", "-t", "t", "--rows", "1000"}, stale_settings));
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Contains("program order demands"));
  CHECK(lines_of(o.out) > 3);
}

}  // namespace partial_test
