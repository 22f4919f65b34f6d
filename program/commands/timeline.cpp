// subcore timeline: the pipeline view of a few instructions in the terminal, or of thousands of cycles as a
// page.
#include "subcore/observers/timeline.h"

#include <cstdlib>
#include <iostream>
#include <set>

#include <sys/ioctl.h>
#include <unistd.h>

#include "subcore/base/whole_file.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/modules/protocol/warp_names.h"
#include "subcore/observers/warp_recorder.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/commands/command.h"
#include "subcore/program/commands/platforms.h"
#include "subcore/program/report/diagram/timeline_svg.h"
#include "subcore/program/report/timeline_page/timeline_page.h"
#include "subcore/program/runs/file_conflicts.h"
#include "subcore/program/runs/simulation.h"
#include "subcore/program/runs/standard_output.h"
#include "subcore/program/runs/user_cache.h"

namespace subcore {
namespace {

constexpr Cycle cycles_of_page = 20'000;  // unless --to or --warp gives another number

// Throws TraceError if the first kernel's header says that the kernel has fewer warps. A pipe can be read
// only once.
void require_warp(const TraceProgram& trace, std::uint32_t warp) {
  std::error_code error;
  if (trace.kernels.empty() || !std::filesystem::is_regular_file(trace.kernels.front(), error)) return;
  OperandOptions header_only;
  header_only.use_sidecar = false;
  const KernelHeader h = KernelReader(trace.kernels.front(), header_only).header();
  const std::uint64_t warps = h.grid.count() * h.warps_per_cta();
  if (warp >= warps)
    throw TraceError("no warp w" + std::to_string(warp) + " in kernel " + h.name + " of " + trace.name +
                     "; expected w0 to w" + std::to_string(warps - 1));
}

class TimelineCommand : public Command {
 public:
  TimelineCommand()
      : Command(
            "timeline", "show how instructions go through a sub-core, cycle by cycle",
            "  subcore timeline --platform P --trace T [--from N] [options]\n"
            "\n"
            "Prints a row for each instruction that is under way from cycle N on, and a column for each\n"
            "cycle, in colours on a terminal. --html writes a page that shows thousands of cycles, with a\n"
            "row for each warp slot. --warp follows a warp through its whole life.\n"
            "`subcore run --pipeline FILE` writes all instructions for the viewer Konata.\n") {
    option("platform,p", platform_, "register system: a file, a name or MACHINE/SYSTEM");
    option("gpu,g", gpu_, "machine: a file or a name");
    option("trace,t", trace_, "trace folder, or NAME=FOLDER");
    option("set,s", overrides_, "override a parameter: sub_core.collector.count=4");
    option("kernel", kernel_, "only the kernel at this place of the trace's list (the first is 1)");
    option("warp", warp_,
           "only this warp of the kernel (default: the first kernel); the first warp is 0, and its sub-core "
           "is found");
    option("scope", scope_, "path of a sub-core, or of several sub-cores: sm_0, or gpu for all");
    option("from", from_, "first cycle");
    option("to", to_, "last cycle");
    option("rows", rows_, "most instructions to show");
    option("output,o", output_,
           "write a picture (SVG) to this file, - for standard output, and print nothing");
    option("html", html_,
           "write a page for a browser to this file, - for standard output; the page has 20000 cycles unless "
           "--to or --warp is given");
    option("no-cache", no_cache_, no_cache_help);
    example("subcore timeline -p malekeh -t scenarios/traces/vectoradd");
    example("subcore timeline -p malekeh -t scenarios/traces/hotspot --warp 5");
    example("subcore timeline -p baseline -t scenarios/traces/nn --rows 20 -o nn.svg");
    example("subcore timeline -p malekeh -t scenarios/traces/hotspot --html hotspot.html");
  }

  int run() override {
    if (platform_.empty())
      throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
    if (trace_.empty()) throw UsageError("no trace; expected --trace FOLDER");
    refuse_unread_options();
    const std::optional<std::uint32_t> warp = warp_number();
    PipelineWindow window{warp || scope_ == "gpu" ? "" : scope_, whole_number("--from", from_, 0),
                          whole_number("--to", to_, never)};
    if (window.from > window.to)
      throw UsageError("--to " + to_ + " is before --from; expected at least " + from_);
    const bool is_cut = !html_.empty() && to_.empty() && !warp && window.from < never - cycles_of_page;
    if (is_cut) window.to = window.from + cycles_of_page - 1;
    Timeline::Options options = table_options();
    options.warp = warp;

    const TracePath path = trace_path(trace_);
    TraceProgram trace = open_trace(path);
    const PlatformChoice file = on_machine_of(find_platform(platform_, gpu_), binary_version_of(trace));
    std::set<std::filesystem::path> read;
    const PlatformParameters platform = load_platform(file, overrides_, &read);
    require_whole(file.file, platform);
    FileConflicts files;
    for (const std::filesystem::path& f : read) files.input("a platform", f);
    files.input("the trace", path.path);
    files.trace(trace);
    files.output("--output", output_, OutputForm::svg);
    files.output("--html", html_, OutputForm::html);
    files.check();
    for (const std::string& output : {output_, html_})
      if (!output.empty() && output != "-") require_writable(output);
    use_user_cache(CacheUse::look, no_cache_, {&trace});
    if (!kernel_.empty() || warp) keep_kernel(trace, whole_number("--kernel", kernel_, 1));
    if (warp) require_warp(trace, *warp);

    Timeline timeline(options);
    WarpRecorder recorder({window.scope, window.from, window.to, warp});
    Simulation simulation(platform);
    if (warp || !html_.empty()) recorder.watch(simulation.gpu());
    const auto show = [&](Cycle end) {
      const std::string title = platform.name + " on " + trace.name;
      if (!html_.empty())
        write_output(html_, timeline_page(recorder.history(end),
                                          {title, warp ? recorder.slot_of_warp()->sub_core : scope_,
                                           SUBCORE_VERSION, warp}));
      else if (!output_.empty())
        write_output(output_,
                     svg_of(timeline.table(end), title, warp ? life_of(recorder, timeline, end) : scope_));
      else
        print(warp
                  ? life_of(recorder, timeline, end) + '\n' + timeline.text(end) + left_out(timeline, options)
                  : timeline.text(end));
    };
    const auto enough = [&] {
      if (recorder.is_full())
        throw std::runtime_error("--html: more than a million instructions by cycle " +
                                 std::to_string(simulation.gpu().driver.conductor.now()) +
                                 "; expected fewer cycles, or fewer sub-cores in --scope");
      if (warp) require_in_window(recorder, window);
      return warp ? recorder.complete() : html_.empty() && timeline.complete();
    };
    try {
      PipelineReader& reader = html_.empty() ? static_cast<PipelineReader&>(timeline) : recorder;
      const Cycle end = simulation.look(trace, reader, window, enough, [](auto& report) {
        std::cerr << "subcore: error: " << report << std::endl;
        _exit(1);
      });
      if (warp && recorder.warp() == nullptr) refuse_warp(recorder, *warp, trace, window);
      if (warp) require_in_window(recorder, window);
      show(end);
      if (is_cut && end == window.to)
        note("the page ends with cycle " + std::to_string(end) + "; --to N shows more");
    } catch (const SimulationError&) {  // the user wants to see the way to the failure
      const Cycle end = simulation.close_look();
      if (end != 0 && output_ != "-" && html_ != "-" && (!warp || recorder.warp() != nullptr)) show(end);
      throw;
    }
    return 0;
  }

