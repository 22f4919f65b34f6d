#include "subcore/program/runs/python.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/base/files.h"
#include "subcore/base/text.h"
#include "subcore/base/whole_file.h"
#include "subcore/program/runs/child_process.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/temporary_folder.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

constexpr int lacks_packages = 3, is_not_there = 127;  // exit codes: of called.py, and as a shell gives it

// The file of the package that the program calls. The file is beside the program, where the build installs
// it, or in the checkout.
fs::path package_entry() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path beside = (program / ("../" SUBCORE_PYTHON_FOLDER)).lexically_normal();
  for (const fs::path& folder : {beside, fs::path(SUBCORE_PYTHON_INSTALLED), fs::path(SUBCORE_PYTHON_SOURCE)})
    if (const fs::path entry = folder / "subcore/called.py"; !folder.empty() && is_file(entry)) return entry;
  throw std::runtime_error(
      (beside / "subcore").string() +
      ": the Python package is not there; expected the Debian package python3-subcore, or the program where "
      "it was installed or built");
}

std::vector<std::string> pythons() {
  const char* const chosen = std::getenv("PYTHON");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"python3", "/usr/bin/python3"};
}

// Turns this process into Python, and allocates nothing on the way. Python's messages go to `said_file`. Only
// the last line matters, and only if Python fails.
[[noreturn]] void become(const std::string& python, const fs::path& entry, const std::string& module,
                         const fs::path& folder, const fs::path& said_file) {
  const int nothing = open("/dev/null", O_RDONLY);
  const int said = open(said_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(nothing, STDIN_FILENO);
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  // -B keeps Python from writing compiled modules into the package's folder.
  execlp(python.c_str(), python.c_str(), "-B", entry.c_str(), module.c_str(), folder.c_str(), nullptr);
  _exit(is_not_there);
}

// Runs Python until it ends. Returns the result of waitpid().
int status_of(const std::string& python, const fs::path& entry, const std::string& module,
              const fs::path& folder) {
  fs::remove(folder / "error");
  const fs::path said = folder / "said";
  ChildProcess child([&](int) { become(python, entry, module, folder, said); });
  const auto ignore = [](const RunMessage&) {};
  for (bool runs = true; runs;) {
    throw_if_interrupted();
    pollfd one{child.connection(), POLLIN, 0};
    if (poll(&one, 1, 100) > 0)
      runs = child.receive(ignore);  // Python sends nothing, but its end is seen
                                     // here
  }
  const int status = child.status();
  throw_if_interrupted();  // the terminal tells Python, too
  return status;
}

std::string last_line_of(const fs::path& file) {
  std::string line, last;
  for (const char c : file_text(file).value_or("") + "\n") {
    if (c != '\n') {
      line += c;
      continue;
    }
    if (!line.empty()) last = line;
    line.clear();
  }
  return last;
}

[[noreturn]] void fail(const std::string& python, int status, const fs::path& folder) {
  const std::string error = file_text(folder / "error").value_or("");
  if (WIFEXITED(status) && WEXITSTATUS(status) == is_not_there)
    throw std::runtime_error(
        python + ": no such program; expected python3 (scripts/setup installs it), or PYTHON to name it");
  if (WIFEXITED(status) && WEXITSTATUS(status) == lacks_packages) {
    std::string packages = " " + error, missing = error;
    for (std::size_t at = 0; (at = packages.find(' ', at)) != std::string::npos; at += 9)
      packages.replace(at, 1, " python3-");
    for (std::size_t at = 0; (at = missing.find(' ', at)) != std::string::npos; at += 2)
      missing.replace(at, 1, ", ");
    throw std::runtime_error(python + ": has no " + missing + "; expected scripts/setup, or apt install" +
                             packages + ", or PYTHON to name a Python that has them");
  }
  if (!error.empty()) throw std::runtime_error(error);
  const std::string words = last_line_of(folder / "said");
  throw std::runtime_error(python +
                           (WIFSIGNALED(status) ? ": ended by signal " + signal_name(WTERMSIG(status))
                                                : ": failed" + (words.empty() ? "" : ": " + words)) +
                           "; expected figures");
}

}  // namespace

MadeFiles made_by_python(const std::string& module, const std::string& request) {
  remember_interrupts();
  const fs::path entry = package_entry();
  const TemporaryFolder folder("figures");
  const fs::path out = folder.path() / "out";
  write_whole_file(folder.path() / "request.json", request);
  fs::create_directory(out);
  const std::vector<std::string> all = pythons();
  std::string python = all.front();
  int status = 0;
  for (const std::string& candidate : all) {
    const int tried = status_of(candidate, entry, module, folder.path());
    const int code = WIFEXITED(tried) ? WEXITSTATUS(tried) : 0;
    // The message is about the last Python that exists.
    if (code != is_not_there || candidate == all.front()) {
      python = candidate;
      status = tried;
    }
    if (code != is_not_there && code != lacks_packages) break;
  }
  if (status != 0) fail(python, status, folder.path());
  MadeFiles files;
  std::vector<fs::path> entries = entries_of(out);
  std::sort(entries.begin(), entries.end());
  for (const fs::path& file : entries) {
    std::optional<std::string> text = file_text(file);
    if (!text) throw std::runtime_error(file.string() + ": is not there any more; expected a figure");
    files.emplace_back(file.filename().string(), std::move(*text));
  }
  return files;
}

}  // namespace subcore
