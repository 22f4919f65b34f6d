// Outputs of `subcore cache-study`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "subcore/program/analysis/study/cache_study.h"

namespace subcore {

// One behaviour of one configuration at one bank width.
struct StudyCell {
  std::string failure;  // no numbers: why
  StudyCounters counters;
  std::optional<double> energy_reduction;  // percent; nothing where the study gives no energy per access
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
std::string study_csv(const StudyReport& report);  // a line per configuration and behaviour

// One run of one configuration: the ten counters under RFC-sim's short names, and what follows from them.
std::string study_run_json(const StudyReport& report, bool compat);
std::string study_run_text(const StudyReport& report, bool compat);

}  // namespace subcore
