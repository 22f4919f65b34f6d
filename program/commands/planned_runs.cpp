#include "subcore/program/commands/planned_runs.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "subcore/base/input_file.h"
#include "subcore/base/plain_text.h"
#include "subcore/base/spelling.h"
#include "subcore/base/text_stream.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/trace/trace_position.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/power/energy_model.h"
#include "subcore/program/commands/platforms.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

bool can_name_folder(const std::string& name) {
  constexpr std::size_t longest = 255;  // longest name in the usual file systems
  return !name.empty() && name != "." && name != ".." && name.size() <= longest &&
         name.find('/') == std::string::npos && plain_text(name) == name;
}

// Overrides that platforms do not read. At least one of the platforms that an override is meant for must read
// it. A note names the platforms that do not.
class Unread {
 public:
  void add(const std::string& platform, const std::vector<std::string>& overrides,
           const std::set<std::string>& unread) {
    for (const std::string& text : overrides) {
      if (!tried_[text].insert(platform).second || unread.count(text) == 0) continue;
      not_read_by_[text].push_back(platform);
    }
  }
  bool read_by_none(const std::string& text) const {
    const auto found = not_read_by_.find(text);
    return found != not_read_by_.end() && found->second.size() == tried_.at(text).size();
  }
  void tell() const {
    for (const auto& [text, names] : not_read_by_)
      note("--set " + text + ": read by all platforms but " + listed(names, " and "));
  }

 private:
  std::map<std::string, std::set<std::string>> tried_;
  std::map<std::string, std::vector<std::string>> not_read_by_;
};

// The files of the platforms that a part runs, and of those whose operands it counts.
std::vector<PlatformChoice> files_of(const ScenarioPart& part) {
  std::vector<PlatformChoice> files = part.platforms;
  for (const StaticCount& c : part.counts)
    for (PlatformChoice& p : part.platforms_of(c)) files.push_back(std::move(p));
  return files;
}

// The part's traces that have the code which the part is for.
std::vector<TraceProgram> traces_of(const ScenarioPart& part) {
  std::vector<TraceProgram> traces = open_traces(part.traces);
  const auto is_other = [&](const TraceProgram& t) { return !part.code->include(binary_version_of(t)); };
  if (part.code) traces.erase(std::remove_if(traces.begin(), traces.end(), is_other), traces.end());
  return traces;
}

// The first of the sample's names that exist, in the sample's order. If none exists, the first traces.
std::vector<TraceProgram> sampled(std::vector<TraceProgram> traces, const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  if (names.empty()) return traces;
  std::vector<TraceProgram> sample;
  for (const std::string& name : names) {
    const auto found = std::find_if(traces.begin(), traces.end(), [&](const TraceProgram& t) {
      return fs::path(t.name).filename() == name;
    });
    if (found != traces.end() && sample.size() < most) sample.push_back(*found);
  }
  if (!sample.empty()) return sample;
  if (traces.size() > most) {
    traces.resize(most);
    note("no trace has a name of the sample: the first " + std::to_string(most) + " run");
  }
  return traces;
}

// The place of a trace among all traces. A new trace is added.
std::size_t place_of(TraceProgram trace, PlannedRuns& all) {
  for (std::size_t n = 0; n < all.traces.size(); ++n)
    if (all.traces[n].kernels == trace.kernels) return n;
  all.traces.push_back(std::move(trace));
  return all.traces.size() - 1;
}

// The platform files that have been read.
using PlatformFiles = std::map<PlatformChoice, PlatformFile>;

const PlatformFile& file_of(const PlatformChoice& choice, PlatformFiles& files) {
  return files.try_emplace(choice, choice).first->second;
}

// A part of a plan with its traces. If the traces choose the machine, all traces have one architecture.
struct PartOnMachine {
  ScenarioPart part;
  std::vector<std::size_t> traces;
};

