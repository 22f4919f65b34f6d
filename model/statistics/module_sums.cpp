#include "model/statistics/module_sums.h"

#include <optional>
#include <vector>

#include "model/statistics/number_text.h"

namespace subcore {
namespace {

struct ModuleSum {
  const char* all;
  std::vector<const char*> parts;
};

const std::vector<ModuleSum> sums{
    {"collection_cycles",
     {"collection_operands_cycles", "collection_latch_cycles", "collection_dispatch_cycles"}},
    {"cache_writes", {"cache_writes_used", "cache_writes_unused", "cache_writes_left"}},
    {"dependences",
     {"dependences_raw", "dependences_war_waw", "dependences_stop", "dependences_control",
      "dependences_order"}},
    {"window_cycles", {"occupancy_quarter", "occupancy_half", "occupancy_three_quarters", "occupancy_full"}},
};

std::optional<double> value_of(const StatisticsGroup& group, const std::string& name) {
  for (const Statistic& s : group.statistics())
    if (s.name == name) return s.value();
  return std::nullopt;
}

std::string unequal_sum(const StatisticsGroup& group, const std::string& path) {
  for (const ModuleSum& s : sums) {
    const std::optional<double> all = value_of(group, s.all);
    double sum = 0;
    bool known = all.has_value();
    std::string names;
    for (const char* part : s.parts) {
      const std::optional<double> value = value_of(group, part);
      known = known && value.has_value();
      sum += value.value_or(0);
      names += (names.empty() ? "" : " + ") + std::string(part);
    }
    if (known && sum != *all)
      return path + ": " + names + " are " + number_text(sum) + "; expected " + number_text(*all) + ", as " +
             s.all;
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
