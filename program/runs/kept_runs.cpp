#include "subcore/program/runs/kept_runs.h"

#include <algorithm>
#include <stdexcept>

#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/program/runs/progress.h"

namespace fs = std::filesystem;

namespace subcore {

void add_keys(std::vector<Job>& jobs) {
  const std::string program = program_hash();
  std::map<const PlatformParameters*, std::string> platforms;
  std::map<std::vector<fs::path>, std::string> traces;  // names of traces, by their files
  PlatformHashes hashes;
  ProgressBar bar("looking for equal runs");
  double done = 0;
  for (Job& job : jobs) {
    bar.show(done++ / static_cast<double>(jobs.size()), job.name());
    std::string& platform = platforms[job.platform.get()];
    if (platform.empty()) platform = job.settings_hash(hashes);
    std::string& trace = traces[job.trace.kernels];
    if (trace.empty()) trace = trace_hash(job.trace);
    job.key = RunKey{program, platform, trace};
  }
}

bool KeptRuns::add(const fs::path& run) {
  std::optional<FinishedRun> record = read_finished_run(run);
  if (!record) return false;
  by_name_[{record->result.platform, record->result.trace}] = record->key;
  by_key_[record->key].push_back({std::move(*record), run});
  return true;
}

std::size_t KeptRuns::add_any_below(const fs::path& folder) {
  std::size_t found = 0;
  for (const fs::path& entry : entries_of(folder)) {
    if (entry.filename() == finished_file)
      found += add(folder) ? 1 : 0;
    else if (!fs::is_symlink(entry) && is_folder(entry))
      found += add_any_below(entry);
  }
  return found;
}

void KeptRuns::add_below(const fs::path& folder) {
  if (!is_folder(folder))
    throw std::runtime_error(folder.string() + ": cannot be read: " +
                             (is_there(folder) ? "Not a directory;" : "No such file or directory;") +
                             did_you_mean_file(folder) + " expected a folder of --results");
  if (add_any_below(folder) == 0)
    throw std::runtime_error(folder.string() + ": has no finished run (" + finished_file +
                             ") below it; expected a folder of --results");
}

bool KeptRuns::has(const Job& job) const {
  const auto found = by_key_.find(*job.key);
  if (found == by_key_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Run& run) {
    return !job.profile || run.record.files.count(profile_file) != 0;
  });
}

std::optional<RunResult> KeptRuns::take(const Job& job) {
  const std::string& name = job.trace.name;
  const auto take_from = [&](const FinishedRun& run, const fs::path& folder) -> std::optional<RunResult> {
    if (!take_finished_run(run, folder, job.folder, name, job.profile)) return std::nullopt;
    RunResult result = run.result;
    result.trace = name;
    return result;
  };
  const std::optional<FinishedRun> there = read_finished_run(job.folder);
  if (there && there->key == *job.key)
    if (auto result = take_from(*there, job.folder)) return result;
  if (const auto found = by_key_.find(*job.key); found != by_key_.end())
    for (const Run& run : found->second)
      if (auto result = take_from(run.record, run.folder)) return result;
  clear_run(job.folder);
  const auto of_name = by_name_.find({job.platform->name, name});
  if (there || of_name != by_name_.end()) {
    const RunKey& other = there ? there->key : of_name->second;
    if (other.program != job.key->program)
      ++differences_["program"];
    else if (other.platform != job.key->platform)
      ++differences_["platform"];
    else if (other.trace != job.key->trace)
      ++differences_["trace"];
  }
  return std::nullopt;
}

std::string KeptRuns::differences() const {
  std::string text;
  for (const auto& [what, runs] : differences_)
    text += (text.empty() ? "" : ", ") + std::to_string(runs) + " of another " + what;
  return text;
}

}  // namespace subcore
