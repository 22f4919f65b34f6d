#include "subcore/model/statistics/results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "subcore/base/formatted.h"
#include "subcore/model/sampling/sample_estimate.h"
#include "subcore/model/stall/stall_cause.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/model/statistics/spread.h"

namespace subcore {

std::string imbalance(const RunResult& r) {
  const auto differ = [](std::uint64_t found, const char* what, std::uint64_t expected, const char* of) {
    return std::to_string(found) + what + "; expected " + std::to_string(expected) + of;
  };
  if (r.instructions_retired != r.instructions_traced)
    return differ(r.instructions_retired, " instructions retired", r.instructions_traced, ", as traced");
  const std::uint64_t found = r.cache_read_hits + r.bank_reads;
  const std::uint64_t wanted =
      r.source_operands + r.prefetches + value_of(r.own, "accumulator_reads").value_or(0);
  if (found != wanted)
    return differ(found, " operands came from caches and banks", wanted, ", as collected and prefetched");
  std::uint64_t spent = 0;
  for (const auto& state : r.scheduler_cycles) spent += state.second;
  if (spent != r.cycles * r.schedulers)
    return differ(spent, " scheduler cycles have a state", r.cycles * r.schedulers,
                  ", cycles times schedulers");
  for (const auto& [state, cycles] : r.scheduler_cycles) {
    std::uint64_t of_state = 0;
    for (const auto& [cause, count] : r.stall_cycles)
      if (state_of_cause(cause) == state) of_state += count;
    if (of_state != cycles)
      return differ(of_state, (" " + state + " cycles have a cause").c_str(), cycles,
                    ", as many as there are");
  }
  for (const char* kind : {"memory_cycles", "other_cycles"}) {
    const auto in_collectors = value_of(r.own, "collection_" + std::string(kind));
    const auto in_all = value_of(r.own, "execution_" + std::string(kind));
    if (in_collectors && in_all && *in_collectors > *in_all)
      return differ(*in_collectors, (std::string(" collection_") + kind).c_str(), *in_all,
                    " from issue to retirement, at most");
  }
  // A module keeps one request waiting at a time, so these values are shares of its cycles.
  for (const auto share : {r.l1_stall_ratio, r.l2_stall_ratio, r.dram_stall_ratio})
    if (share && !(*share <= 1))
      return number_text(*share) +
             " of the cycles of a level of memory had a waiting request; expected at most 1";
  double energy = 0;
  for (const auto& event : r.energy_pj) energy += event.second;
  // The comparison is in a form in which NaN differs, too.
  if (!(std::abs(energy - r.energy_total_pj) <= 1e-9 * std::abs(r.energy_total_pj)))
    return number_text(energy) + " pJ are the sum of all events' energies; expected " +
           number_text(r.energy_total_pj) + ", the total";
  if (r.per_kernel.size() != r.kernels)
    return differ(r.per_kernel.size(), " kernels have ended", r.kernels, ", as started");
  for (const KernelResult& k : r.per_kernel)
    if (k.instructions_retired != k.instructions_traced)
      return differ(k.instructions_retired, (" instructions retired of kernel " + k.name).c_str(),
                    k.instructions_traced, ", as traced");
  for (const ResultColumn* c : result_columns().of_kernels()) {
    const std::optional<std::uint64_t> of_run = c->count(r);
    if (!of_run) continue;
    std::uint64_t sum = 0;
    for (const KernelResult& k : r.per_kernel) {
      const std::uint64_t of_kernel = c->count(k).value_or(0);
      // A count above the run's is a difference that wrapped.
      if (of_kernel > *of_run)
        return differ(of_kernel, (" " + c->key + " of kernel " + k.name).c_str(), *of_run,
                      " of the run, at most");
      sum += of_kernel;
    }
    if (sum != *of_run)
      return differ(sum, (" " + c->key + " of all kernels").c_str(), *of_run, ", as of the run");
  }
  return "";
}

namespace {

// The first platform's result on the trace of `r`; null if that platform did not run the trace.
const RunResult* first_on_trace(const std::vector<RunResult>& results, const RunResult& r) {
  for (const RunResult& base : results)
    if (family_of(base) == family_of(results.front()) && base.trace == r.trace && base.member == r.member)
      return &base;
  return nullptr;
}

// The ratios of energies, by each table that both runs have.
ByName<double> energy_ratios(const RunResult& r, const RunResult& base) {
  ByName<double> ratios;
  for (const auto& [preset, pj] : r.energy_by_preset_pj) {
    const auto of_base = value_of(base.energy_by_preset_pj, preset);
    if (of_base && *of_base > 0 && pj > 0) ratios.emplace_back(preset, pj / *of_base);
  }
  return ratios;
}

void normalise_area(RunResult& r, const RunResult& base) {
  if (base.area_total_mm2 > 0 && r.area_total_mm2 > 0)
    r.area_normalised = r.area_total_mm2 / base.area_total_mm2;
  if (const double registers = value_of(base.area_mm2, "bank.registers").value_or(0);
      registers > 0 && r.area_total_mm2 > 0)
    r.area_overhead = (r.area_total_mm2 - base.area_total_mm2) / registers;
  if (base.chip_area_ratio && r.chip_area_ratio)
    r.chip_area_overhead = *r.chip_area_ratio - *base.chip_area_ratio;
}

// Compares only runs with the same CTAs.
void normalise_sample(RunResult& r, const RunResult& base) {
  normalise_area(r, base);
  if (!r.sample || !base.sample || !SampleComparison::fit(*r.sample, *base.sample)) return;
  const SampleComparison comparison(*r.sample, *base.sample);
  const auto take = [&](const std::string& name, const std::optional<SampleRatio>& ratio) {
    if (!ratio) return std::optional<double>();
    if (&r != &base) {
      r.sample_intervals.emplace_back(name + "_low", ratio->low);
      r.sample_intervals.emplace_back(name + "_high", ratio->high);
    }
    return std::optional(ratio->value);
  };
  r.ipc_normalised = take("ipc_normalised", comparison.ipc());
  r.energy_normalised = take("energy_normalised", comparison.energy());
  for (std::size_t n = 0; n < r.energy_by_preset_pj.size(); ++n) {
    const std::string& preset = r.energy_by_preset_pj[n].first;
    if (const auto ratio = take("energy_" + preset, comparison.energy_by_preset(n)))
      r.energy_by_preset_normalised.emplace_back(preset, *ratio);
  }
}

// The note that absolute amounts of the whole are missing. take_sample() adds it.
std::string uneven_note(const SampledKernel& k) {
  return "cycles and energy of the whole are not estimated: launches of kernel " + k.name + " have " +
         std::to_string(k.fewest_instructions) + " to " + std::to_string(k.most_instructions) +
         " warp instructions, and one launch stands for all; expected equally many. Ratios are estimated";
}

}  // namespace

void take_sample(RunResult& r, Sample sample) {
  r.sample = std::move(sample);
  const SampleEstimate estimate(*r.sample);
  const SampleAmounts whole = estimate.whole();
  if (whole.cycles > 0) r.ipc = whole.instructions / whole.cycles;
  if (whole.source_operands > 0) r.read_hit_ratio = whole.cache_read_hits / whole.source_operands;
  r.waves = waves(r);
  if (const SampledKernel* k = estimate.first_uneven()) r.notes.push_back(uneven_note(*k));
  take_own_cautions(r);
}

std::optional<double> ipc_busy(const RunResult& r) {
  std::uint64_t busy = 0;
  for (const auto& [cause, cycles] : r.stall_cycles)
    if (cause != line_of(StallCause::no_warp).name && cause != line_of(StallCause::drained).name)
      busy += cycles;
  if (busy == 0) return std::nullopt;
  return static_cast<double>(r.instructions_retired) * static_cast<double>(r.schedulers) /
         static_cast<double>(busy);
}

std::optional<double> waves(const RunResult& r) {
  double sum = 0, cycles = 0;
  for (std::size_t n = 0; n < r.per_kernel.size(); ++n) {
    const KernelResult& k = r.per_kernel[n];
    if (k.ctas_at_once == 0) continue;
    const std::uint64_t ctas = r.sample ? r.sample->kernels.at(n).ctas : k.ctas;
    sum += static_cast<double>(k.cycles) * static_cast<double>(ctas) / static_cast<double>(k.ctas_at_once);
    cycles += static_cast<double>(k.cycles);
  }
  if (cycles == 0) return std::nullopt;
  return sum / cycles;
}

void normalise(std::vector<RunResult>& results) {
  for (RunResult& r : results) {
    r.energy_normalised.reset();
    r.ipc_normalised.reset();
    r.area_normalised.reset();
    r.area_overhead.reset();
    r.chip_area_overhead.reset();
    r.energy_by_preset_normalised.clear();
    const RunResult* base = first_on_trace(results, r);
    r.sample_intervals.clear();
    if (base == nullptr) continue;
    if (r.sample || base->sample) {
      normalise_sample(r, *base);
      continue;
    }
    if (base->energy_total_pj > 0 && r.energy_total_pj > 0)
      r.energy_normalised = r.energy_total_pj / base->energy_total_pj;
    if (base->ipc > 0) r.ipc_normalised = r.ipc / base->ipc;
    normalise_area(r, *base);
    r.energy_by_preset_normalised = energy_ratios(r, *base);
  }
}

void note_disagreeing_presets(std::vector<RunResult>& results) {
  constexpr double margin = 0.005;
  const std::string begin = "energy presets disagree: ";
  for (RunResult& r : results) {
    r.notes.erase(std::remove_if(r.notes.begin(), r.notes.end(),
                                 [&](const std::string& n) { return n.rfind(begin, 0) == 0; }),
                  r.notes.end());
    const RunResult* base = first_on_trace(results, r);
    if (base == nullptr) continue;
    std::string saves, costs;
    for (const auto& [preset, ratio] : energy_ratios(r, *base)) {
      char text[32];
      std::snprintf(text, sizeof text, " (%.3f)", ratio);
      if (ratio < 1 - margin) saves += (saves.empty() ? "" : ", ") + preset + text;
      if (ratio > 1 + margin) costs += (costs.empty() ? "" : ", ") + preset + text;
    }
    if (!saves.empty() && !costs.empty())
      r.notes.push_back(begin + "less than " + base->platform + " by " + saves + "; more by " + costs);
  }
}

std::string intervals_csv(const std::vector<IntervalRow>& rows) {
  std::string out =
      "cycle,instructions,ipc,source_operands,cache_read_hits,read_hit_ratio,sthld,state,energy_pj\n";
  for (const IntervalRow& r : rows)
    out += std::to_string(r.cycle) + ',' + std::to_string(r.instructions) + ',' + number_text(r.ipc) + ',' +
           std::to_string(r.source_operands) + ',' + std::to_string(r.cache_read_hits) + ',' +
           number_text(r.read_hit_ratio) + ',' + std::to_string(r.sthld) + ',' + std::to_string(r.state) +
           ',' + number_text(r.energy_pj) + '\n';
  return out;
}

}  // namespace subcore
