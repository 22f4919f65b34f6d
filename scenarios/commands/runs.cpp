#include "scenarios/commands/runs.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <unistd.h>

#include "model/parameters/data_files.h"
#include "model/statistics/result_notes.h"
#include "model/statistics/results.h"
#include "model/statistics/text_width.h"
#include "model/statistics/whole_file.h"
#include "model/trace/line_source.h"
#include "platforms/config/reader.h"
#include "power/energy_model.h"
#include "scenarios/file_conflicts.h"
#include "scenarios/interrupt.h"
#include "scenarios/job_runner.h"
#include "scenarios/progress.h"
#include "scenarios/results_folder.h"
#include "scenarios/scenario.h"
#include "scenarios/standard_output.h"
#include "scenarios/view_file.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// Names in full, whoever reads them; usual ones fit a terminal.
void print_line(const RunResult& r) {
  char text[100];
  std::snprintf(text, sizeof text, " %llu operands checked, %llu stale, IPC %.3f\n",
                static_cast<unsigned long long>(r.operands_checked),
                static_cast<unsigned long long>(r.stale_operands), r.ipc);
  print(padded(r.trace, 16) + ' ' + padded(r.platform, 16) + text);
}

// `option` names the file, `what` is it: "--vcd", "a waveform".
std::optional<Scenario::View> view_of(const std::string& option, const std::string& what,
                                      const RunRequest::View& v) {
  const std::string from = option + "-from", to = option + "-to";
  if (v.file.empty()) {
    for (const auto& [name, text] :
         {std::pair(option + "-scope", &v.scope), std::pair(from, &v.from), std::pair(to, &v.to)}) {
      if (!text->empty()) throw UsageError(name + " without " + what + "; expected " + option + " FILE, too");
    }
    return std::nullopt;
  }
  const Scenario::View view{v.file, v.scope, whole_number(from.c_str(), v.from, 0),
                            whole_number(to.c_str(), v.to, never)};
  if (view.from > view.to)
    throw UsageError(to + " " + v.to + " is before " + from + "; expected at least " + v.from);
  return view;
}

// The events around which cycles are kept.
void set_events(std::optional<WaveformOptions>& waveform, const RunRequest& a) {
  if (!waveform || a.vcd.file.empty()) {
    for (const auto& [option, text] :
         {std::pair("--vcd-on", &a.vcd_on), std::pair("--vcd-around", &a.vcd_around)})
      if (!text->empty())
        throw UsageError(std::string(option) + " without a waveform; expected --vcd FILE, too");
    return;
  }
  waveform->on = a.vcd_on;
  waveform->around = whole_number("--vcd-around", a.vcd_around, waveform->around);
  if (a.vcd_on.empty() && !a.vcd_around.empty())
    throw UsageError("--vcd-around without an event; expected --vcd-on " + std::string(Trigger::grammar));
}

// VCD is what is written, packed if the name says so; a viewer goes by the name.
void require_vcd(const fs::path& file) {
  fs::path plain = file;
  if (plain.extension() == ".gz" || plain.extension() == ".xz") plain.replace_extension();
  if (plain.extension() == ".vcd" || file.extension().empty()) return;
  throw UsageError(
      "waveform " + file.string() + ": '" + file.extension().string() +
      "' is not written here; expected .vcd, .vcd.gz or .vcd.xz (GTKWave's vcd2fst makes an .fst "
      "of a .vcd)");
}

// A run with several platforms or traces has no such request.
bool keeps_failed_run(const WaveformOptions& w) {
  return !w.on.empty() && Trigger(w.on).wants_stale();
}

void check_waveform(const WaveformOptions& w) {
  require_vcd(w.file);
  if (w.on.empty()) return;
  try {
    Trigger trigger(w.on);
  } catch (const std::invalid_argument& e) {
    throw UsageError("--vcd-on " + std::string(e.what()));
  }
}

