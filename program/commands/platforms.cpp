// subcore platforms: the register systems and machines that come with the program.
#include "subcore/program/commands/platforms.h"

#include <algorithm>

#include "subcore/base/formatted.h"
#include "subcore/base/json_text.h"
#include "subcore/base/text_width.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/conductor/conductor.h"
#include "subcore/modules/execution_unit/execution_parameters.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/gpu_hook.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

// The shipped files of a kind that have `key` at the top.
std::vector<ShippedFile> shipped_with(const char* kind, const std::string& key) {
  std::vector<ShippedFile> all;
  for (const std::string& name : shipped_names(kind)) {
    const std::filesystem::path file = *find_shipped(kind, name);
    const YamlSource source(file);
    ShippedFile shipped{name, "", file.string()};
    bool is_whole = false;
    for (const YamlSource::Entry& e : source.entries(source.root(), source.root(), "")) {
      is_whole = is_whole || e.key == key;
      if (e.key == "description" && e.value.is_scalar()) shipped.description = e.value.text();
    }
    if (is_whole) all.push_back(std::move(shipped));
  }
  return all;
}

// Whether a register system is a variant of another one: bow_wr_half is one of bow, and of bow_wr. A system
// is also a variant of OTHER if its description begins with "as OTHER,".
bool is_variant_of(const ShippedFile& system, const std::string& other) {
  const auto begins_with = [](const std::string& text, const std::string& words) {
    return text.compare(0, words.size(), words) == 0;
  };
  return begins_with(system.name, other + '_') || begins_with(system.description, "as " + other + ',');
}

std::string table_of(const std::string& heading, const std::vector<ShippedFile>& files) {
  constexpr std::size_t names = 24;
  std::string text = heading + '\n';
  for (const ShippedFile& f : files) {
    const std::string name = "  " + padded(f.name, names) + "  ";
    text += name + cut_at_word(f.description, usual_width - std::min(usual_width, text_width(name))) + '\n';
  }
  return text;
}

// The register systems on one screen: a line for each that is no variant, with the names of its variants.
std::string text_of_systems(const std::vector<ShippedFile>& systems) {
  std::vector<ShippedFile> first;
  std::vector<std::string> variants;
  for (const ShippedFile& s : systems) {
    if (std::any_of(systems.begin(), systems.end(), [&](const auto& o) { return is_variant_of(s, o.name); }))
      variants.push_back(s.name);
    else
      first.push_back(s);
  }
  return table_of("register systems", first) + "variants (subcore platforms NAME describes them)\n" +
         folded(variants, ", ", 2, usual_width);
}

// A register system and its variants, with whole descriptions.
std::string text_of_variants(const std::vector<ShippedFile>& systems) {
  std::string text;
  for (const ShippedFile& s : systems) text += s.name + '\n' + folded(s.description, 4, usual_width);
  return text;
}

nlohmann::ordered_json json_of(const std::vector<ShippedFile>& files) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ShippedFile& f : files)
    list.push_back({{"name", f.name}, {"description", f.description}, {"file", f.file}});
  return list;
}

// Keeps the register system of that name, and its variants.
void keep_variants(std::vector<ShippedFile>& systems, const std::string& name) {
  const auto is_other = [&](const ShippedFile& s) { return s.name != name && !is_variant_of(s, name); };
  if (std::none_of(systems.begin(), systems.end(), [&](const ShippedFile& s) { return s.name == name; }))
    throw UsageError("'" + name + "'; expected systems, machines, a register system or no argument");
  systems.erase(std::remove_if(systems.begin(), systems.end(), is_other), systems.end());
}

