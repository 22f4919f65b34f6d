// subcore report: saved results as one page, and as figures for a paper.
#include <map>
#include <optional>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "subcore/base/file_kind.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/base/whole_file.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/python.h"
#include "subcore/program/runs/results_record.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/temporary_folder.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// A folder that is made if it does not exist, and removed again unless something is kept in it.
class FiguresFolder {
 public:
  explicit FiguresFolder(const fs::path& path) : path_(path) {
    if (path_.empty()) return;
    std::error_code error;
    is_new_ = fs::create_directory(path_, error);
    if (error || !fs::is_directory(path_))
      throw std::runtime_error(path_.string() +
                               ": cannot be made: " + (error ? error.message() : "the path is not a folder") +
                               "; expected a folder for figures, or a place for one");
  }
  ~FiguresFolder() {
    std::error_code ignored;
    if (is_new_) fs::remove(path_, ignored);  // only an empty folder goes
  }
  FiguresFolder(const FiguresFolder&) = delete;
  FiguresFolder& operator=(const FiguresFolder&) = delete;
  void keep() { is_new_ = false; }

 private:
  fs::path path_;
  bool is_new_ = false;
};

class ReportCommand : public Command {
 public:
  ReportCommand()
      : Command(
            "report", "make a page with figures of results",
            "  subcore report RESULTS... [--output FILE] [--figures FOLDER]\n"
            "\n"
            "Makes one HTML file of results: of folders of --results or files of --json, also of several\n"
            "commands. The page has tables and figures of IPC, hits, energy, stall causes, traffic and\n"
            "swept parameters and, for folders, of the course over time. All runs are compared with the\n"
            "first platform of the first results. Python packages draw the page (scripts/setup installs\n"
            "them); the variable PYTHON names another Python.\n") {
    option("output,o", output_, "the page");
    option("figures", figures_, "folder for the figures as SVG and PDF, and their numbers as CSV");
    example("subcore report results -o report.html");
    example("subcore report results/results.json");
    take_arguments(1000, "results");
  }

  int run() override {
    if (arguments().empty())
      throw UsageError("no results; expected folders of --results, or files of --json");
    if (output_ == "-" && !figures_.empty())
      throw UsageError("--figures and a page to standard output; expected a file for the page");
    check_results();
    check_files({});
    const std::map<std::size_t, std::string> pipes = texts_of_pipes();
    // From here on there are files to remove if the command is interrupted.
    remember_interrupts();
    FiguresFolder folder(figures_);  // made before the page, which may be in the folder
    if (output_ != "-") require_writable(output_);
    std::optional<TemporaryFolder> copies;
    if (!pipes.empty()) copies.emplace("results");
    nlohmann::json request{{"results", readable_results(pipes, copies ? copies->path() : fs::path())},
                           {"figures", !figures_.empty()}};
    std::string page;
    MadeFiles figures;
    for (auto& [name, content] : made_by_python("report", request.dump()))
      if (name == "page.html")
        page = std::move(content);
      else
        figures.emplace_back((fs::path(figures_) / name).string(), std::move(content));
    if (page.empty()) throw std::runtime_error("the Python package ended without a page; expected one");
    if (output_ == "-") {
      print(page);
      return 0;
    }
    check_files(figures);
    for (const auto& figure : figures) require_writable(figure.first);
    for (const auto& [file, content] : figures) write_whole_file(file, content);
    write_whole_file(output_, page);
    folder.keep();
    print("report: " + output_ + ", for any browser\n" +
          (figures_.empty() ? "" : "figures: " + figures_ + ", as SVG, PDF and CSV\n"));
    return 0;
  }

 private:
  // Refuses results that do not exist, with a guess at what was meant, and files that belong in another
  // place.
  void check_results() const {
    for (const std::string& results : arguments()) {
      if (!is_folder(results) && !is_file(results))
        throw std::runtime_error(results + ": is not there;" + did_you_mean_file(results) +
                                 " expected a folder of --results, or a file of --json");
      if (!fs::is_regular_file(results)) continue;
      if (const std::string kind = kind_words(results); !kind.empty())
        throw std::runtime_error(results + ": is not JSON" + kind +
                                 "; expected results as --results and --json write them");
    }
  }

  // The texts of results that can be read only once, as pipes, by their places among the arguments. An
  // interruption ends a wait for them.
  std::map<std::size_t, std::string> texts_of_pipes() const {
    std::map<std::size_t, std::string> texts;
    for (std::size_t n = 0; n < arguments().size(); ++n) {
      const std::string& results = arguments()[n];
      if (!fs::is_regular_file(results) && !is_folder(results)) texts[n] = file_text(results).value_or("");
    }
    return texts;
  }

  // The results, with copies in `folder` in place of pipes.
  std::vector<std::string> readable_results(const std::map<std::size_t, std::string>& pipes,
                                            const fs::path& folder) const {
    std::vector<std::string> readable = arguments();
    for (const auto& [n, text] : pipes) {
      const fs::path copy = folder / std::to_string(n) / fs::path(readable[n]).filename();
      fs::create_directory(copy.parent_path());
      write_whole_file(copy, text);
      readable[n] = copy.string();
    }
    return readable;
  }

  void check_files(const MadeFiles& figures) const {
    FileConflicts files;
    for (const fs::path results : arguments()) {
      const bool has_folder = is_folder(results);
      files.input("results", has_folder ? results / results_file : results);
      files.input_folder("results", has_folder || results.filename() != results_file
                                        ? results
                                        : results.parent_path() / ".");
    }
    files.output("--output", output_, OutputForm::html);
    files.output_folder("--figures", figures_);
    for (const auto& figure : figures) files.output("--figures", figure.first);
    files.check();
  }

  std::string output_ = "report.html", figures_;
};

}  // namespace

std::unique_ptr<Command> report_command() {
  return std::make_unique<ReportCommand>();
}

}  // namespace subcore