// The plan's parts, each once for every machine of its traces.
std::vector<PartOnMachine> on_machines(const RunPlan& plan, PlatformFiles& files, PlannedRuns& all) {
  std::vector<PartOnMachine> parts;
  for (const ScenarioPart& part : plan.parts) {
    // If all platforms name their machines, no trace need be read before it runs.
    const bool ask = std::any_of(part.platforms.begin(), part.platforms.end(), [&](const PlatformChoice& p) {
      return p.machine == machine_of_trace || (p.machine.empty() && !file_of(p, files).is_whole());
    });
    std::map<std::pair<std::vector<PlatformChoice>, std::vector<std::string>>, std::size_t> places;
    for (TraceProgram& trace : sampled(traces_of(part), part.sample)) {
      const unsigned version = ask ? binary_version_of(trace) : 0;
      ScenarioPart here = part;
      for (PlatformChoice& p : here.platforms) p = on_machine_of(p, version);
      for (std::string& gpu : here.gpus)
        if (gpu == machine_of_trace) gpu = on_machine_of({"", gpu}, version).machine.string();
      const auto [place, is_new] = places.emplace(std::pair(here.platforms, here.gpus), parts.size());
      if (is_new) parts.push_back({std::move(here), {}});
      parts[place->second].traces.push_back(place_of(std::move(trace), all));
    }
  }
  return parts;
}

// Loads a platform at a point. Mistakes in values that are swept or varied belong to the scenario. Mistakes
// under its `set` have a line there.
PlatformParameters load_point(const fs::path& scenario, const PlatformChoice& platform, PlatformFiles& files,
                              const ScenarioPart& part, const std::vector<std::string>& sets,
                              const std::string& point, std::set<std::string>* unread) {
  const PlatformFile& file = file_of(platform, files);
  std::vector<std::string> overrides = part.overrides;
  overrides.insert(overrides.end(), sets.begin(), sets.end());
  try {
    return file.with(overrides, unread);
  } catch (const ConfigError& e) {
    const std::string text = e.what(), option = "--set ";
    for (const auto& [override, at] : part.set_at)
      if (text.rfind(option + override + ": ", 0) == 0)
        throw ConfigError(at + ": " + text.substr(option.size()));
    if (point.empty()) throw;
    throw ConfigError(scenario.string() + ": " + point + " of " + platform.text() + ": " + e.what());
  }
}

void check_overrides(const RunPlan& plan, const std::vector<PartOnMachine>& parts, PlatformFiles& files) {
  Unread all;
  for (const auto& [part, traces] : parts) {
    if (part.overrides.empty()) continue;
    for (const PlatformChoice& p : files_of(part)) {
      std::set<std::string> unread;
      const std::string name = load_point(plan.scenario, p, files, part, {}, "", &unread).name;
      all.add(name, part.overrides, unread);
    }
  }
  for (const auto& [part, traces] : parts)
    for (const std::string& text : part.overrides)
      if (all.read_by_none(text))
        load_point(plan.scenario, files_of(part).front(), files, part, {}, "", nullptr);  // throws
  all.tell();
}

// The axes, or variations, of the part that the platform reads. `sets_of` returns the overrides of one of
// them. If none of the part's platforms reads it, that is an error.
template <class Change, class Sets>
std::vector<Change> read_by(const fs::path& scenario, const PlatformChoice& platform, PlatformFiles& files,
                            const ScenarioPart& part, const std::string& key,
                            const std::vector<Change>& changes, const Sets& sets_of) {
  std::vector<Change> read;
  for (const Change& change : changes) {
    const std::vector<std::string> sets = sets_of(change);
    const auto load = [&](const PlatformChoice& p, std::set<std::string>* unread) {
      load_point(scenario, p, files, part, sets, key + ": " + listed(sets, ", "), unread);
    };
    const auto reads = [&](const PlatformChoice& p) {
      std::set<std::string> unread;
      try {
        load(p, &unread);
      } catch (const ConfigError&) {
        if (!part.skip_refused) throw;
        return true;  // the platform has read what it refuses
      }
      return std::none_of(sets.begin(), sets.end(),
                          [&](const std::string& text) { return unread.count(text) != 0; });
    };
    if (reads(platform))
      read.push_back(change);
    else if (std::none_of(part.platforms.begin(), part.platforms.end(), reads))
      load(platform, nullptr);  // throws
  }
  return read;
}

