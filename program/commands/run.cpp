// subcore run: runs a scenario file, or platforms on traces.
#include "subcore/program/commands/runs.h"

namespace subcore {
namespace {

class RunCommand : public RunsCommand {
 public:
  RunCommand()
      : RunsCommand(
            "run", "run a scenario file, or one platform on one trace",
            "  subcore run SCENARIO.yaml [options]           run what a scenario file says\n"
            "  subcore run --platform P --trace T [options]  one platform on one trace\n"
            "\n"
            "With several platforms and traces, every platform runs every trace. Options replace what the\n"
            "scenario file says; only --set adds to its settings.\n") {
    RunRequest& r = request_;
    option(
        "vcd", r.vcd.file,
        "write a waveform (one platform, one trace), .vcd, .vcd.gz or .vcd.xz, and a save file for GTKWave");
    option("vcd-scope", r.vcd.scope, "only modules below this path, e.g. sm_0.sub_core_0");
    option("vcd-from", r.vcd.from, "first cycle in the waveform");
    option("vcd-to", r.vcd.to, "last cycle in the waveform");
    option(
        "vcd-on", r.vcd_on,
        "only cycles around events: stale, stall>N, flush, sthld, or several with commas (docs/looking.md)");
    option("vcd-around", r.vcd_around, "cycles to show before and after each event; default: 100");
    option("pipeline", r.pipeline.file,
           "write each instruction's life for the viewer Konata (one platform, one trace), compressed if the "
           "name ends in .gz");
    option("pipeline-scope", r.pipeline.scope, "only sub-cores below this path, e.g. sm_0.sub_core_0");
    option("pipeline-from", r.pipeline.from, "first cycle in the pipeline view");
    option("pipeline-to", r.pipeline.to, "last cycle in the pipeline view");
    option("profile", r.profile,
           "also write profile.json, which says where cycles went, for subcore explain");
    table_options();
    example("subcore run -p malekeh -t scenarios/traces/nn -r results --profile");
    example("subcore run -p malekeh -t scenarios/traces/nn -s sub_core.collector.count=4");
    example("subcore run -p malekeh -t scenarios/traces/nn --vcd malekeh.vcd --vcd-to 500");
    take_arguments(1, "one scenario file");
  }

  int run() override {
    if (!arguments().empty()) request_.scenario = arguments().front();
    return run_request();
  }
};

}  // namespace

std::unique_ptr<Command> run_command() {
  return std::make_unique<RunCommand>();
}

}  // namespace subcore