// Its viewer asks for none of these names, but unpacks what ends in .gz.
void require_kanata(const fs::path& file) {
  const fs::path unpacked = file.extension() == ".gz" ? file.stem() : file.filename();
  const fs::path suffix = unpacked.extension();
  for (const char* ours : {"", ".kanata", ".konata", ".log", ".txt"})
    if (suffix == ours) return;
  throw UsageError("pipeline view " + file.string() + ": '" + suffix.string() +
                   "' is not written here; expected .kanata, .log or .txt, and .gz behind it to pack it");
}

struct Plan {
  fs::path scenario;  // empty = none
  std::vector<fs::path> platforms, traces;
  std::vector<std::string> overrides;
  fs::path results;
  std::optional<WaveformOptions> waveform;
  std::optional<PipelineFileOptions> pipeline;
};

void set_views(Plan& plan, const std::optional<Scenario::View>& vcd,
               const std::optional<Scenario::View>& pipeline) {
  if (vcd) {
    plan.waveform.emplace();
    plan.waveform->file = vcd->file;
    plan.waveform->scope = vcd->scope;
    plan.waveform->from = vcd->from;
    plan.waveform->to = vcd->to;
  }
  if (pipeline) {
    require_kanata(pipeline->file);
    plan.pipeline = PipelineFileOptions{pipeline->file, {}, {pipeline->scope, pipeline->from, pipeline->to}};
  }
}

Plan plan_of(const RunRequest& a) {
  Plan plan;
  if (!a.scenario.empty()) {
    const Scenario s = load_scenario(a.scenario);
    plan = {a.scenario, s.platforms, s.traces, s.overrides, s.results, std::nullopt, std::nullopt};
    const auto wanted = [](const Scenario::View& v) {
      return v.file.empty() ? std::nullopt : std::optional(v);
    };
    set_views(plan, wanted(s.vcd), wanted(s.pipeline));
  }
  if (!a.platforms.empty()) {
    plan.platforms.clear();
    for (const std::string& p : a.platforms) plan.platforms.push_back(find_data("platforms", p));
  }
  if (!a.traces.empty()) plan.traces.assign(a.traces.begin(), a.traces.end());
  plan.overrides.insert(plan.overrides.end(), a.overrides.begin(), a.overrides.end());
  if (!a.results.empty()) plan.results = a.results;
  set_views(plan, view_of("--vcd", "a waveform", a.vcd),
            view_of("--pipeline", "a pipeline view", a.pipeline));
  set_events(plan.waveform, a);
  if (plan.platforms.empty())
    throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
  if (plan.traces.empty()) throw UsageError("no trace; expected --trace FOLDER");
  return plan;
}

bool can_name_folder(const std::string& name) {
  constexpr std::size_t longest = 255;  // of the usual file systems
  const auto spoils = [](char c) { return c == '/' || (c >= 0 && c < ' '); };
  return !name.empty() && name != "." && name != ".." && name.size() <= longest &&
         std::none_of(name.begin(), name.end(), spoils);
}

struct Platforms {
  std::vector<std::shared_ptr<const PlatformParameters>> parameters;
  std::set<fs::path> files;  // that say what they are
};

// Of several platforms, one at least has to read each override; a note says which of the others do not.
void check_overrides(const Plan& plan) {
  std::map<std::string, std::vector<std::string>> not_read_by;
  for (const fs::path& p : plan.platforms) {
    std::set<std::string> unread;
    const PlatformParameters platform = load_platform(p, plan.overrides, nullptr, &unread);
    for (const std::string& text : unread) not_read_by[text].push_back(platform.name);
  }
  for (const auto& [text, names] : not_read_by) {
    if (names.size() == plan.platforms.size())
      load_platform(plan.platforms.front(), plan.overrides);  // throws
    std::cerr << "subcore: note: --set " << text << ": read by all platforms but " << listed(names, " and ")
              << '\n';
  }
}

