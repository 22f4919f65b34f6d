#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <nlohmann/json.hpp>

#include "subcore/base/formatted.h"
#include "subcore/base/text_width.h"
#include "subcore/model/trace/cta_index.h"
#include "subcore/program/analysis/trace_info.h"
#include "subcore/program/commands/planned_runs.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/kept_runs.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/standard_output.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

struct RunEstimate {
  double seconds = 0;    // time on one processor
  double megabytes = 0;  // resident memory at most
};

// Warp instructions of the CTAs of a kernel that run. Only a packed trace has the number without being read.
std::uint64_t count_instructions(const fs::path& kernel, const KernelPart& part,
                                 const ProgressCallback& progress) {
  KernelReader reader(kernel, {});
  std::uint64_t instructions = 0;
  if (const CtaIndex* index = reader.index()) {
    for (std::uint64_t n = part.next(0); n < index->instructions.size(); n = part.next(n + 1))
      instructions += index->instructions[n];
    return instructions;
  }
  CtaTrace cta;
  for (std::uint64_t n = 0; reader.next(cta); ++n) {
    if (part.next(n) == n)
      for (const WarpTrace& warp : cta.warps) instructions += warp.records.size();
    throw_if_interrupted();
    if (progress && reader.bytes_total() != 0)
      progress(static_cast<double>(reader.bytes_read()) / static_cast<double>(reader.bytes_total()));
  }
  return instructions;
}

// Warp instructions of the program that run. Throws TraceError.
std::uint64_t count_instructions(const TraceProgram& program, const ProgressCallback& progress) {
  std::uint64_t instructions = 0;
  const auto kernels = static_cast<double>(program.kernels.size());
  std::map<fs::path, std::uint64_t> whole;  // by file, because the list may name a file several times
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    const fs::path& kernel = program.kernels[k];
    const KernelPart part = program.parts.empty() ? KernelPart() : program.parts[k];
    const auto known = whole.find(kernel);
    const bool is_known = part.is_whole() && known != whole.end();
    const std::uint64_t n = is_known ? known->second : count_instructions(kernel, part, [&](double share) {
      if (progress) progress((static_cast<double>(k) + share) / kernels);
    });
    if (part.is_whole()) whole.emplace(kernel, n);
    instructions += n;
  }
  return instructions;
}

// The cost of a warp instruction relative to the baseline's, which neither keeps values nor looks them up.
double scheme_factor(const SubCoreParameters& s) {
  if (s.operand_cache_entries() != 0) return 1.6;
  if (!s.collector.kind->keeps_values()) return 1;
  return s.collector.kind->copies_hits() ? 1.9 : 1.25;
}

// Estimates a run. The estimate is fitted to shipped platforms with 1 to 80 SMs, on traces of 0.1 to 2
// million instructions and a processor of 2023. There, runs took from half to twice as long. Traces that wait
// for memory take longer. The cost of a register system is user time on traces of 1.5 to 3.9 million
// instructions at ten SMs:
//   /usr/bin/time -f %U subcore run -p rtx2060_third/bow -t TRACE --jobs 1
// Relative to the baseline it is 1.2 to 1.3 with caching collectors, 1.6 to 3 with bypassing ones, and 1.4
// to 1.8 with a register cache.
RunEstimate estimate_run(std::uint64_t instructions, const PlatformParameters& platform) {
  constexpr double start = 0.02, of_sm = 0.0015;  // seconds
  constexpr double of_instruction = 0.45e-6,
                   doubled = 0.2;                     // share of more time for twice as many SMs: cache
                                                      // misses
  constexpr double program = 22, memory_of_sm = 1.3;  // megabytes
  const double sms = platform.gpu.sms;
  const double per_instruction =
      of_instruction * scheme_factor(platform.sub_core) * (1 + doubled * std::log2(sms));
  return {start + of_sm * sms + per_instruction * static_cast<double>(instructions),
          program + memory_of_sm * sms};
}

struct PricedRun {
  const Job* job;
  std::uint64_t instructions;
  RunEstimate estimate;
  bool finished;
};

std::map<std::vector<fs::path>, std::uint64_t> instructions_by_trace(const std::vector<Job>& jobs) {
  std::map<std::vector<fs::path>, std::uint64_t> instructions;
  for (const Job& job : jobs) instructions.emplace(job.trace.kernels, 0);
  ProgressBar bar("reading traces");
  std::size_t done = 0;
  const auto all = static_cast<double>(instructions.size());
  for (const Job& job : jobs) {
    std::uint64_t& n = instructions[job.trace.kernels];
    if (n != 0) continue;
    n = count_instructions(job.trace, [&](double share) {
      bar.show((static_cast<double>(done) + share) / all, job.trace.name);
    });
    ++done;
  }
  return instructions;
}