std::vector<SweepPoint> points_of(const fs::path& scenario, const PlatformChoice& platform,
                                  PlatformFiles& files, const ScenarioPart& part) {
  const auto axes = read_by(scenario, platform, files, part, "sweep", part.sweep, [](const SweepAxis& axis) {
    return std::vector<std::string>{axis.key + '=' + axis.values.front()};
  });
  const auto variations = read_by(scenario, platform, files, part, "vary", part.vary,
                                  [](const SweepPoint& variation) { return variation.overrides; });
  return with_variations(points_of(axes), variations);
}

void check_platform(const fs::path& file, const PlatformParameters& platform) {
  require_whole(file, platform);
  const std::string on = platform.machine + '/';
  const bool names_machine =
      platform.name.compare(0, on.size(), on) == 0 && can_name_folder(platform.machine);
  if (!can_name_folder(platform.name.substr(names_machine ? on.size() : 0)))
    throw UsageError(
        file.string() + ": the platform's name is " + subcore::quoted(platform.name) +
        "; expected a name without '/' and of at most 255 bytes, in UTF-8, that can name a folder");
}

class Planner {
 public:
  Planner(const RunPlan& plan, PlatformFiles& files, PlannedRuns& all)
      : plan_(plan),
        files_(files),
        all_(all),
        several_(plan.parts.size() > 1 || files_of(plan.parts.front()).size() > 1) {}

  void add(const PartOnMachine& on_machine) {
    const ScenarioPart& part = on_machine.part;
    std::set<std::size_t> platforms;
    for (const PlatformChoice& file : part.platforms) {
      load(file);
      const std::vector<SweepPoint> points = points_of(plan_.scenario, file, files_, part);
      std::vector<std::string> refusals;
      {
        ProgressBar bar("reading platforms");
        double done = 0;
        for (const SweepPoint& point : points) {
          bar.show(done++ / static_cast<double>(points.size()), point.name);
          try {
            add(platforms, file, part, point);
          } catch (const ConfigError& e) {
            if (!part.skip_refused) throw;
            refusals.emplace_back(e.what());
          }
        }
      }
      if (refusals.size() == points.size()) throw ConfigError(refusals.front());
      if (!refusals.empty())
        note("skip_refused: " + std::to_string(refusals.size()) + " of " + std::to_string(points.size()) +
             " are left out: " + refusals.front());
    }
    for (const StaticCount& c : part.counts) {
      const std::vector<PlatformChoice> files = part.platforms_of(c);
      for (const PlatformChoice& file : files) {
        std::set<std::string> unread;
        load(file);
        PlatformParameters platform =
            load_point(plan_.scenario, file, files_, part, {}, "", several_ ? &unread : nullptr);
        platform.name = (files.size() > 1 ? platform.machine + '/' : "") + c.name +
                        (part.label.empty() ? "" : ',' + part.label);
        check_platform(plan_.scenario, platform);
        add(platforms, plan_.scenario, platform, std::make_shared<StaticCount>(c), {platform.system(), {}});
      }
    }
    for (const std::size_t t : on_machine.traces)
      for (const std::size_t p : platforms) all_.runs.insert({t, p});
  }

 private:
  using Count = std::shared_ptr<const StaticCount>;

  void add(std::set<std::size_t>& platforms, const PlatformChoice& file, const ScenarioPart& part,
           const SweepPoint& point) {
    PlatformParameters platform = variant(file, part, point);
    PlannedRuns::Origin origin{platform.system(), values_of(point)};
    if (!point.name.empty()) platform.name += ',' + point.name;
    check_platform(file.file, platform);
    add(platforms, file, std::move(platform), nullptr, std::move(origin));
  }

  void add(std::set<std::size_t>& platforms, const PlatformChoice& file, PlatformParameters platform,
           const Count& count, PlannedRuns::Origin origin) {
    const std::string name = platform.name;
    if (!platforms.insert(place_of(file, std::move(platform), count, std::move(origin))).second)
      throw UsageError(file.file.string() + ": a platform named '" + name +
                       "' was given before; expected distinct names");
  }

  void load(const PlatformChoice& file) {
    const std::set<fs::path>& read = file_of(file, files_).files();
    all_.files.insert(read.begin(), read.end());
  }

