#include "subcore/program/analysis/cache_study_report.h"

#include "subcore/base/formatted.h"
#include "subcore/base/json_text.h"
#include "subcore/base/names.h"
#include "subcore/base/text_width.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

std::string text(std::string_view s) {
  return std::string(s);
}

bool one_set(const RegisterCacheParameters& p) {
  return p.sets() == 1;
}

std::string mapping(const RegisterCacheParameters& p) {
  return one_set(p) ? "-" : text(name_of(p.map));
}

std::vector<std::pair<const char*, std::uint64_t>> named(const StudyCounters& c) {
  return {{"bR", c.baseline_reads},  {"bW", c.baseline_writes}, {"rfcR", c.cache_reads},
          {"rfcW", c.cache_writes},  {"mrfR", c.file_reads},    {"mrfW", c.file_writes},
          {"rdHit", c.read_hits},    {"rdMiss", c.read_misses}, {"wrHit", c.write_hits},
          {"wrMiss", c.write_misses}};
}

std::vector<std::pair<const char*, double>> named(const StudyRatios& r) {
  return {{"read_hit_percent", r.read_hit},
          {"write_hit_percent", r.write_hit},
          {"total_hit_percent", r.total_hit},
          {"mrf_read_reduction_percent", r.file_read_reduction},
          {"mrf_write_reduction_percent", r.file_write_reduction}};
}

void add_numbers(Json& j, const StudyCell& cell) {
  for (const auto& [name, value] : named(cell.counters)) j[name] = value;
  for (const auto& [name, value] : named(ratios_of(cell.counters))) j[name] = value;
  j["energy_reduction_percent"] = cell.energy_reduction ? Json(*cell.energy_reduction) : Json(nullptr);
  j["drained_writes"] = cell.counters.drained;
}

Json cell_json(const std::optional<StudyCell>& cell) {
  if (!cell) return nullptr;
  Json j = Json::object();
  if (!cell->failure.empty())
    j["failure"] = cell->failure;
  else
    add_numbers(j, *cell);
  return j;
}

std::string sources(const StudySummary& s) {
  std::string all;
  for (const std::string& source : s.flag_sources) {
    if (!all.empty()) all += ", ";
    all += source == "synthetic" ? "synthetic flags" : source;
  }
  return all;
}

void add_summary(Json& j, const StudyReport& r) {
  j["trace"] = r.trace;
  j["kernels"] = r.summary.kernels;
  j["instructions"] = r.summary.instructions;
  j["reuse_flags"] = r.summary.flag_sources;
  j["synthetic_flags"] = r.summary.synthetic_flags();
  j["lines_skipped_by_rfcsim"] = r.summary.skipped_by_rfcsim;
  j["kernels_cut_by_rfcsim"] = r.summary.kernels_cut_by_rfcsim;
}

void add_parameters(Json& j, const StudyRow& row) {
  const RegisterCacheParameters& p = row.parameters;
  j["ways"] = p.ways_or_entries();
  j["entries"] = p.entries;
  j["allocation"] = text(name_of(p.allocation));
  j["mapping"] = one_set(p) ? Json(nullptr) : Json(text(name_of(p.map)));
  j["replacement"] = text(name_of(p.replacement));
  j["write"] = text(name_of(p.write));
  if (p.allocation == RegisterCacheAllocation::look_ahead) j["window"] = p.window;
  j["bank_bits"] = row.bank_bits;
}

void add_notes(std::string& out, const StudyReport& r) {
  if (r.summary.skipped_by_rfcsim != 0)
    out += "note: compat leaves out " + std::to_string(r.summary.skipped_by_rfcsim) +
           " instructions, because RFC-sim reads only PCs of four digits\n";
  if (r.summary.kernels_cut_by_rfcsim != 0)
    out += "note: compat ends " + std::to_string(r.summary.kernels_cut_by_rfcsim) +
           " kernels early, as RFC-sim does at a line with several destinations\n";
}

constexpr int cell_columns = 5;

void add_cell(std::string& out, const std::optional<StudyCell>& cell) {
  if (!cell || !cell->failure.empty()) {
    for (int i = 0; i < cell_columns; ++i) print(out, "%7s", "-");
    return;
  }
  const StudyRatios r = ratios_of(cell->counters);
  for (const double v : {r.read_hit, r.write_hit, r.file_read_reduction, r.file_write_reduction})
    print(out, "%7.2f", v);
  if (cell->energy_reduction)
    print(out, "%7.2f", *cell->energy_reduction);
  else
    print(out, "%7s", "-");
}

}  // namespace

