// subcore report: saved results as one page, and as figures for a paper.
#include <optional>
#include <stdexcept>

#include "subcore/base/files.h"
#include "subcore/base/whole_file.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/report/page.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/results_record.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/temporary_folder.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

using Files = std::vector<std::pair<fs::path, std::string>>;  // paths, and what is in them

// A folder that is made when it is not there, and goes again unless something is kept in it.
class FiguresFolder {
 public:
  explicit FiguresFolder(const fs::path& path) : path_(path) {
    if (path_.empty()) return;
    std::error_code error;
    is_new_ = fs::create_directory(path_, error);
    if (error || !fs::is_directory(path_))
      throw std::runtime_error(path_.string() +
                               ": cannot be made: " + (error ? error.message() : "it is no folder") +
                               "; expected a folder for figures, or a place for one");
  }
  ~FiguresFolder() {
    std::error_code ignored;
    if (is_new_) fs::remove(path_, ignored);  // only if it is empty
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
            "report", "results as a page with figures",
            "  subcore report RESULTS... [--output FILE] [--figures FOLDER]\n"
            "\n"
            "Makes one HTML file of what runs have left, folders of --results or files of --json, also of\n"
            "several runs that were made apart: tables and figures of IPC, hits, energy, stall causes,\n"
            "traffic and, of folders, what happened over time. All is compared with the first platform of\n"
            "the first results.\n") {
    option("output,o", output_, "the page");
    option("figures", figures_, "folder for the figures as SVG and, by rsvg-convert, PDF");
    example("subcore report results -o report.html");
    example("subcore report results/results.json");
    take_arguments(1000, "results");
  }

  int run() override {
    if (arguments().empty())
      throw UsageError("no results; expected folders of --results, or files of --json");
    if (output_ == "-" && !figures_.empty())
      throw UsageError("--figures and a page to standard output; expected a file for the page");
    const SavedRuns saved = saved_runs(arguments());
    const Comparison comparison(saved);
    const std::vector<Figure> figures = comparison_figures(comparison),
                              over_time = interval_figures(comparison);
    const std::string page = report_page(comparison, figures, over_time);
    if (output_ == "-") {
      print(page);
      return 0;
    }
    std::vector<Figure> all = figures;
    all.insert(all.end(), over_time.begin(), over_time.end());
    check_files(saved, all);
    FiguresFolder folder(figures_);  // before the page, which may be in it
    require_writable(output_);
    std::string text;
    if (!figures_.empty()) text = write_figures(all);
    write_whole_file(output_, page);
    folder.keep();
    print("report: " + output_ + ", for any browser\n" + text);
    return 0;
  }

 private:
  fs::path place_of(const Figure& f, const char* ending) const {
    return fs::path(figures_) / (f.id + ending);
  }

  void check_files(const SavedRuns& saved, const std::vector<Figure>& all) const {
    FileConflicts files;
    for (const fs::path results : arguments())
      files.input_folder("results",
                         results.filename() == results_file ? results.parent_path() / "." : results);
    for (const fs::path& file : saved.files) files.input("results", file);
    files.output("--output", output_, OutputForm::html);
    files.output_folder("--figures", figures_);
    if (!figures_.empty())
      for (const Figure& f : all)
        for (const char* ending : {".svg", ".pdf"}) files.output("--figures", place_of(f, ending));
    files.check();
  }

  // Draws all figures before the first is written to its place. Returns what there is to say of them.
  std::string write_figures(const std::vector<Figure>& all) const {
    const TemporaryFolder aside("figures");
    const fs::path svg = aside.path() / "figure.svg", pdf = aside.path() / "figure.pdf";
    Files files;
    bool has_pdf = true;
    for (const Figure& f : all) {
      files.emplace_back(place_of(f, ".svg"), f.svg);
      if (!has_pdf) continue;
      write_whole_file(svg, f.svg);
      has_pdf = make_pdf(svg, pdf);
      if (!has_pdf) continue;
      std::optional<std::string> text = file_text(pdf);
      if (!text) throw std::runtime_error(pdf.string() + ": is not there any more; expected a figure");
      files.emplace_back(place_of(f, ".pdf"), std::move(*text));
    }
    for (const auto& file : files) require_writable(file.first);
    for (const auto& [file, content] : files) write_whole_file(file, content);
    return "figures: " + figures_ + ", " + std::to_string(all.size()) +
           (has_pdf ? " as SVG and PDF\n"
                    : " as SVG; no PDF, for want of rsvg-convert (scripts/setup --viewers installs it)\n");
  }

  std::string output_ = "report.html", figures_;
};

}  // namespace

std::unique_ptr<Command> report_command() {
  return std::make_unique<ReportCommand>();
}

}  // namespace subcore
