// Runs for the platform tests: real traces on real platforms, each in a process of its own.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "subcore/model/parameters/data_files.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/program/runs/job_runner.h"

namespace subcore::test {

inline const std::vector<std::string> all_platforms{"baseline", "traditional", "malekeh", "malekeh_private"};

inline const std::vector<std::string> written_back_platforms{"malekeh_write_back", "malekeh_age_write_back"};

inline const std::vector<std::string> bypassing_platforms{"bow", "bow_wr", "bow_wr_hints", "bow_wr_half",
                                                          "bow_tensor"};
inline const std::vector<std::string> operand_cache_platforms{"rfc",
                                                              "software_rfc",
                                                              "ltrf",
                                                              "ltrf_plus",
                                                              "register_cache",
                                                              "rfc_monolithic",
                                                              "software_rfc_monolithic",
                                                              "near_cache_2",
                                                              "near_cache_pool",
                                                              "near_cache_limit_8",
                                                              "near_cache_limit_pool"};

inline const std::vector<std::string> nvidia_platforms{
    "nvidia_turing",    "nvidia_turing_no_rfc", "nvidia_turing_scoreboard",
    "nvidia_turing_2r", "nvidia_ampere",        "nvidia_hopper",
    "nvidia_near",      "nvidia_near_8"};

inline PlatformParameters platform(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return load_platform(find_platform(name), overrides);
}

// Folders with a kernelslist.g directly below `folder`, sorted.
inline std::vector<std::filesystem::path> traces_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (std::filesystem::exists(entry.path() / "kernelslist.g")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline std::vector<std::filesystem::path> own_traces() {
  return traces_below(std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "traces");
}

// Traces of today's kernels.
inline std::vector<std::filesystem::path> modern_traces() {
  return traces_below(std::filesystem::path(SUBCORE_SOURCE_DIR) / "scenarios" / "modern");
}

// The folder of the larger trace collection: SUBCORE_TRACES, or shared/traces beside the project. Empty if
// there is none.
inline std::filesystem::path shared_traces() {
  const char* named = std::getenv("SUBCORE_TRACES");
  const std::filesystem::path path =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::path(SUBCORE_SOURCE_DIR) / ".." / "shared" / "traces";
  return std::filesystem::is_directory(path) ? path : std::filesystem::path();
}

// Every platform on every trace, trace by trace.
inline std::vector<Job> jobs_of(const std::vector<PlatformParameters>& platforms,
                                const std::vector<std::filesystem::path>& traces) {
  std::vector<Job> all;
  std::vector<std::shared_ptr<const PlatformParameters>> shared;
  for (const auto& p : platforms) shared.push_back(std::make_shared<PlatformParameters>(p));
  for (const auto& t : traces) {
    for (const auto& p : shared) all.push_back({p, open_trace(t)});
  }
  return all;
}

// The overrides that this platform reads, of some that are meant for several platforms.
inline std::vector<std::string> read_by(const std::string& name, std::vector<std::string> overrides) {
  for (;;) {
    try {
      platform(name, overrides);
      return overrides;
    } catch (const ConfigError& e) {
      const std::string text = e.what();
      const auto unread = std::find_if(overrides.begin(), overrides.end(), [&](const std::string& o) {
        return text.find("--set " + o + ": ") == 0 && text.find(": is read only with ") != std::string::npos;
      });
      if (unread == overrides.end()) throw;
      overrides.erase(unread);
    }
  }
}

// Jobs of each platform with the overrides that it reads. At least one platform must read each override.
inline std::vector<Job> jobs(const std::vector<std::string>& platforms,
                             const std::vector<std::filesystem::path>& traces,
                             const std::vector<std::string>& overrides = {}) {
  std::vector<PlatformParameters> parameters;
  std::set<std::string> used;
  for (const auto& p : platforms) {
    const std::vector<std::string> own = read_by(p, overrides);
    used.insert(own.begin(), own.end());
    parameters.push_back(platform(p, own));
  }
  REQUIRE(used.size() == std::set<std::string>(overrides.begin(), overrides.end()).size());
  return jobs_of(parameters, traces);
}

// Jobs of each system on each trace, on the machine of the trace: one SM of its architecture, or with `gpu`
// "auto" the whole GPU.
inline std::vector<Job> jobs_by_trace(const std::vector<std::string>& systems,
                                      const std::vector<std::filesystem::path>& traces,
                                      const std::vector<std::string>& overrides = {},
                                      const std::string& gpu = "") {
  std::vector<Job> all;
  for (const auto& folder : traces) {
    const TraceProgram trace = open_trace(folder);
    for (const std::string& s : systems) {
      const PlatformChoice choice = on_machine_of(find_platform(s, gpu), binary_version_of(trace));
      std::set<std::string> unread;
      all.push_back(
          {std::make_shared<PlatformParameters>(load_platform(choice, overrides, nullptr, &unread)), trace});
    }
  }
  return all;
}

// Runs one job at a time, since tests run side by side.
inline std::vector<RunResult> run(const std::vector<Job>& j) {
  return run_jobs(j, 1);
}

// Arithmetic mean of a value over the results of one platform.
template <class Value>
double mean(const std::vector<RunResult>& results, const std::string& platform, Value value) {
  double sum = 0;
  unsigned n = 0;
  for (const RunResult& r : results) {
    if (r.platform != platform) continue;
    sum += value(r);
    ++n;
  }
  return sum / n;
}

inline std::string without_time(RunResult r) {
  r.wall_seconds = 0;
  return to_json(r);
}

}  // namespace subcore::test
