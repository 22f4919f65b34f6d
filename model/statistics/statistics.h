// Counters with name, unit and description, in a hierarchy, and how they are written. Whoever has counters
// keeps them as integers beside its hot state and registers them once, before the model runs.
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
  // Both last as long as the process: thousands of statistics share few texts.
  std::string_view unit;  // "instructions", "cycles", "" for ratios
  std::string_view description;
  // A counter in place, or a value computed when it is asked for.
  std::variant<const std::uint64_t*, std::function<double()>> source;
  double value() const;
  bool is_counter() const { return source.index() == 0; }
};

// A node of the hierarchy (SM, sub-core, module). Children and entries keep registration order.
class StatisticsGroup {
 public:
  explicit StatisticsGroup(std::string name = "") : name_(std::move(name)) {}
  StatisticsGroup(const StatisticsGroup&) = delete;
  StatisticsGroup& operator=(const StatisticsGroup&) = delete;

  // A child; created when it is not there. References stay valid. A name can be taken once, by a child or by
  // a statistic: std::logic_error otherwise.
  StatisticsGroup& group(const std::string& name);
  void counter(std::string name, std::string_view unit, std::string_view description,
               const std::uint64_t& value);
  void counters(const CounterList& list);  // all of them
  void derived(std::string name, std::string_view unit, std::string_view description,
               std::function<double()> value);

  const std::string& name() const { return name_; }
  const std::list<StatisticsGroup>& groups() const { return groups_; }
  const std::vector<Statistic>& statistics() const { return statistics_; }
  // Every counter of that name in this group and below. More of the path selects: "arbiter.bank_writes" are
  // those in groups called "arbiter". Several paths are joined by "+". Good until something is registered.
  std::vector<const Statistic*> find(const std::string& paths) const;
  // The same of several such texts, in the time that one takes.
  std::vector<std::vector<const Statistic*>> find(const std::vector<std::string>& paths) const;
  // The sum of the counters that find() gives.
  std::uint64_t sum(const std::string& paths) const;

 private:
  void require_new(const std::string& name) const;

  std::string name_;
  std::list<StatisticsGroup> groups_;
  std::vector<Statistic> statistics_;
};

// The sum of counters wherever they stand. They are looked for once, by find(), and then read in place.
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
// path,value,unit,description rows, with a header row.
std::string statistics_csv(const StatisticsGroup& root);

// The first sum in or below `root` that does not add up, on one line; empty if all do. The sums hold within
// every module that counts all of their terms, and are checked at the end of every run.
std::string unequal_sum(const StatisticsGroup& root);

}  // namespace subcore
