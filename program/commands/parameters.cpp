// subcore parameters: the keys of a platform file.
#include "subcore/platforms/config/reader.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

class ParametersCommand : public Command {
 public:
  ParametersCommand()
      : Command("parameters", "list every key of a platform file",
                "  subcore parameters [WORD...] [--json FILE]\n"
                "\n"
                "Lists every key of a platform file with its default, range, unit and meaning. With words,\n"
                "lists only the keys that have all of the words in the key or in its meaning.\n") {
    example("subcore parameters");
    example("subcore parameters bank");
    example("subcore parameters --json parameters.json");
    json_option(json_);
    take_arguments(100, "words");
  }

  int run() override {
    FileConflicts files;
    files.output("--json", json_, OutputForm::json);
    files.check();
    if (!json_.empty()) write_output(json_, parameters_json(arguments()));
    if (json_ != "-") print(parameters_text(arguments()));
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
