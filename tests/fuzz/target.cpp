#include "tests/fuzz/target.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <typeinfo>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/base/config_error.h"
#include "subcore/model/trace/trace.h"
#include "subcore/program/commands/command.h"
#include "tests/temporary_folder.h"

namespace subcore::fuzz {
namespace {

const test::TemporaryFolder& folder() {
  static const test::TemporaryFolder it;
  return it;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::logic_error("cannot open " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

[[noreturn]] void be_child(const std::function<std::string()>& f, unsigned seconds) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int s : {SIGALRM, SIGINT, SIGTERM, SIGXFSZ, SIGPIPE}) signal(s, SIG_DFL);
  const rlimit limit{seconds, seconds};
  setrlimit(RLIMIT_CPU, &limit);
  alarm(20 * seconds);  // in case the child waits for something
  const int errors = open((scratch() / "child_errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(errors, STDERR_FILENO);
  int code = 0;
  try {
    const std::string result = f();
    write("child_result", result);
  } catch (const std::exception& e) {
    const std::string text = std::string("uncaught: ") + e.what() + '\n';
    code = ::write(STDERR_FILENO, text.data(), text.size()) < 0 ? 98 : 99;
  }
  _exit(code);
}

}  // namespace

const Target* target_named(std::string_view name) {
  for (const Target& t : targets())
    if (t.name == name) return &t;
  return nullptr;
}

void expect_clear(const std::string& message) {
  expect(message.find('\n') == std::string::npos, "a message of several lines: " + message);
  expect(message.find("expected") != std::string::npos,
         "a message that says nothing of what was expected: " + message);
}

bool accepts(const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const std::exception& e) {
    const std::type_info& type = typeid(e);
    if (type != typeid(TraceError) && type != typeid(ConfigError) && type != typeid(UsageError) &&
        type != typeid(std::runtime_error))
      throw;
    expect_clear(e.what());
    return false;
  }
}

const std::filesystem::path& scratch() {
  return folder().path();
}

std::filesystem::path write(const std::string& name, std::string_view content) {
  return folder().write(name, std::string(content));
}

std::string project_file(const std::string& name) {
  return content_of(std::filesystem::path(SUBCORE_SOURCE_DIR) / name);
}

ChildEnd in_child(unsigned seconds, const std::function<std::string()>& f) {
  write("child_result", "");
  write("child_errors", "");
  const pid_t child = fork();
  if (child < 0) throw std::logic_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) be_child(f, seconds);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-child, SIGKILL);  // processes that the child may have left running
  ChildEnd end{WEXITSTATUS(status), content_of(scratch() / "child_errors"),
               content_of(scratch() / "child_result")};
  expect(!WIFSIGNALED(status),
         "the child was ended by signal " + std::to_string(WTERMSIG(status)) + ": " + end.errors);
  return end;
}

}  // namespace subcore::fuzz
