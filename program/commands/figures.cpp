// subcore figures: the papers' figures, of results of experiments.
#include <algorithm>
#include <set>
#include <stdexcept>

#include "subcore/base/spelling.h"
#include "subcore/base/whole_file.h"
#include "subcore/model/trace/trace.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/report/paper_page.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/scenario.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

class FiguresCommand : public Command {
 public:
  FiguresCommand()
      : Command(
            "figures", "figures of papers, of the results of experiments",
            "  subcore figures EXPERIMENT.yaml... --results FOLDER [--output FILE] [--only ID]...\n"
            "\n"
            "Makes one HTML file of the figures that scenario files list: each drawn of the results in\n"
            "FOLDER/NAME, where NAME is the scenario's, what its paper states beside what they say, and why\n"
            "that differs. A figure whose data is missing is an error (docs/reproduction.md).\n") {
    option("results,r", results_, "folder that has the results folder of each experiment");
    option("output,o", output_, "the page");
    option("only", only_, "only this figure, or those of this paper; may be given several times");
    json_option(json_);
    option("list", list_, "print what there is, a line each: file, experiment, id, title");
    example("subcore figures experiments/papers/bow.yaml --list");
    example("subcore figures experiments/papers/bow.yaml -r reproduction/results");
    take_arguments(1000, "scenario files");
  }

  int run() override {
    if (arguments().empty()) throw UsageError("no experiment; expected scenario files with figures");
    if (list_)
      for (const char* other : {"results", "output", "json"})
        if (given(other)) throw UsageError("--list with --" + std::string(other) + "; expected one of them");
    if (!list_ && results_.empty()) throw UsageError("no results; expected --results FOLDER");
    if (!list_ && output_ == "-" && json_ == "-")
      throw UsageError("--output and --json, both to standard output; expected a file for one of them");
    for (std::string& id : only_) id = trimmed(id);
    read_experiments();
    return list_ ? print_list() : make();
  }

 private:
  struct Experiment {
    fs::path file;
    Scenario scenario;
  };

  void read_experiments() {
    std::vector<std::string> known;
    std::vector<bool> used(only_.size());
    for (const std::string& file : arguments()) {
      Experiment e{file, load_scenario(file)};
      std::vector<PaperFigure>& figures = e.scenario.figures;
      if (figures.empty()) throw UsageError(file + ": no figures; expected a list under 'figures'");
      for (const Experiment& other : experiments_) {
        if (other.scenario.name == e.scenario.name)
          throw UsageError(file + ": an experiment named '" + e.scenario.name +
                           "' was given before; expected distinct names");
      }
      for (const PaperFigure& f : figures) {
        if (std::find(known.begin(), known.end(), f.id) != known.end())
          throw UsageError(file + ": a figure '" + f.id + "' was given before; expected distinct ids");
        known.push_back(f.id);
      }
      if (!only_.empty())
        figures.erase(std::remove_if(figures.begin(), figures.end(),
                                     [&](const PaperFigure& f) { return !is_wanted(f, used); }),
                      figures.end());
      experiments_.push_back(std::move(e));
    }
    const auto unused = std::find(used.begin(), used.end(), false);
    if (unused == used.end()) return;
    const std::string& name = only_[static_cast<std::size_t>(unused - used.begin())];
    throw UsageError("--only " + name + ": no such figure;" + did_you_mean(name, known) +
                     " expected an id (--list has them), or how the ids of a paper begin");
  }

  bool is_wanted(const PaperFigure& f, std::vector<bool>& used) const {
    bool wanted = false;
    for (std::size_t i = 0; i < only_.size(); ++i)
      if (f.id == only_[i] || f.id.rfind(only_[i] + '_', 0) == 0) used[i] = wanted = true;
    return wanted;
  }

  int print_list() const {
    std::string text;
    for (const Experiment& e : experiments_)
      for (const PaperFigure& f : e.scenario.figures)
        text += e.file.string() + '\t' + e.scenario.name + '\t' + f.id + '\t' + f.heading() + '\n';
    print(text);
    return 0;
  }

  int make() const {
    std::vector<MadeFigure> figures;
    FileConflicts files;
    for (const Experiment& e : experiments_) {
      files.input("the scenario", e.file);
      if (!e.scenario.figures.empty()) add(e.scenario, figures, files);
    }
    files.output("--output", output_, OutputForm::html);
    files.output("--json", json_, OutputForm::json);
    files.check();
    const std::string page = paper_page(figures), json = stated_json(figures);
    if (output_ != "-") require_writable(output_);
    if (!json_.empty() && json_ != "-") require_writable(json_);
    write_output(output_, page);
    if (!json_.empty()) write_output(json_, json);
    if (output_ != "-" && json_ != "-")
      print("figures: " + std::to_string(figures.size()) + " in " + output_ + ", for any browser\n");
    return 0;
  }

  void add(const Scenario& scenario, std::vector<MadeFigure>& figures, FileConflicts& files) const {
    const std::string place = (fs::path(results_) / scenario.name).string();
    std::vector<MadeFigure> made;
    try {
      const SavedRuns saved = saved_runs({place});
      for (const fs::path& file : saved.files) files.input("results", file);
      const Comparison comparison(saved);
      const bool others = has_other_traces(scenario, comparison);
      for (const PaperFigure& f : scenario.figures)
        made.push_back(made_figure(others ? of_other_traces(f) : f, comparison, place));
    } catch (const std::runtime_error& e) {
      const std::string text = e.what();
      if (text.rfind("figure ", 0) == 0) throw;
      throw std::runtime_error("figure " + scenario.figures.front().id + ": " + text);
    }
    std::move(made.begin(), made.end(), std::back_inserter(figures));
  }

  // Whether there are results of traces that the experiment does not name, as far as its traces are there.
  static bool has_other_traces(const Scenario& scenario, const Comparison& comparison) {
    std::set<std::string> own;
    try {
      for (const ScenarioPart& part : scenario.parts)
        for (const TraceProgram& t : open_traces(part.traces)) own.insert(t.name);
    } catch (const TraceError&) {
      return true;
    }
    const auto& traces = comparison.traces();
    return std::any_of(traces.begin(), traces.end(), [&](const std::string& t) { return own.count(t) == 0; });
  }

  // Reasons are what somebody has seen in results of the experiment's own traces.
  static PaperFigure of_other_traces(PaperFigure f) {
    const auto said_of_own = [](std::string& because) {
      if (!because.empty()) because = "of the experiment's own traces: " + because;
    };
    said_of_own(f.because);
    for (StatedNumber& n : f.stated) said_of_own(n.because);
    return f;
  }

  std::string results_, output_ = "index.html", json_;
  std::vector<std::string> only_;
  bool list_ = false;
  std::vector<Experiment> experiments_;
};

}  // namespace

std::unique_ptr<Command> figures_command() {
  return std::make_unique<FiguresCommand>();
}

}  // namespace subcore
