// subcore explain: where the cycles of runs went.
#include <algorithm>
#include <filesystem>
#include <new>
#include <optional>
#include <stdexcept>

#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/program/commands/runs.h"
#include "subcore/program/report/explanation.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/finished_run.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/temporary_folder.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

RunProfile profile_in(const std::string& text, const fs::path& file) {
  try {
    return run_profile_from_json(text);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw std::runtime_error(file.string() + ": " + e.what());
  }
}

// The profile of a run; nothing if the run has none.
std::optional<RunProfile> saved_profile(const fs::path& run) {
  const fs::path file = run / profile_file;
  const std::optional<std::string> text = file_text(file);
  return text ? std::optional(profile_in(*text, file)) : std::nullopt;
}

// Adds cautions of the run that come from other runs, which profile.json does not know.
RunProfile with_cautions(RunProfile profile, const RunResult& run) {
  profile.cautions = run.cautions;
  return profile;
}

std::vector<RunResult> results_of(const fs::path& folder) {
  const fs::path record = folder / results_file;
  const std::optional<std::string> results = is_folder(folder) ? file_text(record) : std::nullopt;
  if (!results)
    throw std::runtime_error(folder.string() + ": has no results.json;" + did_you_mean_file(folder) +
                             " expected a results folder");
  return results_in(*results, record.string());
}

[[noreturn]] void refuse_without(const fs::path& run) {
  throw std::runtime_error((run / profile_file).string() +
                           ": is not there; expected results of runs with --profile");
}

// The profiles of these runs in the folder. Throws std::runtime_error, one line, if one is missing or cannot
// be used.
std::vector<RunProfile> saved_profiles(const fs::path& folder, const std::vector<RunName>& runs) {
  std::vector<RunProfile> profiles;
  const std::vector<RunResult> results = results_of(folder);
  for (const RunName& run : runs) {
    std::optional<RunProfile> profile = saved_profile(folder / run.subfolder());
    const auto of = std::find_if(results.begin(), results.end(), [&](const RunResult& r) {
      return r.platform == run.platform && r.trace == run.trace;
    });
    if (!profile || of == results.end()) refuse_without(folder / run.subfolder());
    profiles.push_back(with_cautions(std::move(*profile), *of));
  }
  return profiles;
}

// The profiles in `path`. A file has one profile, which may be that of a run that failed. A results folder
// has those of the runs in its results.json, in order; runs without a profile are added to `without`. Throws
// std::runtime_error, one line, if `path` is neither, if no run has a profile, or if a profile is missing or
// cannot be used.
std::vector<RunProfile> saved_profiles(const fs::path& path, std::vector<RunName>& without) {
  if (is_plain_file(path)) return {profile_in(file_text(path).value(), path)};
  std::vector<RunProfile> profiles;
  const std::vector<RunResult> runs = results_of(path);
  for (const RunResult& run : runs) {
    if (run.member != 0) continue;  // the further runs of --seeds have no profiles
    const RunName name{run.platform, run.trace};
    require_whole_run(path / name.subfolder(), run, path / results_file);
    std::optional<RunProfile> profile = saved_profile(path / name.subfolder());
    if (profile)
      profiles.push_back(with_cautions(std::move(*profile), run));
    else
      without.push_back(name);
  }
  if (runs.empty())
    throw std::runtime_error((path / results_file).string() +
                             ": has no run; expected results of runs with --profile");
  if (profiles.empty()) refuse_without(path / without.front().subfolder());
  return profiles;
}

class ExplainCommand : public RunsCommand {
 public:
  ExplainCommand()
      : RunsCommand(
            "explain", "show where issue slots, stall cycles and bank accesses went",
            "  subcore explain --platform P [--platform Q ...] --trace T [options]\n"
            "  subcore explain RESULTS [RESULTS] [--top N] [--json FILE]\n"
            "\n"
            "Runs every platform on every trace with a profile, or takes the profiles that runs with\n"
            "--profile have left in results folders. Shows, side by side, the causes of all issue\n"
            "slots, the worst static instructions and the banks. Of two runs of a trace, also shows\n"
            "what differs.\n") {
    option("top", top_,
           "how many static instructions to list, beginning with the most stall cycles; default: 10");
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
      remember_interrupts();  // so that the folder is removed
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
                         " with results folders, which need no runs; expected results folders alone, or "
                         "--platform and --trace");
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
        note(folder + ": left out, because they have no profile: " + without.front().text() +
             (without.size() == 1 ? "" : " and " + std::to_string(without.size() - 1) + " more"));
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
