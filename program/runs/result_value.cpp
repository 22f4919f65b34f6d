#include "subcore/program/runs/result_value.h"

#include <algorithm>
#include <stdexcept>

#include "subcore/base/names.h"
#include "subcore/base/spelling.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/modules/memory/hold_counters.h"
#include "subcore/power/energy_events.h"
#include "subcore/program/analysis/static_count.h"

namespace subcore {
namespace {

enum class ValueForm { number, members, other };

struct ValueFormOf {
  bool is_own;
  ValueForm operator()(std::monostate) const { return is_own ? ValueForm::number : ValueForm::other; }
  ValueForm operator()(std::uint64_t RunResult::*) const { return ValueForm::number; }
  ValueForm operator()(double RunResult::*) const { return ValueForm::number; }
  ValueForm operator()(std::optional<double> RunResult::*) const { return ValueForm::number; }
  ValueForm operator()(ByName<std::uint64_t> RunResult::*) const { return ValueForm::members; }
  ValueForm operator()(ByName<double> RunResult::*) const { return ValueForm::members; }
  ValueForm operator()(SumMembers) const { return ValueForm::members; }
  ValueForm operator()(OptionalMembers) const { return ValueForm::members; }
  template <class Other>
  ValueForm operator()(Other) const {
    return ValueForm::other;
  }
};

ValueForm form_of(const ResultColumn& c) {
  return std::visit(ValueFormOf{c.is_own()}, c.of_run);
}

// Whether a column's members are parts of the hardware, whose names only a platform knows.
bool is_of_parts(const std::string& key) {
  return key == "storage_bits" || key == "area_mm2" || key == "leakage_mw";
}

std::vector<std::string> members_of(const std::string& key) {
  std::vector<std::string> all;
  if (key == "scheduler_cycles")
    for (const IssueStateLine& s : issue_states) all.emplace_back(s.name);
  else if (key == "stall_cycles")
    for (const StallCauseLine& c : stall_causes) {
      if (c.cause != StallCause::not_selected) all.emplace_back(c.name);  // only warps have this cause
    }
  else if (key == "energy_by_preset_pj")
    all = shipped_names("power/tables");
  else if (key == "energy_pj") {
    for (const EnergyEventLine& e : energy_events) all.emplace_back(e.name);
    all.emplace_back("total");
  } else if (key == "memory_stall_cycles" || key == "memory_stall_ratios") {
    for (const char* level : {"l1_", "l2_"})
      for (const std::string_view cause : names(HoldCause{}))
        if (cause != name_of(HoldCause::none)) all.push_back(level + std::string(cause));
    all.emplace_back("dram_queue");
  } else if (is_of_parts(key))
    all = {"MODULE.PART", "total"};
  else if (key == "counts")
    all = static_count_names();
  return all;
}

[[noreturn]] void refuse_value(const std::string& text, const std::string& problem,
                               const std::string& expected) {
  throw std::invalid_argument("'" + text + "': " + problem + " expected " + expected);
}

void check_term(const std::string& text) {
  const std::size_t dot = text.find('.');
  const std::string key = text.substr(0, dot);
  std::vector<std::string> known;
  for (const ResultColumn& c : result_columns().all())
    if (form_of(c) != ValueForm::other) known.push_back(c.key);
  const ResultColumn* const column = result_columns().find(key);
  if (column == nullptr || form_of(*column) == ValueForm::other)
    refuse_value(text, "not a number of a run;" + did_you_mean(key, known), "one of " + listed(known, ", "));
  if (form_of(*column) == ValueForm::number) {
    if (dot != std::string::npos) refuse_value(text, key + " has no members;", "'" + key + "'");
    return;
  }
  const std::vector<std::string> members = members_of(key);
  const std::string member = dot == std::string::npos ? "" : text.substr(dot + 1);
  const bool is_part = is_of_parts(key) && member.find('.') != std::string::npos;
  if (!is_part && std::find(members.begin(), members.end(), member) == members.end())
    refuse_value(text, member.empty() ? "no member;" : "no such member;" + did_you_mean(member, members),
                 "'" + key + ".' and one of " + listed(members, ", "));
}

}  // namespace

std::string checked_result_value(const std::string& text) {
  const std::vector<std::string> sums = split(text, '/');
  if (sums.size() > 2)
    refuse_value(trimmed(text), "more than one '/';", "a sum of keys, or one sum over another");
  for (const std::string& sum : sums)
    for (const std::string& term : split(sum, '+')) check_term(term);
  return trimmed(text);
}

}  // namespace subcore
