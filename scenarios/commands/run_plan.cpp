#include "scenarios/commands/run_plan.h"

#include <algorithm>
#include <iostream>
#include <map>

#include "model/parameters/data_files.h"
#include "model/trace/line_source.h"
#include "platforms/config/reader.h"
#include "power/energy_model.h"
#include "scenarios/scenario.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// `option` names the file, `what` is it: "--vcd", "a waveform".
std::optional<Scenario::View> view_of(const std::string& option, const std::string& what,
                                      const RunRequest::View& v) {
  const std::string from = option + "-from", to = option + "-to";
  if (v.file.empty()) {
    for (const auto& [name, text] :
         {std::pair(option + "-scope", &v.scope), std::pair(from, &v.from), std::pair(to, &v.to)}) {
      if (!text->empty()) throw UsageError(name + " without " + what + "; expected " + option + " FILE, too");
    }
    return std::nullopt;
  }
  const Scenario::View view{v.file, v.scope, whole_number(from.c_str(), v.from, 0),
                            whole_number(to.c_str(), v.to, never)};
  if (view.from > view.to)
    throw UsageError(to + " " + v.to + " is before " + from + "; expected at least " + v.from);
  return view;
}

// The events around which cycles are kept.
void set_events(std::optional<WaveformOptions>& waveform, const RunRequest& a) {
  if (!waveform || a.vcd.file.empty()) {
    for (const auto& [option, text] :
         {std::pair("--vcd-on", &a.vcd_on), std::pair("--vcd-around", &a.vcd_around)})
      if (!text->empty())
        throw UsageError(std::string(option) + " without a waveform; expected --vcd FILE, too");
    return;
  }
  waveform->on = a.vcd_on;
  waveform->around = whole_number("--vcd-around", a.vcd_around, waveform->around);
  if (a.vcd_on.empty() && !a.vcd_around.empty())
    throw UsageError("--vcd-around without an event; expected --vcd-on " + std::string(Trigger::grammar));
}

// VCD is what is written, packed if the name says so; a viewer goes by the name.
void require_vcd(const fs::path& file) {
  fs::path plain = file;
  if (plain.extension() == ".gz" || plain.extension() == ".xz") plain.replace_extension();
  if (plain.extension() == ".vcd" || file.extension().empty()) return;
  throw UsageError(
      "waveform " + file.string() + ": '" + file.extension().string() +
      "' is not written here; expected .vcd, .vcd.gz or .vcd.xz (GTKWave's vcd2fst makes an .fst "
      "of a .vcd)");
}

// Its viewer asks for none of these names, but unpacks what ends in .gz.
void require_kanata(const fs::path& file) {
  const fs::path unpacked = file.extension() == ".gz" ? file.stem() : file.filename();
  const fs::path suffix = unpacked.extension();
  for (const char* ours : {"", ".kanata", ".konata", ".log", ".txt"})
    if (suffix == ours) return;
  throw UsageError("pipeline view " + file.string() + ": '" + suffix.string() +
                   "' is not written here; expected .kanata, .log or .txt, and .gz behind it to pack it");
}

void set_views(RunPlan& plan, const std::optional<Scenario::View>& vcd,
               const std::optional<Scenario::View>& pipeline) {
  if (vcd) {
    plan.waveform.emplace();
    plan.waveform->file = vcd->file;
    plan.waveform->scope = vcd->scope;
    plan.waveform->from = vcd->from;
    plan.waveform->to = vcd->to;
  }
  if (pipeline) {
    require_kanata(pipeline->file);
    plan.pipeline = PipelineFileOptions{pipeline->file, {}, {pipeline->scope, pipeline->from, pipeline->to}};
  }
}

bool can_name_folder(const std::string& name) {
  constexpr std::size_t longest = 255;  // of the usual file systems
  const auto spoils = [](char c) { return c == '/' || (c >= 0 && c < ' '); };
  return !name.empty() && name != "." && name != ".." && name.size() <= longest &&
         std::none_of(name.begin(), name.end(), spoils);
}

