#include "subcore/model/statistics/module_sums.h"

#include <optional>
#include <string_view>
#include <vector>

#include "subcore/base/number_text.h"

namespace subcore {
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

// Most modules have none of the sums: a large GPU has thousands of them.
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
