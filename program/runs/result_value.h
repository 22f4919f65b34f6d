// A number that is made of the keys of a run's object (docs/results.md), as experiments write it:
//   ipc        energy_pj.total        bank_reads / source_operands
//   scheduler_cycles.hazard + scheduler_cycles.no_collector
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "subcore/model/statistics/result_columns.h"

namespace subcore {

class ResultValue {
 public:
  ResultValue() = default;  // not set
  // A sum, or a sum over a sum. Throws std::invalid_argument, which says what is wrong and what was expected,
  // when a key or a member is none that results have.
  explicit ResultValue(const std::string& text);

  const std::string& text() const { return text_; }
  bool is_set() const { return !above_.empty(); }
  // The value of a run; nothing if the run has no such thing, or if it is divided by 0.
  std::optional<double> of(const RunResult& run) const;
  // The first part of the hardware in it ("storage_bits.bank.registers") that none of the runs has; empty if
  // each part is somewhere. A part that one run lacks and another has counts 0 there.
  std::string part_of_none(const std::vector<const RunResult*>& runs) const;

 private:
  struct Term {
    const ResultColumn* column;
    std::string member;  // empty: the column is a number itself
  };
  using Sum = std::vector<Term>;

  static Sum sum_of(const std::string& text);
  static Term term_of(const std::string& text);
  static std::optional<double> value_of(const Term& term, const RunResult& run);
  static std::optional<double> value_of(const Sum& sum, const RunResult& run);

  std::string text_;
  Sum above_, below_;  // the line of a fraction; nothing below it: a sum alone
};

}  // namespace subcore
