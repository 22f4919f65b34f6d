// Counters with name, unit and description, in a hierarchy, and their output. A module keeps its counters as
// integers beside its hot state, and registers them once before the model runs.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "subcore/model/statistics/counter.h"

namespace subcore {

struct Statistic {
  std::string name;
  // The texts last as long as the process. Thousands of statistics share few texts.
  std::string_view unit;  // "instructions", "cycles", "" for ratios
  std::string_view description;
  // A counter in place, or a function that computes the value on demand.
  std::variant<const std::uint64_t*, std::function<double()>> source;
  double value() const;
  bool is_counter() const { return source.index() == 0; }
};

// A node of the hierarchy (SM, sub-core, module). Children and entries keep the order of registration.
class StatisticsGroup {
 public:
  explicit StatisticsGroup(std::string name = "") : name_(std::move(name)) {}
  StatisticsGroup(const StatisticsGroup&) = delete;
  StatisticsGroup& operator=(const StatisticsGroup&) = delete;

  // Returns a child, and creates it if it does not exist. References stay valid. If a statistic has the name,
  // throws std::logic_error: a name is taken once, by a child or by a statistic.
  StatisticsGroup& group(const std::string& name);
  void counter(std::string name, std::string_view unit, std::string_view description,
               const std::uint64_t& value);
  void counters(const CounterList& list);  // registers all of them
  void derived(std::string name, std::string_view unit, std::string_view description,
               std::function<double()> value);

  const std::string& name() const { return name_; }
  const std::list<StatisticsGroup>& groups() const { return groups_; }
  const std::vector<Statistic>& statistics() const { return statistics_; }
  // Every counter of that name in this group and below. A longer path selects: "arbiter.bank_writes" are the
  // counters in groups called "arbiter". "+" joins several paths. The pointers are valid until the next
  // registration.
  std::vector<const Statistic*> find(const std::string& paths) const;
  // The same for several such texts, in the time of one search.
  std::vector<std::vector<const Statistic*>> find(const std::vector<std::string>& paths) const;
  // The sum of the counters that find() gives.
  std::uint64_t sum(const std::string& paths) const;

 private:
  void require_new(const std::string& name) const;

  std::string name_;
  std::list<StatisticsGroup> groups_;
  std::vector<Statistic> statistics_;
};

// The sum of counters, wherever they stand. find() looks for the counters once, and their values are then
// read in place.
class CounterSum {
 public:
  CounterSum() = default;
  explicit CounterSum(const std::vector<const Statistic*>& counters);
  bool exists() const { return !counters_.empty(); }
  std::uint64_t value() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t* c : counters_) sum += *c;
    return sum;
  }

 private:
  std::vector<const std::uint64_t*> counters_;
};

// {"group": {"counter": {"value": 3, "unit": "...", "description": "..."}, "child": {...}}}, as text.
std::string statistics_json(const StatisticsGroup& root);
// Rows of path, value, unit and description, with a header row.
std::string statistics_csv(const StatisticsGroup& root);

// One line about the first sum in or below `root` that does not add up, or an empty text. The sums hold
// within every module that counts all of their terms. The sums are checked at the end of every run.
std::string unequal_sum(const StatisticsGroup& root);

}  // namespace subcore
