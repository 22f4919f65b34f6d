#include "subcore/program/analysis/static_count.h"

#include <stdexcept>
#include <utility>

#include "subcore/base/config_error.h"
#include "subcore/base/names.h"
#include "subcore/model/parameters/data_files.h"
#include "subcore/model/passes/annotated_kernel.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/analysis/trace_info.h"

namespace subcore {
namespace {

using Entry = YamlSource::Entry;
using Counts = ByName<double>;

constexpr unsigned source_bins = 4;  // 0 to 3 sources; more are counted together

// Classes of distances of register reuse. A class ends with its `last` distance.
struct Distances {
  const char* name;
  unsigned last;
};
constexpr Distances distances[] = {{"reuses_1", 1},   {"reuses_2", 2},
                                   {"reuses_3", 3},   {"reuses_10", 10},
                                   {"reuses_31", 31}, {"reuses_far", ReuseHistogram::bins - 1}};

StaticCount study_of(const YamlSource& source, const Entry& map) {
  constexpr std::uint64_t most = 4096;
  StaticCount c;
  RegisterCacheParameters& p = c.cache;
  p.rfcsim_compat = true;
  YamlKeys keys(source);
  keys.field("cache", c.has_cache);
  keys.field("ways", p.ways, 0, most);
  keys.field("entries", p.entries, 0, most);
  keys.choice("allocation", p.allocation);
  keys.choice("mapping", p.map);
  keys.field("bank_bits", c.bank_bits, 0, most, "bits");
  keys.choice("replacement", p.replacement);
  keys.choice("write", p.write);
  keys.field("window", p.window, 0, most, "instructions");
  keys.choice("flags", c.flags);
  keys.choice("behaviour", p.rfcsim_compat, {{"compat", true}, {"corrected", false}});
  keys.read(map);
  if (p.ways == p.entries) p.ways = 0;
  try {
    if (const std::string problem = problem_of(p); !problem.empty()) throw std::invalid_argument(problem);
    StudyCacheRun(p, {c.bank_bits});
  } catch (const std::invalid_argument& problem) {
    source.fail(map.key_node, map.path + ": " + problem.what());
  }
  return c;
}

void add(Counts& to, const char* name, std::uint64_t n) {
  to.emplace_back(name, static_cast<double>(n));
}

void count_study(const StaticCount& count, const TraceProgram& trace,
                 const std::function<void(double)>& progress, RunResult& r) {
  StudyOptions options;
  options.flags = count.flags;
  std::vector<StudyJob> jobs;
  jobs.push_back({StudyCacheRun(count.cache, {count.bank_bits}), {}, false});
  const StudySummary summary = run_cache_study(trace, options, jobs, progress);
  const StudyJob& job = jobs.front();
  if (!job.failure.empty()) throw std::runtime_error(count.name + " on " + trace.name + ": " + job.failure);
  StudyCounters c = job.run.counters();
  if (!count.has_cache) {
    const StudyCounters without = std::exchange(c, {});
    c.file_reads = c.baseline_reads = without.baseline_reads;
    c.file_writes = c.baseline_writes = without.baseline_writes;
  }
  r.instructions_traced = summary.instructions;
  r.kernels = summary.kernels;
  for (const auto& kernel : trace.kernels) r.ctas += KernelReader(kernel, {}).header().grid.count();
  add(r.counts, "instructions", summary.instructions);
  add(r.counts, "hmma_instructions", summary.hmma);
  add(r.counts, "imma_instructions", summary.imma);
  add(r.counts, "baseline_reads", c.baseline_reads);
  add(r.counts, "baseline_writes", c.baseline_writes);
  add(r.counts, "file_reads", c.file_reads);
  add(r.counts, "file_writes", c.file_writes);
  add(r.counts, "cache_reads", c.cache_reads);
  add(r.counts, "cache_writes", c.cache_writes);
  add(r.counts, "read_hits", c.read_hits);
  add(r.counts, "write_hits", c.write_hits);
  const auto energy = study_energy(count.cache.ways_or_entries(), count.bank_bits);
  if (!energy || count.cache.entries != 8) return;
  const StudyEnergy& e = energy->energy;
  const auto add_energy = [&](const char* name, std::uint64_t accesses, double pj) {
    r.counts.emplace_back(name, static_cast<double>(accesses) * pj);
  };
  add_energy("file_read_pj", c.file_reads, e.file_read);
  add_energy("file_write_pj", c.file_writes, e.file_write);
  add_energy("cache_read_pj", c.cache_reads, e.cache_read);
  add_energy("cache_write_pj", c.cache_writes, e.cache_write);
  r.counts.emplace_back("baseline_pj", static_cast<double>(c.baseline_reads) * e.file_read +
                                           static_cast<double>(c.baseline_writes) * e.file_write);
}

// Counts the trace's own numbers and, if the platform's compiler has such a pass, where it sends results.
void count_operands(const PlatformParameters& platform, const TraceProgram& trace,
                    const std::function<void(double)>& progress, RunResult& r) {
  const auto half = [&](double share) { progress(share / 2); };
  const TraceInfo info = collect_trace_info(trace, platform.operands.options, half);
  r.instructions_traced = info.instructions;
  r.kernels = info.kernels;
  r.ctas = info.ctas;
  const auto of_class = [&](ExecutionClass c) { return info.by_class[static_cast<std::size_t>(c)]; };
  add(r.counts, "instructions", info.instructions);
  add(r.counts, "hmma_instructions",
      of_class(ExecutionClass::tensor_f16) + of_class(ExecutionClass::tensor_f32));
  add(r.counts, "imma_instructions", of_class(ExecutionClass::tensor_int));
  std::uint64_t more = 0;
  for (unsigned n = 0; n < info.by_sources.size(); ++n) {
    if (n < source_bins)
      add(r.counts, ("sources_" + std::to_string(n)).c_str(), info.by_sources[n]);
    else
      more += info.by_sources[n];
  }
  add(r.counts, "sources_more", more);
  unsigned next = 0;
  for (const Distances& d : distances) {
    std::uint64_t reuses = 0;
    for (; next <= d.last; ++next) reuses += info.reuse.reuses[next];
    add(r.counts, d.name, reuses);
  }
  if (!platform.passes.write_back) return;
  WriteBackCounts writes;
  for (std::size_t k = 0; k < trace.kernels.size(); ++k) {
    const AnnotatedKernel kernel(trace.kernels[k], platform.operands.options, platform.passes);
    const WriteBackCounts& of_kernel = kernel.annotation()->write_back->writes;
    writes.banks_only += of_kernel.banks_only;
    writes.window_only += of_kernel.window_only;
    writes.both += of_kernel.both;
    progress(0.5 + static_cast<double>(k + 1) / static_cast<double>(2 * trace.kernels.size()));
  }
  add(r.counts, "results_banks_only", writes.banks_only);
  add(r.counts, "results_window_only", writes.window_only);
  add(r.counts, "results_both", writes.both);
}

}  // namespace

std::string StaticCount::settings(const PlatformParameters& of) const {
  if (kind == Kind::trace_info) return "# counted, not run\n" + resolved_yaml(of);
  const auto word = [](auto e) { return std::string(name_of(e)); };
  const std::string text =
      has_cache
          ? "ways: " + std::to_string(cache.ways_or_entries()) +
                ", entries: " + std::to_string(cache.entries) + ", allocation: " + word(cache.allocation) +
                ", mapping: " + word(cache.map) + ", bank_bits: " + std::to_string(bank_bits) +
                ", replacement: " + word(cache.replacement) + ", write: " + word(cache.write) +
                ", window: " + std::to_string(cache.window)
          : "cache: false";
  return "cache_study:\n  " + of.name + ": {" + text + ", flags: " + word(flags) +
         ", behaviour: " + (cache.rfcsim_compat ? "compat" : "corrected") + "}\n";
}

std::vector<StaticCount> read_static_counts(const YamlSource& source, const Entry& map) {
  std::vector<StaticCount> counts;
  const bool is_study = map.key == "cache_study";
  for (const Entry& e : source.entries(map)) {
    StaticCount c = is_study ? study_of(source, e) : StaticCount{};
    c.name = e.key;
    if (!is_study) {
      c.kind = StaticCount::Kind::trace_info;
      c.platform = text_of(source, e);
    }
    try {
      c.file = find_platform(c.platform, "", std::filesystem::path(source.name()).parent_path());
    } catch (const ConfigError& error) {
      source.fail(e.key_node, e.path + ": " + error.what());
    }
    counts.push_back(std::move(c));
  }
  if (counts.empty())
    source.fail(map.key_node, map.key + ": nothing; expected names, each with what to count");
  return counts;
}

const std::vector<std::string>& static_count_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> n{
        "instructions", "hmma_instructions",  "imma_instructions",   "baseline_reads", "baseline_writes",
        "file_reads",   "file_writes",        "cache_reads",         "cache_writes",   "read_hits",
        "write_hits",   "file_read_pj",       "file_write_pj",       "cache_read_pj",  "cache_write_pj",
        "baseline_pj",  "sources_0",          "sources_1",           "sources_2",      "sources_3",
        "sources_more", "results_banks_only", "results_window_only", "results_both"};
    for (const Distances& d : distances) n.emplace_back(d.name);
    return n;
  }();
  return all;
}

RunResult counted(const StaticCount& count, const PlatformParameters& platform, const TraceProgram& trace,
                  const std::function<void(double)>& progress) {
  RunResult r;
  r.platform = platform.name;
  r.machine = platform.machine;
  r.trace = trace.name;
  if (count.kind == StaticCount::Kind::cache_study)
    count_study(count, trace, progress, r);
  else
    count_operands(platform, trace, progress, r);
  return r;
}

}  // namespace subcore
