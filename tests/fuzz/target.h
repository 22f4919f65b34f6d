// Fuzz targets: each takes bytes that anybody may have written, and gives them to a reader of the project as
// a file, a text or a command line. The reader may take them, or end in one of its own errors. Whatever else
// comes out of a target is a finding. libFuzzer makes up the bytes (libfuzzer_main.cpp), tests play those
// that are kept (corpus_main.cpp).
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace subcore::fuzz {

struct Target {
  const char* name;
  void (*play)(std::string_view input);  // throws, or does not return, on a finding
};

// All targets, each of which is in the file of its name.
const std::vector<Target>& targets();
// The target of that name; null if there is none.
const Target* target_named(std::string_view name);

// What must not be.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
inline void expect(bool holds, const std::string& otherwise) {
  if (!holds) throw Finding(otherwise);
}

// Calls read(). True if it returns; false if it ends in an error of the project's: TraceError, ConfigError,
// UsageError or std::runtime_error itself, whose message is one line that says what was expected. Any other
// exception leaves.
bool accepts(const std::function<void()>& read);

// Throws a Finding unless the text is one line that says what was expected.
void expect_clear(const std::string& message);

// A folder for what the reader reads from files, which goes away with the process.
const std::filesystem::path& scratch();
// Writes a file into scratch(), and returns its path.
std::filesystem::path write(const std::string& name, std::string_view content);
// The content of a file of the project, by its path from the project's folder.
std::string project_file(const std::string& name);

// Calls f() in a child process, since SystemC elaborates once per process and a command may end its process.
// Returns the exit code, what it has written to standard error, and what f() has returned. Throws a Finding
// if a signal has ended the child, as after so many seconds of a processor.
struct ChildEnd {
  int code = 0;
  std::string errors, result;
};
ChildEnd in_child(unsigned seconds, const std::function<std::string()>& f);

}  // namespace subcore::fuzz
