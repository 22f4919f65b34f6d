#include "scenarios/saved_profiles.h"

#include <optional>
#include <stdexcept>

#include "model/parameters/spelling.h"
#include "scenarios/file_text.h"
#include "scenarios/finished_run.h"

namespace fs = std::filesystem;

namespace subcore {

std::vector<RunProfile> saved_profiles(const fs::path& folder) {
  const fs::path record = folder / "results.json";
  const std::optional<std::string> results = fs::is_directory(folder) ? file_text(record) : std::nullopt;
  if (!results)
    throw std::runtime_error(folder.string() + ": has no results.json;" + did_you_mean_file(folder) +
                             " expected a results folder");
  std::vector<RunProfile> profiles;
  try {
    for (const RunResult& r : run_results_from_json(*results)) {
      if (r.member != 0) continue;  // of which nobody keeps a profile
      const fs::path file = folder / r.platform / r.trace / profile_file;
      const std::optional<std::string> text = file_text(file);
      if (!text)
        throw std::runtime_error(file.string() + ": is not there; expected results of runs with --profile");
      try {
        profiles.push_back(run_profile_from_json(*text));
        profiles.back().cautions = r.cautions;
      } catch (const std::exception& e) {
        throw std::runtime_error(file.string() + ": " + e.what());
      }
    }
  } catch (const std::exception& e) {
    const std::string what = e.what();
    throw std::runtime_error(what.find(folder.string()) == 0 ? what : record.string() + ": " + what);
  }
  if (profiles.empty())
    throw std::runtime_error(record.string() + ": has no run; expected results of runs with --profile");
  return profiles;
}

}  // namespace subcore
