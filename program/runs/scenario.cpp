#include "subcore/program/runs/scenario.h"

#include <algorithm>
#include <set>

#include "subcore/base/config_error.h"
#include "subcore/base/file_kind.h"
#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/base/yaml_entry.h"
#include "subcore/base/yaml_source.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/program/runs/seeds.h"

namespace subcore {
namespace {

std::uint64_t cycles(const YamlSource& source, const YamlSource::Entry& e, const std::string& path) {
  const std::string digits = text_of(source, e);
  if (digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos) {
    source.fail(e.key_node, under(path, e.key) + ": '" + digits + "'; expected a number of cycles");
  }
  return std::stoull(digits);
}

std::uint64_t seeds(const YamlSource& source, const YamlSource::Entry& e) {
  const std::string digits = text_of(source, e);
  const bool is_number = digits.size() <= 4 && digits.find_first_not_of("0123456789") == std::string::npos;
  const std::uint64_t n = is_number && !digits.empty() ? std::stoull(digits) : 0;
  if (n == 0 || n > most_seeds)
    source.fail(e.key_node, e.key + ": '" + digits + "'; expected a whole number from 1 to " +
                                std::to_string(most_seeds));
  return n;
}

std::filesystem::path platform(const YamlSource& source, const YamlSource::Entry& e,
                               const std::filesystem::path& base, const std::string& name) {
  try {
    return find_data("platforms", name, base);
  } catch (const ConfigError& error) {
    source.fail(e.key_node, e.key + ": " + error.what());
  }
}

// The assignment without blanks around key and value. In the one parameter that may be a path, a relative one
// is made relative to the scenario's folder.
std::string override_from(const std::filesystem::path& base, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) return assignment;
  const std::string key = trimmed(assignment.substr(0, equals)),
                    value = trimmed(assignment.substr(equals + 1));
  const std::filesystem::path beside = base / value;
  const bool is_path = key == "energy.preset" && (is_there(beside) || !find_shipped("power/tables", value));
  return key + '=' + (is_path ? beside.string() : value);
}

Scenario::View view(const YamlSource& source, const YamlSource::Entry& e, const std::filesystem::path& base) {
  Scenario::View view;
  for (const auto& v : source.entries(e.value, e.key_node, e.key)) {
    if (v.key == "file") {
      view.file = (base / text_of(source, v)).lexically_normal();
    } else if (v.key == "scope") {
      view.scope = text_of(source, v);
    } else if (v.key == "from") {
      view.from = cycles(source, v, e.key);
    } else if (v.key == "to") {
      view.to = cycles(source, v, e.key);
    } else {
      fail_unknown(source, v, e.key, {"file", "scope", "from", "to"});
    }
  }
  if (view.file.empty()) source.fail(e.key_node, e.key + ": no file; expected a key 'file'");
  if (view.from > view.to)
    source.fail(e.key_node, e.key + ": to " + std::to_string(view.to) +
                                " is before from; expected at least " + std::to_string(view.from));
  return view;
}

SweepAxis axis(const YamlSource& source, const YamlSource::Entry& e, const std::filesystem::path& base) {
  SweepAxis axis{trimmed(e.key), texts_of(source, e)};
  for (std::string& value : axis.values)
    value = override_from(base, axis.key + '=' + value).substr(axis.key.size() + 1);
  std::set<std::string> distinct(axis.values.begin(), axis.values.end());
  if (distinct.size() != axis.values.size())
    source.fail(e.key_node, under("sweep", e.key) + ": a value twice; expected distinct values");
  return axis;
}

SweepPoint variation(const YamlSource& source, const YamlSource::Entry& e,
                     const std::filesystem::path& base) {
  SweepPoint point{{}, e.key};
  for (const std::string& o : texts_of(source, e)) point.overrides.push_back(override_from(base, o));
  return point;
}

const std::vector<std::string> part_keys = {"platforms", "cache_study", "trace_info", "traces",
                                            "sample",    "set",         "sweep",      "vary"};

// True: the key was one of those above.
bool read_part(const YamlSource& source, const YamlSource::Entry& e, const std::filesystem::path& base,
               ScenarioPart& part) {
  if (e.key == "platforms") {
    part.platforms.clear();
    for (const std::string& p : texts_of(source, e)) part.platforms.push_back(platform(source, e, base, p));
  } else if (e.key == "cache_study" || e.key == "trace_info") {
    const auto kind = e.key == "cache_study" ? StaticCount::Kind::cache_study : StaticCount::Kind::trace_info;
    part.counts.erase(std::remove_if(part.counts.begin(), part.counts.end(),
                                     [&](const StaticCount& c) { return c.kind == kind; }),
                      part.counts.end());
    for (StaticCount& c : read_static_counts(source, e)) part.counts.push_back(std::move(c));
  } else if (e.key == "traces") {
    part.traces.clear();
    for (const std::string& t : texts_of(source, e)) part.traces.push_back(base / t);
  } else if (e.key == "set") {
    for (const std::string& o : texts_of(source, e)) part.overrides.push_back(override_from(base, o));
  } else if (e.key == "sweep") {
    part.sweep.clear();
    for (const auto& a : source.entries(e.value, e.key_node, e.key))
      part.sweep.push_back(axis(source, a, base));
  } else if (e.key == "vary") {
    part.vary.clear();
    for (const auto& v : source.entries(e.value, e.key_node, e.key))
      part.vary.push_back(variation(source, v, base));
  } else if (e.key == "sample") {
    part.sample = texts_of(source, e);
  } else {
    return false;
  }
  return true;
}

std::vector<std::string> with(std::vector<std::string> keys, const std::vector<std::string>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

// A key that a part does not have is as above it; overrides of a part are added to those above.
ScenarioPart part_of(const YamlSource& source, const YamlNode& node, const std::filesystem::path& base,
                     const ScenarioPart& above) {
  ScenarioPart part = above;
  for (const auto& e : source.entries(node, node, "parts")) {
    if (read_part(source, e, base, part)) continue;
    if (e.key != "label") fail_unknown(source, e, "parts", with(part_keys, {"label"}));
    part.label = text_of(source, e);
  }
  return part;
}

// Refuses sweeps of over a million points, which a few axes make: no machine holds them, and nobody waits for
// them.
void check_points(const ScenarioPart& part, const std::string& where) {
  constexpr double most = 1e6;
  double points = 1 + static_cast<double>(part.vary.size());
  for (const SweepAxis& axis : part.sweep) points *= static_cast<double>(axis.values.size());
  if (points <= most) return;
  throw ConfigError(where + "sweep: more than a million points; expected at most that, in all combinations");
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

Scenario load_scenario(const std::filesystem::path& file) {
  const YamlSource source(file);
  const std::filesystem::path base = file.parent_path();
  Scenario s;
  s.name = file.stem().string();
  ScenarioPart whole;
  const YamlSource::Entry* parts = nullptr;
  const auto entries = source.entries(source.root(), source.root(), "");
  require_kind(source, entries, FileKind::scenario);
  for (const auto& e : entries) {
    if (read_part(source, e, base, whole)) continue;
    if (e.key == "name") {
      s.name = text_of(source, e);
    } else if (e.key == "description") {
      s.description = text_of(source, e);
    } else if (e.key == "parts") {
      parts = &e;
    } else if (e.key == "results") {
      s.results = (base / text_of(source, e)).lexically_normal();
    } else if (e.key == "seeds") {
      s.seeds = seeds(source, e);
    } else if (e.key == "fixed_traces") {
      s.fixed_traces = choice_of<bool>(source, e, "", {{"true", true}, {"false", false}});
    } else if (e.key == "vcd") {
      s.vcd = view(source, e, base);
    } else if (e.key == "pipeline") {
      s.pipeline = view(source, e, base);
    } else if (e.key == "figures") {
      s.figures = read_figures(source, e);
    } else {
      fail_unknown(source, e, "", keys_of(FileKind::scenario));
    }
  }
  if (parts == nullptr) {
    require_whole(whole, file, "");
    s.parts.push_back(whole);
    return s;
  }
  if (!parts->value.is_list() || parts->value.items().empty())
    source.fail(parts->key_node, "parts: " + node_words(parts->value) + "; expected a list of parts");
  for (const YamlNode& node : parts->value.items()) {
    s.parts.push_back(part_of(source, node, base, whole));
    require_whole(s.parts.back(), file, "part " + std::to_string(s.parts.size()) + ": ");
  }
  return s;
}

}  // namespace subcore
