#include "subcore/program/commands/runs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "subcore/base/files.h"
#include "subcore/base/formatted.h"
#include "subcore/base/spelling.h"
#include "subcore/base/text_stream.h"
#include "subcore/base/text_width.h"
#include "subcore/base/whole_file.h"
#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/model/statistics/result_notes.h"
#include "subcore/model/statistics/results.h"
#include "subcore/observers/packed_file.h"
#include "subcore/program/commands/planned_runs.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/finished_run.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/job_runner.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/results_folder.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/user_cache.h"
#include "subcore/program/runs/view_file.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

void check_files(const RunPlan& plan, const PlannedRuns& planned, const std::vector<Job>& jobs,
                 const RunRequest& a) {
  FileConflicts files;
  if (!plan.scenario.empty()) files.input("the scenario", plan.scenario);
  if (!a.only.empty()) files.input("the list of runs", a.only);
  for (const fs::path& p : planned.files) files.input("a platform or energy table", p);
  for (const ScenarioPart& part : plan.parts)
    for (const TracePath& t : part.traces) files.input_folder("the trace", t.path);
  for (const TraceProgram& trace : planned.traces) files.trace(trace);
  if (!plan.results.empty() && !a.temporary) {
    files.output_folder("--results", plan.results);
    std::set<fs::path> results{results_file};
    if (a.overwrite)
      for (const fs::path& file : ResultsFolder::recorded(plan.results)) results.insert(file);
    for (const Job& job : jobs)
      for (const char* file : run_files) results.insert(job.subfolder() / file);
    for (const Job& job : jobs)
      for (const char* file : {profile_file, finished_file}) results.insert(job.subfolder() / file);
    for (const fs::path& file : results) {
      if (is_folder(plan.results / file))
        throw UsageError("cannot write " + (plan.results / file).string() + ": the path is a directory");
      files.output("--results", plan.results / file);
    }
  }
  for (const auto& [option, file] :
       {std::pair("--vcd", plan.waveform ? plan.waveform->file : fs::path()),
        std::pair("--pipeline", plan.pipeline ? plan.pipeline->file : fs::path())})
    if (file == "-") throw UsageError(std::string(option) + " -: cannot be standard output; expected a file");
  if (plan.waveform) {
    files.output("--vcd", plan.waveform->file);
    files.output("--vcd", Waveform::save_file_of(plan.waveform->file));
    files.output("--vcd", Waveform::causes_file_of(plan.waveform->file));
    files.output("--vcd", partial_name(plan.waveform->file));
  }
  if (plan.pipeline) {
    files.output("--pipeline", plan.pipeline->file);
    files.output("--pipeline", partial_name(plan.pipeline->file));
  }
  files.output("--json", a.json, OutputForm::json);
  files.check();
}

// Checks control bits before anything runs. Many runs may need the same check of a trace, so it is made once.
void check_control_bits(const std::vector<Job>& jobs) {
  std::set<std::tuple<std::string, bool, std::uint32_t>> checked;
  for (const Job& job : jobs) {
    const OperandOptions& operands = job.platform->operands.options;
    const PassOptions passes = job.platform->pass_options();
    if (job.count == nullptr && passes.takes_control_bits(operands.use_sidecar) &&
        checked.insert({job.trace.name, operands.use_sidecar, passes.binary_version}).second)
      require_fitting_control_bits(job.trace, operands, passes);
  }
}

// Names the first of the runs, and says how many more there are.
std::string some_of(const std::vector<RunName>& runs) {
  constexpr std::size_t most = 8;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(runs.size(), most); ++i) words.push_back(runs[i].text());
  if (runs.size() > most) words.push_back(std::to_string(runs.size() - most) + " more");
  return listed(words, " and ");
}

// Folds a text into lines of the usual width. The first line stands out to the left.
std::string paragraph(const std::string& text) {
  const std::string line = folded(text, 0, text.size());  // the text with single blanks
  std::string first = folded(line, 0, usual_width);
  first.resize(first.find('\n') + 1);
  if (first.size() == line.size()) return first;
  return first + folded(line.substr(first.size()), 2, usual_width);
}

// Whether a run has energies relative to the first platform's by several tables.
bool has_energies_by_table(const std::vector<RunResult>& results) {
  return std::any_of(results.begin(), results.end(), [&](const RunResult& r) {
    return r.energy_by_preset_normalised.size() > 1 && family_of(r) != family_of(results.front());
  });
}