std::string study_table(const StudyReport& r) {
  std::string out = shortened("Register-cache study of " + r.trace, usual_width) + '\n' +
                    std::to_string(r.summary.kernels) + " kernels, " +
                    std::to_string(r.summary.instructions) +
                    " warp instructions, reuse flags: " + sources(r.summary) + '\n';
  bool starred = false;
  for (const auto& [behaviour, member] : {std::pair("compat, as RFC-sim counts, in %", &StudyRow::compat),
                                          std::pair("corrected, in %", &StudyRow::corrected)}) {
    out += std::string("\n") + behaviour + '\n';
    print(out, "%4s  %-14s %-11s %4s %-7s", "ways", "allocation", "mapping", "bank", "energy");
    out += " rd hit wr hit  RF rd  RF wr energy\n";
    for (const StudyRow& row : r.rows) {
      print(out, "%4u%s %-14s %-11s %4u %-7s", row.parameters.ways_or_entries(), row.in_table6 ? "*" : " ",
            text(name_of(row.parameters.allocation)).c_str(), mapping(row.parameters).c_str(), row.bank_bits,
            row.energy ? text(name_of(row.energy->source)).c_str() : "-");
      starred = starred || row.in_table6;
      add_cell(out, row.*member);
      out += '\n';
    }
  }
  out += "\nRF rd, RF wr and energy are savings by the cache; negative savings are costs.\n";
  if (starred) out += "* a cache model of the study's Table VI\n";
  std::string last;
  for (const StudyRow& row : r.rows)
    for (const auto* cell : {&row.compat, &row.corrected})
      if (*cell && !(*cell)->failure.empty() && (*cell)->failure != last)
        out += "note: no compat numbers: " + (last = (*cell)->failure) + '\n';
  add_notes(out, r);
  return out;
}

std::string study_json(const StudyReport& r) {
  Json j = Json::object();
  add_summary(j, r);
  j["configurations"] = Json::array();
  for (const StudyRow& row : r.rows) {
    Json c = Json::object();
    add_parameters(c, row);
    c["table6"] = row.in_table6;
    if (row.energy) {
      const StudyEnergy& e = row.energy->energy;
      c["energy_pj"] = {{"rfc_read", e.cache_read},
                        {"rfc_write", e.cache_write},
                        {"mrf_read", e.file_read},
                        {"mrf_write", e.file_write},
                        {"source", text(name_of(row.energy->source))}};
    } else {
      c["energy_pj"] = nullptr;
    }
    c["compat"] = cell_json(row.compat);
    c["corrected"] = cell_json(row.corrected);
    j["configurations"].push_back(std::move(c));
  }
  return json_text(j);
}

std::string study_csv(const StudyReport& r) {
  std::string out =
      "behaviour,ways,entries,allocation,mapping,replacement,write,bank_bits,table6,energy_source";
  for (const auto& [name, value] : named(StudyCounters{})) out += std::string(",") + name;
  for (const auto& [name, value] : named(StudyRatios{})) out += std::string(",") + name;
  out += ",energy_reduction_percent,synthetic_flags\n";
  for (const StudyRow& row : r.rows) {
    const RegisterCacheParameters& p = row.parameters;
    for (const bool compat : {true, false}) {
      const auto& cell = compat ? row.compat : row.corrected;
      if (!cell || !cell->failure.empty()) continue;
      out += std::string(compat ? "compat" : "corrected") + "," + std::to_string(p.ways_or_entries()) + "," +
             std::to_string(p.entries) + "," + text(name_of(p.allocation)) + "," +
             (one_set(p) ? "" : mapping(p)) + "," + text(name_of(p.replacement)) + "," +
             text(name_of(p.write)) + "," + std::to_string(row.bank_bits) + "," +
             (row.in_table6 ? "1" : "0") + "," + (row.energy ? text(name_of(row.energy->source)) : "");
      for (const auto& [name, value] : named(cell->counters)) out += "," + std::to_string(value);
      for (const auto& [name, value] : named(ratios_of(cell->counters))) out += "," + number_text(value);
      out += "," + (cell->energy_reduction ? number_text(*cell->energy_reduction) : "") + "," +
             (r.summary.synthetic_flags() ? "1" : "0") + "\n";
    }
  }
  return out;
}

std::string study_run_json(const StudyReport& r, bool compat) {
  const StudyRow& row = r.rows.front();
  Json j = Json::object();
  add_numbers(j, compat ? *row.compat : *row.corrected);
  j["behaviour"] = compat ? "compat" : "corrected";
  add_parameters(j, row);
  add_summary(j, r);
  return json_text(j);
}

std::string study_run_text(const StudyReport& r, bool compat) {
  const StudyRow& row = r.rows.front();
  const StudyCell& cell = compat ? *row.compat : *row.corrected;
  std::string out = "Register-cache study of " + r.trace + ", " + (compat ? "compat" : "corrected") +
                    ", reuse flags: " + sources(r.summary) + "\n";
  for (const auto& [name, value] : named(cell.counters))
    print(out, "  %-28s %14llu\n", name, static_cast<unsigned long long>(value));
  for (const auto& [name, value] : named(ratios_of(cell.counters)))
    print(out, "  %-28s %14.4f\n", name, value);
  if (cell.energy_reduction)
    print(out, "  %-28s %14.4f\n", "energy_reduction_percent", *cell.energy_reduction);
  add_notes(out, r);
  return out;
}

}  // namespace subcore
