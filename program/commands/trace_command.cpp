#include "subcore/program/commands/trace_command.h"

#include <set>

#include "subcore/base/whole_file.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/user_cache.h"

namespace fs = std::filesystem;

namespace subcore {

TraceCommand::TraceCommand(std::string name, std::string summary, std::string usage, const char* platform)
    : Command(std::move(name), std::move(summary), std::move(usage)), otherwise_(platform) {
  option("platform,p", platforms_,
         "register system whose operands and compiler passes are used: a file, a name or MACHINE/SYSTEM");
  option("gpu,g", gpu_, "machine of the platform: a file or a name");
  option("trace,t", traces_, "trace folder, or NAME=FOLDER");
  option("set,s", overrides_, "override a parameter: operands.tensor=named; may be given several times");
  option("no-cache", no_cache_, no_cache_help);
  json_option(json_);
  take_arguments(1, "one trace folder");
}

TracePath TraceCommand::path() const {
  std::vector<std::string> traces = arguments();
  traces.insert(traces.end(), traces_.begin(), traces_.end());
  if (traces.size() != 1) throw UsageError("expected one trace folder");
  return trace_path(traces.front());
}

TraceProgram TraceCommand::trace() const {
  TraceProgram trace = open_trace(path());
  use_user_cache(CacheUse::keep, no_cache_, {&trace});
  return trace;
}

PlatformParameters TraceCommand::platform_for(const TraceProgram& trace,
                                              std::vector<std::string> settings) const {
  if (platforms_.size() > 1)
    throw UsageError("several platforms; expected at most one, for its operands and compiler passes");
  settings.insert(settings.end(), overrides_.begin(), overrides_.end());
  std::set<fs::path> read;
  const PlatformParameters p =
      load_platform(on_machine_of(find_platform(platforms_.empty() ? otherwise_ : platforms_.front(), gpu_),
                                  binary_version_of(trace)),
                    settings, &read);
  FileConflicts files;
  for (const fs::path& file : read) files.input("a platform", file);
  files.input("the trace", path().path);
  files.trace(trace);
  files.output("--json", json_, OutputForm::json);
  files.check();
  if (!json_.empty() && json_ != "-") require_writable(json_);
  return p;
}

}  // namespace subcore