Platforms platforms_of(const Plan& plan) {
  Platforms all;
  std::set<std::string> names, unread;
  const bool several = plan.platforms.size() > 1;
  if (several && !plan.overrides.empty()) check_overrides(plan);
  for (const fs::path& p : plan.platforms) {
    all.parameters.push_back(std::make_shared<PlatformParameters>(
        load_platform(p, plan.overrides, &all.files, several ? &unread : nullptr)));
    const PlatformParameters& platform = *all.parameters.back();
    energy_coefficients(platform);
    all.files.insert(find_data("power/tables", platform.energy.preset));
    if (!platform.memory.kind->is_complete())
      throw UsageError(p.string() +
                       ": its memory is bound in C++ (memory.kind or memory.dram.kind external, or "
                       "memory.interconnect.host_ports); expected a platform with all of its memory");
    const std::string clock = problem_of_clock(platform.clock_period_ns);
    if (!clock.empty()) throw UsageError(p.string() + ": " + clock);
    const std::string& name = platform.name;  // also a folder's
    if (!can_name_folder(name))
      throw UsageError(p.string() + ": the platform's name is " + subcore::quoted(name) +
                       "; expected a name without '/' and of at most 255 bytes that can name a folder");
    if (!names.insert(name).second)
      throw UsageError(p.string() + ": a platform named '" + name +
                       "' was given before; expected distinct names");
  }
  return all;
}

std::vector<TraceProgram> traces_of(const Plan& plan, const std::string& kernel) {
  std::vector<TraceProgram> traces = open_traces(plan.traces);
  if (!kernel.empty())
    for (TraceProgram& trace : traces) keep_kernel(trace, whole_number("--kernel", kernel, 0));
  return traces;
}

// Where the files of a run are, below the folders of results and of what is not finished.
fs::path place_of(const Job& job) {
  return fs::path(job.platform->name) / job.trace.name;
}

void check_files(const Plan& plan, const Platforms& platforms, const std::vector<Job>& jobs,
                 const std::string& json) {
  FileConflicts files;
  if (!plan.scenario.empty()) files.input("the scenario", plan.scenario);
  for (const fs::path& p : platforms.files) files.input("a platform or energy table", p);
  for (const fs::path& t : plan.traces) files.input("the trace", t);
  for (const Job& job : jobs) files.trace(job.trace);
  if (!plan.results.empty()) {
    std::set<fs::path> results = ResultsFolder::recorded(plan.results);  // they will be removed
    results.insert("results.json");
    for (const Job& job : jobs)
      for (const char* file : run_files) results.insert(place_of(job) / file);
    for (const Job& job : jobs) results.insert(place_of(job) / profile_file);
    for (const fs::path& file : results) files.output("--results", plan.results / file);
  }
  if (plan.waveform) {
    files.output("--vcd", plan.waveform->file);
    files.output("--vcd", Waveform::save_file_of(plan.waveform->file));
  }
  if (plan.pipeline) files.output("--pipeline", plan.pipeline->file);
  files.output("--json", json);
  files.check();
}

void print_results(const Plan& plan, const std::vector<RunResult>& results, const RunRequest& a) {
  std::string text;
  if (!a.lines) {
    const std::string wide = comparison_table(results);
    text = a.wide ? wide : comparison_table(results, usual_width);
    if (text != wide) text += "more columns: --wide; everything: --json FILE, --results FOLDER\n";
  }
  text += notes_text(results);
  if (!plan.results.empty()) text += "results: " + plan.results.string() + '\n';
  if (plan.waveform)
    text += "waveform: " + plan.waveform->file.string() + ", for GTKWave with " +
            Waveform::save_file_of(plan.waveform->file).string() + '\n';
  if (plan.pipeline) text += "pipeline view: " + plan.pipeline->file.string() + '\n';
  print(text);
}

unsigned processors() {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : static_cast<unsigned>(n);
}

}  // namespace

RunsCommand::RunsCommand(std::string name, std::string summary, std::string usage)
    : Command(
          std::move(name), std::move(summary),
          std::move(usage) +
              "\nA platform is a YAML file or the name of a shipped one (subcore platforms lists them). A\n"
              "trace is a folder with a kernelslist.g; one with such folders somewhere below it is all of "
              "them.\n") {
  RunRequest& r = request_;
  option("platform,p", r.platforms, "platform file or name; may be given several times to compare");
  option("trace,t", r.traces, "trace folder; may be given several times");
  option("set,s", r.overrides, "override a parameter: sub_core.collector.count=4");
  option("results,r", r.results, "folder for stats.json, stats.csv, intervals.csv, power.csv, platform.yaml");
  json_option(r.json);
  option("jobs", r.jobs, "runs at once; default: one per processor");
  option("kernel", r.kernel, "only this kernel of each trace's list, from 1");
  option("quiet,q", r.no_progress, "no progress on standard error");
}

