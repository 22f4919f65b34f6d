// A scenario file, beside a trace and a platform that it may name; and all points of its sweeps.
#include "subcore/program/runs/scenario.h"

#include "tests/fuzz/target.h"

namespace subcore::fuzz {
namespace {

constexpr std::size_t most_points = 1000;  // points of a sweep, which may have a million

bool write_others() {
  for (const char* name : {"trace/kernelslist.g", "trace/kernel-1.traceg"})
    write(name, project_file("tests/traces/off_lanes/" + std::string(name).substr(6)));
  write("own.yaml", "extends: baseline\n");
  return true;
}

}  // namespace

void scenario(std::string_view input) {
  static const bool others = write_others();
  expect(others, "no files");
  const auto file = write("input.yaml", input);
  Scenario s;
  if (!accepts([&] { s = load_scenario(file); })) return;
  for (const ScenarioPart& part : s.parts) {
    std::size_t points = 1;
    for (const SweepAxis& axis : part.sweep) points *= axis.values.size();
    if (points <= most_points) with_variations(points_of(part.sweep), part.vary);
    accepts([&] { open_traces(part.traces); });
  }
}

}  // namespace subcore::fuzz
