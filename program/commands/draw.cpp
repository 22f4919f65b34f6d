// subcore draw: a platform's modules as a block diagram.
#include <filesystem>
#include <memory>
#include <set>

#include "subcore/base/whole_file.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/platforms/gpu.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/commands/platforms.h"
#include "subcore/program/report/diagram/diagram_svg.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/gpu_hook.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

class DrawCommand : public Command {
 public:
  DrawCommand()
      : Command(
            "draw", "draw a platform's modules, sockets and parameters",
            "  subcore draw PLATFORM [PLATFORM] [--output FILE] [--manual ADDRESS] [options]\n"
            "\n"
            "Puts the platform together as `subcore run` does, and draws its modules, the sockets\n"
            "between them and the parameters as SVG. The picture has your own modules, too, and shows\n"
            "equal modules once. With two platforms, draws the second and marks its differences from the\n"
            "first: new modules, modules that are gone (dashed), and modules with other parameters.\n"
            "Point at a box or an arrow to see all of its parameters or sockets. A box links to the\n"
            "manual's page about it.\n") {
    option("platform,p", platforms_,
           "register system: a file, a name or MACHINE/SYSTEM; --platform itself may be left out");
    option("gpu,g", gpu_, "machine of the platforms: a file or a name");
    option("set,s", overrides_,
           "override a parameter: sub_core.collector.count=4; may be given several times");
    option("output,o", output_, "file of the picture, - for standard output");
    option("manual", manual_, "address of the manual's page that boxes link to");
    example("subcore draw malekeh -o malekeh.svg");
    example("subcore draw baseline malekeh -o difference.svg");
    take_arguments(2, "one or two platforms", "platform");
  }

  int run() override {
    std::vector<std::string> names = arguments();
    names.insert(names.end(), platforms_.begin(), platforms_.end());
    if (names.empty() || names.size() > 2)
      throw UsageError((names.empty() ? "no platform" : std::to_string(names.size()) + " platforms") +
                       std::string("; expected one or two (subcore platforms lists them)"));
    const std::vector<PlatformParameters> platforms = platforms_named(names);
    if (output_ != "-") require_writable(output_);
    const std::string picture = drawn(platforms);
    write_output(output_, picture);
    if (output_ != "-") print("draw: " + output_ + ", for any browser\n");
    return 0;
  }

 private:
  std::vector<PlatformParameters> platforms_named(const std::vector<std::string>& names) const {
    std::vector<PlatformParameters> platforms;
    FileConflicts files;
    for (const std::string& name : names) {
      const PlatformChoice file = find_platform(name, gpu_);
      std::set<fs::path> read;
      platforms.push_back(load_platform(file, overrides_, &read));
      require_whole(file.file, platforms.back());
      for (const fs::path& f : read) files.input("a platform", f);
    }
    files.output("--output", output_, OutputForm::svg);
    files.check();
    return platforms;
  }

  // Draws one platform or two. SystemC elaborates once per process, so both exist at once.
  std::string drawn(const std::vector<PlatformParameters>& platforms) const {
    std::vector<std::unique_ptr<Gpu>> gpus;
    for (const PlatformParameters& p : platforms) {
      gpus.push_back(std::make_unique<Gpu>(gpus.empty() ? "gpu" : "gpu_1", p));
      call_gpu_hook(*gpus.back());
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::vector<ModelStructure> structures;
    for (const auto& gpu : gpus) {
      structures.push_back(structure_of(*gpu));
      structures.back().settings = settings_of(gpu->parameters());
    }
    const PlatformParameters& last = platforms.back();
    if (platforms.size() == 1)
      return svg_of(diagram_of(structures[0]), {last.name, last.description, manual_});
    return svg_of(difference_of(structures[0], structures[1]),
                  {last.name + ", compared with " + platforms[0].name, last.description, manual_});
  }

  std::vector<std::string> platforms_, overrides_;
  std::string gpu_, output_ = "platform.svg", manual_ = "concepts.html";
};

}  // namespace

std::unique_ptr<Command> draw_command() {
  return std::make_unique<DrawCommand>();
}

}  // namespace subcore
