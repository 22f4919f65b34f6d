// subcore explain: where the cycles of runs went.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

#include "subcore/program/commands/runs.h"
#include "subcore/program/report/explanation.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/saved_profiles.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/temporary_folder.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

class ExplainCommand : public RunsCommand {
 public:
  ExplainCommand()
      : RunsCommand(
            "explain", "where issue slots, stall cycles and bank accesses went",
            "  subcore explain --platform P [--platform Q ...] --trace T [options]\n"
            "  subcore explain RESULTS [RESULTS] [--top N] [--json FILE]\n"
            "\n"
            "Runs every platform on every trace with a profile, or takes the profiles that runs with\n"
            "--profile have left in results folders; and shows, side by side, the causes of all issue\n"
            "slots, the worst static instructions and the banks; of two, what differs.\n") {
    option("top", top_, "static instructions to list, those with the most stall cycles; default: 10");
    example("subcore explain -p baseline -p malekeh -t scenarios/traces/vectoradd");
    example("subcore explain results --top 5");
    take_arguments(2, "one or two results folders");
  }

  int run() override {
    const auto top = static_cast<std::size_t>(whole_number("--top", top_, 10));
    if (top == 0) throw UsageError("--top 0; expected at least 1");
    if (arguments().empty() && request_.dry_run) {
      request_.profile = !request_.results.empty();
      return run_request();
    }
    const std::vector<Named> all = arguments().empty() ? from_runs() : from_results();
    std::vector<std::string> traces;
    for (const Named& p : all)
      if (std::find(traces.begin(), traces.end(), p.profile.trace) == traces.end())
        traces.push_back(p.profile.trace);
    std::string text, json;
    for (const std::string& trace : traces) {
      std::vector<RunProfile> runs;
      std::vector<std::string> names;
      for (const Named& p : all) {
        if (p.profile.trace != trace) continue;
        runs.push_back(p.profile);
        names.push_back(p.name);
      }
      text += (text.empty() ? "" : "\n") + explanation_text(runs, names, top);
      json += (json.empty() ? "" : ",\n") + explanation_json(runs, names, top);
    }
    if (traces.size() > 1) json = "[\n" + json + "]\n";
    if (!request_.json.empty()) write_output(request_.json, json);
    if (request_.json != "-") print(text);
    return 0;
  }

 private:
  struct Named {
    std::string name;
    RunProfile profile;
  };

  std::vector<Named> from_runs() {
    std::optional<TemporaryFolder> temporary;
    request_.profile = request_.quiet = true;
    if (request_.results.empty()) {
      request_.temporary = true;
      request_.results = temporary.emplace("the time of the runs").path().string();
    }
    run_request();
    std::vector<Named> all;
    for (RunProfile& p : saved_profiles(request_.results, runs())) all.push_back({p.platform, std::move(p)});
    return all;
  }

  std::vector<Named> from_results() const {
    for (const CommandOption& o : options())
      if (given(o.name) && o.name != "top" && o.name != "json")
        throw UsageError("--" + o.name +
                         " with results that are there, of which nothing is run; "
                         "expected results folders, or --platform and --trace");
    std::vector<Named> all;
    FileConflicts files;
    for (const std::string& folder : arguments()) {
      std::vector<RunName> without;
      for (RunProfile& p : saved_profiles(folder, without)) {
        files.input("a profile", fs::path(folder) / p.platform / p.trace / "profile.json");
        all.push_back({p.platform, std::move(p)});
        if (!all.back().profile.partial.empty()) all.back().name += " (partial)";
        all.back().name = arguments().size() > 1 ? folder + ":" + all.back().name : all.back().name;
      }
      files.input("results", fs::path(folder) / results_file);
      if (!without.empty())
        std::cerr << "subcore: note: " << folder
                  << ": left out for want of a profile: " << without.front().text()
                  << (without.size() == 1 ? "" : " and " + std::to_string(without.size() - 1) + " more")
                  << '\n';
    }
    files.output("--json", request_.json, OutputForm::json);
    files.check();
    return all;
  }

  std::string top_;
};

}  // namespace

std::unique_ptr<Command> explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace subcore
