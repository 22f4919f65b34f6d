// subcore figures: the papers' figures, from results of experiments.
#include <algorithm>
#include <set>

#include "subcore/base/files.h"
#include "subcore/base/json_text.h"
#include "subcore/base/spelling.h"
#include "subcore/base/whole_file.h"
#include "subcore/model/trace/trace.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/python.h"
#include "subcore/program/runs/results_record.h"
#include "subcore/program/runs/scenario.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

class FiguresCommand : public Command {
 public:
  FiguresCommand()
      : Command(
            "figures", "draw the figures of papers from results of experiments",
            "  subcore figures EXPERIMENT.yaml... --results FOLDER [--output FILE] [--only ID]...\n"
            "\n"
            "Makes one HTML file of the figures that scenario files list. Each figure is drawn from the\n"
            "results in FOLDER/NAME, where NAME is the scenario's name. The page also has the numbers that\n"
            "the paper states, ours beside them, and the reasons for differences. A figure without data is\n"
            "an error (docs/reproduction.md). With --list, --json describes each figure for the Python\n"
            "package (docs/python.md).\n") {
    option("results,r", results_, "folder that has the results folder of each experiment");
    option("output,o", output_, "the page");
    option("only", only_, "only this figure, or the figures of this paper; may be given several times");
    json_option(json_);
    option("list", list_, "list the figures, with a line for each: file, experiment, id, title");
    example("subcore figures experiments/papers/bow.yaml --list");
    example("subcore figures experiments/papers/bow.yaml -r reproduction/results");
    take_arguments(1000, "scenario files");
  }

  int run() override {
    if (arguments().empty()) throw UsageError("no experiment; expected scenario files with figures");
    if (list_)
      for (const char* other : {"results", "output"})
        if (given(other)) throw UsageError("--list with --" + std::string(other) + "; expected one of them");
    if (!list_ && results_.empty()) throw UsageError("no results; expected --results FOLDER");
    if (!list_ && output_ == "-" && json_ == "-")
      throw UsageError("--output and --json, both to standard output; expected a file for one of them");
    for (std::string& id : only_) id = trimmed(id);
    read_experiments();
    check_files();
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
                     " expected an id (--list has the ids), or the beginning of a paper's ids");
  }

  bool is_wanted(const PaperFigure& f, std::vector<bool>& used) const {
    bool wanted = false;
    for (std::size_t i = 0; i < only_.size(); ++i)
      if (f.id == only_[i] || f.id.rfind(only_[i] + '_', 0) == 0) used[i] = wanted = true;
    return wanted;
  }

  fs::path results_of(const Experiment& e) const { return fs::path(results_) / e.scenario.name; }

  // The experiments with their figures, in the form that the Python package reads.
  nlohmann::ordered_json descriptions() const {
    auto all = nlohmann::ordered_json::array();
    for (const Experiment& e : experiments_) {
      auto figures = nlohmann::ordered_json::array();
      for (const PaperFigure& f : e.scenario.figures) figures.push_back(json_of(f));
      if (figures.empty()) continue;
      auto& described =
          all.emplace_back(nlohmann::ordered_json{{"name", e.scenario.name}, {"figures", figures}});
      if (list_) continue;
      described["results"] = results_of(e).string();
      described["traces"] = own_traces(e.scenario);
    }
    return all;
  }

  // The names of an experiment's traces. Reasons in figures were seen in results of these traces. Null if not
  // all traces are there.
  static nlohmann::ordered_json own_traces(const Scenario& scenario) {
    std::set<std::string> names;
    try {
      for (const ScenarioPart& part : scenario.parts)
        for (const TraceProgram& t : open_traces(part.traces)) names.insert(t.name);
    } catch (const TraceError&) {
      return nullptr;
    }
    return names;
  }

  void check_files() const {
    FileConflicts files;
    for (const Experiment& e : experiments_) {
      files.input("the scenario", e.file);
      const fs::path results = results_of(e);
      if (!list_ && !e.scenario.figures.empty())
        files.input("results", is_folder(results) ? results / results_file : results);
    }
    if (!list_) files.output("--output", output_, OutputForm::html);
    files.output("--json", json_, OutputForm::json);
    files.check();
  }

  int print_list() const {
    if (!json_.empty()) write_output(json_, json_text(descriptions()));
    if (json_ == "-") return 0;
    std::string text;
    for (const Experiment& e : experiments_)
      for (const PaperFigure& f : e.scenario.figures)
        text += e.file.string() + '\t' + e.scenario.name + '\t' + f.id + '\t' + f.heading() + '\n';
    print(text);
    return 0;
  }

  int make() const {
    if (output_ != "-") require_writable(output_);
    if (!json_.empty() && json_ != "-") require_writable(json_);
    auto request = nlohmann::ordered_json::object();
    request["described"] = descriptions();
    for (const auto& [name, text] : made_by_python("figures_page", json_text(request, -1))) {
      const std::string& place = name == "stated.json" ? json_ : output_;
      if (!place.empty()) write_output(place, text);
    }
    std::size_t figures = 0;
    for (const Experiment& e : experiments_) figures += e.scenario.figures.size();
    if (output_ != "-" && json_ != "-")
      print("figures: " + std::to_string(figures) + " in " + output_ + ", for any browser\n");
    return 0;
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
