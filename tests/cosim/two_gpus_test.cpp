// Two GPUs in one simulation, each independent of the other; and an end of any object at any time. Errors
// there show best under AddressSanitizer.
#include <memory>

#include <catch2/catch.hpp>

#include "subcore/model/parameters/data_files.h"
#include "subcore/observers/pipeline_file.h"
#include "subcore/observers/profiler.h"
#include "subcore/observers/run_recorder.h"
#include "subcore/observers/waveform.h"
#include "subcore/platforms/config/reader.h"
#include "tests/cosim/rig.h"
#include "tests/unit/trace_files.h"

namespace two_gpus_test {

using namespace subcore;
using namespace subcore::test;

namespace {

// A GPU with all kinds of observers.
struct Watched {
  Watched(const std::string& name, const char* platform, double period_ns, const char* trace,
          const std::filesystem::path& folder)
      : waveform_file(folder / (name + ".vcd")), pipeline_file(folder / (name + ".kanata")) {
    PlatformParameters p = load_platform(find_platform(platform));
    p.clock_period_ns = period_ns;
    p.interval_cycles = 400;
    p.sthld.interval = 300;
    if (p.gpu.sms > 2) p.gpu.sms = 2;
    gpu = std::make_unique<Gpu>(name.c_str(), p);
    recorder = std::make_unique<RunRecorder>((name + "_recorder").c_str(), *gpu);
    recorder->on_progress(250, [this](const RunRecorder::Progress& now) {
      progress += std::to_string(now.instructions) + ' ';
    });
    WaveformOptions options;
    options.file = waveform_file;
    waveform = std::make_unique<Waveform>(gpu->driver.conductor, options);
    waveform->add(*gpu);
    waveform->add(gpu->name(), "interval", recorder->signals());
    waveform->begin();
    pipeline = std::make_unique<PipelineFile>(*gpu, PipelineFileOptions{pipeline_file, {}, {}});
    profiler = std::make_unique<Profiler>(*gpu);
    gpu->run(open_trace(project_traces() / trace));
  }
  // The results of the run, without wall time.
  std::string said() {
    waveform->close(gpu->finish_cycle());
    pipeline->close(gpu->finish_cycle());
    RunResult r = recorder->result();
    const std::string profile = to_json(profiler->profile(r));
    r.wall_seconds = 0;
    return recorder->problem() + to_json(r) + recorder->statistics_json_text() +
           recorder->intervals_csv_text() + recorder->power_csv_text() + profile + progress +
           text_of(waveform_file) + text_of(pipeline_file);
  }
  static std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  std::filesystem::path waveform_file, pipeline_file;
  std::string progress;
  std::unique_ptr<Gpu> gpu;
  std::unique_ptr<RunRecorder> recorder;
  std::unique_ptr<Waveform> waveform;
  std::unique_ptr<PipelineFile> pipeline;
  std::unique_ptr<Profiler> profiler;
};

void go_on(double nanoseconds) {
  sc_core::sc_start(sc_core::sc_time(nanoseconds, sc_core::SC_NS));
}

}  // namespace

TEST_CASE("two GPUs of different clocks, each recorded as if it were alone") {
  const TemporaryFolder folder;
  const auto one = [&] {
    return std::make_unique<Watched>("one", "rtx2060_third/malekeh", 0.73, "hotspot", folder.path());
  };
  const auto other = [&] { return std::make_unique<Watched>("other", "bow_wr", 1.0, "bfs", folder.path()); };
  const auto alone = [&](const auto& make) {
    return in_child([&] {
      const auto w = make();
      sc_core::sc_start();
      return w->said();
    });
  };
  const std::string one_alone = alone(one), other_alone = alone(other);
  CHECK(one_alone.size() > 100000);
  CHECK(other_alone.size() > 100000);
  const auto first = one(), second = other();
  sc_core::sc_start();
  CHECK((first->said() == one_alone));
  CHECK((second->said() == other_alone));
  // A second run of one GPU counts for that GPU's recorder alone.
  first->gpu->run(open_trace(project_traces() / "vectoradd"));
  sc_core::sc_start();
  CHECK(first->recorder->problem() == "");
  CHECK(first->recorder->result().trace == "hotspot+vectoradd");
  CHECK(second->recorder->result().trace == "bfs");
}

TEST_CASE("what looks at a GPU may end before it, after it, and in the middle of a run") {
  const TemporaryFolder folder;
  // A GPU's own outcome, which depends neither on observers nor on an observer's end.
  const auto outcome = [](Gpu& gpu) {
    StatisticsGroup root("root");
    gpu.register_statistics(root);
    return std::to_string(gpu.finish_cycle()) + statistics_json(root);
  };
  const auto run = [&](auto end) {
    return in_child([&] {
      Watched kept("kept", "malekeh", 1.0, "bfs", folder.path());
      auto ending = std::make_unique<Watched>("ending", "rtx2060_third/malekeh", 1.3, "bfs", folder.path());
      go_on(2000);
      end(*ending);
      go_on(3000);
      while (ending->gpu && !ending->gpu->finished()) go_on(5000);
      const std::string rest = ending->gpu ? outcome(*ending->gpu) : "";
      ending.reset();
      while (!kept.gpu->finished() || !kept.gpu->leftovers().empty()) go_on(5000);
      const std::string left = std::filesystem::exists(folder.path() / "ending.kanata") ? "a file" : "";
      std::filesystem::remove(folder.path() / "kept.kanata");
      return rest + left + kept.said().substr(0, 5000);
    });
  };
  const std::string untouched = run([](Watched&) {});
  CHECK(untouched.size() > 10000);
  CHECK(untouched.find("error") == std::string::npos);
  // The observers end one after the other, and the GPU goes on.
  CHECK((run([](Watched& w) { w.recorder.reset(); }) == untouched));
  CHECK((run([](Watched& w) { w.waveform.reset(); }) == untouched));
  CHECK((run([](Watched& w) { w.pipeline.reset(); }) == untouched));
  CHECK((run([](Watched& w) {
           w.profiler.reset(), w.recorder.reset(), w.pipeline.reset();
           go_on(700);
           w.waveform.reset();
         }) == untouched));
  // The GPU ends first.
  const std::string without = run([](Watched& w) { w.gpu.reset(); });
  CHECK(untouched.find(without) != std::string::npos);
  CHECK(run([](Watched& w) {
          w.gpu.reset();
          go_on(700);
          w.pipeline.reset(), w.waveform.reset(), w.recorder.reset(), w.profiler.reset();
        }) == without);
  CHECK(run([](Watched& w) {
          w.pipeline.reset(), w.gpu.reset(), w.profiler.reset();
          go_on(700);
          w.waveform.reset(), w.recorder.reset();
        }) == without);
}

TEST_CASE("a recorder whose GPU has gone says so") {
  CHECK(in_child([] {
          auto gpu = std::make_unique<Gpu>("gpu", load_platform(find_platform("baseline")));
          RunRecorder recorder("recorder", *gpu);
          gpu.reset();
          recorder.result();
          return std::string("a result");
        }) == "error: recorder: its GPU has been destroyed");
}

}  // namespace two_gpus_test
