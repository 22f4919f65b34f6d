// subcore platforms: which ones come with the program.
#include "subcore/base/json_text.h"
#include "subcore/base/text_width.h"
#include "subcore/base/yaml_source.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/commands/shipped_platforms.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {

std::vector<ShippedPlatform> shipped_platforms() {
  std::vector<ShippedPlatform> all;
  for (const std::string& name : shipped_names("platforms")) {
    const std::filesystem::path file = *find_shipped("platforms", name);
    const YamlSource source(file);
    ShippedPlatform platform{name, "", file.string()};
    bool is_whole = false;
    for (const YamlSource::Entry& e : source.entries(source.root(), source.root(), "")) {
      is_whole = is_whole || e.key == "name";
      if (e.key == "description" && e.value.is_scalar()) platform.description = e.value.text();
    }
    if (is_whole) all.push_back(std::move(platform));
  }
  return all;
}

namespace {

std::string table_of(const std::vector<ShippedPlatform>& platforms) {
  constexpr std::size_t names = 24;
  std::string text;
  for (const ShippedPlatform& p : platforms) {
    const std::string name = padded(p.name, names) + "  ";
    text += name + cut_at_word(p.description, usual_width - std::min(usual_width, text_width(name))) + '\n';
  }
  return text;
}

std::string json_of(const std::vector<ShippedPlatform>& platforms) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ShippedPlatform& p : platforms)
    list.push_back({{"name", p.name}, {"description", p.description}, {"file", p.file}});
  return json_text(list);
}

class PlatformsCommand : public Command {
 public:
  PlatformsCommand()
      : Command("platforms", "the platforms that come with the program",
                "  subcore platforms [--json FILE]\n"
                "\n"
                "Lists what --platform takes by name, and extends: in a platform file; a line each.\n"
                "--json has the descriptions in full, and the files. What there is only to extend a\n"
                "platform with (gpus/rtx2060.yaml, units/turing.yaml ...) is beside those files.\n") {
    example("subcore platforms");
    example("subcore platforms --json -");
    json_option(json_);
  }

  int run() override {
    FileConflicts files;
    files.output("--json", json_, OutputForm::json);
    files.check();
    const std::vector<ShippedPlatform> platforms = shipped_platforms();
    if (!json_.empty()) write_output(json_, json_of(platforms));
    if (json_ != "-") print(table_of(platforms));
    return 0;
  }

 private:
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> platforms_command() {
  return std::make_unique<PlatformsCommand>();
}

}  // namespace subcore
