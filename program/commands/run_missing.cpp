#include <algorithm>
#include <iostream>
#include <optional>
#include <stdexcept>

#include <unistd.h>

#include "subcore/base/formatted.h"
#include "subcore/base/text_width.h"
#include "subcore/model/statistics/cautions.h"
#include "subcore/program/commands/planned_runs.h"
#include "subcore/program/runs/job_runner.h"
#include "subcore/program/runs/kept_runs.h"
#include "subcore/program/runs/standard_output.h"

namespace subcore {
namespace {

// Names in full, because programs may read them; usual ones fit a terminal.
void print_line(const RunResult& r) {
  const std::string text = r.counts.empty()
                               ? ' ' + std::to_string(r.operands_checked) + " operands checked, " +
                                     std::to_string(r.stale_operands) + formatted(" stale, IPC %.3f", r.ipc)
                               : ' ' + std::to_string(r.instructions_traced) + " instructions counted";
  const std::string marks = caution_marks(r.cautions);
  print(padded(r.trace, 16) + ' ' + padded(r.platform, 16) + text + (marks.empty() ? "" : " !" + marks) +
        '\n');
}

unsigned processors() {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : static_cast<unsigned>(n);
}

std::string runs_are_kept(std::ptrdiff_t runs, std::size_t all) {
  return std::to_string(runs) + " of " + std::to_string(all) + " runs " + (runs == 1 ? "is" : "are") +
         " kept";
}

// The kept result of each job; nothing if the job has to be run.
std::vector<std::optional<RunResult>> taken(std::vector<Job>& jobs, const ResultsFolder& folder,
                                            const RunRequest& request) {
  add_keys(jobs);
  KeptRuns kept;
  if (request.resume)
    for (const RunName& run : folder.published()) kept.add(folder.path() / run.subfolder());
  for (const std::string& f : request.finished) kept.add_below(f);
  std::vector<std::optional<RunResult>> results;
  for (const Job& job : jobs) {
    const bool wants_view = job.waveform || job.pipeline;  // views are not kept
    if (wants_view) clear_run(job.folder);
    results.push_back(wants_view ? std::nullopt : kept.take(job));
  }
  if (request.no_progress) return results;
  const auto n = std::count_if(results.begin(), results.end(), [](const auto& r) { return r.has_value(); });
  std::string text = runs_are_kept(n, jobs.size()) + " from before";
  if (const std::string differences = kept.differences(); !differences.empty()) text += "; " + differences;
  std::cerr << "subcore: " << text << std::endl;
  return results;
}

}  // namespace

unsigned runs_at_once(const RunRequest& request) {
  const auto n =
      static_cast<unsigned>(std::min<std::uint64_t>(whole_number("--jobs", request.jobs, 0), 1024));
  return n != 0 ? n : processors();
}

std::vector<RunResult> results_of(std::vector<Job>& jobs, const ResultsFolder& folder,
                                  const RunRequest& request) {
  std::vector<std::optional<RunResult>> results(jobs.size());
  if (!jobs.front().folder.empty() && !request.temporary) {
    for (Job& job : jobs) job.is_recorded = true;
    if (request.resume || !request.finished.empty()) results = taken(jobs, folder, request);
  }
  std::vector<Job> missing;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!results[i])
      missing.push_back(jobs[i]);
    else if (request.lines)
      print_line(*results[i]);
  }
  std::vector<std::string> failures;
  std::vector<RunResult> ran = run_jobs(missing, runs_at_once(request), request.lines ? print_line : nullptr,
                                        request.keep_going && missing.size() > 1 ? &failures : nullptr);
  for (std::string& f : failures) {
    if (f.back() == '\n') f.pop_back();  // the end of a table below the line
    std::cerr << "subcore: failed: " << f << '\n';
  }
  if (!failures.empty())
    throw std::runtime_error(std::to_string(failures.size()) + " of " + std::to_string(jobs.size()) +
                             " runs have failed, as said above");
  std::vector<RunResult> all;
  auto next = ran.begin();
  for (auto& r : results) all.push_back(r ? std::move(*r) : std::move(*next++));
  return all;
}

std::string kept_words(const std::vector<Job>& jobs, ResultsFolder& folder) {
  const std::size_t n = folder.keep();
  if (n == 0) return {};
  return "; " + runs_are_kept(static_cast<std::ptrdiff_t>(n), jobs.size()) + " in " + folder.path().string() +
         ": the same command with --resume runs the rest";
}

}  // namespace subcore
