// System calls that fail once. Whichever call fails, no result is lost without a message, and no file is half
// written.
#include <cerrno>
#include <fstream>
#include <functional>
#include <map>

#include <catch2/catch.hpp>
#include <sys/file.h>

#include "tests/program/lease.h"
#include "tests/program/program.h"

namespace fault_test {

using namespace subcore::test;
using Catch::Contains;
using Json = nlohmann::json;
namespace fs = std::filesystem;

// A sanitizer must be the first library, and allocates memory in its own way.
#ifndef __SANITIZE_ADDRESS__

namespace {

struct Fault {
  const char* call;
  int error;
};

const std::vector<Fault> faults{{"open", EIO},   {"open", EMFILE},  {"opendir", EIO}, {"stat", EIO},
                                {"read", EIO},   {"write", ENOSPC}, {"close", EIO},   {"rename", EIO},
                                {"unlink", EIO}, {"mkdir", EIO}};

// A desk with results in r, of two platforms on one trace, made anew for each fault.
class Faults {
 public:
  Faults() {
    desk.trace("t", sound_lines());
    desk.trace("u", sound_lines() + sound_lines());
    // Each run has a curve of several intervals.
    desk.succeed(
        {"compare", "-p", "baseline", "-p", "malekeh", "-t", "t", "-r", "r", "-s", "interval_cycles=1000"});
    keep("before");
  }
  void keep(const std::string& name) const {
    fs::copy(desk.path() / "r", desk.path() / name, fs::copy_options::recursive);
  }
  void again(const std::string& name) const {
    fs::remove_all(desk.path() / "r");
    if (!name.empty()) fs::copy(desk.path() / name, desk.path() / "r", fs::copy_options::recursive);
  }
  // Runs the program and lets the n-th such call on a path that contains `path` fail.
  // `more` are further variables.
  Outcome run(const Strings& arguments, const Fault& f, const std::string& path, unsigned n,
              const std::string& more = "") {
    fs::remove(hit());
    return desk.run(arguments, std::string("export LD_PRELOAD=" SUBCORE_FAULT) + " FAULT_CALL=" + f.call +
                                   " FAULT_PATH=" + path + " FAULT_NTH=" + std::to_string(n) +
                                   " FAULT_ERRNO=" + std::to_string(f.error) + " FAULT_HIT=" +
                                   hit().string() + (python_.empty() ? "" : " PYTHON=" + python_) + more);
  }
  bool was_hit() const { return fs::exists(hit()); }
  // Every file in the folder, without files that are under way, and results.json without times.
  std::map<std::string, std::string> contents(const std::string& folder) const {
    std::map<std::string, std::string> all;
    for (const std::string& f : desk.files()) {
      if (f.rfind(folder + "/", 0) != 0 || fs::is_directory(desk.path() / f) ||
          f.find(".subcore-") != std::string::npos)
        continue;
      all[f.substr(folder.size() + 1)] = f == folder + "/results.json" ? results(folder) : desk.file(f);
    }
    return all;
  }
  std::string results(const std::string& folder) const {
    auto list = nlohmann::ordered_json::parse(desk.file(folder + "/results.json"));
    for (auto& r : list) r.erase("wall_seconds");
    return list.dump();
  }
  // Tries each fault for n = 1, 2 and so on, until a run passes untouched.
  void each(const std::string& state, const Strings& arguments, const std::string& path,
            const std::function<void(const Outcome&)>& check, unsigned step = 1) {
    for (const Fault& f : faults) {
      for (unsigned n = 1;; n += step) {
        again(state);
        const Outcome o = run(arguments, f, path, n);
        INFO(arguments.front() << ": " << f.call << " " << n << " fails with " << f.error << "\n" << o.err);
        if (!was_hit()) {
          CHECK(o.code == 0);
          break;
        }
        REQUIRE(n < 2000);
        CHECK(o.signal == 0);
        CHECK((o.code == 0 || o.code == 1));
        if (o.code == 1) {
          const std::size_t last = o.err.rfind("subcore: error: ");
          REQUIRE(last != std::string::npos);
          CHECK(o.err.find('\n', last) == o.err.size() - 1);
        }
        check(o);
      }
    }
  }

  // From here on a script that copies a page takes the place of the program's Python, which is slow and has
  // calls of its own.
  void let_python_copy(const std::string& page) {
    desk.write("page", page);
    desk.write("python", "#!/bin/sh\ncp '" + desk.path().string() + "/page' \"$4/out/page.html\"\n");
    python_ = desk.path() / "python";
    fs::permissions(python_, fs::perms::owner_all);
  }

