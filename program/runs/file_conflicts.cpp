#include "subcore/program/runs/file_conflicts.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include <sys/stat.h>
#include <unistd.h>

#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/model/trace/sidecar.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// Identity of a file, whatever its name. If the file does not exist yet, the place where it will be.
using Identity = std::tuple<dev_t, ino_t, std::string>;

// A file's path in one spelling: without links, and without a slash at its end.
fs::path resolved(const fs::path& file) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(fs::absolute(file), error);
  if (error) path = fs::absolute(file).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

// Says which files are the same. Resolves each folder once, because many files are in few folders.
class Identities {
 public:
  Identity of(const fs::path& file) {
    struct stat s {};
    if (stat(file.c_str(), &s) == 0) return {s.st_dev, s.st_ino, {}};
    if (!file.has_filename()) return {0, 0, resolved(file).string()};
    const auto [folder, is_new] = folders_.try_emplace(file.parent_path().string());
    if (is_new) folder->second = resolved(fs::absolute(file).parent_path());
    return {0, 0, (folder->second / file.filename()).string()};
  }

 private:
  std::map<std::string, fs::path> folders_;
};

bool is_null_device(const fs::path& file) {
  struct stat s {
  }, null{};
  return stat(file.c_str(), &s) == 0 && S_ISCHR(s.st_mode) && stat("/dev/null", &null) == 0 &&
         s.st_rdev == null.st_rdev;
}

bool is_in(const fs::path& folder, const fs::path& other) {
  return std::mismatch(other.begin(), other.end(), folder.begin(), folder.end()).first == other.end();
}

struct FormLine {
  const char* words;
  std::vector<std::string> endings;
};

// Whether a name with this ending says that the file has another form. Endings that begin with a digit are
// numbers or versions, and say nothing. Nor does .txt, because all forms are text.
bool denies(const std::string& ending, const FormLine& form) {
  if (ending.size() < 2 || (ending[1] >= '0' && ending[1] <= '9') || ending == ".txt") return false;
  return std::find(form.endings.begin(), form.endings.end(), ending) == form.endings.end();
}

void check_ending(const std::string& what, const fs::path& file, OutputForm form) {
  static const std::map<OutputForm, FormLine> forms{{OutputForm::json, {"JSON", {".json"}}},
                                                    {OutputForm::csv, {"CSV", {".csv"}}},
                                                    {OutputForm::svg, {"an SVG picture", {".svg"}}},
                                                    {OutputForm::html, {"an HTML page", {".html", ".htm"}}}};
  const auto line = forms.find(form);
  if (line == forms.end()) return;
  if (denies(in_small_letters(file.extension().string()), line->second))
    throw std::runtime_error(what + ' ' + file.string() + ": would hold " + line->second.words +
                             "; expected a name that ends in " + line->second.endings.front());
}

// Refuses a new folder whose name ends like the name of a file.
void refuse_file_name(const std::string& what, const fs::path& folder) {
  const std::string ending = in_small_letters(folder.extension().string());
  for (const char* ours : {".json", ".csv", ".svg", ".html", ".htm", ".png", ".pdf", ".vcd", ".yaml"})
    if (ending == ours && !is_there(folder))
      throw std::runtime_error(what + ' ' + folder.string() +
                               ": would be a folder; expected a name without " + ours);
}

}  // namespace

void FileConflicts::input_folder(const std::string& what, const fs::path& folder) {
  input(what, folder);
  std::error_code error;
  if (fs::is_directory(folder, error)) input_folders_.push_back({what, folder});
}

void FileConflicts::output_folder(const std::string& what, const fs::path& folder) {
  if (!folder.empty()) output_folders_.push_back({what, folder});
}

void FileConflicts::trace(const TraceProgram& program) {
  const std::string what = "the trace " + program.name;
  const fs::path list = program.folder / "kernelslist.g";
  std::error_code error;
  if (fs::exists(list, error)) input_folder(what, program.folder.empty() ? "." : program.folder);
  input(what, list);
  for (const fs::path& kernel : program.kernels) {
    input(what, kernel);
    if (const fs::path sidecar = find_sidecar(kernel); !sidecar.empty()) input(what, sidecar);
  }
}

void FileConflicts::output(const std::string& what, const fs::path& file, OutputForm form) {
  if (!file.empty() && file != "-" && !is_null_device(file)) outputs_.push_back({what, file, form});
}

void FileConflicts::check_files() const {
  Identities identities;
  std::map<Identity, std::string> known;
  for (const Named& in : inputs_) known.emplace(identities.of(in.path), "read as " + in.what);
  struct stat out {};
  if (fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode))
    known.emplace(Identity{out.st_dev, out.st_ino, {}}, "written as standard output");
  for (const Named& o : outputs_) {
    const auto [other, is_new] = known.emplace(identities.of(o.path), "written as " + o.what);
    if (!is_new)
      throw std::runtime_error(o.what + " " + o.path.string() + ": this file is " + other->second +
                               ", too; expected another file");
  }
}

void FileConflicts::check_folders() const {
  for (const Named& out : output_folders_) {
    if (out.path == "-")
      throw std::runtime_error(
          out.what + " -: cannot be standard output; expected a folder (./- for a folder of that name)");
    refuse_file_name(out.what, out.path);
    const fs::path path = resolved(out.path);
    for (const Named& in : input_folders_)
      if (is_in(path, resolved(in.path)))
        throw std::runtime_error(out.what + ' ' + out.path.string() + ": is in " + in.path.string() +
                                 ", which is read as " + in.what + "; expected a folder outside it");
    std::set<fs::path> seen;  // because many files are in few folders
    for (const Named& in : inputs_)
      if (const fs::path beside = fs::absolute(in.path).parent_path();
          !is_folder(in.path) && seen.insert(beside).second && resolved(beside) == path)
        throw std::runtime_error(out.what + ' ' + out.path.string() + ": has " + in.path.string() +
                                 ", which is read as " + in.what + "; expected a folder without inputs");
  }
}

void FileConflicts::check() const {
  check_files();
  check_folders();
  for (const Named& o : outputs_) check_ending(o.what, o.path, o.form);
}

}  // namespace subcore
