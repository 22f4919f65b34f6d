// The columns of the results, a line each: the JSON that is written and read back, the terminal table, what
// is counted for each kernel and the sums over a GPU all come from here. Whoever has a statistic of their own
// makes it a column, before the first run, by
//   result_columns().add({"victim_hits", "victim hits", "operands", "victim_hits"});
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "subcore/model/statistics/results.h"
#include "subcore/model/statistics/statistics.h"

namespace subcore {

// Values by name, and what they add up to, which is one of the JSON object's keys (`total`).
struct SumMembers {
  ByName<double> RunResult::*by_name;
  double RunResult::*total;
};

// Values by name that only some runs have: the others have no such key.
struct OptionalMembers {
  ByName<double> RunResult::*values;
};

// The same of texts.
struct OptionalTexts {
  ByName<std::string> RunResult::*values;
};

// A key of the results, and what it is made of.
struct ResultColumn {
  std::string key{};      // in JSON
  std::string heading{};  // in the terminal table; empty: it is not there
  // The counters' unit. "%": a share of 1 that the terminal table shows in per cent. "+%": a difference, of
  // either sign, that it shows so.
  std::string unit{};
  // The terminal table shows its values in per cent.
  bool is_in_percent() const { return unit == "%" || unit == "+%"; }
  // The counters that are summed, as StatisticsGroup::find() takes them; empty: whoever makes the result
  // fills it in.
  std::string statistic{};
  // The column's place in a result. With neither member it is among RunResult::own and KernelResult::own.
  std::variant<std::monostate, std::string RunResult::*, std::uint64_t RunResult::*, double RunResult::*,
               std::optional<double> RunResult::*, std::optional<std::string> RunResult::*,
               ByName<std::uint64_t> RunResult::*, ByName<double> RunResult::*, SumMembers, OptionalMembers,
               OptionalTexts, std::vector<KernelResult> RunResult::*,
               std::map<std::string, std::uint64_t> RunResult::*, std::vector<std::string> RunResult::*,
               std::optional<Sample> RunResult::*>
      of_run{};
  std::variant<std::monostate, std::string KernelResult::*, std::uint64_t KernelResult::*,
               double KernelResult::*>
      of_kernel{};
  // The key of a column: this one stands right behind it, in the terminal table and in the JSON object of a
  // kernel. Empty: where its line is.
  std::string after{};
  bool wide_only = false;  // in the terminal table only when that may be wider than a terminal usually is
  // Whether the column stands in the terminal table only if some run has it, and never at the cost of another
  // column or of names in full.
  bool if_room = false;
  // Whether the column stands in every terminal table, whatever its width: at the cost of other columns.
  bool always = false;

  bool is_own() const { return of_run.index() == 0 && of_kernel.index() == 0; }
  const auto& member(const RunResult&) const { return of_run; }
  const auto& member(const KernelResult&) const { return of_kernel; }

  // The count in a result; nothing if the column is no count, or one's own and the platform does not have it.
  std::optional<std::uint64_t> count(const RunResult& r) const { return count_of(r); }
  std::optional<std::uint64_t> count(const KernelResult& k) const { return count_of(k); }

  // The column's counters in and below `root`. Throws std::logic_error if one has another unit: then it is
  // another statistic that happens to have this name.
  CounterSum sum(const StatisticsGroup& root) const;
  // The same of counters that StatisticsGroup::find() has given.
  CounterSum sum(const std::vector<const Statistic*>& counters) const;

 private:
  template <class Result>
  std::optional<std::uint64_t> count_of(const Result& r) const {
    if (is_own()) return value_of(r.own, key);
    const auto* m = std::get_if<std::uint64_t Result::*>(&member(r));
    return m == nullptr ? std::nullopt : std::optional(r.**m);
  }
};

// The columns, in the order of the keys of a run's JSON object; columns of one's own come last.
class ResultColumns {
 public:
  ResultColumns();  // with the columns that every result has

  // Throws std::logic_error if the key is taken.
  ResultColumns& add(ResultColumn column);
  const std::deque<ResultColumn>& all() const { return columns_; }
  const ResultColumn* find(const std::string& key) const;
  // The columns of kernels and those of the terminal table, in their order.
  std::vector<const ResultColumn*> of_kernels() const;
  std::vector<const ResultColumn*> of_table() const;

 private:
  std::deque<ResultColumn> columns_;
};

// The table of this process, which users add to before a run.
ResultColumns& result_columns();

// The counters of one GPU that the columns sum: found once, read as often as one likes.
class ColumnSums {
 public:
  ColumnSums() = default;
  explicit ColumnSums(const StatisticsGroup& root);

  // Fills the sums into a new result.
  void read(RunResult& r) const { fill(r); }
  void read(KernelResult& k) const { fill(k); }

 private:
  template <class Result>
  void fill(Result& r) const {
    for (const auto& [column, sum] : sums_) {
      if (column->is_own())
        r.own.emplace_back(column->key, sum.value());
      else if (const auto* m = std::get_if<std::uint64_t Result::*>(&column->member(r)))
        r.** m = sum.value();
    }
  }

  std::vector<std::pair<const ResultColumn*, CounterSum>> sums_;
};

}  // namespace subcore
