// The columns of the results, with a line each. The JSON that is written and read back, the terminal table,
// the counts of each kernel and the sums over a GPU all come from this table. Users add a column for a
// statistic of their own before the first run:
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

// Values by name, and their sum under one more key (`total`) of the JSON object.
struct SumMembers {
  ByName<double> RunResult::*by_name;
  double RunResult::*total;
};

// Values by name that only some runs have. Other runs have no such key.
struct OptionalMembers {
  ByName<double> RunResult::*values;
};

// The same for texts.
struct OptionalTexts {
  ByName<std::string> RunResult::*values;
};

// A key of the results, and the source of its value.
struct ResultColumn {
  std::string key{};      // in JSON
  std::string heading{};  // in the terminal table; empty: not in that table
  // The counters' unit. "%" is a share of 1, which the terminal table shows in per cent. "+%" is a difference
  // of either sign, shown in the same way.
  std::string unit{};
  // Whether the terminal table shows the values in per cent.
  bool is_in_percent() const { return unit == "%" || unit == "+%"; }
  // The counters that are summed, in the form that StatisticsGroup::find() takes. Empty: the code that makes
  // the result fills the value in.
  std::string statistic{};
  // The column's place in a result. Without either member, the place is in RunResult::own and
  // KernelResult::own.
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
  // The key of a column behind which this one stands, in the terminal table and in the JSON object of a
  // kernel. Empty: the column stands where its line is.
  std::string after{};
  bool wide_only = false;  // only in terminal tables that may be wider than usual
  // Whether the column is in the terminal table only if some run has it and there is room. Such a column
  // never displaces another column or shortens names.
  bool if_room = false;
  // Whether the column is in every terminal table, even if other columns then have no room.
  bool always = false;

  bool is_own() const { return of_run.index() == 0 && of_kernel.index() == 0; }
  const auto& member(const RunResult&) const { return of_run; }
  const auto& member(const KernelResult&) const { return of_kernel; }

  // The count in a result. Nothing if the column is no count, or is a user's and the platform does not have
  // it.
  std::optional<std::uint64_t> count(const RunResult& r) const { return count_of(r); }
  std::optional<std::uint64_t> count(const KernelResult& k) const { return count_of(k); }

  // The column's counters in and below `root`. Throws std::logic_error if one has another unit, because it is
  // then another statistic with the same name.
  CounterSum sum(const StatisticsGroup& root) const;
  // The same, for counters that StatisticsGroup::find() has given.
  CounterSum sum(const std::vector<const Statistic*>& counters) const;

 private:
  template <class Result>
  std::optional<std::uint64_t> count_of(const Result& r) const {
    if (is_own()) return value_of(r.own, key);
    const auto* m = std::get_if<std::uint64_t Result::*>(&member(r));
    return m == nullptr ? std::nullopt : std::optional(r.**m);
  }
};

// The columns, in the order of the keys of a run's JSON object. Users' columns come last.
class ResultColumns {
 public:
  ResultColumns();  // has the columns that every result has

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

// The table of this process. Users add to it before a run.
ResultColumns& result_columns();

// The counters of one GPU that the columns sum: found once, and read as often as needed.
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
