// The user's cache of packed traces, as commands use it. Results are the same with and without the cache, and
// nothing fails where there can be no cache.
#include <cerrno>
#include <map>

#include <catch2/catch.hpp>
#include <signal.h>
#include <sys/stat.h>

#include "tests/program/program.h"

namespace trace_cache_test {

using namespace subcore::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

// A desk whose programs have a cache of their own, which is empty at first.
class CachedDesk : public Desk {
 public:
  fs::path folder() const { return home_.path() / "cache" / "subcore"; }
  std::string shell(const std::string& megabytes = "100") const {
    return "export HOME=" + home_.path().string() + " XDG_CACHE_HOME=" + (home_.path() / "cache").string() +
           " SUBCORE_CACHE_MEGABYTES=" + megabytes;
  }
  Outcome with_cache(const Strings& arguments, const std::string& more = "") const {
    return run(arguments, shell() + more);
  }
  // As Desk::succeed().
  Outcome succeed_quietly(const Strings& arguments, const std::string& more = "") const {
    Outcome o = with_cache(arguments, more);
    INFO(o.err);
    REQUIRE((o.code == 0 && o.signal == 0 && o.err.empty()));
    return o;
  }
  // How many files with the suffix the cache has.
  std::size_t count(const std::string& suffix) const {
    std::size_t n = 0;
    if (fs::exists(folder()))
      for (const auto& e : fs::directory_iterator(folder()))
        n += suffix.empty() || e.path().extension() == suffix ? 1 : 0;
    return n;
  }
  const fs::path& home() const { return home_.path(); }

 private:
  TemporaryFolder home_;
};

// The files that a run leaves, without its time.
std::string results_of(const Desk& desk, const std::string& file) {
  auto results = nlohmann::ordered_json::parse(desk.file(file));
  if (results.is_object()) results = nlohmann::ordered_json::array({results});
  for (auto& run : results) run.erase("wall_seconds");
  return results.dump();
}

}  // namespace

TEST_CASE("results are the same with a cache that is cold, warm, or off") {
  if (!fs::exists(project_traces())) return;
  const CachedDesk desk;
  Strings run{"run", "-p", "malekeh", "-p", "bow_wr", "-p", "nvidia_turing", "-p", "software_rfc"};
  for (const char* trace : {"bfs", "hotspot", "lud"})
    run.insert(run.end(), {"-t", (project_traces() / trace).string()});
  desk.succeed(with(run, {"-j", "without.json"}));
  const Outcome first = desk.with_cache(with(run, {"-j", "cold.json"}));
  CHECK(first.code == 0);
  CHECK(first.err == "subcore: note: packed copies of traces are kept in " + desk.folder().string() +
                         ", so that reading them again takes less time (subcore cache --help)\n");
  const std::size_t copies = desk.count(".packed"), passes = desk.count(".pass");
  CHECK(copies >= 10);
  CHECK(passes >= 10);
  CHECK(desk.count("") == copies + passes + desk.count(".stamp"));
  desk.succeed_quietly(with(run, {"-j", "warm.json"}));
  desk.succeed_quietly(with(run, {"-j", "off.json", "--no-cache"}));
  CHECK(desk.count(".packed") == copies);
  CHECK(desk.count(".pass") == passes);
  const std::string without = results_of(desk, "without.json");
  for (const char* file : {"cold.json", "warm.json", "off.json"}) CHECK(results_of(desk, file) == without);
}

TEST_CASE("each command that reads traces says the same with a cache") {
  if (!fs::exists(project_traces())) return;
  const CachedDesk desk;
  const std::string trace = (project_traces() / "hotspot").string();
  for (const Strings& command :
       {Strings{"timeline", "-p", "malekeh", "-t", trace}, Strings{"trace-info", trace, "-j", "-"},
        Strings{"annotate", trace}, Strings{"annotate", trace, "--lint"},
        Strings{"explain", "-p", "baseline", "-p", "malekeh", "-t", trace},
        Strings{"timeline", "-p", "malekeh", "-t", trace}}) {
    INFO(command[0]);
    const std::size_t before = desk.count(".packed");
    const Outcome without = desk.run(command), off = desk.with_cache(with(command, {"--no-cache"}));
    CHECK(off.err.empty());
    CHECK(desk.count(".packed") == before);
    const Outcome cold = desk.with_cache(command), warm = desk.succeed_quietly(command);
    for (const Outcome* o : {&off, &cold, &warm}) CHECK((o->out == without.out && o->code == without.code));
    CHECK((desk.count(".packed") > 0) == (command[0] != "timeline" || before > 0));
  }
}

