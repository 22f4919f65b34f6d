// subcore compare: several platforms on the same traces.
#include "subcore/program/commands/runs.h"

namespace subcore {
namespace {

class CompareCommand : public RunsCommand {
 public:
  CompareCommand()
      : RunsCommand(
            "compare", "compare several platforms on the same traces, side by side",
            "  subcore compare --platform P --platform Q ... --trace T ... [options]\n"
            "\n"
            "Runs every platform on every trace, and compares all others with the first platform.\n") {
    option("profile", request_.profile,
           "also write profile.json, which says where cycles went, for subcore explain");
    table_options();
    example("subcore compare -p baseline -p malekeh -t scenarios/traces/vectoradd");
    example("subcore compare -p baseline -p bow -t scenarios/traces --dry-run");
    take_arguments(0, "--platform and --trace");
    request_.fewest_platforms = 2;
  }

  int run() override { return run_request(); }
};

}  // namespace

std::unique_ptr<Command> compare_command() {
  return std::make_unique<CompareCommand>();
}

}  // namespace subcore
