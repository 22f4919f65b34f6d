// subcore annotate: what compiler passes say about a trace's instructions.
#include "subcore/program/analysis/annotate.h"

#include "subcore/program/commands/trace_command.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

class AnnotateCommand : public TraceCommand {
 public:
  AnnotateCommand()
      : TraceCommand(
            "annotate", "show what compiler passes find out about a trace's instructions",
            "  subcore annotate TRACE [options]\n"
            "\n"
            "Runs every compiler pass over a trace and prints each static instruction with its hints.\n"
            "A trace is a folder with a kernelslist.g. With --lint, prints only the places where\n"
            "control bits (stall counts and barriers) do not order instructions that depend on each other.\n"
            "The exit code is then 1 if there is such a place.\n",
            "malekeh") {
    example("subcore annotate scenarios/traces/hotspot");
    example("subcore annotate scenarios/traces/hotspot --lint");
    option("kernel", kernel_, "only the kernel at this place of the trace's list (the first is 1)");
    option("lint", lint_, "check control bits, of sidecars or synthetic ones");
  }

  int run() override {
    const TraceProgram program = trace();
    const PlatformParameters p =
        platform_for(program, {"passes.write_back=true", "passes.dead=true", "passes.liveness=true",
                               "passes.strands=true", "passes.intervals=true"});
    AnnotateRequest request{p.operands.options, p.pass_options(), std::nullopt};
    request.options.needs_control_bits = false;
    if (!kernel_.empty()) request.kernel = whole_number("--kernel", kernel_, 0);
    if (lint_) return lint(program, request);
    ProgressBar bar("annotate");
    const AnnotatedTrace annotation =
        annotate(program, request, [&](double share) { bar.show(share, program.name); });
    if (!json().empty()) write_output(json(), annotation.json);
    if (json() != "-") print(annotation.text);
    return 0;
  }

 private:
  int lint(const TraceProgram& program, const AnnotateRequest& request) const {
    if (!json().empty()) throw UsageError("--lint prints lines; expected no --json with it");
    ProgressBar bar("annotate");
    const ControlLint lint =
        lint_control_bits(program, request.operands, request.options.control_bits, request.kernel,
                          [&](double share) { bar.show(share, program.name); });
    print(lint.text);
    return lint.violations == 0 ? 0 : 1;
  }

  std::string kernel_;
  bool lint_ = false;
};

}  // namespace

std::unique_ptr<Command> annotate_command() {
  return std::make_unique<AnnotateCommand>();
}

}  // namespace subcore
