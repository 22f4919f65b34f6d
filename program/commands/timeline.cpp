// subcore timeline: the pipeline view of a few instructions, in the terminal.
#include "subcore/observers/timeline.h"

#include <cstdlib>
#include <iostream>
#include <set>

#include <sys/ioctl.h>
#include <unistd.h>

#include "subcore/base/whole_file.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/commands/platforms.h"
#include "subcore/program/report/diagram/timeline_svg.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/simulation.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

class TimelineCommand : public Command {
 public:
  TimelineCommand()
      : Command("timeline", "a few instructions' way through a sub-core, cycle by cycle",
                "  subcore timeline --platform P --trace T [--from N] [options]\n"
                "\n"
                "Prints a row for each instruction that is under way from cycle N on, a column for each\n"
                "cycle, in colours if it goes to a terminal. `subcore run --pipeline FILE` writes the same\n"
                "of all instructions for the viewer Konata.\n") {
    option("platform,p", platform_, "register system, file or name, or MACHINE/SYSTEM");
    option("gpu,g", gpu_, "machine, file or name");
    option("trace,t", trace_, "trace folder, or NAME=FOLDER");
    option("set,s", overrides_, "override a parameter: sub_core.collector.count=4");
    option("kernel", kernel_, "only this kernel of the trace's list, from 1");
    option("scope", scope_, "a sub-core's path");
    option("from", from_, "first cycle");
    option("to", to_, "last cycle");
    option("rows", rows_, "most instructions that are shown");
    option("output,o", output_,
           "write a picture (SVG) to this file, - for standard output, and print nothing");
    example("subcore timeline -p malekeh -t scenarios/traces/vectoradd");
    example("subcore timeline -p baseline -t scenarios/traces/nn --rows 20 -o nn.svg");
  }

  int run() override {
    if (platform_.empty())
      throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
    if (trace_.empty()) throw UsageError("no trace; expected --trace FOLDER");
    const PipelineWindow window{scope_, whole_number("--from", from_, 0), whole_number("--to", to_, never)};
    if (window.from > window.to)
      throw UsageError("--to " + to_ + " is before --from; expected at least " + from_);
    const Timeline::Options options = table_options();

    const TracePath path = trace_path(trace_);
    TraceProgram trace = open_trace(path);
    const PlatformChoice file = on_machine_of(find_platform(platform_, gpu_), binary_version_of(trace));
    std::set<std::filesystem::path> read;
    const PlatformParameters platform = load_platform(file, overrides_, &read);
    require_whole(file.file, platform);
    FileConflicts files;
    for (const std::filesystem::path& f : read) files.input("a platform", f);
    files.input("the trace", path.path);
    files.trace(trace);
    files.output("--output", output_, OutputForm::svg);
    files.check();
    if (!output_.empty() && output_ != "-") require_writable(output_);
    if (!kernel_.empty()) keep_kernel(trace, whole_number("--kernel", kernel_, 0));
    Timeline timeline(options);
    Simulation simulation(platform);
    const auto show = [&](Cycle end) {
      if (output_.empty())
        print(timeline.text(end));
      else
        write_output(output_, svg_of(timeline.table(end), platform.name + " on " + trace.name, scope_));
    };
    try {
      show(simulation.look(
          trace, timeline, window, [&] { return timeline.complete(); },
          [](auto& report) {
            std::cerr << "subcore: error: " << report << std::endl;
            _exit(1);
          }));
    } catch (const SimulationError&) {  // the way there is what somebody wants to see
      if (const Cycle end = simulation.close_look(); end != 0 && output_ != "-") show(end);
      throw;
    }
    return 0;
  }

 private:
  Timeline::Options table_options() const {
    Timeline::Options options;
    options.rows = whole_number("--rows", rows_, options.rows);
    if (options.rows == 0) throw UsageError("'0' for --rows; expected at least 1");
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    options.colours = terminal && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) options.columns = size.ws_col;
    return options;
  }

  std::string platform_, gpu_, trace_, kernel_, scope_ = "sm_0.sub_core_0", from_, to_, rows_ = "40", output_;
  std::vector<std::string> overrides_;
};

}  // namespace

std::unique_ptr<Command> timeline_command() {
  return std::make_unique<TimelineCommand>();
}

}  // namespace subcore
