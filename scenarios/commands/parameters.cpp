// subcore parameters: what a platform file can say.
#include "platforms/config/reader.h"
#include "scenarios/commands/command.h"
#include "scenarios/standard_output.h"

namespace subcore {
namespace {

class ParametersCommand : public Command {
 public:
  ParametersCommand()
      : Command("parameters", "every key of a platform file",
                "  subcore parameters [--json FILE]\n"
                "\n"
                "Lists every key of a platform file with its default, range, unit and meaning.\n") {
    example("subcore parameters");
    example("subcore parameters --json parameters.json");
    json_option(json_);
  }

  int run() override {
    if (!json_.empty()) write_output(json_, parameters_json());
    if (json_ != "-") print(parameters_text());
    return 0;
  }

 private:
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> parameters_command() {
  return std::make_unique<ParametersCommand>();
}

}  // namespace subcore
