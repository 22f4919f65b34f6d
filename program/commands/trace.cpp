// subcore trace: makes traces without a GPU.
#include "subcore/base/names.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/tracer/launch/trace_description.h"

namespace subcore {
namespace {

// The words of an enumeration.
template <class E>
std::vector<std::string> all_words() {
  std::vector<std::string> all;
  for (const auto word : names(E{})) all.emplace_back(word);
  return all;
}

class TraceKernelsCommand : public Command {
 public:
  TraceKernelsCommand()
      : Command("trace", "make a trace of compiled GPU code, without a GPU",
                "  subcore trace DESCRIPTION [--output FOLDER]\n"
                "\n"
                "Executes the kernels of a description, a YAML file, and writes what each warp executes as\n"
                "a trace. A description names compiled code for sm_75, sm_80, sm_86, sm_89 or sm_90: a\n"
                "cubin, or a program that nvcc has made. The program subcore-trace does the same.\n") {
    const auto add = [this](const char* names, auto& to, const char* help) { option(names, to, help); };
    tracer::describe_options(options_, add, add);
    option("no-trace", no_trace_, "execute and check, and write nothing");
    words("copies", all_words<tracer::CopyTime>());
    words("pack", all_words<tracer::TracePacking>());
    words("trace-version", all_words<tracer::TraceVersion>());
    example("subcore trace examples/softmax/softmax.yaml");
    example("subcore trace examples/softmax/softmax.yaml --kernel softmax --ctas 0:4 --output first_ctas");
    take_arguments(1, "one description");
  }

  int run() override {
    if (arguments().empty()) throw UsageError("no description; expected one YAML file");
    options_.description = arguments().front();
    options_.is_trace_wanted = !no_trace_;
    remember_interrupts();
    ProgressBar bar("trace");
    const std::string done =
        tracer::trace_description(options_, [&](double share, const std::string& kernel) {
          throw_if_interrupted();
          bar.show(share, kernel);
        });
    bar.hide();
    print(done + "\n");
    return 0;
  }

 private:
  tracer::TraceOptions options_;
  bool no_trace_ = false;
};

}  // namespace

std::unique_ptr<Command> trace_command() {
  return std::make_unique<TraceKernelsCommand>();
}

}  // namespace subcore
