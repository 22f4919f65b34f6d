#include "subcore/program/runs/saved_profiles.h"

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>

#include "subcore/base/files.h"
#include "subcore/base/spelling.h"
#include "subcore/program/runs/finished_run.h"

namespace fs = std::filesystem;

namespace subcore {
namespace {

RunProfile profile_in(const std::string& text, const fs::path& file) {
  try {
    return run_profile_from_json(text);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw std::runtime_error(file.string() + ": " + e.what());
  }
}

// The profile of a run; nothing if the run was made without one.
std::optional<RunProfile> saved_profile(const fs::path& run) {
  const fs::path file = run / profile_file;
  const std::optional<std::string> text = file_text(file);
  return text ? std::optional(profile_in(*text, file)) : std::nullopt;
}

// Takes the cautions of the run beside others, which profile.json does not know.
RunProfile with_cautions(RunProfile profile, const RunResult& run) {
  profile.cautions = run.cautions;
  return profile;
}

std::vector<RunResult> results_of(const fs::path& folder) {
  const fs::path record = folder / results_file;
  const std::optional<std::string> results = is_folder(folder) ? file_text(record) : std::nullopt;
  if (!results)
    throw std::runtime_error(folder.string() + ": has no results.json;" + did_you_mean_file(folder) +
                             " expected a results folder");
  return results_in(*results, record.string());
}

[[noreturn]] void refuse_without(const fs::path& run) {
  throw std::runtime_error((run / profile_file).string() +
                           ": is not there; expected results of runs with --profile");
}

}  // namespace

std::vector<RunProfile> saved_profiles(const fs::path& folder, const std::vector<RunName>& runs) {
  std::vector<RunProfile> profiles;
  const std::vector<RunResult> results = results_of(folder);
  for (const RunName& run : runs) {
    std::optional<RunProfile> profile = saved_profile(folder / run.subfolder());
    const auto of = std::find_if(results.begin(), results.end(), [&](const RunResult& r) {
      return r.platform == run.platform && r.trace == run.trace;
    });
    if (!profile || of == results.end()) refuse_without(folder / run.subfolder());
    profiles.push_back(with_cautions(std::move(*profile), *of));
  }
  return profiles;
}

std::vector<RunProfile> saved_profiles(const fs::path& path, std::vector<RunName>& without) {
  if (is_plain_file(path)) return {profile_in(file_text(path).value(), path)};
  std::vector<RunProfile> profiles;
  const std::vector<RunResult> runs = results_of(path);
  for (const RunResult& run : runs) {
    if (run.member != 0) continue;  // further members have no profiles
    const RunName name{run.platform, run.trace};
    require_whole_run(path / name.subfolder(), run, path / results_file);
    std::optional<RunProfile> profile = saved_profile(path / name.subfolder());
    if (profile)
      profiles.push_back(with_cautions(std::move(*profile), run));
    else
      without.push_back(name);
  }
  if (runs.empty())
    throw std::runtime_error((path / results_file).string() +
                             ": has no run; expected results of runs with --profile");
  if (profiles.empty()) refuse_without(path / without.front().subfolder());
  return profiles;
}

}  // namespace subcore
