#include "scenarios/file_conflicts.h"

#include <map>
#include <stdexcept>
#include <tuple>

#include <sys/stat.h>
#include <unistd.h>

#include "model/trace/sidecar.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// Whatever a file is called, it is this; one that is not there yet is the place where it will be.
using Identity = std::tuple<dev_t, ino_t, fs::path>;

Identity identity_of(const fs::path& file) {
  struct stat s {};
  if (stat(file.c_str(), &s) == 0) return {s.st_dev, s.st_ino, {}};
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(fs::absolute(file), error);
  return {0, 0, error ? fs::absolute(file).lexically_normal() : canonical};
}

bool is_null_device(const fs::path& file) {
  struct stat s {
  }, null{};
  return stat(file.c_str(), &s) == 0 && S_ISCHR(s.st_mode) && stat("/dev/null", &null) == 0 &&
         s.st_rdev == null.st_rdev;
}

}  // namespace

void FileConflicts::trace(const TraceProgram& program) {
  const std::string what = "the trace " + program.name;
  input(what, program.folder / "kernelslist.g");
  for (const fs::path& kernel : program.kernels) {
    input(what, kernel);
    if (const fs::path sidecar = find_sidecar(kernel); !sidecar.empty()) input(what, sidecar);
  }
}

void FileConflicts::output(const std::string& what, const fs::path& file) {
  if (!file.empty() && file != "-" && !is_null_device(file)) outputs_.emplace_back(what, file);
}

void FileConflicts::check() const {
  std::map<Identity, std::string> known;
  for (const auto& [what, file] : inputs_) known.emplace(identity_of(file), "read as " + what);
  struct stat out {};
  if (fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode))
    known.emplace(Identity{out.st_dev, out.st_ino, {}}, "written as standard output");
  for (const auto& [what, file] : outputs_) {
    const auto [other, is_new] = known.emplace(identity_of(file), "written as " + what);
    if (!is_new)
      throw std::runtime_error(what + " " + file.string() + ": this file is " + other->second +
                               ", too; expected a file of its own");
  }
}

}  // namespace subcore
