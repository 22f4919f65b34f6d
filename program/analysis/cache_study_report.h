// Outputs of `subcore cache-study`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "subcore/program/analysis/study/cache_study.h"

namespace subcore {

// A behaviour of one configuration at one bank width.
struct StudyCell {
  std::string failure;  // why there are no numbers; empty: there are
  StudyCounters counters;
  std::optional<double> energy_reduction;  // percent; nothing if the study has no energy per access
};

struct StudyRow {
  RegisterCacheParameters parameters;
  unsigned bank_bits = 128;
  bool in_table6 = false;
  std::optional<StudyEnergyChoice> energy;
  std::optional<StudyCell> compat, corrected;
};

struct StudyReport {
  std::string trace;
  StudySummary summary;
  std::vector<StudyRow> rows;
};

std::string study_table(const StudyReport& report);
std::string study_json(const StudyReport& report);
std::string study_csv(const StudyReport& report);  // a line for each configuration and behaviour

// One run of one configuration: the ten counters under RFC-sim's short names, and the ratios that follow from
// them.
std::string study_run_json(const StudyReport& report, bool compat);
std::string study_run_text(const StudyReport& report, bool compat);

}  // namespace subcore