// Says which differences may be noise, if platforms are compared without --seeds.
std::string noise_note(const std::vector<RunResult>& results) {
  const bool is_measured =
      std::any_of(results.begin(), results.end(), [](const RunResult& r) { return !r.spread.empty(); });
  const bool compares = std::any_of(results.begin(), results.end(), [&](const RunResult& r) {
    return r.ipc_normalised && r.platform != results.front().platform;
  });
  if (is_measured || !compares) return "";
  return formatted("note: differences of IPC below %g %% may be noise: --seeds N measures it\n",
                   100 * noise_of_one_run);
}

// For the line about a failure: names the files, up to the failure, that failed runs have left.
std::string partial_words(std::optional<ViewFile>& waveform, std::optional<ViewFile>& pipeline,
                          const ResultsFolder* folder, bool was_killed) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "; up to there: " : ", ") + what; };
  for (const auto& [view, what] :
       {std::pair(&waveform, "waveform "), std::pair(&pipeline, "pipeline view ")}) {
    const fs::path file = *view ? (*view)->publish_partial(was_killed) : fs::path();
    if (!file.empty()) add(what + file.string());
  }
  if (folder != nullptr && !folder->partial_profiles().empty()) {
    const auto& all = folder->partial_profiles();
    add("profile " + all.front().string());
    if (all.size() > 1) text += " and " + std::to_string(all.size() - 1) + " more";
  }
  return text;
}

std::string counted(std::size_t runs) {
  return std::to_string(runs) + (runs == 1 ? " run" : " runs");
}

// Prints results. `earlier`: the number of runs of other commands in the results folder.
void print_results(const RunPlan& plan, const std::vector<RunResult>& results, const RunRequest& a,
                   std::size_t earlier) {
  std::string text;
  std::vector<RunResult> run;  // the table has no columns for results that were only counted
  std::copy_if(results.begin(), results.end(), std::back_inserter(run),
               [](const RunResult& r) { return r.counts.empty(); });
  if (!a.lines && !run.empty()) {
    const std::string wide = comparison_table(run);
    text = a.wide ? wide : comparison_table(run, usual_width);
    const bool is_whole = text == wide;
    if (has_energies_by_table(run))
      text += "energy: by the platform's table, then from the least to the most of all tables\n";
    if (!is_whole) text += "more columns: --wide; everything: --json FILE, --results FOLDER\n";
    if (const std::string spread = spread_table(run, a.wide ? 0 : usual_width); !spread.empty())
      text += '\n' + spread;
    if (const std::string sample = sample_table(run, a.wide ? 0 : usual_width); !sample.empty())
      text += '\n' + sample;
  }
  if (!a.lines && run.size() != results.size())
    text += "counted: " + std::to_string(results.size() - run.size()) +
            "; the numbers: --json FILE, --results FOLDER\n";
  std::vector<RunResult> first;  // a note holds for all members of a run
  std::copy_if(results.begin(), results.end(), std::back_inserter(first),
               [](const RunResult& r) { return r.member == 0; });
  std::istringstream notes = text_stream(notes_text(first) + noise_note(first));
  for (std::string note; std::getline(notes, note);) text += a.wide ? note + '\n' : paragraph(note);
  if (!plan.results.empty())
    text += "results: " + plan.results.string() +
            (earlier == 0 ? "" : ", with " + counted(earlier) + " from before") + '\n';
  if (plan.waveform)
    text += "waveform: " + plan.waveform->file.string() + "; GTKWave opens it with " +
            Waveform::save_file_of(plan.waveform->file).string() + '\n';
  if (plan.pipeline) text += "pipeline view: " + plan.pipeline->file.string() + '\n';
  print(text);
}

// Refuses runs of different platforms that would have one folder, for example v100 on bow/x, and v100/bow on
// x.
void require_own_folders(const std::vector<Job>& jobs, const std::vector<RunName>& published) {
  std::map<fs::path, RunName> runs;
  for (const RunName& run : published) runs.emplace(run.subfolder(), run);
  for (const Job& job : jobs) {
    const RunName& other =
        runs.emplace(job.subfolder(), RunName{job.platform->name, job.trace.name}).first->second;
    if (other.platform != job.platform->name)
      throw UsageError(job.name() + ": would have the folder of " + other.text() +
                       "; expected another name for one of the platforms or traces");
  }
}

}  // namespace

