#include "subcore/model/statistics/statistics.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <boost/algorithm/string.hpp>
#include <nlohmann/json.hpp>

#include "subcore/base/formatted.h"

namespace subcore {

namespace {

// The only copy of a text. SystemC has one thread, so no two threads register at a time.
std::string_view shared(std::string_view text) {
  static std::set<std::string, std::less<>> all;
  const auto known = all.find(text);
  return known != all.end() ? *known : *all.emplace(text).first;
}

std::string value_text(const Statistic& s) {
  if (s.is_counter()) return std::to_string(*std::get<0>(s.source));
  return number_text(s.value());
}

// Text or a number, in JSON.
template <class T>
std::string json_of(const T& value) {
  using JsonValue = nlohmann::ordered_json;
  return JsonValue(value).dump(-1, ' ', false, JsonValue::error_handler_t::replace);
}

// Writes in the same form as the JSON library, but without an object of it. The destructor of such an object
// takes memory, and ends the program if there is none.
void append_json(const StatisticsGroup& group, std::size_t depth, std::string& out) {
  const std::string indent(2 * depth, ' ');
  const char* separator = "{\n";
  const auto begin = [&](const std::string& name) {
    out += separator + indent + "  " + json_of(name) + ": ";
    separator = ",\n";
  };
  for (const Statistic& s : group.statistics()) {
    begin(s.name);
    out += "{\n" + indent +
           "    \"value\": " + (s.is_counter() ? json_of(*std::get<0>(s.source)) : json_of(s.value())) +
           ",\n" + indent + "    \"unit\": " + json_of(s.unit) + ",\n" + indent +
           "    \"description\": " + json_of(s.description) + '\n' + indent + "  }";
  }
  for (const StatisticsGroup& child : group.groups()) {
    begin(child.name());
    append_json(child, depth + 1, out);
  }
  out += *separator == '{' ? "{}" : '\n' + indent + '}';
}

// RFC 4180: a cell is quoted only if it must be.
std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + '.' + name;
}

void append_csv(const StatisticsGroup& group, const std::string& path, std::string& out) {
  for (const Statistic& s : group.statistics())
    out += csv_cell(joined(path, s.name)) + ',' + value_text(s) + ',' + csv_cell(s.unit) + ',' +
           csv_cell(s.description) + '\n';
  for (const StatisticsGroup& child : group.groups()) append_csv(child, joined(path, child.name()), out);
}

// Counters to be found. "arbiter.bank_writes" is a counter's name behind the names of the groups around it;
// the names of groups are compared from the inside.
struct WantedCounters {
  std::vector<std::string> groups;
  std::vector<const Statistic*> found{};
};
// By the counter's name. Counters of one name in different groups are neighbours.
using Wanted = std::unordered_multimap<std::string, WantedCounters>;

// Appends the wanted counters in and below `group`. `within` has the groups around it.
void collect(const StatisticsGroup& group, std::vector<const StatisticsGroup*>& within, Wanted& wanted) {
  within.push_back(&group);
  for (const Statistic& s : group.statistics()) {
    if (!s.is_counter()) continue;
    const auto [begin, end] = wanted.equal_range(s.name);
    for (auto w = begin; w != end; ++w) {
      const std::vector<std::string>& names = w->second.groups;
      if (names.size() <= within.size() &&
          std::equal(names.begin(), names.end(), within.rbegin(),
                     [](const std::string& name, const StatisticsGroup* g) { return g->name() == name; }))
        w->second.found.push_back(&s);
    }
  }
  for (const StatisticsGroup& child : group.groups()) collect(child, within, wanted);
  within.pop_back();
}

}  // namespace

CounterSum::CounterSum(const std::vector<const Statistic*>& counters) {
  for (const Statistic* s : counters) counters_.push_back(std::get<0>(s->source));
}

double Statistic::value() const {
  if (is_counter()) return static_cast<double>(*std::get<0>(source));
  return std::get<1>(source)();
}

StatisticsGroup& StatisticsGroup::group(const std::string& name) {
  const auto found =
      std::find_if(groups_.begin(), groups_.end(), [&](const StatisticsGroup& g) { return g.name_ == name; });
  if (found != groups_.end()) return *found;
  require_new(name);
  return groups_.emplace_back(name);
}

void StatisticsGroup::counter(std::string name, std::string_view unit, std::string_view description,
                              const std::uint64_t& value) {
  require_new(name);
  statistics_.push_back({std::move(name), shared(unit), shared(description), &value});
}

void StatisticsGroup::counters(const CounterList& list) {
  statistics_.reserve(statistics_.size() + list.declarations().size());
  for (const CounterList::Declaration& c : list.declarations()) {
    require_new(c.name);
    statistics_.push_back({c.name, c.unit, c.description, c.value});  // the literals outlive all groups
  }
}