void RunsCommand::table_options() {
  option("lines", request_.lines,
         "print a line per run, as soon as it has passed its checks, instead of the table");
  option("wide", request_.wide, "the table with all of its columns, and names in full");
}

int RunsCommand::run_request() const {
  const RunRequest& a = request_;
  if (a.no_progress) silence_progress();
  const auto parallel =
      static_cast<unsigned>(std::min<std::uint64_t>(whole_number("--jobs", a.jobs, 0), 1024));
  Plan plan = plan_of(a);
  const std::vector<TraceProgram> traces = traces_of(plan, a.kernel);
  for (const auto& [option, file] :
       {std::pair("--vcd", &a.vcd.file), std::pair("--pipeline", &a.pipeline.file)})
    if (!file->empty() && plan.platforms.size() * traces.size() != 1)
      throw UsageError(std::string(option) + " with several runs; expected one platform and one trace");
  if (plan.platforms.size() < a.fewest_platforms)
    throw UsageError("one platform; expected at least two to compare");
  if (a.profile && plan.results.empty())
    throw UsageError("--profile without a place for it; expected --results FOLDER, too");
  if (a.wide && (a.lines || a.json == "-"))
    throw UsageError("--wide without a table; expected no " + std::string(a.lines ? "--lines" : "--json -"));
  if (a.lines && a.json == "-")
    throw UsageError("--lines and --json, both to standard output; expected a file for the JSON");
  const Platforms platforms = platforms_of(plan);
  std::vector<Job> jobs;
  for (const TraceProgram& trace : traces)
    for (const auto& p : platforms.parameters) jobs.push_back({p, trace});
  check_files(plan, platforms, jobs, a.json);
  if (plan.waveform) check_waveform(*plan.waveform);
  remember_interrupts();
  if (!a.json.empty() && a.json != "-") require_writable(a.json);
  ResultsFolder folder(plan.results);  // before the views, which may be beside it
  std::optional<ViewFile> waveform_file, pipeline_file;
  if (plan.waveform) {
    waveform_file.emplace(plan.waveform->file);
    waveform_file->add(Waveform::save_file_of(waveform_file->place()),
                       Waveform::save_file_aside(waveform_file->aside()));
    plan.waveform->aside = waveform_file->aside();
    jobs.back().waveform = plan.waveform;
  }
  if (plan.pipeline) {
    pipeline_file.emplace(plan.pipeline->file);
    plan.pipeline->aside = pipeline_file->aside();
    jobs.back().pipeline = plan.pipeline;
  }
  for (Job& job : jobs) {
    job.folder = folder.staging(place_of(job));
    job.profile = a.profile;
  }
  std::vector<RunResult> results;
  try {
    results = run_jobs(jobs, parallel != 0 ? parallel : processors(), a.lines ? print_line : nullptr);
  } catch (const std::runtime_error& e) {
    if (!waveform_file || !keeps_failed_run(*plan.waveform) || !waveform_file->is_there()) throw;
    waveform_file->publish();
    throw std::runtime_error(std::string(e.what()) + "; waveform: " + plan.waveform->file.string());
  }
  if (plan.platforms.size() > 1) {
    normalise(results);
    note_disagreeing_presets(results);
  }
  if (!plan.results.empty()) folder.publish(to_json(results));
  if (waveform_file) waveform_file->publish();
  if (pipeline_file) pipeline_file->publish();
  if (a.quiet) return 0;
  if (!a.json.empty())
    write_output(a.json, results.size() == 1 ? to_json(results.front()) : to_json(results));
  if (a.json != "-") print_results(plan, results, a);
  return 0;
}

}  // namespace subcore
