#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/program/report/page.h"

namespace subcore {

bool make_pdf(const std::filesystem::path& svg, const std::filesystem::path& pdf) {
  const std::string from = svg.string(), to = pdf.string();
  std::vector<std::string> words{"rsvg-convert", "--format=pdf", "--output=" + to, from};
  std::vector<char*> arguments, environment;
  for (std::string& w : words) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  std::string epoch = "SOURCE_DATE_EPOCH=0";  // instead of the time of day, which it would write down
  for (char** e = environ; *e != nullptr; ++e)
    if (std::strncmp(*e, "SOURCE_DATE_EPOCH=", 18) != 0) environment.push_back(*e);
  environment.push_back(epoch.data());
  environment.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environment.data());
  if (error == ENOENT) return false;
  if (error != 0) throw std::runtime_error(std::string("cannot run rsvg-convert: ") + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !std::filesystem::exists(pdf))
    throw std::runtime_error("rsvg-convert could not make a PDF of " + svg.filename().string());
  return true;
}

}  // namespace subcore