std::vector<PricedRun> priced(std::vector<Job>& jobs, const RunPlan& plan, const RunRequest& request) {
  const bool has_keys = !request.json.empty() || request.resume || !request.finished.empty();
  KeptRuns kept;
  std::vector<Job> named = jobs;  // jobs with their names in the results folder
  if (request.resume) {
    kept.add_any_below(plan.results);
    if (!request.overwrite) name_apart(named, plan.results, ResultsFolder::runs_in_record(plan.results));
  }
  if (has_keys) {
    add_keys(named);
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].key = named[i].key;
  }
  for (const std::string& folder : request.finished) kept.add_below(folder);
  const auto instructions = instructions_by_trace(jobs);
  std::vector<PricedRun> runs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const std::uint64_t n = instructions.at(jobs[i].trace.kernels);
    runs.push_back({&jobs[i], n, estimate_run(n, *jobs[i].platform), has_keys && kept.has(named[i])});
  }
  return runs;
}

// Rounds numbers like those of results, so that texts are short.
double rounded(double value) {
  return std::round(value * 100) / 100;
}

std::string json_of(const std::string& name, const std::vector<PricedRun>& runs) {
  auto all = nlohmann::ordered_json::object();
  all["name"] = name;
  all["runs"] = nlohmann::ordered_json::array();
  for (const PricedRun& r : runs) {
    auto run = nlohmann::ordered_json::object();
    run["run"] = r.job->subfolder().string();
    run["platform"] = r.job->platform->name;
    run["trace"] = r.job->trace.name;
    run["key"] = r.job->key->text();
    run["instructions"] = r.instructions;
    run["sms"] = r.job->platform->gpu.sms;
    run["seconds"] = rounded(r.estimate.seconds);
    run["megabytes"] = rounded(r.estimate.megabytes);
    run["finished"] = r.finished;
    all["runs"].push_back(std::move(run));
  }
  return all.dump(2) + '\n';
}

std::string time_text(double seconds) {
  if (seconds < 120) return formatted("%.0f s", std::ceil(seconds));
  if (seconds < 7200) return formatted("%.0f min", seconds / 60);
  return formatted("%.1f h", seconds / 3600);
}

// A text with a line for each platform. --json has the single runs.
std::string text_of(const std::vector<PricedRun>& runs, unsigned parallel) {
  struct Sum {
    std::string platform;
    std::size_t runs = 0;
    std::uint64_t instructions = 0;
    double seconds = 0, megabytes = 0;
  };
  std::vector<Sum> sums;
  std::map<std::string, std::size_t> places;  // index of each name
  Sum all;
  double longest = 0;
  for (const PricedRun& r : runs) {
    if (r.finished) continue;
    const std::string& platform = r.job->platform->name;
    const auto [place, is_new] = places.emplace(platform, sums.size());
    if (is_new) sums.push_back({platform});
    longest = std::max(longest, r.estimate.seconds);
    for (Sum* s : {&sums[place->second], &all}) {
      ++s->runs;
      s->instructions += r.instructions;
      s->seconds += r.estimate.seconds;
      s->megabytes = std::max(s->megabytes, r.estimate.megabytes);
    }
  }
  std::string text;
  if (all.runs != 0)
    print(text, "%-40s %6s %13s %8s %8s\n", "platform", "runs", "instructions", "time", "memory");
  for (const Sum& s : sums) {
    text += padded(shortened(s.platform, 40), 40);
    print(text, " %6zu %13llu %8s %5.0f MB\n", s.runs, static_cast<unsigned long long>(s.instructions),
          time_text(s.seconds).c_str(), s.megabytes);
  }
  print(text, "%zu of %zu runs to do", all.runs, runs.size());
  if (all.runs != 0)
    print(text, ", %u at once: about %s, and %.0f MB for each at most", parallel,
          time_text(std::max(longest, all.seconds / parallel)).c_str(), all.megabytes);
  return text + '\n';
}

}  // namespace

int dry_run(std::vector<Job>& jobs, const RunPlan& plan, const RunRequest& request) {
  const std::vector<PricedRun> runs = priced(jobs, plan, request);
  if (!request.json.empty()) write_output(request.json, json_of(plan.name, runs));
  if (request.json != "-") print(text_of(runs, runs_at_once(request)));
  return 0;
}

}  // namespace subcore
