#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/program/commands/planned_runs.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

// A view for a file. `option` names the file: "--vcd". `what` is the kind of view: "a waveform".
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

// Sets the events around which cycles are kept.
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

// Demands a name for a VCD file. VCD is written, packed if the name says so, and viewers judge by the name.
void require_vcd(const fs::path& file) {
  fs::path plain = file;
  if (plain.extension() == ".gz" || plain.extension() == ".xz") plain.replace_extension();
  if (plain.extension() == ".vcd" || file.extension().empty()) return;
  throw UsageError(
      "waveform " + file.string() + ": '" + file.extension().string() +
      "' is not written here; expected .vcd, .vcd.gz or .vcd.xz (GTKWave's vcd2fst makes an .fst "
      "of a .vcd)");
}

// Demands a name for a Konata file. Konata needs no special name, but unpacks files that end in .gz.
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

}  // namespace

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
    if (!is_there(a.scenario))
      throw UsageError(a.scenario.string() + ": no such file;" + did_you_mean_file(a.scenario) +
                       " expected the YAML file of a scenario (--platform names platforms)");
    const Scenario s = load_scenario(a.scenario);
    plan = {a.scenario, s.name, s.parts, s.results, s.fixed_traces, s.seeds, std::nullopt, std::nullopt};
    const auto wanted = [](const Scenario::View& v) {
      return v.file.empty() ? std::nullopt : std::optional(v);
    };
    set_views(plan, wanted(s.vcd), wanted(s.pipeline));
  } else {
    plan.parts.resize(1);
  }
  for (ScenarioPart& part : plan.parts) {
    if (!a.gpus.empty()) part.gpus = a.gpus;
    if (!a.platforms.empty()) {
      part.platforms = find_platforms(a.platforms, part.gpus);
      part.counts.clear();
    } else if (!a.gpus.empty()) {
      part.platforms = on_each(part.platforms, part.gpus);
    }
    if (!a.traces.empty() && !plan.fixed_traces) {
      part.traces.clear();
      for (const std::string& t : a.traces) part.traces.push_back(trace_path(t));
    }
    part.overrides.insert(part.overrides.end(), a.overrides.begin(), a.overrides.end());
  }
  if (!a.results.empty()) plan.results = a.results;
  plan.seeds = whole_number("--seeds", a.seeds, plan.seeds);
  if (plan.seeds == 0 || plan.seeds > most_seeds)
    throw UsageError("--seeds " + a.seeds + "; expected a whole number from 1 to " +
                     std::to_string(most_seeds));
  set_views(plan, view_of("--vcd", "a waveform", a.vcd),
            view_of("--pipeline", "a pipeline view", a.pipeline));
  set_events(plan.waveform, a);
  if (plan.parts.front().platforms.empty() && plan.parts.front().counts.empty())
    throw UsageError("no platform; expected --platform NAME (subcore platforms lists them)");
  if (plan.fixed_traces && !a.traces.empty())
    note(plan.scenario.string() + ": the scenario fixes its traces, so --trace does not replace them");
  if (plan.parts.front().traces.empty()) throw UsageError("no trace; expected --trace FOLDER");
  return plan;
}

}  // namespace subcore