RunsCommand::RunsCommand(std::string name, std::string summary, std::string usage)
    : Command(
          std::move(name), std::move(summary),
          std::move(usage) +
              "\nA platform is a register system on a machine. Each of the two is a YAML file or the name\n"
              "of a shipped one (subcore platforms lists the names). A trace is a folder with a\n"
              "kernelslist.g. A folder without one stands for all traces below it.\n") {
  RunRequest& r = request_;
  option("platform,p", r.platforms,
         "register system: a file, a name or MACHINE/SYSTEM; may be given several times to compare");
  option("gpu,g", r.gpus, "machine for every platform: a file or a name; may be given several times");
  option("trace,t", r.traces, "trace folder, or NAME=FOLDER; may be given several times");
  option("set,s", r.overrides, "override a parameter: sub_core.collector.count=4");
  option("results,r", r.results,
         "folder for stats.json, stats.csv, intervals.csv, power.csv and platform.yaml of each run");
  json_option(r.json);
  option("resume", r.resume,
         "run only the runs that are not finished in the results folder, after a failure or a change");
  option("finished", r.finished,
         "take finished runs from this results folder, or from results folders below it; may be given "
         "several times");
  option("overwrite", r.overwrite,
         "remove the runs of other commands from the results folder; without this option they stay");
  option("keep-going,k", r.keep_going, "go on with the other runs when one fails");
  option("only", r.only, "run only the runs that this file names, with a line PLATFORM/TRACE for each");
  option("dry-run,n", r.dry_run,
         "say what would run, how long the runs will take and how much memory they need");
  option("jobs", r.jobs, "runs at once; default: one per processor");
  option("kernel", r.kernel,
         "run only these kernels of each trace: a place in its list (the first is 1), places FIRST:LAST, or "
         "a pattern of names such as gemm*");
  option("ctas", r.ctas,
         "run only these CTAs of each kernel: places FIRST:LAST in its trace (the first is 1)");
  option("no-cache", r.no_cache, no_cache_help);
  option("quiet,q", r.no_progress, "no progress on standard error");
}

void RunsCommand::table_options() {
  option("seeds", request_.seeds,
         "runs of each platform on each trace, each with another seed and start, for means, 95 % intervals "
         "and the worst value; default: 1");
  option("sample", request_.sample,
         "simulate a part and estimate the whole: waves=K simulates K whole waves of each kernel's CTAs, and "
         "one of launches that are alike; waves is waves=9 (docs/sampling.md)");
  option("pieces", request_.pieces,
         "split each trace into so many pieces of consecutive kernels; each piece is a run of its own, which "
         "--resume takes");
  option("lines", request_.lines,
         "instead of the table, print a line for each run as soon as the run has passed its checks");
  option("wide", request_.wide, "print the table with all of its columns and with full names");
}

void RunsCommand::check_runs(const RunPlan& plan, const PlannedRuns& planned) const {
  const RunRequest& a = request_;
  for (const auto& [option, file] :
       {std::pair("--vcd", &a.vcd.file), std::pair("--pipeline", &a.pipeline.file)})
    if (!file->empty() && planned.runs.size() != 1)
      throw UsageError(std::string(option) + " with several runs; expected one platform and one trace");
  if (planned.has_counts() && (plan.waveform || plan.pipeline || a.profile))
    throw UsageError(
        "a waveform, pipeline view or profile of parts that are only counted; expected none with cache_study "
        "or trace_info, which have no cycles");
  if (planned.platforms_asked_for() < a.fewest_platforms)
    throw UsageError("one platform; expected at least two to compare");
}

// Refuses options that are each right, but not together.
void RunsCommand::check_options(const RunPlan& plan) const {
  const RunRequest& a = request_;
  const bool has_place = !plan.results.empty() && !a.temporary;
  if (a.profile && plan.results.empty())
    throw UsageError("--profile without a place for it; expected --results FOLDER, too");
  if (a.resume && !has_place)
    throw UsageError("--resume without results to go on from; expected --results FOLDER, too");
  if (a.overwrite && !has_place)
    throw UsageError("--overwrite without results to remove; expected --results FOLDER, too");
  if (!a.finished.empty() && !has_place)
    throw UsageError("--finished without a place for the runs; expected --results FOLDER, too");
  if (!a.sample.empty() && !a.ctas.empty())
    throw UsageError("--sample and --ctas, which both choose CTAs; expected one of them");
  if (!a.sample.empty() && !a.pieces.empty())
    throw UsageError(
        "--sample and --pieces, although launches that are alike may be in several pieces; expected one of "
        "them");
  if (a.wide && (a.lines || a.json == "-"))
    throw UsageError("--wide without a table; expected no " + std::string(a.lines ? "--lines" : "--json -"));
  if (a.lines && a.json == "-")
    throw UsageError("--lines and --json, both to standard output; expected a file for the JSON");
}

