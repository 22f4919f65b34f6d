// subcore platforms: which ones come with the program.
#include "model/parameters/data_files.h"
#include "scenarios/commands/command.h"
#include "scenarios/standard_output.h"

namespace subcore {
namespace {

class PlatformsCommand : public Command {
 public:
  PlatformsCommand()
      : Command("platforms", "the platforms that come with the program",
                "  subcore platforms\n"
                "\n"
                "Lists what --platform takes by name, and extends: in a platform file.\n") {}

  int run() override {
    std::string names;
    for (const std::string& n : shipped_names("platforms")) names += n + '\n';
    print(names);
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> platforms_command() {
  return std::make_unique<PlatformsCommand>();
}

}  // namespace subcore
