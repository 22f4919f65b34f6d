// subcore pack: writes a trace in binary, for faster reading.
#include "subcore/program/analysis/pack_trace.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

class PackCommand : public Command {
 public:
  PackCommand()
      : Command(
            "pack", "write a trace in binary, which is faster to read",
            "  subcore pack TRACE [--output FOLDER]\n"
            "\n"
            "Writes a trace into a new folder in a binary form. Every command and scenario file takes the\n"
            "packed trace in place of the text, with the same results. A trace is a folder with a\n"
            "kernelslist.g, or one trace file.\n") {
    option("output,o", output_, "the new folder; default: packed/NAME, where NAME is the trace's name");
    example("subcore pack scenarios/traces/vectoradd");
    example("subcore pack scenarios/traces/hotspot -o hotspot_packed");
    take_arguments(1, "one trace folder");
  }

  int run() override {
    if (arguments().empty()) throw UsageError("no trace; expected one trace folder");
    const TracePath path = trace_path(arguments().front());
    const TraceProgram program = open_trace(path);
    const std::string folder = output_.empty() ? "packed/" + program.name : output_;
    FileConflicts files;
    files.input_folder("the trace", path.path);
    files.trace(program);
    files.output_folder("--output", folder);
    files.check();
    remember_interrupts();
    ProgressBar bar("pack");
    const PackedTrace packed = pack_trace(program, folder, [&](double share) {
      throw_if_interrupted();
      bar.show(share, program.name);
    });
    print(folder + ": " + std::to_string(packed.kernels) +
          (packed.kernels == 1 ? " kernel, " : " kernels, ") + std::to_string(packed.bytes) +
          " bytes (before: " + std::to_string(packed.bytes_before) + ")\n");
    return 0;
  }

 private:
  std::string output_;
};

}  // namespace

std::unique_ptr<Command> pack_command() {
  return std::make_unique<PackCommand>();
}

}  // namespace subcore
