// A run that is recorded in a simulation of the user's own: the files that the program subcore writes of the
// same run, and the run's progress.
#include "subcore/observers/run_recorder.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/model/statistics/result_columns.h"
#include "subcore/platforms/config/reader.h"
#include "tests/cosim/rig.h"
#include "tests/unit/trace_files.h"

namespace run_recorder_test {

using namespace subcore;
using namespace subcore::test;

namespace {

TraceProgram own_trace(const std::string& name) {
  return open_trace(project_traces() / name);
}
PlatformParameters shipped(const std::string& name) {
  return load_platform(find_platform(name));
}

// A run's JSON text without wall_seconds, the only key that depends on the machine.
std::string without_wall_time(const std::string& json) {
  const std::size_t key = json.find("  \"wall_seconds\"");
  return key == std::string::npos ? "no wall_seconds"
                                  : json.substr(0, key) + json.substr(json.find('\n', key));
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Plays a GPU to the end of its run, by steps that are no multiples of its cycles.
void play(Gpu& gpu) {
  while (!gpu.finished()) sc_core::sc_start(sc_core::sc_time(777.3, sc_core::SC_NS));
  while (!gpu.leftovers().empty()) sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
}

}  // namespace

TEST_CASE("a recorder says what the program does of the same run") {
  const TemporaryFolder folder;
  for (const char* name : {"malekeh", "bow_wr", "rtx2060_third/ltrf"}) {
    INFO(name);
    const std::string results = (folder.path() / "r").string();
    const std::string command = std::string(SUBCORE_PROGRAM) + " run -p " + name + " -t " +
                                (project_traces() / "bfs").string() + " --results " + results + " --json " +
                                results + ".json --overwrite > /dev/null";
    REQUIRE(std::system(command.c_str()) == 0);
    const std::string recorded = in_child([&] {
      Gpu gpu("the_gpu", shipped(name));
      RunRecorder recorder("the_recorder", gpu);
      gpu.run(own_trace("bfs"));
      play(gpu);
      return recorder.problem() + without_wall_time(recorder.json()) + recorder.statistics_json_text() +
             recorder.statistics_csv_text() + recorder.intervals_csv_text() + recorder.power_csv_text();
    });
    std::string written = without_wall_time(text_of(results + ".json"));
    for (const char* file : {"stats.json", "stats.csv", "intervals.csv", "power.csv"})
      written += text_of(std::filesystem::path(results) / name / "bfs" / file);
    CHECK(written.size() > 10000);
    CHECK(recorded == written);
  }
}

TEST_CASE("progress can be asked for, and is told while a run is under way") {
  const std::string said = in_child([] {
    Gpu gpu("gpu", shipped("rtx2060_third/malekeh"));
    RunRecorder recorder("recorder", gpu);
    std::vector<RunRecorder::Progress> told;
    recorder.on_progress(1000, [&](const RunRecorder::Progress& p) { told.push_back(p); });
    gpu.run(own_trace("hotspot"));
    std::string text = std::to_string(recorder.progress().instructions) + ' ';
    sc_core::sc_start();
    const Cycle first_run = gpu.finish_cycle();
    text += std::to_string(told.size() == first_run / 1000) + ' ';
    const Cycle rest = gpu.driver.conductor.now();
    gpu.run(own_trace("vectoradd"));
    sc_core::sc_start();
    text += std::to_string(told.size() == first_run / 1000 + (gpu.finish_cycle() - rest) / 1000) + ' ';
    bool grows = told.size() > 3;
    for (std::size_t n = 0; n < first_run / 1000; ++n) {
      grows &= told[n].cycle == 1000 * (n + 1) - 1 && told[n].share > 0 && told[n].share <= 1;
      if (n != 0)
        grows &= told[n].instructions >= told[n - 1].instructions && told[n].share >= told[n - 1].share;
    }
    text += std::to_string(grows) + ' ';
    const RunRecorder::Progress end = recorder.progress();
    return text + std::to_string(end.share == 1 && end.instructions == gpu.instructions_retired());
  });
  CHECK(said == "0 1 1 1 1");
}

TEST_CASE("several runs, with rests between them, add up in one result") {
  for (const char* name : {"malekeh", "rtx2060_third/bow_wr"}) {
    INFO(name);
    const std::string said = in_child([&] {
      PlatformParameters p = shipped(name);
      p.interval_cycles = 500;
      Gpu gpu("gpu", p);
      RunRecorder recorder("recorder", gpu);
      std::string text;
      std::uint64_t energy = 0, instructions = 0;
      std::vector<Cycle> finishes;
      for (const char* trace : {"bfs", "vectoradd", "bfs"}) {
        gpu.run(own_trace(trace));
        sc_core::sc_start(5000 * gpu.period());
        if (!gpu.finished()) {
          const RunResult midway = recorder.result();
          if (midway.per_kernel.size() >= midway.kernels) text += "a kernel that has not ended\n";
        }
        sc_core::sc_start();
        text += recorder.problem();
        finishes.push_back(gpu.finish_cycle());
        const RunResult r = recorder.result();
        if (r.energy_total_pj <= static_cast<double>(energy) || r.instructions_retired <= instructions)
          text += "nothing added\n";
        instructions = r.instructions_retired;
        energy = static_cast<std::uint64_t>(r.energy_total_pj);
        sc_core::sc_start(12345 * gpu.period());
      }
      const RunResult r = recorder.result();
      text += r.trace + ' ' + std::to_string(r.per_kernel.size()) + ' ';
      // The intervals contain all instructions that were counted.
      std::istringstream csv(recorder.intervals_csv_text());
      std::string line;
      std::getline(csv, line);
      std::uint64_t sum = 0, last = 0, cycle = 0;
      std::ptrdiff_t ends = 0;  // ends of runs that are also ends of intervals
      while (std::getline(csv, line)) {
        cycle = std::stoull(line);
        if (cycle <= last) text += "intervals in disorder ";
        ends += std::count(finishes.begin(), finishes.end(), cycle);
        last = cycle;
        sum += std::stoull(line.substr(line.find(',') + 1));
      }
      return text + std::to_string(sum == r.instructions_retired) + std::to_string(cycle == r.cycles) +
             std::to_string(ends);
    });
    CHECK(said == "bfs+vectoradd 29 113");
  }
}

TEST_CASE("columns of one's own are in the results of a recorder") {
  CHECK(in_child([] {
          result_columns().add({"warps_sent", "", "warps", "kernel_dispatcher.warps"});
          Gpu gpu("gpu", shipped("baseline"));
          RunRecorder recorder("recorder", gpu);
          gpu.run(own_trace("vectoradd"));
          sc_core::sc_start();
          const RunResult r = recorder.result();
          const std::string json = recorder.json();
          return recorder.problem() + std::to_string(value_of(r.own, "warps_sent").value_or(0) != 0 &&
                                                     value_of(r.own, "warps_sent") ==
                                                         value_of(r.per_kernel.at(0).own, "warps_sent") &&
                                                     json.find("\"warps_sent\": ") != std::string::npos);
        }) == "1");
}

TEST_CASE("what is left over is a problem, and so is a sum that is wrong") {
  CHECK_THAT(in_child([] {
               Gpu gpu("gpu", shipped("rtx2060_third/malekeh"));
               RunRecorder recorder("recorder", gpu);
               gpu.run(own_trace("bfs"));
               sc_core::sc_start(500 * gpu.period());
               return recorder.problem();
             }),
             Catch::StartsWith("the run ended in cycle 0 with work left over in ") &&
                 Catch::Contains("\ngpu.driver.kernel_dispatcher: work is left over"));
  // A user's column fills prefetches in with the arbiter's bank writes, so that a sum is wrong.
  CHECK_THAT(
      in_child([] {
        result_columns().add({"reads_again", "", "operands", "arbiter.bank_reads", &RunResult::bank_reads});
        result_columns().add(
            {"prefetched_too", "", "operands", "arbiter.bank_writes", &RunResult::prefetches});
        Gpu gpu("gpu", shipped("baseline"));
        RunRecorder recorder("recorder", gpu);
        gpu.run(own_trace("vectoradd"));
        sc_core::sc_start();
        return recorder.problem();
      }),
      Catch::StartsWith("the run does not add up: ") && Catch::Contains(" operands came from caches"));
}

}  // namespace run_recorder_test