  const Desk desk;

 private:
  std::string python_;
  fs::path hit() const { return marks_.path() / "hit"; }
  TemporaryFolder marks_;
};

}  // namespace

TEST_CASE("a call that fails once loses no result of a run") {
  Faults f;
  const Strings command{"run", "-p", "traditional", "-t", "u", "-r", "r", "--jobs", "1", "--quiet"};
  f.desk.succeed(command);
  f.keep("after");
  const auto before = f.contents("before"), after = f.contents("after");
  REQUIRE(after.size() == before.size() + 6);
  f.each(
      "before", command, f.desk.path().string() + "/r",
      [&](const Outcome& o) {
        if (o.code == 0) {
          CHECK(f.contents("r") == after);
          return;
        }
        for (const auto& [file, content] : before)
          if (file != "results.json") CHECK(f.contents("r")[file] == content);
        CHECK((f.results("r") == f.results("before") || f.results("r") == f.results("after")));
        CHECK(f.desk.run(with(command, {"--resume"})).code == 0);
        CHECK(f.contents("r") == after);
      },
      3);
}

TEST_CASE("a call that fails once loses no result that was kept") {
  Faults f;
  const Strings compare{"compare", "-p", "baseline", "-p", "malekeh", "-t", "t",
                        "-t",      "u",  "-r",       "r",  "--jobs",  "1",  "--quiet"};
  // Three runs of four are finished, and one of the three is already published.
  f.again("");
  f.desk.succeed(compare);
  f.keep("after");
  const auto after = f.contents("after");
  f.again("");
  f.desk.succeed({"run", "-p", "baseline", "-t", "t", "-r", "r", "--quiet"});
  const std::string good = f.desk.file("u/kernel-1.traceg");
  f.desk.write("u/kernel-1.traceg", good.substr(0, good.size() / 2));
  CHECK(f.desk.run(compare).code == 1);
  f.desk.write("u/kernel-1.traceg", good);
  f.keep("half");
  const auto check = [&](const Outcome& o) {
    if (o.code != 0) CHECK(f.desk.run(with(compare, {"--resume"})).code == 0);
    CHECK(f.contents("r") == after);
  };
  // Every call on the list of published results fails once, and every eleventh call on all else.
  f.each("half", with(compare, {"--resume"}), ".subcore-part/results.json", check);
  f.each("half", with(compare, {"--resume"}), f.desk.path().string() + "/r", check, 11);
}

TEST_CASE("a call that fails once leaves nothing out of a report") {
  Faults f;
  const Strings command{"report", "r", "-o", "r.html"};
  f.desk.succeed(command);
  const std::string page = f.desk.file("r.html");
  REQUIRE_THAT(page, Contains("<figure id=\"intervals_1_t\">"));
  const auto check = [&](const Outcome& o) {
    if (o.code == 0) CHECK(f.desk.file("r.html") == page);
    CHECK((!fs::exists(f.desk.path() / "r.html") || f.desk.file("r.html") == page));
    fs::remove(f.desk.path() / "r.html");
  };
  // Python's own reading.
  for (unsigned n = 1;; ++n) {
    REQUIRE(n < 50);
    const Outcome o = f.run(command, {"open", EIO}, f.desk.path().string() + "/r/results.json", n);
    check(o);
    if (!f.was_hit()) break;
    INFO(o.err);
    CHECK(o.code == 1);
    CHECK(lines_of(o.err) == 1);
  }
  // All calls of the program, with the page of before as Python's.
  f.let_python_copy(page);
  f.each("before", command, f.desk.path().string(), check);
  for (const std::string& file : f.desk.files()) CHECK(file.find(".partial") == std::string::npos);
}

// Before a command has files to remove, a signal ends it at once. Later it ends with a line that says so.
TEST_CASE("commands that are interrupted at any call leave no temporary folder") {
  Faults f;
  f.let_python_copy("a page");
  const fs::path temporary = f.desk.path() / "tmp";
  const std::string more =
      " FAULT_PROCESS=first FAULT_SIGNAL=" + std::to_string(SIGINT) + " TMPDIR=" + temporary.string();
  const auto each = [&](const Strings& command, unsigned step) {
    for (unsigned n = 1;; n += step) {
      REQUIRE(n < 2000);
      fs::create_directory(temporary);
      const Outcome o = f.run(command, {"any", 0}, "", n, more);
      INFO(command.front() << ", call " << n << ": code " << o.code << ", signal " << o.signal << "\n"
                           << o.err);
      CHECK(fs::is_empty(temporary));
      fs::remove_all(temporary);
      if (!f.was_hit()) break;
      CHECK((o.signal == SIGINT || o.code == 128 + SIGINT || o.code == 0));
    }
  };
  each({"report", "r", "-o", "r.html"}, 1);
  each({"explain", "-p", "baseline", "-t", "t"}, 7);
}

TEST_CASE("energy tables, platforms and sidecars that cannot be looked at are no missing ones") {
  Faults f;
  f.desk.write("t/kernel-1.sass", "# nothing\n");
  const Strings command{"run", "-p", "baseline", "-t", "t", "--json", "x.json", "--quiet"};
  f.desk.succeed(command);
  const Json whole = f.desk.json("x.json");
  for (const char* path : {"power/tables", "platforms", "/t/"})
    f.each("", command, path, [&](const Outcome& o) {
      if (o.code != 0) return;
      Json now = f.desk.json("x.json");
      now["wall_seconds"] = whole["wall_seconds"];
      CHECK(now == whole);
    });
}

TEST_CASE("finished files that have vanished before they are published are an error") {
  const Desk desk;
  desk.trace("t", sound_lines());
  desk.trace("u", sound_lines());
  const Strings command{"run", "-p",     "rtx2060_sm/baseline", "-t", "t", "-t", "u", "-r", "r", "--jobs",
                        "1",   "--quiet"};
  for (const char* file : {"stats.csv", "run.json"}) {
    pid_t program = 0;
    {
      const Lease lease(desk.path() / "u/kernel-1.traceg");
      program = desk.start(with(command, {"--lines"}));
      lease.await_other();
      for (int i = 0; i < 3000 && desk.output().empty(); ++i) usleep(1000);
      REQUIRE(fs::remove(desk.path() / "r/.subcore-part/rtx2060_sm/baseline/t" / file));
    }
    const Outcome o = desk.finish(program);
    CHECK(o.code == 1);
    CHECK_THAT(o.err, Contains(std::string("r/.subcore-part/rtx2060_sm/baseline/t/") + file +
                               ": is not there any more; expected"));
    CHECK(lines_of(o.err) == 1);
    CHECK_FALSE(desk.files().count("r/results.json"));
    CHECK(desk.run(with(command, {"--resume"})).code == 0);
    CHECK(desk.json("r/results.json").size() == 2);
    fs::remove_all(desk.path() / "r");
  }
}

TEST_CASE("what is written aside for an output goes, whatever ended its writer") {
  Faults f;
  const Desk& desk = f.desk;
  const Strings command{"run", "-p", "baseline", "-t", "t", "--json", "o.json", "--quiet"};
  unsigned refused = 0, later = 0;
  for (unsigned n = 1;; ++n) {
    const Outcome o = f.run(command, {"close", EIO}, "o.json", n);
    if (!f.was_hit()) break;
    if (o.code == 0) {  // the file had its name before the call failed
      CHECK(desk.json("o.json").contains("cycles"));
      fs::remove(desk.path() / "o.json");
      ++later;
    } else {
      CHECK_THAT(o.err, Contains("cannot write o.json: Input/output error"));
      ++refused;
    }
    for (const std::string& file : desk.files()) CHECK(file.find("o.json") == std::string::npos);
    REQUIRE(n < 10);
  }
  CHECK(refused > 0);
  CHECK(later > 0);
  desk.write("o.json.partial-77", "half");
  desk.write("o.json.partial-78-0", "half");
  desk.write("o.json.partial-mine", "mine");
  std::ofstream(desk.path() / "o.json.partial-79-0") << "half";
  const int other = open((desk.path() / "o.json.partial-79-0").c_str(), O_RDONLY);
  REQUIRE(flock(other, LOCK_EX) == 0);  // a living writer holds the lock
  desk.succeed(command);
  CHECK(desk.files().count("o.json.partial-77") + desk.files().count("o.json.partial-78-0") == 0);
  CHECK(desk.files().count("o.json.partial-mine") + desk.files().count("o.json.partial-79-0") == 2);
  close(other);
}

TEST_CASE("what is written aside for a packed trace goes, too") {
  const Desk desk;
  desk.trace("t", sound_lines());
  for (const char* folder : {"new.partial-77", "new.partial-78", "new.partial-mine", "newer.partial-79"})
    desk.write(std::string(folder) + "/below/kernel-1.traceg.packed", "half");
  desk.write("away/file", "mine");
  fs::create_symlink("away", desk.path() / "new.partial-80");
  const int other = open((desk.path() / "new.partial-78").c_str(), O_RDONLY | O_DIRECTORY);
  REQUIRE(flock(other, LOCK_EX) == 0);  // another process has the lock
  desk.succeed({"pack", "t", "-o", "new"});
  CHECK(desk.files().count("new.partial-77") == 0);
  for (const char* kept : {"new.partial-78", "new.partial-mine", "newer.partial-79", "new.partial-80"})
    CHECK(desk.files().count(kept) == 1);
  CHECK(desk.file("away/file") == "mine");
  close(other);
}

TEST_CASE("an allocation that fails is one line") {
  Faults f;
  const auto check = [&](const Strings& arguments, unsigned step) {
    unsigned failed = 0;
    for (unsigned n = 500;; n += step) {
      const Outcome o = f.run(arguments, {"malloc", ENOMEM}, "''", n);
      INFO(arguments.front() << ": allocation " << n << "\n" << o.err);
      if (!f.was_hit()) break;
      CHECK(o.signal == 0);
      CHECK((o.code == 0 || o.code == 1));
      if (o.code == 0) continue;
      ++failed;
      CHECK_THAT(o.err, Contains("memory"));
      CHECK(lines_of(o.err.substr(o.err.find("subcore: error"))) == 1);  // behind a note, maybe
    }
    CHECK(failed > 20);
  };
  f.let_python_copy("a page");
  check({"report", "r", "-o", "r.html"}, 19);
  check({"run", "-p", "baseline", "-t", "t", "-r", "x", "--jobs", "1", "--quiet"}, 499);
}

TEST_CASE("memory that runs out before there is a command is one line") {
  Faults f;
  for (unsigned n = 1; n < 150; ++n) {
    const Outcome o = f.run({"--version"}, {"malloc", ENOMEM}, "''", n);
    INFO("allocation " << n << "\n" << o.err);
    REQUIRE(f.was_hit());
    CHECK(o.signal == 0);
    if (o.code == 0)
      CHECK(o.err.empty());
    else
      CHECK(o.err == "subcore: error: out of memory; expected more of it, or a smaller platform or trace\n");
  }
}

TEST_CASE("a run that cannot be asked for is an error") {
  Faults f;
  const Strings command{"run", "-p", "baseline", "-t", "t", "-t", "u", "--jobs", "1", "--quiet"};
  const Outcome o = f.run(command, {"send", ENOBUFS}, "", 1);
  CHECK(f.was_hit());
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Contains("send: No buffer space available"));
  CHECK(lines_of(o.err) == 1);
}

