// subcore trace-info: the contents of a trace.
#include "subcore/program/analysis/trace_info.h"

#include "subcore/program/commands/trace_command.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

class TraceInfoCommand : public TraceCommand {
 public:
  TraceInfoCommand()
      : TraceCommand(
            "trace-info", "show what a trace consists of",
            "  subcore trace-info TRACE [options]\n"
            "\n"
            "Counts a trace's kernels, instructions, operands and memory accesses, and shows how soon\n"
            "registers are read again. A trace is a folder with a kernelslist.g.\n",
            "baseline") {
    example("subcore trace-info scenarios/traces/hotspot");
    example("subcore trace-info scenarios/traces/hotspot --json -");
  }

  int run() override {
    const TraceProgram program = trace();
    const OperandOptions operands = platform_for(program).operands.options;
    ProgressBar bar("trace-info");
    const TraceInfo info =
        collect_trace_info(program, operands, [&](double share) { bar.show(share, program.name); });
    if (!json().empty()) write_output(json(), trace_info_json(info));
    if (json() != "-") print(trace_info_text(info));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> trace_info_command() {
  return std::make_unique<TraceInfoCommand>();
}

}  // namespace subcore
