#include "subcore/program/runs/scenario.h"

#include <algorithm>
#include <optional>
#include <set>

#include "subcore/base/config_error.h"
#include "subcore/base/file_kind.h"
#include "subcore/base/files.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/model/parameters/data_files.h"

namespace subcore {
namespace {

using Entry = YamlSource::Entry;

// Calls `find`, whose errors count as errors of an entry.
template <class Find>
auto found(const YamlSource& source, const Entry& e, const Find& find) {
  try {
    return find();
  } catch (const ConfigError& error) {
    source.fail(e.key_node, e.key + ": " + error.what());
  }
}

// The assignment without blanks around key and value. If the value of the parameter may be a path, a relative
// path is taken from the scenario's folder.
std::string override_from(const std::filesystem::path& base, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) return assignment;
  const std::string key = trimmed(assignment.substr(0, equals)),
                    value = trimmed(assignment.substr(equals + 1));
  const std::filesystem::path beside = base / value;
  const bool is_path = key == "passes.near_file" ||
                       (key == "energy.preset" && (is_there(beside) || !find_shipped("power/tables", value)));
  return key + '=' + (is_path ? beside.string() : value);
}

Scenario::View view(const YamlSource& source, const Entry& e, const std::filesystem::path& base) {
  constexpr std::uint64_t most = 999'999'999'999'999'999;
  Scenario::View view;
  YamlKeys keys(source);
  keys.key("file", [&](const Entry& v) { view.file = (base / text_of(source, v)).lexically_normal(); });
  keys.field("scope", view.scope);
  keys.field("from", view.from, 0, most, "cycles");
  keys.field("to", view.to, 0, most, "cycles");
  keys.read(e, {"file"});
  if (view.from > view.to)
    source.fail(e.key_node, e.path + ": to " + std::to_string(view.to) +
                                " is before from; expected at least " + std::to_string(view.from));
  return view;
}

BinaryVersions binary_versions(const YamlSource& source, const Entry& e) {
  constexpr std::uint32_t most = 999;
  BinaryVersions versions;
  YamlKeys keys(source);
  keys.field("from", versions.from, 0, most);
  keys.field("to", versions.to, 0, most);
  keys.read(e);
  if (versions.from > versions.to)
    source.fail(e.key_node, e.path + ": to " + std::to_string(versions.to) + " is below from " +
                                std::to_string(versions.from) + "; expected at least as much");
  return versions;
}

// The entries of a map that must not be empty.
std::vector<Entry> filled(const YamlSource& source, const Entry& e) {
  std::vector<Entry> entries = source.entries(e);
  if (entries.empty())
    source.fail(e.key_node, e.path + ": is " + node_words(e.value) + "; expected a map of keys");
  return entries;
}

SweepAxis axis(const YamlSource& source, const Entry& e, const std::filesystem::path& base) {
  SweepAxis axis{trimmed(e.key), texts_of(source, e)};
  for (std::string& value : axis.values)
    value = override_from(base, axis.key + '=' + value).substr(axis.key.size() + 1);
  std::set<std::string> distinct(axis.values.begin(), axis.values.end());
  if (distinct.size() != axis.values.size())
    source.fail(e.key_node, e.path + ": a value is given twice; expected distinct values");
  return axis;
}

SweepPoint variation(const YamlSource& source, const Entry& e, const std::filesystem::path& base) {
  SweepPoint point{{}, e.key};
  for (const std::string& o : texts_of(source, e)) point.overrides.push_back(override_from(base, o));
  return point;
}

// Reads a path, or a list. Items of a list are paths, or maps with a path and the name of the trace there.
std::vector<TracePath> traces_of(const YamlSource& source, const Entry& e,
                                 const std::filesystem::path& base) {
  std::vector<TracePath> traces;
  if (!e.value.is_list() || e.value.items().empty()) {
    for (const std::string& path : texts_of(source, e)) traces.push_back({base / path, {}});
    return traces;
  }
  for (const YamlNode& item : e.value.items()) {
    std::string name, path;
    if (item.is_map()) {
      YamlKeys keys(source);
      keys.field("name", name);
      keys.field("path", path);
      keys.read(item, item, e.path, {"name", "path"});
      try {
        require_trace_name(name);
      } catch (const TraceError& error) {
        source.fail(item, e.path + ".name: " + error.what());
      }
    } else if (item.is_scalar() && !item.text().empty()) {
      path = item.text();
    } else {
      source.fail(item, e.path + ": " + node_words(item) + "; expected a text, or a map of name and path");
    }
    traces.push_back({base / path, name});
  }
  return traces;
}

// Adds the keys that a part may have as well as the whole file.
void add_keys(YamlKeys& keys, const YamlSource& source, const std::filesystem::path& base,
              ScenarioPart& part) {
  const auto counts = [&](StaticCount::Kind kind) {
    return [&, kind](const Entry& e) {
      part.counts.erase(std::remove_if(part.counts.begin(), part.counts.end(),
                                       [&](const StaticCount& c) { return c.kind == kind; }),
                        part.counts.end());
      for (StaticCount& c : read_static_counts(source, e)) part.counts.push_back(std::move(c));
    };
  };
  keys.key("platforms", [&](const Entry& e) {
    part.names = texts_of(source, e);
    part.platforms = found(source, e, [&] { return find_platforms(part.names, {}, base); });
  });
  keys.key("gpu", [&](const Entry& e) {
    part.gpus.clear();
    for (const std::string& g : texts_of(source, e))
      part.gpus.push_back(found(source, e, [&] { return find_machine(g, base).string(); }));
  });
  keys.key("cache_study", counts(StaticCount::Kind::cache_study));
  keys.key("trace_info", counts(StaticCount::Kind::trace_info));
  keys.key("traces", [&](const Entry& e) { part.traces = traces_of(source, e, base); });
  keys.field("sample", part.sample);
  keys.key("code", [&](const Entry& e) { part.code = binary_versions(source, e); });
  keys.key("set", [&](const Entry& e) {
    const std::vector<std::string> texts = texts_of(source, e);
    for (std::size_t i = 0; i < texts.size(); ++i) {
      part.overrides.push_back(override_from(base, texts[i]));
      const YamlNode& at = e.value.is_list() ? e.value.items()[i] : e.key_node;
      part.set_at[part.overrides.back()] = source.where(at) + ": " + e.path;
    }
  });
  keys.key("sweep", [&](const Entry& e) {
    part.sweep.clear();
    for (const Entry& a : filled(source, e)) part.sweep.push_back(axis(source, a, base));
  });
  keys.key("vary", [&](const Entry& e) {
    part.vary.clear();
    for (const Entry& v : filled(source, e)) part.vary.push_back(variation(source, v, base));
  });
  keys.field("skip_refused", part.skip_refused);
}

// Reads a part. A key that the part does not have is as in the file above it. Overrides of a part are added
// to the file's.
ScenarioPart part_of(const YamlSource& source, const YamlNode& node, const std::filesystem::path& base,
                     const ScenarioPart& above) {
  ScenarioPart part = above;
  YamlKeys keys(source);
  add_keys(keys, source, base, part);
  keys.field("label", part.label);
  keys.read(node, node, "parts");
  return part;
}

// Refuses sweeps of more than a million points. A few axes make so many, but no machine can hold or run them.
void check_points(const ScenarioPart& part, const std::string& where) {
  constexpr double most = 1e6;
  double points = 1 + static_cast<double>(part.vary.size());
  for (const SweepAxis& axis : part.sweep) points *= static_cast<double>(axis.values.size());
  if (points <= most) return;
  throw ConfigError(where + "sweep: more than a million points; expected at most that, in all combinations");
}

// Puts the platforms of a part, all of whose keys have been read, on its machines. A count's platforms are
// put there when the count is made, and are only tried here.
void put_together(ScenarioPart& part, const std::filesystem::path& file, const std::string& which) {
  if (part.gpus.empty()) return;
  std::string of = "platforms: ";
  try {
    part.platforms = find_platforms(part.names, part.gpus, file.parent_path());
    for (const StaticCount& c : part.counts) {
      of = "trace_info: " + c.name + ": ";
      find_platforms({c.platform}, part.gpus, file.parent_path());
    }
  } catch (const ConfigError& error) {
    throw ConfigError(file.string() + ": " + which + of + error.what());
  }
}

void require_whole(const ScenarioPart& part, const std::filesystem::path& file, const std::string& which) {
  if (part.platforms.empty() && part.counts.empty())
    throw ConfigError(file.string() + ": " + which + "no platforms; expected a list under 'platforms'");
  for (const auto& [key, is_empty] : {std::pair{"sweep", part.sweep.empty()}, {"vary", part.vary.empty()}})
    if (part.platforms.empty() && !is_empty)
      throw ConfigError(file.string() + ": " + which + key +
                        ", but no platforms; expected a list under 'platforms', too");
  check_points(part, file.string() + ": " + which);
  for (const SweepAxis& axis : part.sweep)
    for (const SweepPoint& v : part.vary)
      for (const std::string& o : v.overrides)
        if (o.rfind(axis.key + '=', 0) == 0)
          throw ConfigError(file.string() + ": " + which + "vary: " + v.name + ": " + axis.key +
                            " is swept, too; expected one of them");
  if (part.traces.empty())
    throw ConfigError(file.string() + ": " + which + "no traces; expected a list under 'traces'");
}

}  // namespace

