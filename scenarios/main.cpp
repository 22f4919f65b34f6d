// The program `subcore`.
#include <cstdlib>
#include <iostream>
#include <new>
#include <set>

#include <signal.h>
#include <systemc>

#include "model/config/data_files.h"
#include "model/config/reader.h"
#include "model/statistics/whole_file.h"
#include "scenarios/annotate.h"
#include "scenarios/cache_study_command.h"
#include "scenarios/file_conflicts.h"
#include "scenarios/interrupt.h"
#include "scenarios/progress.h"
#include "scenarios/run_command.h"
#include "scenarios/standard_output.h"
#include "scenarios/trace_info.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

std::string trace_of(const Arguments& a) {
  std::vector<std::string> traces = a.positional;
  traces.insert(traces.end(), a.traces.begin(), a.traces.end());
  if (traces.size() != 1) throw UsageError("expected one trace folder");
  return traces.front();
}

// Whose operands and hints they are; and looks at where the output will go, before the trace is read.
PlatformParameters platform_of(const Arguments& a, const char* otherwise, const TraceProgram& trace) {
  if (a.platforms.size() > 1)
    throw UsageError("several platforms; expected at most one, for its operands and hints");
  std::set<fs::path> read;
  const PlatformParameters p = load_platform(
      find_data("platforms", a.platforms.empty() ? otherwise : a.platforms.front()), a.overrides, &read);
  FileConflicts files;
  for (const fs::path& file : read) files.input("a platform", file);
  files.input("the trace", trace_of(a));
  files.trace(trace);
  files.output("--json", a.json);
  files.check();
  if (!a.json.empty() && a.json != "-") require_writable(a.json);
  return p;
}

int trace_info(const Arguments& a) {
  const TraceProgram trace = open_trace(trace_of(a));
  const OperandOptions operands = platform_of(a, "baseline", trace).operands.options;
  TraceInfo info;
  {
    ProgressBar bar("trace-info");
    info = collect_trace_info(trace, operands, [&](double share) { bar.show(share, trace.name); });
  }
  if (!a.json.empty()) write_output(a.json, trace_info_json(info));
  if (a.json != "-") print(trace_info_text(info));
  return 0;
}

int annotate_trace(const Arguments& a) {
  const TraceProgram trace = open_trace(trace_of(a));
  const PlatformParameters p = platform_of(a, "malekeh", trace);
  AnnotateRequest request{p.operands.options, p.hints, std::nullopt};
  if (!a.kernel.empty()) request.kernel = whole_number("--kernel", a.kernel, 0);
  Annotation annotation;
  {
    ProgressBar bar("annotate");
    annotation = annotate(trace, request, [&](double share) { bar.show(share, trace.name); });
  }
  if (!a.json.empty()) write_output(a.json, annotation.json);
  if (a.json != "-") print(annotation.text);
  return 0;
}

int command(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb.empty()) {
    print(help_text());
    return 2;
  }
  for (const char* word : {"help", "--help", "-h", "--version", "version"}) {
    if (verb != word) continue;
    if (argc > 2)
      throw UsageError("unexpected argument '" + std::string(argv[2]) + "'; expected nothing after " + verb);
    print(verb.find("version") != std::string::npos ? "subcore " SUBCORE_VERSION "\n" : help_text());
    return 0;
  }
  if (verb == "cache-study") return cache_study_command(argc - 1, argv + 1);  // options of its own
  const Arguments a = parse_arguments(argc, argv);
  if (a.help) {
    print(help_text(verb));
  } else if (verb == "trace-info") {
    return trace_info(a);
  } else if (verb == "annotate") {
    return annotate_trace(a);
  } else if (verb == "parameters") {
    if (!a.json.empty()) write_output(a.json, parameters_json());
    if (a.json != "-") print(parameters_text());
  } else if (verb == "platforms") {
    std::string names;
    for (const std::string& n : shipped_names("platforms")) names += n + '\n';
    print(names);
  } else {
    return run_command(a);
  }
  return 0;
}

int complain(std::string text) {
  if (!text.empty() && text.back() == '\n') text.pop_back();  // of a table below the line
  std::cerr << "subcore: error: " << text << '\n';
  return 1;
}

}  // namespace
}  // namespace subcore

int sc_main(int argc, char** argv) {
  try {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    sc_core::sc_set_time_resolution(1, sc_core::SC_PS);
    return subcore::command(argc, argv);
  } catch (const subcore::Interrupted& e) {
    if (!e.is_quiet()) subcore::complain(e.what());
    return e.exit_code();
  } catch (const std::bad_alloc&) {
    return subcore::complain("out of memory; expected more of it, or a smaller platform or trace");
  } catch (const std::exception& e) {  // one line, whatever it was
    return subcore::complain(e.what());
  }
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  // A reader that goes away and a limit on file sizes show as errors of the write that meets them.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  return sc_core::sc_elab_and_sim(argc, argv);
}