TEST_CASE("what is wrong with a trace is said by its text, with a cache, too") {
  const CachedDesk desk;
  desk.trace("bad", sound_lines() + "nonsense\n");
  const Outcome without = desk.run({"run", "-p", "baseline", "-t", "bad"});
  for (int again = 0; again < 2; ++again) {
    const Outcome o = desk.with_cache({"run", "-p", "baseline", "-t", "bad"});
    CHECK((o.code == 1 && o.out == without.out));
    CHECK(lines_in(o.err).back() == lines_in(without.err).back());
  }
  CHECK(desk.count("") == 0);
}

TEST_CASE("subcore cache says where copies are, and removes them") {
  const CachedDesk desk;
  desk.trace("t", sound_lines());
  const std::string where = desk.folder().string();
  CHECK(desk.succeed_quietly({"cache"}).out ==
        where + ": 0 packed copies of kernels, 0 results of compiler passes, 0 MB of 100 MB\n");
  desk.with_cache({"run", "-p", "software_rfc", "-t", "t"});
  CHECK(desk.succeed_quietly({"cache"}).out ==
        where + ": 1 packed copy of a kernel, 1 result of compiler passes, 1 MB of 100 MB\n");
  const auto json = nlohmann::json::parse(desk.succeed_quietly({"cache", "--json", "-"}).out);
  CHECK((json.at("folder") == where && json.at("traces") == 1 && json.at("passes") == 1));
  CHECK((json.at("bytes") >= 8192 && json.at("most_bytes") == 100'000'000));
  desk.refuse({"cache", "--clear", "--json", "-"}, {"--json and --clear", "expected one of them"},
              desk.shell());
  std::ofstream(desk.folder() / "mine") << "x";
  CHECK(desk.succeed_quietly({"cache", "--clear"}).out ==
        where + ": removed 1 packed copy of a kernel, 1 result of compiler passes, 1 MB\n");
  CHECK(desk.count("") == 1);  // the entry that does not belong to the cache
  fs::remove(desk.folder() / "mine");
  desk.succeed_quietly({"cache", "--clear"});
  CHECK_FALSE(fs::exists(desk.folder()));
  CHECK_THAT(desk.run({"cache"}, desk.shell("0")).out,
             Contains("\nnothing is kept, as SUBCORE_CACHE_MEGABYTES says\n"));
  CHECK(desk.run({"cache"}, "unset HOME XDG_CACHE_HOME").out ==
        "no cache: neither XDG_CACHE_HOME nor HOME names an absolute path\n");
  CHECK_THAT(desk.run({"cache"}, "unset SUBCORE_CACHE_MEGABYTES; export HOME=/h XDG_CACHE_HOME=relative").out,
             Contains("/h/.cache/subcore: 0 packed copies") && Contains(" of 4000 MB\n"));
  for (const char* wrong : {"many", "-1", "1e3", "1000000001"})
    for (const Strings& command : {Strings{"cache"}, Strings{"run", "-p", "baseline", "-t", "t"}})
      desk.refuse(command, {"SUBCORE_CACHE_MEGABYTES: '" + std::string(wrong) + "'; expected a whole number"},
                  desk.shell(wrong));
  desk.refuse({"cache", "x"}, {"unexpected argument 'x'; expected no argument"});
}

TEST_CASE("a cache that cannot be written is done without") {
  const CachedDesk desk;
  // Differences that do not pack well: a copy is larger than the limit below.
  std::string lines;
  for (unsigned i = 0, n = 1; i < 300; ++i) {
    lines += "0010 ffffffff 1 R5 LDG.E.SYS 1 R4 4 2 0x7f4100000000";
    for (unsigned lane = 1; lane < 32; ++lane, n = n * 1664525 + 1013904223)
      lines += " " + std::to_string((n >> 9) & 0xfff);
    lines += "\n";
  }
  desk.trace("t", lines);
  const Strings run{"run", "-p", "baseline", "-t", "t", "-j", "a.json"};
  desk.succeed(run);
  const std::string without = results_of(desk, "a.json");
  // A file in the folder's place; a limit on the size of files, which fails like a full disk.
  std::ofstream(desk.home() / "cache") << "x";
  desk.succeed_quietly(run);
  CHECK(results_of(desk, "a.json") == without);
  CHECK_THAT(desk.with_cache({"cache"}).out,
             Contains("\nnothing can be kept there: ") && Contains(" is not a folder\n"));
  fs::remove(desk.home() / "cache");
  fs::create_directories(desk.folder());
  Strings to_nothing = run;
  to_nothing.back() = "/dev/null";
  desk.succeed_quietly(to_nothing, "; ulimit -f 8");
  CHECK(desk.count("") == desk.count(".stamp"));
  desk.succeed_quietly(to_nothing);
  CHECK(desk.count(".packed") == 1);
}

