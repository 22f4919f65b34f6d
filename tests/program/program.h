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

// An empty working directory with the program in reach. The program's streams are kept elsewhere. So the
// program has left every file that is found here.
class Desk {
 public:
  const std::filesystem::path& path() const { return work_.path(); }
  std::filesystem::path write(const std::string& name, const std::string& content) const;
  // A trace folder of one kernel; `lines` are the instructions of its only warp, the first in line 13.
  std::string trace(const std::string& folder, const std::string& lines, const std::string& count = "") const;
  std::set<std::string> files() const;  // relative paths below path(), also of folders
  std::string file(const std::string& name) const { return content_of(work_.path() / name); }
  nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(file(name)); }

  // `shell`, if not empty, is run first by a shell that then becomes the program: "ulimit -f 1".
  pid_t start(const Strings& arguments, const std::string& shell = "") const;
  std::string output() const;  // the program's output so far
  Outcome finish(pid_t child) const;
  Outcome run(const Strings& arguments, const std::string& shell = "") const {
    return finish(start(arguments, shell));
  }
  Outcome succeed(const Strings& arguments) const;  // a run() that must exit with 0 and print no error
  // A run with bad input: one line of complaint with all these words, exit code 1, nothing printed, and no
  // file left.
  void refuse(const Strings& arguments, const Strings& words, const std::string& shell = "") const;

 private:
  TemporaryFolder work_, streams_;
};

// The arguments, followed by `more`.
Strings with(Strings arguments, const Strings& more);

// Arguments that ask for all files that a run can write, so that a refused run could leave any of them.
Strings everything(Strings arguments);

// The work of two CTAs in one warp: arithmetic, loads, and a store.
std::string sound_lines();
// sound_lines() many times: with a slow memory (slow_memory), a test can meet the run in its middle.
std::string many_lines();
extern const Strings slow_memory;
// Lines that after a while read a stale operand if malekeh has these settings: R2 stays in the collector, a
// result is written past it, and R2 is read again.
std::string stale_lines();
extern const Strings stale_settings;

}  // namespace subcore::test
