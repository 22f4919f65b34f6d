// Runs the built program the way a user does: arguments in, two streams and an exit code out.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

#include "tests/unit/trace_files.h"

namespace subcore::test {

using Strings = std::vector<std::string>;

struct Outcome {
  int code = -1;   // the code of an orderly exit
  int signal = 0;  // the signal that ended it otherwise
  std::string out, err;
};

// The path of the program under test: the build's, or the one that the environment variable SUBCORE names.
std::string program();
std::string content_of(const std::filesystem::path& file);
std::size_t lines_of(const std::string& text);
Strings lines_in(const std::string& text);
std::vector<pid_t> children_of(pid_t parent);
// Whether a process is gone, or at least no more than an entry in a table of processes.
bool is_dead(pid_t process);

// An empty working directory with the program in reach. Its streams are kept elsewhere, so that whatever
// is found here was left by the program.
class Desk {
 public:
  const std::filesystem::path& path() const { return work_.path(); }
  std::filesystem::path write(const std::string& name, const std::string& content) const;
  // A trace folder of one kernel; `lines` are the instructions of its only warp, the first in line 13.
  std::string trace(const std::string& folder, const std::string& lines, const std::string& count = "") const;
  std::set<std::string> files() const;  // below path(), relative, folders too
  std::string file(const std::string& name) const { return content_of(work_.path() / name); }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(file(name)); }

  // `shell`, if not empty, is run first by a shell that then becomes the program: "ulimit -f 1".
  pid_t start(const Strings& arguments, const std::string& shell = "") const;
  std::string output() const;  // so far
  Outcome finish(pid_t child) const;
  Outcome run(const Strings& arguments, const std::string& shell = "") const {
    return finish(start(arguments, shell));
  }
  Outcome succeed(const Strings& arguments) const;  // run() that must exit with 0 and a silent stderr
  // Bad input: one line of complaint with all these words, exit code 1, nothing printed, nothing left.
  void refuse(const Strings& arguments, const Strings& words, const std::string& shell = "") const;

 private:
  TemporaryFolder work_, streams_;
};

// The arguments, and behind them `more`.
Strings with(Strings arguments, const Strings& more);

// Arguments that ask for everything a run can write, so that a refused run has every chance to leave some.
Strings everything(Strings arguments);

// Two CTAs' worth of ordinary work in one warp: arithmetic, loads, a store.
std::string sound_lines();
// sound_lines() over and over: a run that can be met in its middle when its memory is slow (slow_memory).
std::string many_lines();
extern const Strings slow_memory;
// Lines that read a stale operand after a while if malekeh has these settings: R2 stays in the collector, is
// written past it, and is read again.
std::string stale_lines();
extern const Strings stale_settings;

}  // namespace subcore::test