// A sanitizer must be the first library, and allocates memory in its own way.
#ifndef __SANITIZE_ADDRESS__

TEST_CASE("each call on the cache's files fails once, and nothing is wrong and nothing left") {
  const CachedDesk desk;
  desk.trace("t", sound_lines());
  const Strings run{"run", "-p", "software_rfc", "-t", "t", "-j", "a.json"};
  desk.succeed(run);
  const std::string without = results_of(desk, "a.json");
  const std::map<std::string, int> faults{{"open", EIO},   {"opendir", EIO},  {"stat", EIO},
                                          {"read", EIO},   {"write", ENOSPC}, {"close", EIO},
                                          {"rename", EIO}, {"unlink", EIO},   {"mkdir", EIO}};
  for (const auto& [call, error] : faults)
    for (const bool warm : {false, true}) {
      unsigned n = 1;
      for (bool hit = true; hit && n < 200; ++n) {
        desk.with_cache({"cache", "--clear"});
        fs::create_directories(desk.folder());
        if (warm) desk.with_cache(run);
        const fs::path sign = desk.home() / "hit";
        fs::remove(sign);
        const Outcome o = desk.with_cache(
            run, std::string("; export LD_PRELOAD=" SUBCORE_FAULT) + " FAULT_CALL=" + call +
                     " FAULT_PATH=" + desk.folder().string() + " FAULT_NTH=" + std::to_string(n) +
                     " FAULT_ERRNO=" + std::to_string(error) + " FAULT_HIT=" + sign.string());
        hit = fs::exists(sign);
        INFO(call << " " << n << (warm ? " warm: " : ": ") << o.err);
        // Reading a copy may fail in its middle, which is an error of one line. The copy is then removed.
        if (call == "read" && o.code == 1) {
          CHECK_THAT(o.err, Contains("its packed copy"));
          CHECK(desk.count(".packed") == 0);
        } else {
          REQUIRE(o.code == 0);
          REQUIRE(o.err.empty());
          REQUIRE(results_of(desk, "a.json") == without);
        }
        // The next command that writes makes the copy whole again.
        for (const auto& e : fs::directory_iterator(desk.folder()))
          if (e.path().extension() == ".packed") fs::remove(e.path());
        REQUIRE(desk.with_cache(run).code == 0);
        REQUIRE(results_of(desk, "a.json") == without);
        REQUIRE(desk.count(".packed") == 1);
        REQUIRE(desk.count("") == desk.count(".packed") + desk.count(".pass") + desk.count(".stamp"));
      }
      CHECK(n < 200);
    }
}

#endif

TEST_CASE("runs that fill one cache at once, and one that is killed meanwhile, are right") {
  if (!fs::exists(project_traces())) return;
  const CachedDesk desk, other;
  const Strings run{"run", "-p", "bow_wr", "-p", "malekeh", "-t", (project_traces() / "bfs").string()};
  desk.succeed(with(run, {"-j", "without.json"}));
  fs::create_directories(desk.folder());
  const pid_t killed = other.start(run, desk.shell());
  const pid_t one = desk.start(with(run, {"-j", "one.json"}), desk.shell());
  const pid_t two = other.start(with(run, {"-j", "two.json"}), desk.shell());
  kill(-killed, SIGKILL);
  CHECK(desk.finish(one).code == 0);
  CHECK(other.finish(two).code == 0);
  other.finish(killed);
  CHECK(results_of(desk, "one.json") == results_of(desk, "without.json"));
  CHECK(results_of(other, "two.json") == results_of(desk, "without.json"));
  // A run that writes a copy removes the files that the killed run has left.
  desk.trace("t", sound_lines());
  desk.succeed_quietly({"run", "-p", "malekeh", "-t", "t"});
  CHECK(desk.count("") == desk.count(".packed") + desk.count(".pass") + desk.count(".stamp"));
}

}  // namespace trace_cache_test