// Of several platforms, one at least has to read each override; a note says which of the others do not.
void check_overrides(const RunPlan& plan) {
  std::map<std::string, std::vector<std::string>> not_read_by;
  for (const fs::path& p : plan.platforms) {
    std::set<std::string> unread;
    const PlatformParameters platform = load_platform(p, plan.overrides, nullptr, &unread);
    for (const std::string& text : unread) not_read_by[text].push_back(platform.name);
  }
  for (const auto& [text, names] : not_read_by) {
    if (names.size() == plan.platforms.size())
      load_platform(plan.platforms.front(), plan.overrides);  // throws
    std::cerr << "subcore: note: --set " << text << ": read by all platforms but " << listed(names, " and ")
              << '\n';
  }
}

}  // namespace

// A run with several platforms or traces has no such request.
bool keeps_failed_run(const WaveformOptions& w) {
  return !w.on.empty() && Trigger(w.on).wants_stale();
}

void check_waveform(const WaveformOptions& w) {
  require_vcd(w.file);
  if (w.on.empty()) return;
  try {
    Trigger trigger(w.on);
  } catch (const std::invalid_argument& e) {
    throw UsageError("--vcd-on " + std::string(e.what()));
  }
}

RunPlan plan_of(const RunRequest& a) {
  RunPlan plan;
  if (!a.scenario.empty()) {
    const Scenario s = load_scenario(a.scenario);
    plan = {a.scenario, s.platforms, s.traces, s.overrides, s.results, std::nullopt, std::nullopt};
    const auto wanted = [](const Scenario::View& v) {
      return v.file.empty() ? std::nullopt : std::optional(v);
    };
    set_views(plan, wanted(s.vcd), wanted(s.pipeline));
  }
  if (!a.platforms.empty()) {
    plan.platforms.clear();
    for (const std::string& p : a.platforms) plan.platforms.push_back(find_data("platforms", p));
  }
  if (!a.traces.empty()) plan.traces.assign(a.traces.begin(), a.traces.end());
  plan.overrides.insert(plan.overrides.end(), a.overrides.begin(), a.overrides.end());
  if (!a.results.empty()) plan.results = a.results;
  set_views(plan, view_of("--vcd", "a waveform", a.vcd),
            view_of("--pipeline", "a pipeline view", a.pipeline));
  set_events(plan.waveform, a);
  if (plan.platforms.empty())
    throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
  if (plan.traces.empty()) throw UsageError("no trace; expected --trace FOLDER");
  return plan;
}

Platforms platforms_of(const RunPlan& plan) {
  Platforms all;
  std::set<std::string> names, unread;
  const bool several = plan.platforms.size() > 1;
  if (several && !plan.overrides.empty()) check_overrides(plan);
  for (const fs::path& p : plan.platforms) {
    all.parameters.push_back(std::make_shared<PlatformParameters>(
        load_platform(p, plan.overrides, &all.files, several ? &unread : nullptr)));
    const PlatformParameters& platform = *all.parameters.back();
    energy_coefficients(platform);
    all.files.insert(find_data("power/tables", platform.energy.preset));
    if (!platform.memory.kind->is_complete())
      throw UsageError(p.string() +
                       ": its memory is bound in C++ (memory.kind or memory.dram.kind external, or "
                       "memory.interconnect.host_ports); expected a platform with all of its memory");
    const std::string clock = problem_of_clock(platform.clock_period_ns);
    if (!clock.empty()) throw UsageError(p.string() + ": " + clock);
    const std::string& name = platform.name;  // also a folder's
    if (!can_name_folder(name))
      throw UsageError(p.string() + ": the platform's name is " + subcore::quoted(name) +
                       "; expected a name without '/' and of at most 255 bytes that can name a folder");
    if (!names.insert(name).second)
      throw UsageError(p.string() + ": a platform named '" + name +
                       "' was given before; expected distinct names");
  }
  return all;
}

std::vector<TraceProgram> traces_of(const RunPlan& plan, const std::string& kernel) {
  std::vector<TraceProgram> traces = open_traces(plan.traces);
  if (!kernel.empty())
    for (TraceProgram& trace : traces) keep_kernel(trace, whole_number("--kernel", kernel, 0));
  return traces;
}

}  // namespace subcore
