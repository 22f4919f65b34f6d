// The program `subcore`.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>

#include <boost/program_options.hpp>

#include "model/config/data_files.h"
#include "model/config/reader.h"
#include "model/statistics/results.h"
#include "model/statistics/whole_file.h"
#include "model/trace/line_source.h"
#include "power/energy_model.h"
#include "scenarios/annotate.h"
#include "scenarios/cache_study_command.h"
#include "scenarios/job_runner.h"
#include "scenarios/progress.h"
#include "scenarios/results_folder.h"
#include "scenarios/scenario.h"
#include "scenarios/trace_info.h"

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace subcore {
namespace {

const char* const usage =
    "subcore models the register-operand path of GPU sub-cores on warp-instruction traces.\n"
    "\n"
    "  subcore run SCENARIO.yaml [options]             run what a scenario file says\n"
    "  subcore run --platform P --trace T [options]    one platform on one trace\n"
    "  subcore compare --platform P ... --trace T ...  several platforms on the same traces, side by side\n"
    "  subcore trace-info TRACE [--json FILE]          what a trace consists of\n"
    "  subcore annotate TRACE [--kernel N] [--json F]  what compiler passes say of its instructions\n"
    "  subcore cache-study --trace T [options]         what a register cache per thread saves, no timing\n"
    "  subcore parameters [--json FILE]                every key of a platform file\n"
    "  subcore platforms                               the platforms that come with the program\n"
    "\n"
    "A platform is a YAML file or the name of a shipped one; a trace is a folder with a kernelslist.g,\n"
    "or a folder with such folders somewhere below it: all of them, where several traces can be run.\n";

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Arguments {
  std::vector<std::string> platforms, traces, overrides, positional;
  std::string results, json, vcd, vcd_scope, vcd_from, vcd_to, jobs, kernel;
  bool lines = false;
};

void print_line(const RunResult& r) {
  std::printf(
      "%-40s %-16s retired %llu of %llu, %llu operands checked, %llu stale, IPC %.3f, hits %.1f %%, %.2f s\n",
      r.trace.c_str(), r.platform.c_str(), static_cast<unsigned long long>(r.instructions_retired),
      static_cast<unsigned long long>(r.instructions_traced),
      static_cast<unsigned long long>(r.operands_checked), static_cast<unsigned long long>(r.stale_operands),
      r.ipc, r.read_hit_ratio * 100, r.wall_seconds);
  std::fflush(stdout);
}

po::options_description options_of(Arguments& a) {
  po::options_description o("options");
  o.add_options()("platform,p", po::value(&a.platforms)->composing(),
                  "platform file or name; may be given several times to compare")(
      "trace,t", po::value(&a.traces)->composing(), "trace folder; may be given several times")(
      "set,s", po::value(&a.overrides)->composing(), "override a parameter: sub_core.collector.count=4")(
      "results,r", po::value(&a.results),
      "folder for stats.json, stats.csv, intervals.csv, power.csv, platform.yaml")(
      "json,j", po::value(&a.json), "write results as JSON to this file, - for standard output")(
      "vcd", po::value(&a.vcd), "write a waveform (one platform, one trace)")(
      "vcd-scope", po::value(&a.vcd_scope), "only modules below this path, e.g. sm_0.sub_core_0")(
      "vcd-from", po::value(&a.vcd_from), "first cycle in the waveform")("vcd-to", po::value(&a.vcd_to),
                                                                         "last cycle in the waveform")(
      "lines", po::bool_switch(&a.lines),
      "print a line per run, as soon as it has passed its checks, instead of the table")(
      "jobs", po::value(&a.jobs), "runs at once; default: one per processor")(
      "kernel", po::value(&a.kernel), "only this kernel of the list, from 1 (annotate)")("help,h",
                                                                                         "this text");
  return o;
}

Arguments parse(int argc, char** argv) {
  Arguments a;
  po::options_description all = options_of(a);
  const po::options_description shown = all;
  all.add_options()("positional", po::value(&a.positional));
  po::positional_options_description positional;
  positional.add("positional", -1);
  po::variables_map map;
  try {
    po::store(po::command_line_parser(argc, argv)
                  .options(all)
                  .positional(positional)
                  .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
                  .run(),
              map);
    po::notify(map);
  } catch (const po::error& e) {
    throw UsageError(std::string(e.what()) + "; expected options as `subcore --help` lists them");
  }
  if (map.count("help") != 0) {
    std::cout << usage << '\n' << shown;
    std::exit(0);
  }
  return a;
}

void emit_json(const std::string& file, const std::string& json) {
  if (file == "-") {
    std::cout << json << std::flush;
  } else {
    write_whole_file(file, json);
  }
}

// The option library takes -1 for a very large number.
std::uint64_t number(const char* option, const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  if (text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw UsageError("'" + text + "' for " + option + "; expected a whole number from 0");
  return std::stoull(text);
}

std::optional<WaveformOptions> waveform_of(const Arguments& a) {
  if (a.vcd.empty()) {
    for (const auto& [option, text] :
         {std::pair("--vcd-scope", &a.vcd_scope), std::pair("--vcd-from", &a.vcd_from),
          std::pair("--vcd-to", &a.vcd_to)}) {
      if (!text->empty())
        throw UsageError(std::string(option) + " without a waveform; expected --vcd FILE, too");
    }
    return std::nullopt;
  }
  WaveformOptions w{
      a.vcd, {}, a.vcd_scope, number("--vcd-from", a.vcd_from, 0), number("--vcd-to", a.vcd_to, never)};
  if (w.from > w.to)
    throw UsageError("--vcd-to " + a.vcd_to + " is before --vcd-from; expected at least " + a.vcd_from);
  return w;
}

struct Plan {
  std::vector<std::string> platforms;
  std::vector<fs::path> traces;
  std::vector<std::string> overrides;
  fs::path results;
  std::optional<WaveformOptions> waveform;
};

Plan plan_of(const Arguments& a, bool scenario_allowed) {
  Plan plan;
  if (!a.positional.empty()) {
    if (!scenario_allowed)
      throw UsageError("unexpected argument '" + a.positional.front() + "'; expected --platform and --trace");
    if (a.positional.size() > 1)
      throw UsageError("unexpected argument '" + a.positional[1] + "'; expected one scenario file");
    const Scenario s = load_scenario(a.positional.front());
    plan = {s.platforms, s.traces, s.overrides, s.results, std::nullopt};
    if (!s.vcd.empty()) plan.waveform = WaveformOptions{s.vcd, {}, s.vcd_scope, s.vcd_from, s.vcd_to};
  }
  if (!a.platforms.empty()) plan.platforms = a.platforms;
  if (!a.traces.empty()) plan.traces.assign(a.traces.begin(), a.traces.end());
  plan.overrides.insert(plan.overrides.end(), a.overrides.begin(), a.overrides.end());
  if (!a.results.empty()) plan.results = a.results;
  if (const auto waveform = waveform_of(a)) plan.waveform = waveform;
  if (plan.platforms.empty())
    throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
  if (plan.traces.empty()) throw UsageError("no trace; expected --trace FOLDER");
  return plan;
}

// The waveform is written beside its place by the process that runs the model, and moved there when all runs
// have succeeded. Here, because that process may be killed before it can clean up.
class WaveformFile {
 public:
  explicit WaveformFile(const fs::path& file) : file_(file), aside_(file) {
    if (fs::exists(file_) && !fs::is_regular_file(file_))  // moving over a device would destroy it
      throw std::runtime_error("cannot write " + file_.string() +
                               ": it is no regular file; expected a new file name");
    require_writable(file_);
    aside_ += ".part-" + std::to_string(getpid());
  }
  ~WaveformFile() {
    std::error_code ignored;
    for (const fs::path& left : {aside_, Waveform::temporary(aside_)}) fs::remove(left, ignored);
  }
  WaveformFile(const WaveformFile&) = delete;
  WaveformFile& operator=(const WaveformFile&) = delete;

  const fs::path& aside() const { return aside_; }
  void publish() {
    std::error_code error;
    fs::rename(aside_, file_, error);
    if (error) throw std::runtime_error("cannot write " + file_.string() + ": " + error.message());
  }

 private:
  fs::path file_, aside_;
};

bool can_name_folder(const std::string& name) {
  constexpr std::size_t longest = 255;  // of the usual file systems
  const auto spoils = [](char c) { return c == '/' || (c >= 0 && c < ' '); };
  return !name.empty() && name != "." && name != ".." && name.size() <= longest &&
         std::none_of(name.begin(), name.end(), spoils);
}

// Everything that can be wrong is looked at before anything runs.
std::vector<Job> jobs_of(const Plan& plan, const std::vector<TraceProgram>& traces,
                         const ResultsFolder& folder) {
  std::vector<PlatformParameters> platforms;
  std::set<std::string> names;
  for (const std::string& p : plan.platforms) {
    platforms.push_back(load_platform(find_data("platforms", p), plan.overrides));
    energy_coefficients(platforms.back());
    const std::string clock = problem_of_clock(platforms.back().clock_period_ns);
    if (!clock.empty()) throw UsageError(p + ": " + clock);
    const std::string& name = platforms.back().name;  // also a folder's
    if (!can_name_folder(name))
      throw UsageError(p + ": the platform's name is " + subcore::quoted(name) +
                       "; expected a name without '/' and of at most 255 bytes that can name a folder");
    if (!names.insert(platforms.back().name).second) {
      throw UsageError(p + ": a platform named '" + platforms.back().name +
                       "' was given before; expected distinct names");
    }
  }
  std::vector<Job> jobs;
  for (const TraceProgram& trace : traces) {
    for (const PlatformParameters& p : platforms) {
      jobs.push_back({p, trace, std::nullopt, folder.staging(p.name, trace.name)});
    }
  }
  if (plan.waveform) jobs.back().waveform = plan.waveform;
  return jobs;
}

unsigned processors() {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : static_cast<unsigned>(n);
}

int run(const Arguments& a, bool compare) {
  const auto jobs = static_cast<unsigned>(std::min<std::uint64_t>(number("--jobs", a.jobs, 0), 1024));
  Plan plan = plan_of(a, !compare);
  const std::vector<TraceProgram> traces = open_traces(plan.traces);
  if (!a.vcd.empty() && plan.platforms.size() * traces.size() != 1) {
    throw UsageError("--vcd with several runs; expected one platform and one trace");
  }
  if (compare && plan.platforms.size() < 2)
    throw UsageError("one platform; expected at least two to compare");
  if (!a.json.empty() && a.json != "-") require_writable(a.json);
  std::optional<WaveformFile> waveform_file;
  if (plan.waveform) {
    waveform_file.emplace(plan.waveform->file);
    plan.waveform->aside = waveform_file->aside();
  }
  ResultsFolder folder(plan.results);
  // Lines would spoil JSON on standard output.
  const auto passed = a.lines && a.json != "-" ? print_line : nullptr;
  std::vector<RunResult> results =
      run_jobs(jobs_of(plan, traces, folder), jobs != 0 ? jobs : processors(), passed);
  if (plan.platforms.size() > 1) normalise(results);
  if (!plan.results.empty()) {
    folder.add("results.json", to_json(results));
    folder.publish();
  }
  if (waveform_file) waveform_file->publish();
  if (!a.json.empty()) emit_json(a.json, results.size() == 1 ? to_json(results.front()) : to_json(results));
  if (a.json != "-") {
    if (!a.lines) std::cout << comparison_table(results);
    for (const RunResult& r : results) {
      for (const auto& [opcode, count] : r.unknown_opcodes) {
        std::cout << "note: " << r.platform << " on " << r.trace << ": unknown opcode " << opcode << " ("
                  << count << " static instructions) ran as its family\n";
      }
      for (const std::string& n : r.notes)
        std::cout << "note: " << r.platform << " on " << r.trace << ": " << n << '\n';
    }
    if (!plan.results.empty()) std::cout << "results: " << plan.results.string() << '\n';
    if (plan.waveform) std::cout << "waveform: " << plan.waveform->file.string() << '\n';
  }
  return 0;
}

int trace_info(const Arguments& a) {
  std::vector<std::string> traces = a.positional;
  traces.insert(traces.end(), a.traces.begin(), a.traces.end());
  if (traces.size() != 1) throw UsageError("expected one trace folder");
  OperandOptions operands;
  if (!a.platforms.empty() || !a.overrides.empty()) {
    operands = load_platform(find_data("platforms", a.platforms.empty() ? "baseline" : a.platforms.front()),
                             a.overrides)
                   .operands.options;
  }
  TraceInfo info;
  {
    ProgressBar bar("trace-info");
    info = collect_trace_info(open_trace(traces.front()), operands,
                              [&](double share) { bar.show(share, traces.front()); });
  }
  if (!a.json.empty()) emit_json(a.json, trace_info_json(info));
  if (a.json != "-") std::cout << trace_info_text(info);
  return 0;
}

int annotate_trace(const Arguments& a) {
  std::vector<std::string> traces = a.positional;
  traces.insert(traces.end(), a.traces.begin(), a.traces.end());
  if (traces.size() != 1) throw UsageError("expected one trace folder");
  if (a.platforms.size() > 1) throw UsageError("several platforms; expected at most one, for its hints");
  const PlatformParameters p = load_platform(
      find_data("platforms", a.platforms.empty() ? "malekeh" : a.platforms.front()), a.overrides);
  AnnotateRequest request{p.operands.options, p.hints, std::nullopt};
  if (!a.kernel.empty()) request.kernel = number("--kernel", a.kernel, 0);
  if (!a.json.empty() && a.json != "-") require_writable(a.json);
  Annotation annotation;
  {
    ProgressBar bar("annotate");
    annotation =
        annotate(open_trace(traces.front()), request, [&](double share) { bar.show(share, traces.front()); });
  }
  if (!a.json.empty()) emit_json(a.json, annotation.json);
  if (a.json != "-") std::cout << annotation.text;
  return 0;
}

int command(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb.empty() || verb == "help" || verb == "--help" || verb == "-h") {
    Arguments none;
    std::cout << usage << '\n' << options_of(none);
    return verb.empty() ? 2 : 0;
  }
  if (verb == "--version" || verb == "version") {
    std::cout << "subcore " SUBCORE_VERSION "\n";
    return 0;
  }
  if (verb == "cache-study") return cache_study_command(argc - 1, argv + 1);  // options of its own
  const Arguments a = parse(argc - 1, argv + 1);
  if (verb == "run") return run(a, false);
  if (verb == "compare") return run(a, true);
  if (verb == "trace-info") return trace_info(a);
  if (verb == "annotate") return annotate_trace(a);
  if (verb == "parameters") {
    if (!a.json.empty()) emit_json(a.json, parameters_json());
    if (a.json != "-") std::cout << parameters_text();
    return 0;
  }
  if (verb == "platforms") {
    for (const std::string& n : shipped_names("platforms")) std::cout << n << '\n';
    return 0;
  }
  throw UsageError("unknown command '" + verb +
                   "'; expected run, compare, trace-info, annotate, cache-study, parameters or platforms");
}

}  // namespace
}  // namespace subcore

int sc_main(int argc, char** argv) {
  try {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    const int code = subcore::command(argc, argv);
    // A full disk behind standard output must not look like success.
    if (!std::cout.flush())
      throw std::runtime_error("standard output cannot be written; expected room for it");
    return code;
  } catch (const std::exception& e) {  // one line, whatever it was
    std::cerr << "subcore: error: " << e.what() << '\n';
    return 1;
  }
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
