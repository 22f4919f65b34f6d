#include "model/statistics/results.h"

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "model/statistics/json_text.h"
#include "model/statistics/number_text.h"

namespace subcore {
namespace {

using Json = nlohmann::ordered_json;

Json object_of(const RunResult& r) {
  Json out;
  out["platform"] = r.platform;
  out["trace"] = r.trace;
  out["cycles"] = r.cycles;
  out["instructions_retired"] = r.instructions_retired;
  out["ipc"] = r.ipc;
  out["source_operands"] = r.source_operands;
  out["cache_read_hits"] = r.cache_read_hits;
  out["read_hit_ratio"] = r.read_hit_ratio;
  out["bank_reads"] = r.bank_reads;
  out["bank_writes"] = r.bank_writes;
  out["cache_writes"] = r.cache_writes;
  out["bank_read_wait_cycles"] = r.bank_read_wait_cycles;
  out["prefetches"] = r.prefetches;
  out["schedulers"] = r.schedulers;
  Json cycles = Json::object();
  for (const auto& [state, count] : r.scheduler_cycles) cycles[state] = count;
  out["scheduler_cycles"] = std::move(cycles);
  out["operand_storage_bytes"] = r.operand_storage_bytes;
  Json energy = Json::object();
  for (const auto& [event, pj] : r.energy_pj) energy[event] = pj;
  energy["total"] = r.energy_total_pj;
  out["energy_pj"] = std::move(energy);
  Json presets = Json::object();
  for (const auto& [preset, pj] : r.energy_by_preset_pj) presets[preset] = pj;
  out["energy_by_preset_pj"] = std::move(presets);
  if (r.energy_normalised) out["energy_normalised"] = *r.energy_normalised;
  if (r.ipc_normalised) out["ipc_normalised"] = *r.ipc_normalised;
  out["operands_checked"] = r.operands_checked;
  out["stale_operands"] = r.stale_operands;
  out["instructions_traced"] = r.instructions_traced;
  out["kernels"] = r.kernels;
  out["ctas"] = r.ctas;
  Json kernels = Json::array();
  for (const KernelResult& k : r.per_kernel) {
    Json kernel;
    kernel["name"] = k.name;
    for (const KernelCounter& c : kernel_counters) kernel[c.key] = k.*c.of_kernel;
    kernel["energy_total_pj"] = k.energy_total_pj;
    kernels.push_back(std::move(kernel));
  }
  out["per_kernel"] = std::move(kernels);
  if (r.sthld_mean) out["sthld_mean"] = *r.sthld_mean;
  if (r.l1_hit_ratio) out["l1_hit_ratio"] = *r.l1_hit_ratio;
  if (r.l2_hit_ratio) out["l2_hit_ratio"] = *r.l2_hit_ratio;
  Json unknown = Json::object();
  for (const auto& [opcode, count] : r.unknown_opcodes) unknown[opcode] = count;
  out["unknown_opcodes"] = std::move(unknown);
  out["notes"] = r.notes;
  out["seed"] = r.seed;
  out["wall_seconds"] = r.wall_seconds;
  return out;
}

// JSON has no NaN: nlohmann writes null for it.
double number(const Json& value) {
  return value.is_null() ? std::nan("") : value.get<double>();
}

RunResult result_of(const Json& in) {
  RunResult r;
  r.platform = in.at("platform").get<std::string>();
  r.trace = in.at("trace").get<std::string>();
  r.cycles = in.at("cycles").get<std::uint64_t>();
  r.instructions_retired = in.at("instructions_retired").get<std::uint64_t>();
  r.ipc = number(in.at("ipc"));
  r.source_operands = in.at("source_operands").get<std::uint64_t>();
  r.cache_read_hits = in.at("cache_read_hits").get<std::uint64_t>();
  r.read_hit_ratio = number(in.at("read_hit_ratio"));
  r.bank_reads = in.at("bank_reads").get<std::uint64_t>();
  r.bank_writes = in.at("bank_writes").get<std::uint64_t>();
  r.cache_writes = in.at("cache_writes").get<std::uint64_t>();
  r.bank_read_wait_cycles = in.at("bank_read_wait_cycles").get<std::uint64_t>();
  r.prefetches = in.at("prefetches").get<std::uint64_t>();
  r.schedulers = in.at("schedulers").get<std::uint64_t>();
  for (const auto& [state, count] : in.at("scheduler_cycles").items())
    r.scheduler_cycles.emplace_back(state, count.get<std::uint64_t>());
  r.operand_storage_bytes = in.at("operand_storage_bytes").get<std::uint64_t>();
  for (const auto& [event, pj] : in.at("energy_pj").items()) {
    if (event == "total")
      r.energy_total_pj = number(pj);
    else
      r.energy_pj.emplace_back(event, number(pj));
  }
  for (const auto& [preset, pj] : in.at("energy_by_preset_pj").items())
    r.energy_by_preset_pj.emplace_back(preset, number(pj));
  if (in.contains("energy_normalised")) r.energy_normalised = number(in["energy_normalised"]);
  if (in.contains("ipc_normalised")) r.ipc_normalised = number(in["ipc_normalised"]);
  r.operands_checked = in.at("operands_checked").get<std::uint64_t>();
  r.stale_operands = in.at("stale_operands").get<std::uint64_t>();
  r.instructions_traced = in.at("instructions_traced").get<std::uint64_t>();
  r.kernels = in.at("kernels").get<std::uint64_t>();
  r.ctas = in.at("ctas").get<std::uint64_t>();
  for (const Json& kernel : in.at("per_kernel")) {
    KernelResult& k = r.per_kernel.emplace_back();
    k.name = kernel.at("name").get<std::string>();
    for (const KernelCounter& c : kernel_counters) k.*c.of_kernel = kernel.at(c.key).get<std::uint64_t>();
    k.energy_total_pj = number(kernel.at("energy_total_pj"));
  }
  if (in.contains("sthld_mean")) r.sthld_mean = number(in["sthld_mean"]);
  if (in.contains("l1_hit_ratio")) r.l1_hit_ratio = number(in["l1_hit_ratio"]);
  if (in.contains("l2_hit_ratio")) r.l2_hit_ratio = number(in["l2_hit_ratio"]);
  for (const auto& [opcode, count] : in.at("unknown_opcodes").items())
    r.unknown_opcodes[opcode] = count.get<std::uint64_t>();
  r.notes = in.at("notes").get<std::vector<std::string>>();
  r.seed = in.at("seed").get<std::uint64_t>();
  r.wall_seconds = number(in.at("wall_seconds"));
  return r;
}

template <class Read>
auto parsed(const std::string& text, const Read& read) {
  try {
    return read(Json::parse(text));
  } catch (const nlohmann::json::exception& e) {
    throw std::runtime_error(std::string("not a run result: ") + e.what());
  }
}

}  // namespace

std::string to_json(const RunResult& result, bool compact) {
  return json_text(object_of(result), compact ? -1 : 2);
}

std::string to_json(const std::vector<RunResult>& results) {
  Json list = Json::array();
  for (const RunResult& r : results) list.push_back(object_of(r));
  return json_text(list);
}

RunResult run_result_from_json(const std::string& text) {
  return parsed(text, result_of);
}

std::vector<RunResult> run_results_from_json(const std::string& text) {
  return parsed(text, [](const Json& list) {
    std::vector<RunResult> results;
    for (const Json& entry : list) results.push_back(result_of(entry));
    return results;
  });
}

std::string imbalance(const RunResult& r) {
  const auto differ = [](std::uint64_t found, const char* what, std::uint64_t expected, const char* of) {
    return std::to_string(found) + what + "; expected " + std::to_string(expected) + of;
  };
  if (r.instructions_retired != r.instructions_traced)
    return differ(r.instructions_retired, " instructions retired", r.instructions_traced, ", as traced");
  const std::uint64_t found = r.cache_read_hits + r.bank_reads, wanted = r.source_operands + r.prefetches;
  if (found != wanted)
    return differ(found, " operands came from caches and banks", wanted, ", as collected and prefetched");
  std::uint64_t spent = 0;
  for (const auto& state : r.scheduler_cycles) spent += state.second;
  if (spent != r.cycles * r.schedulers)
    return differ(spent, " scheduler cycles have a state", r.cycles * r.schedulers,
                  ", cycles times schedulers");
  if (r.per_kernel.size() != r.kernels)
    return differ(r.per_kernel.size(), " kernels have ended", r.kernels, ", as started");
  for (const KernelResult& k : r.per_kernel)
    if (k.instructions_retired != k.instructions_traced)
      return differ(k.instructions_retired, (" instructions retired of kernel " + k.name).c_str(),
                    k.instructions_traced, ", as traced");
  for (const KernelCounter& c : kernel_counters) {
    std::uint64_t sum = 0;
    for (const KernelResult& k : r.per_kernel) {
      // More than the run has is less than nothing: a difference that wrapped.
      if (k.*c.of_kernel > r.*c.of_run)
        return differ(k.*c.of_kernel, (" " + std::string(c.key) + " of kernel " + k.name).c_str(),
                      r.*c.of_run, " of the run, at most");
      sum += k.*c.of_kernel;
    }
    if (sum != r.*c.of_run)
      return differ(sum, (" " + std::string(c.key) + " of all kernels").c_str(), r.*c.of_run,
                    ", as of the run");
  }
  return "";
}

namespace {

// The first platform's result on the trace of `r`; null if it did not run it.
const RunResult* first_on_trace(const std::vector<RunResult>& results, const RunResult& r) {
  for (const RunResult& base : results)
    if (base.platform == results.front().platform && base.trace == r.trace) return &base;
  return nullptr;
}

}  // namespace

void normalise(std::vector<RunResult>& results) {
  for (RunResult& r : results) {
    r.energy_normalised.reset();
    r.ipc_normalised.reset();
    const RunResult* base = first_on_trace(results, r);
    if (base == nullptr) continue;
    if (base->energy_total_pj > 0 && r.energy_total_pj > 0)
      r.energy_normalised = r.energy_total_pj / base->energy_total_pj;
    if (base->ipc > 0) r.ipc_normalised = r.ipc / base->ipc;
  }
}

void note_disagreeing_presets(std::vector<RunResult>& results) {
  constexpr double margin = 0.005;
  for (RunResult& r : results) {
    const RunResult* base = first_on_trace(results, r);
    if (base == nullptr) continue;
    std::string saves, costs;
    for (const auto& [preset, pj] : r.energy_by_preset_pj) {
      for (const auto& [of_base, base_pj] : base->energy_by_preset_pj) {
        if (of_base != preset || !(base_pj > 0)) continue;
        const double ratio = pj / base_pj;
        char text[32];
        std::snprintf(text, sizeof text, " (%.3f)", ratio);
        if (ratio < 1 - margin) saves += (saves.empty() ? "" : ", ") + preset + text;
        if (ratio > 1 + margin) costs += (costs.empty() ? "" : ", ") + preset + text;
      }
    }
    if (!saves.empty() && !costs.empty())
      r.notes.push_back("energy presets disagree: less than " + base->platform + " by " + saves +
                        "; more by " + costs);
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