  // The platform at a point, under its system's name.
  PlatformParameters variant(const PlatformChoice& file, const ScenarioPart& part, const SweepPoint& point) {
    std::set<std::string> unread;
    const std::string where = (part.sweep.empty() ? "vary: " : "sweep: ") + point.name;
    PlatformParameters platform = load_point(plan_.scenario, file, files_, part, point.overrides,
                                             point.name.empty() ? "" : where, several_ ? &unread : nullptr);
    if (!part.label.empty()) platform.name += ',' + part.label;
    if (const std::string& preset = platform.energy.preset; tables_.insert(preset).second) {
      energy_coefficients(platform);
      all_.files.insert(find_data("power/tables", preset));
    }
    return platform;
  }

  static std::string settings(const Count& count, const PlatformParameters& platform) {
    return count ? count->settings(platform) : resolved_yaml(platform);
  }

  // The place of a platform. Platforms of one name differ if they are on the machines of different traces.
  std::size_t place_of(const PlatformChoice& file, PlatformParameters platform, const Count& count,
                       PlannedRuns::Origin origin) {
    const std::string machine = file.by_trace ? platform.machine : "";
    const auto [known, is_new] = places_.emplace(std::pair(platform.name, machine), all_.platforms.size());
    const std::size_t n = known->second;
    if (!is_new) {
      if (settings(all_.counts[n], *all_.platforms[n]) == settings(count, platform)) return n;
      throw UsageError(file.file.string() + ": a platform named '" + platform.name +
                       "' was given before, with other parameters; expected distinct names" +
                       (plan_.parts.size() > 1 ? ", for example by a 'label' in one of the parts" : ""));
    }
    all_.platforms.push_back(std::make_shared<PlatformParameters>(std::move(platform)));
    all_.counts.push_back(count);
    all_.origins.push_back(std::move(origin));
    return n;
  }

  const RunPlan& plan_;
  PlatformFiles& files_;
  PlannedRuns& all_;
  bool several_;
  // Index of each platform, by its name and the machine of its traces.
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::set<std::string> tables_;  // energy tables that have been read
};

// Adds the further runs of --seeds. A count of operands gets none, because it does not depend on chance.
void add_members(PlannedRuns& all, std::uint64_t seeds) {
  const std::set<std::pair<std::size_t, std::size_t>> runs = all.runs;
  const std::size_t platforms = all.platforms.size();
  for (std::size_t p = 0; p < platforms; ++p) {
    if (all.counts[p]) continue;
    for (std::uint64_t n = 1; n < seeds; ++n) {
      all.platforms.push_back(std::make_shared<PlatformParameters>(member_of(*all.platforms[p], n)));
      all.counts.push_back(nullptr);
      all.origins.push_back(all.origins[p]);
      all.members.push_back({p, n});
      for (const auto& [trace, platform] : runs)
        if (platform == p) all.runs.insert({trace, all.platforms.size() - 1});
    }
  }
}

// The text of --only's file, without the byte-order mark that some editors put at its beginning.
std::string list_of_runs(const fs::path& file) {
  constexpr std::size_t longest = std::size_t{1} << 28;
  constexpr std::string_view mark = "\xef\xbb\xbf";
  const auto refuse = [&](const std::string& problem) {
    throw UsageError("--only " + file.string() + ": " + problem + "; expected a file of runs");
  };
  std::string text;
  try {
    text = read_input(file, longest);
  } catch (const InputError& e) {
    refuse(std::string("cannot be read (") + e.what() + ')');
  }
  if (text.size() > longest) refuse("is longer than 256 MiB");
  return text.compare(0, mark.size(), mark) == 0 ? text.substr(mark.size()) : text;
}

}  // namespace

namespace {

// The numbers of "A:B". Without B, all CTAs that follow are meant.
std::pair<std::uint64_t, std::uint64_t> ctas_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::uint64_t first = whole_number("--ctas", text.substr(0, colon), 0);
  const std::string behind = colon == std::string::npos ? text : text.substr(colon + 1);
  const std::uint64_t last = behind.empty() ? KernelPart::none : whole_number("--ctas", behind, 0);
  if (first < 1 || last < first)
    throw UsageError("--ctas " + text +
                     "; expected FIRST:LAST, places in each kernel's trace (the first is 1)");
  return {first, last};
}