 private:
  void refuse_unread_options() const {
    if (!html_.empty() && !output_.empty()) throw UsageError("--html with --output; expected one of them");
    if (!html_.empty() && given("rows"))
      throw UsageError("--rows with --html, which has all instructions; expected --to N");
    if (!warp_.empty() && given("scope"))
      throw UsageError("--scope with --warp, which finds the sub-core; expected one of them");
  }
  // The warp's number in its kernel, written as "5" or "w5".
  std::optional<std::uint32_t> warp_number() const {
    if (warp_.empty()) return {};
    const std::string digits = warp_.substr(warp_[0] == 'w' ? 1 : 0);
    const std::uint64_t number = whole_number("--warp", digits.empty() ? warp_ : digits, 0);
    if (number >= ~std::uint32_t{0})
      throw UsageError("'" + warp_ + "' for --warp; expected a warp's number in its kernel");
    return static_cast<std::uint32_t>(number);
  }
  // Checks, as far as is known by now, that the warp has begun and lives in some of the cycles that were
  // asked for.
  static void require_in_window(const WarpRecorder& recorder, const PipelineWindow& window) {
    if (recorder.warp() == nullptr) return;
    const WarpHistory::Warp& w = *recorder.warp();
    const std::string name = "w" + std::to_string(w.number), begin = std::to_string(w.begin);
    if (w.begin > window.to)
      throw UsageError(name + " begins in cycle " + begin + "; expected --to of at least " + begin);
    if (w.end > window.from) return;
    const std::string last = std::to_string(w.end - 1);
    throw UsageError(name + " is there in cycles " + begin + " to " + last + "; expected --from of at most " +
                     last);
  }
  // Ends with an error: the run or the window is over, and the warp has not begun.
  [[noreturn]] static void refuse_warp(const WarpRecorder& recorder, std::uint32_t warp,
                                       const TraceProgram& trace, const PipelineWindow& window) {
    const std::string name = "w" + std::to_string(warp);
    if (window.to != never)
      throw UsageError(name + " has not begun by cycle " + std::to_string(window.to) +
                       "; expected a later --to");
    throw TraceError("no warp " + name + " in " + trace.kernels.front().string() + "; expected w0 to w" +
                     std::to_string(recorder.warps_of_first_kernel() - 1));
  }
  static std::string life_of(const WarpRecorder& recorder, const Timeline& timeline, Cycle end) {
    const WarpHistory::Warp& w = *recorder.warp();
    return "w" + std::to_string(w.number) + ": " + slot_name(recorder.slot_of_warp()->slot) + " of " +
           recorder.slot_of_warp()->sub_core + ", cycles " + std::to_string(w.begin) + " to " +
           std::to_string(std::min(w.end - 1, end)) + ", " + std::to_string(timeline.instructions()) +
           " instructions";
  }
  static std::string left_out(const Timeline& timeline, const Timeline::Options& options) {
    if (timeline.instructions() <= options.rows) return "";
    return std::to_string(timeline.instructions() - options.rows) + " more instructions: --rows " +
           std::to_string(timeline.instructions()) + ", --from N, or --html FILE\n";
  }

  Timeline::Options table_options() const {
    Timeline::Options options;
    options.rows = whole_number("--rows", rows_, options.rows);
    if (options.rows == 0) throw UsageError("'0' for --rows; expected at least 1");
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    options.colours = terminal && std::getenv("NO_COLOR") == nullptr;
    winsize size{};
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) options.columns = size.ws_col;
    return options;
  }

  std::string platform_, gpu_, trace_, kernel_, warp_, scope_ = "sm_0.sub_core_0", from_, to_, rows_ = "40";
  std::string output_, html_;
  std::vector<std::string> overrides_;
  bool no_cache_ = false;
};

}  // namespace

std::unique_ptr<Command> timeline_command() {
  return std::make_unique<TimelineCommand>();
}

}  // namespace subcore