// The lines of the table of units for an architecture, sm_80. A line has an opcode, or the class of all other
// opcodes, and its times.
std::string text_of_units(const std::string& name) {
  const auto words = names(UnitArchitecture{});
  const auto found = std::find(words.begin() + 1, words.end(), name);
  if (found == words.end())
    throw UsageError("units '" + name + "'; expected an architecture: " +
                     list_text(std::vector<std::string_view>(words.begin() + 1, words.end())));
  const unsigned architecture = known_architectures[found - words.begin() - 1];
  constexpr std::array completions{"counted", "window", "queued"};
  std::string text =
      formatted("%-26s%8s%10s  %s\n", "units of an architecture", "latency", "interval", "results");
  for (const UnitTableLine& l : unit_table()) {
    if (!is_for(l, architecture) || l.latency == 0) continue;
    const std::string what =
        l.opcode.empty() ? "others:" + std::string(subcore::name(l.execution)) : std::string(l.opcode);
    text += formatted("%-26s%8u%10u  %s\n", what.c_str(), unsigned{l.latency},
                      unsigned{l.initiation_interval}, completions[static_cast<std::size_t>(l.completion)]);
  }
  return text;
}

class PlatformsCommand : public Command {
 public:
  PlatformsCommand()
      : Command(
            "platforms", "list the register systems and machines that come with the program",
            "  subcore platforms [systems | machines | NAME] [--json FILE]\n"
            "  subcore platforms units ARCHITECTURE\n"
            "\n"
            "A platform is a register system on a machine. Lists the names that --platform and --gpu take.\n"
            "Any system goes with any machine (v100/bow, or -p bow --gpu v100). With the NAME of a\n"
            "register system, describes the system and its variants. --json has the\n"
            "full descriptions, and the files. `units` prints the times of the units of\n"
            "an architecture, such as sm_80, opcode by opcode. Files that are there only to be extended\n"
            "(units/turing.yaml, issue/socgpu.yaml ...) are beside the systems' files.\n") {
    take_arguments(2, "systems, machines, a register system, or units and an architecture");
    example("subcore platforms bow");
    example("subcore platforms --json -");
    json_option(json_);
  }

  int run() override {
    FileConflicts files;
    files.output("--json", json_, OutputForm::json);
    files.check();
    const std::string which = arguments().empty() ? "" : arguments().front();
    if (which == "units") {
      if (!json_.empty()) throw UsageError("--json with units, which are only printed; expected no --json");
      print(text_of_units(arguments().size() < 2 ? "" : arguments()[1]));
      return 0;
    }
    if (arguments().size() > 1) throw UsageError("'" + arguments()[1] + "'; expected one argument");
    const bool wants_systems = which.empty() || which == "systems";
    auto json = nlohmann::ordered_json::object();
    std::string text;
    if (which != "machines") {
      std::vector<ShippedFile> systems = shipped_systems();
      if (!wants_systems) keep_variants(systems, which);
      json["systems"] = json_of(systems);
      text = wants_systems ? text_of_systems(systems) : text_of_variants(systems);
    }
    if (which.empty() || which == "machines") {
      const std::vector<ShippedFile> machines = shipped_machines();
      json["machines"] = json_of(machines);
      text += table_of("machines", machines);
    }
    if (!json_.empty()) write_output(json_, json_text(json));
    if (json_ != "-") print(text);
    return 0;
  }

 private:
  std::string json_;
};

}  // namespace

std::vector<ShippedFile> shipped_systems() {
  return shipped_with("platforms", "name");
}

std::vector<ShippedFile> shipped_machines() {
  return shipped_with("platforms/gpus", "machine");
}

void require_whole(const std::filesystem::path& file, const PlatformParameters& platform) {
  if (!platform.memory.kind->is_complete() && !has_gpu_hook())
    throw UsageError(file.string() +
                     ": its memory is bound in C++ (memory.kind or memory.dram.kind external, or "
                     "memory.interconnect.host_ports); expected a platform with all of its memory");
  const std::string clock = problem_of_clock(platform.clock_period_ns);
  if (!clock.empty()) throw UsageError(file.string() + ": " + clock);
}

std::unique_ptr<Command> platforms_command() {
  return std::make_unique<PlatformsCommand>();
}

}  // namespace subcore