// Cuts each trace into so many traces of consecutive kernels, or one for each kernel if there are fewer.
void cut(PlannedRuns& all, std::uint64_t pieces) {
  std::vector<TraceProgram> traces;
  std::set<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t t = 0; t < all.traces.size(); ++t) {
    const TraceProgram& trace = all.traces[t];
    const std::uint64_t kernels = trace.kernels.size(), n = std::min(pieces, kernels);
    for (std::uint64_t piece = 0; piece < n; ++piece) {
      TraceProgram& part = traces.emplace_back(trace);
      keep_kernels(part,
                   std::to_string(piece * kernels / n + 1) + ':' + std::to_string((piece + 1) * kernels / n));
      if (!trace.selection.empty()) {
        part.selection = trace.selection + ", of these " + part.selection;
        part.selection_name = trace.selection_name + ',' + part.selection_name;
      }
      part.name += ',' + part.selection_name;
      for (const auto& [of_trace, platform] : all.runs)
        if (of_trace == t) runs.insert({traces.size() - 1, platform});
    }
  }
  all.traces = std::move(traces);
  all.runs = std::move(runs);
}

}  // namespace

PlannedRuns runs_of(const RunPlan& plan, const RunRequest& request) {
  PlannedRuns all;
  const ScenarioPart& first = plan.parts.front();
  PlatformFiles files;
  const std::vector<PartOnMachine> parts = on_machines(plan, files, all);
  if (plan.parts.size() > 1 || files_of(first).size() > 1) check_overrides(plan, parts, files);
  if (parts.empty())
    throw UsageError(plan.scenario.string() +
                     ": no trace has a binary version under 'code'; expected at least one such trace");
  Planner planner(plan, files, all);
  for (const PartOnMachine& part : parts) planner.add(part);
  add_members(all, plan.seeds);
  name_apart(all.traces);
  if (!request.kernel.empty())
    for (TraceProgram& trace : all.traces) keep_kernels(trace, request.kernel);
  if (const std::uint64_t pieces = whole_number("--pieces", request.pieces, 1); pieces > 1) {
    cut(all, pieces);
  } else if (pieces == 0) {
    throw UsageError("--pieces 0; expected a whole number from 1");
  }
  for (TraceProgram& trace : all.traces) {
    if (request.ctas.empty()) continue;
    const auto [from, to] = ctas_of(request.ctas);
    keep_ctas(trace, from, to);
  }
  return all;
}

bool PlannedRuns::has_counts() const {
  return std::any_of(counts.begin(), counts.end(), [](const auto& c) { return c != nullptr; });
}

std::vector<Job> PlannedRuns::jobs() const {
  std::vector<Job> jobs;
  for (const auto& [trace, platform] : runs) {
    jobs.push_back({platforms[platform], traces[trace]});
    jobs.back().count = counts[platform];
    jobs.back().system = origins[platform].system;
    jobs.back().swept = origins[platform].swept;
    if (platform < platforms_asked_for()) continue;
    const Member& member = members[platform - platforms_asked_for()];
    jobs.back().member = member.number;
    jobs.back().member_of = platforms[member.first]->name;
  }
  return jobs;
}

void keep_jobs(std::vector<Job>& jobs, const fs::path& names) {
  std::istringstream in = text_stream(list_of_runs(names));
  std::set<std::string> known, wanted;
  for (const Job& job : jobs) known.insert(job.subfolder().string());
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string run = known.count(line) != 0 ? line : trimmed(line);
    if (run.empty()) continue;
    if (known.count(run) == 0)
      throw UsageError(names.string() + ':' + std::to_string(number) + ": " + subcore::quoted(run) +
                       ": no such run;" + did_you_mean(run, {known.begin(), known.end()}) +
                       " expected PLATFORM/TRACE of " + std::to_string(known.size()) +
                       " runs (--dry-run lists them)");
    wanted.insert(run);
  }
  if (wanted.empty())
    throw UsageError("--only " + names.string() + ": names no run; expected a line PLATFORM/TRACE for each");
  jobs.erase(std::remove_if(jobs.begin(), jobs.end(),
                            [&](const Job& job) { return wanted.count(job.subfolder().string()) == 0; }),
             jobs.end());
}

}  // namespace subcore
