// Fuzz targets. A target takes bytes that anybody may have written, and gives them to a reader of the project
// as a file, a text or a command line. The reader may accept them, or end in one of its own errors. Any other
// end is a finding. libFuzzer invents the bytes (libfuzzer_main.cpp), and tests play the kept ones
// (corpus_main.cpp).
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

// All targets. A target is in the file that has its name.
const std::vector<Target>& targets();
// The target of that name; null if there is none.
const Target* target_named(std::string_view name);

// An outcome that must not be.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
inline void expect(bool holds, const std::string& otherwise) {
  if (!holds) throw Finding(otherwise);
}

// Calls read(). True if it returns. False if it ends in one of the project's errors, whose message is one
// line that says what was expected: TraceError, ConfigError, UsageError or std::runtime_error itself. Other
// exceptions are passed on.
bool accepts(const std::function<void()>& read);

// Throws a Finding unless the text is one line that says what was expected.
void expect_clear(const std::string& message);

// A folder for the reader's files, which goes away with the process.
const std::filesystem::path& scratch();
// Writes a file into scratch() and returns its path.
std::filesystem::path write(const std::string& name, std::string_view content);
// The content of a file of the project, by its path from the project's folder.
std::string project_file(const std::string& name);

// Calls f() in a child process, because SystemC elaborates once per process and a command may end its
// process. Returns the exit code, the output on standard error, and the result of f(). Throws a Finding if a
// signal has ended the child, as it does after so many seconds of a processor.
struct ChildEnd {
  int code = 0;
  std::string errors, result;
};
ChildEnd in_child(unsigned seconds, const std::function<std::string()>& f);

}  // namespace subcore::fuzz