TEST_CASE("a lock that cannot be taken is not left") {
  Faults f;
  const Outcome o =
      f.run({"run", "-p", "baseline", "-t", "t", "-r", "x", "--quiet"}, {"flock", ENOLCK}, "", 1);
  CHECK(f.was_hit());
  CHECK(o.code == 1);
  CHECK_THAT(o.err, Contains("x/.subcore-lock cannot be taken (No locks available); expected"));
  CHECK_FALSE(fs::exists(f.desk.path() / "x"));
}

TEST_CASE("a program whose libraries cannot be found is no other program") {
  Faults f;
  const Strings command{"run", "-p", "baseline", "-t", "t", "-r", "x", "--quiet"};
  f.desk.succeed(command);
  const Json key = f.desk.json("x/baseline/t/run.json")["program"];
  unsigned failed = 0;
  for (unsigned n = 1;; ++n) {
    fs::remove_all(f.desk.path() / "x");
    const Outcome o = f.run(command, {"readlink", EIO}, "/lib", n);
    INFO("call " << n << "\n" << o.err);
    if (!f.was_hit()) break;
    REQUIRE(n < 100);
    if (o.code == 0) CHECK(f.desk.json("x/baseline/t/run.json")["program"] == key);
    failed += o.code == 1 ? 1 : 0;
  }
  CHECK(failed > 5);
}

#endif

TEST_CASE("a report of what never ends is an error") {
  const Desk desk;
  desk.refuse({"report", "/dev/zero"}, {"/dev/zero: cannot be read: the content has no end", "expected"});
}

}  // namespace fault_test