int RunsCommand::run_request() {
  const RunRequest& a = request_;
  if (a.no_progress) silence_progress();
  whole_number("--jobs", a.jobs, 0);
  RunPlan plan = plan_of(a);
  check_options(plan);
  PlannedRuns planned = runs_of(plan, a);
  check_runs(plan, planned);
  std::vector<Job> jobs = planned.jobs();
  if (!a.sample.empty()) sample_jobs(jobs, a.sample);
  if (!a.only.empty()) keep_jobs(jobs, a.only);
  check_files(plan, planned, jobs, a);
  check_control_bits(jobs);
  if (plan.waveform) check_waveform(*plan.waveform);
  if (a.dry_run) return dry_run(jobs, plan, a);
  std::vector<const TraceProgram*> traces;
  for (const TraceProgram& trace : planned.traces) traces.push_back(&trace);
  use_user_cache(CacheUse::keep, a.no_cache, traces);
  remember_interrupts();
  if (!a.json.empty() && a.json != "-") require_writable(a.json);
  // The results folder is made before the views, which may be beside it.
  using Published = ResultsFolder::Published;
  ResultsFolder folder(plan.results, a.overwrite ? Published::removed : Published::kept);
  if (!a.overwrite) {
    const std::vector<std::string> lines = name_apart(jobs, folder.path(), folder.published());
    for (const std::string& line : lines) note(line);
    if (!lines.empty()) check_files(plan, planned, jobs, a);
  }
  require_own_folders(jobs, a.overwrite ? std::vector<RunName>() : folder.published());
  for (const Job& job : jobs)
    if (job.member == 0) runs_.push_back({job.platform->name, job.trace.name});
  if (const std::size_t dropped = folder.begin(jobs, a.resume); dropped != 0)
    note("finished runs kept in " + plan.results.string() + " and now dropped: " + std::to_string(dropped) +
         "; --resume would have taken them");
  std::optional<ViewFile> waveform_file, pipeline_file;
  const auto viewed =
      std::find_if(jobs.rbegin(), jobs.rend(), [](const Job& job) { return job.member == 0; });
  if (plan.waveform) {
    waveform_file.emplace(plan.waveform->file);
    waveform_file->add(Waveform::save_file_of(waveform_file->target()),
                       Waveform::save_file_aside(waveform_file->aside()));
    waveform_file->add(Waveform::causes_file_of(waveform_file->target()),
                       Waveform::causes_file_aside(waveform_file->aside()));
    plan.waveform->aside = waveform_file->aside();
    viewed->waveform = plan.waveform;
  }
  if (plan.pipeline) {
    pipeline_file.emplace(plan.pipeline->file);
    plan.pipeline->aside = pipeline_file->aside();
    viewed->pipeline = plan.pipeline;
  }
  for (Job& job : jobs) {
    job.folder = folder.staging(job.subfolder());
    job.profile = a.profile && job.member == 0;
  }
  std::vector<RunResult> results;
  std::vector<RunName> removed;
  try {
    results = results_of(jobs, folder, a);
    if (planned.platforms_asked_for() > 1) {
      normalise(results);
      note_disagreeing_presets(results);
    }
    add_spreads(results);
    add_cautions(results);
    if (!plan.results.empty()) removed = folder.publish(jobs, results);
  } catch (const Interrupted& e) {
    // A single run is there or not, whenever a signal ends it. Files that it has written to look at stay.
    std::string kept;
    if (jobs.size() == 1)
      folder.keep_partial_profiles();
    else
      kept = kept_words(jobs, folder);
    throw Interrupted(
        e, kept + partial_words(waveform_file, pipeline_file, a.temporary ? nullptr : &folder, true));
  } catch (const std::runtime_error& e) {
    std::string more = kept_words(jobs, folder);
    if (waveform_file && waveform_file->is_there() && keeps_failed_run(*plan.waveform)) {
      waveform_file->publish();
      waveform_file.reset();
      more += "; waveform: " + plan.waveform->file.string();
    }
    std::string text = e.what();
    text.insert(std::min(text.find('\n'), text.size()),
                more + partial_words(waveform_file, pipeline_file, a.temporary ? nullptr : &folder,
                                     dynamic_cast<const RunKilled*>(&e) != nullptr));
    throw std::runtime_error(text);
  }
  if (waveform_file) waveform_file->publish();
  if (pipeline_file) pipeline_file->publish();
  if (!removed.empty())
    note("removed from " + plan.results.string() + ", as --overwrite says: " + some_of(removed));
  if (a.quiet) return 0;
  if (!a.json.empty())
    write_output(a.json, results.size() == 1 ? to_json(results.front()) : to_json(results));
  const auto is_of_these = [&](const RunName& run) {
    return std::any_of(jobs.begin(), jobs.end(),
                       [&](const Job& job) { return job.subfolder() == run.subfolder(); });
  };
  const auto& published = folder.published();
  const auto earlier =
      a.overwrite ? 0 : std::count_if(published.begin(), published.end(), std::not_fn(is_of_these));
  if (a.json != "-") print_results(plan, results, a, static_cast<std::size_t>(earlier));
  return 0;
}

}  // namespace subcore