std::vector<PlatformChoice> ScenarioPart::platforms_of(const StaticCount& count) const {
  if (gpus.empty() || count.kind == StaticCount::Kind::cache_study) return {count.file};
  return on_each({count.file}, gpus);
}

Scenario load_scenario(const std::filesystem::path& file) {
  const YamlSource source(file);
  const std::filesystem::path base = file.parent_path();
  Scenario s;
  s.name = file.stem().string();
  ScenarioPart whole;
  std::optional<Entry> parts;
  const auto entries = source.entries(source.root(), source.root(), "");
  require_kind(source, entries, FileKind::scenario);
  YamlKeys keys(source);
  keys.field("name", s.name);
  keys.field("description", s.description);
  add_keys(keys, source, base, whole);
  keys.key("parts", [&](const Entry& e) { parts = e; });
  keys.key("results", [&](const Entry& e) { s.results = (base / text_of(source, e)).lexically_normal(); });
  keys.field("seeds", s.seeds, 1, most_seeds);
  keys.field("fixed_traces", s.fixed_traces);
  keys.key("vcd", [&](const Entry& e) { s.vcd = view(source, e, base); });
  keys.key("pipeline", [&](const Entry& e) { s.pipeline = view(source, e, base); });
  keys.key("figures", [&](const Entry& e) { s.figures = read_figures(source, e); });
  keys.read(entries, source.root(), "");
  if (!parts) {
    put_together(whole, file, "");
    require_whole(whole, file, "");
    s.parts.push_back(whole);
    return s;
  }
  if (!parts->value.is_list() || parts->value.items().empty())
    source.fail(parts->key_node, "parts: " + node_words(parts->value) + "; expected a list of parts");
  for (const YamlNode& node : parts->value.items()) {
    s.parts.push_back(part_of(source, node, base, whole));
    const std::string which = "part " + std::to_string(s.parts.size()) + ": ";
    put_together(s.parts.back(), file, which);
    require_whole(s.parts.back(), file, which);
  }
  return s;
}

}  // namespace subcore
