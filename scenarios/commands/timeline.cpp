// subcore timeline: the pipeline view of a few instructions, in the terminal.
#include "looking/timeline.h"

#include <cstdlib>
#include <iostream>

#include <sys/ioctl.h>
#include <unistd.h>

#include "model/parameters/data_files.h"
#include "platforms/config/reader.h"
#include "scenarios/commands/command.h"
#include "scenarios/commands/whole_platform.h"
#include "scenarios/simulation.h"
#include "scenarios/standard_output.h"

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
    option("platform,p", platform_, "platform file or name");
    option("trace,t", trace_, "trace folder");
    option("set,s", overrides_, "override a parameter: sub_core.collector.count=4");
    option("kernel", kernel_, "only this kernel of the trace's list, from 1");
    option("scope", scope_, "a sub-core's path");
    option("from", from_, "first cycle");
    option("to", to_, "last cycle");
    option("rows", rows_, "most instructions that are printed");
  }

  int run() override {
    if (platform_.empty())
      throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
    if (trace_.empty()) throw UsageError("no trace; expected --trace FOLDER");
    const PipelineWindow window{scope_, whole_number("--from", from_, 0), whole_number("--to", to_, never)};
    if (window.from > window.to)
      throw UsageError("--to " + to_ + " is before --from; expected at least " + from_);
    Timeline::Options options;
    options.rows = whole_number("--rows", rows_, options.rows);
    if (options.rows == 0) throw UsageError("'0' for --rows; expected at least 1");
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    options.colours = terminal && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) options.columns = size.ws_col;

    const std::filesystem::path file = find_data("platforms", platform_);
    const PlatformParameters platform = load_platform(file, overrides_);
    require_whole(file, platform);
    TraceProgram trace = open_trace(trace_);
    if (!kernel_.empty()) keep_kernel(trace, whole_number("--kernel", kernel_, 0));
    Timeline timeline(options);
    Simulation simulation(platform);
    const Cycle end = simulation.look(
        trace, timeline, window, [&] { return timeline.complete(); },
        [](auto& report) {
          std::cerr << "subcore: error: " << report << std::endl;
          _exit(1);
        });
    print(timeline.text(end));
    return 0;
  }

 private:
  std::string platform_, trace_, kernel_, scope_ = "sm_0.sub_core_0", from_, to_, rows_ = "40";
  std::vector<std::string> overrides_;
};

}  // namespace

std::unique_ptr<Command> timeline_command() {
  return std::make_unique<TimelineCommand>();
}

}  // namespace subcore