void StatisticsGroup::derived(std::string name, std::string_view unit, std::string_view description,
                              std::function<double()> value) {
  require_new(name);
  statistics_.push_back({std::move(name), shared(unit), shared(description), std::move(value)});
}

std::vector<std::vector<const Statistic*>> StatisticsGroup::find(
    const std::vector<std::string>& paths) const {
  Wanted wanted;
  std::vector<std::vector<WantedCounters*>> of_paths;
  std::vector<std::string> each, names;
  for (const std::string& joined : paths) {
    auto& parts = of_paths.emplace_back();
    boost::split(each, joined, boost::is_any_of("+"));
    for (const std::string& path : each) {
      boost::split(names, boost::trim_copy(path), boost::is_any_of("."));
      std::string counter = std::move(names.back());
      names.pop_back();
      parts.push_back(
          &wanted.emplace(std::move(counter), WantedCounters{{names.rbegin(), names.rend()}})->second);
    }
  }
  std::vector<const StatisticsGroup*> within;
  collect(*this, within, wanted);
  std::vector<std::vector<const Statistic*>> found;
  for (const auto& parts : of_paths) {
    auto& all = found.emplace_back();
    for (const WantedCounters* part : parts) all.insert(all.end(), part->found.begin(), part->found.end());
  }
  return found;
}

std::vector<const Statistic*> StatisticsGroup::find(const std::string& paths) const {
  return std::move(find(std::vector{paths}).front());
}

std::uint64_t StatisticsGroup::sum(const std::string& paths) const {
  return CounterSum(find(paths)).value();
}

// Two members of a group with the same name would hide each other in the JSON file.
void StatisticsGroup::require_new(const std::string& name) const {
  const bool taken =
      std::any_of(statistics_.begin(), statistics_.end(),
                  [&](const Statistic& s) { return s.name == name; }) ||
      std::any_of(groups_.begin(), groups_.end(), [&](const StatisticsGroup& g) { return g.name_ == name; });
  if (taken) throw std::logic_error("statistics group '" + name_ + "' already has a '" + name + "'");
}

std::string statistics_json(const StatisticsGroup& root) {
  std::string out;
  if (root.name().empty()) {
    append_json(root, 0, out);
    return out + '\n';
  }
  out = "{\n  " + json_of(root.name()) + ": ";
  append_json(root, 1, out);
  return out + "\n}\n";
}

std::string statistics_csv(const StatisticsGroup& root) {
  std::string out = "path,value,unit,description\n";
  append_csv(root, root.name(), out);
  return out;
}

namespace {

struct ModuleSum {
  std::string_view all;
  std::vector<std::string_view> parts;
};

const std::vector<ModuleSum> sums{
    {"collection_cycles",
     {"collection_operands_cycles", "collection_latch_cycles", "collection_dispatch_cycles"}},
    {"collection_cycles", {"collection_memory_cycles", "collection_other_cycles"}},
    {"cache_writes", {"cache_writes_used", "cache_writes_unused", "cache_writes_left"}},
    {"dependences",
     {"dependences_raw", "dependences_war_waw", "dependences_stop", "dependences_control",
      "dependences_order"}},
    {"stall_cycles",
     {"stall_line_cycles", "stall_queue_cycles", "stall_mshr_cycles", "stall_merge_cycles",
      "stall_response_cycles", "stall_invalidation_cycles"}},
    {"window_cycles", {"occupancy_quarter", "occupancy_half", "occupancy_three_quarters", "occupancy_full"}},
};

std::optional<double> leaf_value(const StatisticsGroup& group, std::string_view name) {
  for (const Statistic& s : group.statistics())
    if (s.name == name) return s.value();
  return std::nullopt;
}

std::string words_of(const ModuleSum& s, double sum, double all) {
  std::string names;
  for (const std::string_view part : s.parts) names += (names.empty() ? "" : " + ") + std::string(part);
  return names + " are " + number_text(sum) + "; expected " + number_text(all) + ", as " + std::string(s.all);
}

// Most modules have none of the sums, and a large GPU has thousands of modules.
std::string unequal_sum(const StatisticsGroup& group, const std::string& path) {
  for (const ModuleSum& s : sums) {
    const std::optional<double> all = leaf_value(group, s.all);
    if (!all) continue;
    double sum = 0;
    bool known = true;
    for (const std::string_view part : s.parts) {
      const std::optional<double> value = leaf_value(group, part);
      known = known && value.has_value();
      sum += value.value_or(0);
    }
    if (known && sum != *all) return path + ": " + words_of(s, sum, *all);
  }
  for (const StatisticsGroup& child : group.groups()) {
    std::string wrong = unequal_sum(child, path.empty() ? child.name() : path + '.' + child.name());
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace

std::string unequal_sum(const StatisticsGroup& root) {
  return unequal_sum(root, root.name());
}

}  // namespace subcore
