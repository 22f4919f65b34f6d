// A scenario file: what to run on which platforms.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "subcore/model/trace/trace.h"
#include "subcore/platforms/config/platform_choice.h"
#include "subcore/program/analysis/static_count.h"
#include "subcore/program/runs/paper_figure.h"
#include "subcore/program/runs/sweep.h"

namespace subcore {

// Binary versions from the first to the last. 0 is the version of a trace that states none.
struct BinaryVersions {
  std::uint32_t from = 0, to = ~std::uint32_t{0};
  bool include(std::uint32_t version) const { return from <= version && version <= to; }
};

// Platforms on traces, every platform on every trace, and counts of the traces.
struct ScenarioPart {
  std::vector<PlatformChoice> platforms;
  std::vector<std::string> names, gpus;  // names of systems and machines; each system on each machine
  std::vector<StaticCount> counts;
  std::vector<TracePath> traces;
  std::vector<std::string> overrides;         // assignments as for --set
  std::map<std::string, std::string> set_at;  // of overrides of the scenario file: "FILE:LINE: set"
  std::vector<SweepAxis> sweep;
  std::vector<SweepPoint> vary;     // each alone; a platform that does not read all of one lacks it
  bool skip_refused = false;        // leaves out values of these two that a platform refuses
  std::vector<std::string> sample;  // names of traces; the first of them that exist stand for all
  // Binary versions of the traces that run. Other traces of `traces` are left out.
  std::optional<BinaryVersions> code;
  std::string label;  // added to the names of its platforms; empty = nothing

  // The platforms by which a count is made: its own platform, or that platform on each of the machines.
  // Throws ConfigError.
  std::vector<PlatformChoice> platforms_of(const StaticCount& count) const;
};

struct Scenario {
  std::string name;
  std::string description;
  std::vector<ScenarioPart> parts;  // at least one part
  std::filesystem::path results;    // empty = none
  std::uint64_t seeds = 1;          // runs of each platform on each trace
  bool fixed_traces = false;        // no other traces can take the place of the file's
  // A view of the last platform on the last trace.
  struct View {
    std::filesystem::path file;  // empty = none
    std::string scope;
    std::uint64_t from = 0, to = ~std::uint64_t{0};
  };
  View vcd, pipeline;
  std::vector<PaperFigure> figures;  // figures to be drawn from the results
};

// Reads a scenario file. All paths in the file are relative to it. Throws ConfigError.
Scenario load_scenario(const std::filesystem::path& file);

}  // namespace subcore
