// The common part of `run` and `compare`: platforms on traces.
#pragma once

#include <filesystem>

#include "subcore/program/commands/command.h"
#include "subcore/program/runs/results_record.h"

namespace subcore {

struct RunRequest {
  std::filesystem::path scenario;  // empty = none
  std::size_t fewest_platforms = 1;
  std::vector<std::string> platforms, gpus, traces, overrides, finished;
  std::string results, json, jobs, kernel, ctas, sample, pieces, only, seeds;
  struct View {  // a view of a single run
    std::string file, scope, from, to;
  };
  View vcd, pipeline;
  std::string vcd_on, vcd_around;
  bool lines = false, wide = false;
  bool profile = false;
  bool resume = false, overwrite = false, keep_going = false, dry_run = false;
  bool no_progress = false;
  bool no_cache = false;
  bool quiet = false;      // the caller reports the results
  bool temporary = false;  // the results are only for this command
};

struct PlannedRuns;
struct RunPlan;

class RunsCommand : public Command {
 protected:
  RunsCommand(std::string name, std::string summary, std::string usage);

  void table_options();  // adds options for printing results
  // Runs the request. All checks for mistakes come before anything runs.
  int run_request();
  // The runs by their names in the results folder. To be called after run_request().
  const std::vector<RunName>& runs() const { return runs_; }

  RunRequest request_;

 private:
  void check_options(const RunPlan& plan) const;
  void check_runs(const RunPlan& plan, const PlannedRuns& planned) const;

  std::vector<RunName> runs_;
};

}  // namespace subcore
