#include "subcore/program/runs/run_process.h"

#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/base/formatted.h"
#include "subcore/base/whole_file.h"
#include "subcore/observers/issue_order_recorder.h"
#include "subcore/platforms/config/reader.h"
#include "subcore/power/power_monitors.h"
#include "subcore/program/runs/child_process.h"
#include "subcore/program/runs/finished_run.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/memory_file.h"
#include "subcore/program/runs/simulation.h"
#include "subcore/program/runs/want_of_memory.h"

namespace subcore {
namespace {

using MessageKind = RunMessage::Kind;

// Ends the process with f(), which is about this job. Neither destructors of the parent's objects nor
// SystemC's teardown run.
template <class Function>
[[noreturn]] void end_with(const std::vector<Job>& jobs, std::size_t job, int connection, Function f) {
  try {
    f();
  } catch (const Interrupted& e) {
    end_by_signal(e);
  } catch (const std::bad_alloc&) {
    send_message(connection, MessageKind::no_memory, job);
    _exit(1);
  } catch (const SimulationError& e) {
    send_message(connection, MessageKind::error, job, jobs[job].name() + ": " + e.what());
    _exit(1);
  } catch (const std::exception& e) {
    send_message(connection, MessageKind::error, job, e.what());
    _exit(1);
  }
  _exit(0);
}

// Puts the simulation together, which is never taken down, because the process ends behind it. SystemC takes
// as long to take a GPU down as to put it together, and three times as long at 80 SMs.
// SystemC makes names with streams, which drop a want of memory and cut the name. So a want of memory is
// noted here before it can be dropped.
Simulation& put_together(const PlatformParameters& platform,
                         const std::optional<WaveformOptions>& waveform = {},
                         const std::optional<PipelineFileOptions>& pipeline = {}) {
  static bool has_wanted_memory = false;
  const std::new_handler before = std::set_new_handler([] {
    has_wanted_memory = true;
    throw std::bad_alloc();
  });
  Simulation& simulation = *new Simulation(platform, waveform, pipeline);
  std::set_new_handler(before);
  if (has_wanted_memory) throw std::bad_alloc();
  return simulation;
}

void keep(const Job& job, const std::vector<std::string>& contents) {
  if (job.folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(job.folder, error);
  if (error) throw std::runtime_error("cannot write " + job.folder.string() + ": " + error.message());
  for (std::size_t f = 0; f < std::size(run_files); ++f)
    write_whole_file(job.folder / run_files[f], contents.at(f));
}

void keep_record(const Job& job, const RunResult& result) {
  if (job.folder.empty() || !job.is_recorded) return;
  const RunKey key = job.key ? *job.key : RunKey{program_hash(), job.settings_hash(), trace_hash(job.trace)};
  write_finished_run(job.folder, key, result);
}

// Adds the platform's system and point to the result.
void say_origin(RunResult& result, const Job& job) {
  if (!job.system.empty()) result.system = job.system;
  result.swept = job.swept;
  result.member = job.member;
  if (job.member != 0) result.member_of = job.member_of;
}

// Makes the files of a run without time: counts take the place of statistics.
RunResult count(const Job& job, const std::function<void(double)>& progress) {
  RunResult result = counted(*job.count, *job.platform, job.trace, progress);
  say_origin(result, job);
  std::string csv = "name,value\n";
  for (const auto& [name, value] : result.counts) csv += name + ',' + number_text(value) + '\n';
  keep(job, {to_json(result), csv, intervals_csv({}), PowerMonitors::csv_header,
             job.count->settings(*job.platform)});
  return result;
}

// Drops its own errors, so that they do not hide why the run failed.
void keep_partial_profile(Simulation& simulation, const Job& job, const std::string& reason) {
  if (!job.profile) return;
  try {
    const std::string text = simulation.partial_profile_json_text(reason);
    if (text.empty()) return;
    std::filesystem::create_directories(job.folder);
    write_whole_file(job.folder / partial_profile_file, text);
  } catch (const std::exception&) {
  }
}

// The same platform, with near bits that a compiler can make.
PlatformParameters of_first_run(PlatformParameters platform) {
  platform.passes.near_bits.source = NearBitsSource::trained;
  platform.passes.near_bits.store.entries = platform.sub_core.near_entries(false);
  return platform;
}

// Makes the first run of a job, in a process of its own, because SystemC elaborates once in each process. If
// that run fails, this process ends.
void record_issue_order(const std::vector<Job>& jobs, std::size_t n, const MemoryFile& order,
                        int connection) {
  ChildProcess first([&](int to_here) {
    end_with(jobs, n, to_here, [&] {
      const Job& job = jobs[n];
      Simulation& simulation = put_together(of_first_run(*job.platform));
      const IssueOrderRecorder recorder(simulation.gpu(), order.path());
      const auto lost = [&](const std::string& report) {
        send_message(to_here, MessageKind::error, n, report);
        _exit(1);
      };
      simulation.run(
          job.trace,
          [&](double share) { send_message(to_here, MessageKind::progress, n, std::to_string(share / 2)); },
          lost);
    });
  });
  const auto pass_on = [&](const RunMessage& m) { send_message(connection, m.kind, m.job, m.text); };
  while (first.receive(pass_on)) {
  }
  const int status = first.status();
  if (WIFSIGNALED(status)) raise(WTERMSIG(status));
  if (status != 0) _exit(WEXITSTATUS(status));  // the first run has said why
}

// `order`: the order of issue that a first run has recorded; null if there was no first run.
RunResult simulate(Simulation& simulation, const Job& job, const MemoryFile* order,
                   const std::function<void(double)>& progress,
                   const std::function<void(const std::string&)>& lost) {
  TraceProgram trace = job.trace;
  if (order != nullptr) trace.issue_order = order->path();
  if (job.profile) simulation.observe_profile();
  remember_interrupts();  // an interrupted run keeps its files up to the interruption
  RunResult result;
  try {
    result = simulation.run(trace, progress, lost);
  } catch (const std::exception& e) {
    keep_partial_profile(simulation, job, reason_of(e));
    throw;
  }
  say_origin(result, job);
  const RunRecorder& recorder = simulation.recorder();
  if (job.sample) {
    Sample sample = *job.sample;
    recorder.fill(sample);
    take_sample(result, std::move(sample));
  }
  if (job.folder.empty()) return result;
  keep(job, {recorder.statistics_json_text(), recorder.statistics_csv_text(), recorder.intervals_csv_text(),
             recorder.power_csv_text(), resolved_yaml(*job.platform)});
  if (job.profile) write_whole_file(job.folder / profile_file, simulation.profile_json_text());
  return result;
}

// `simulation`: null for a count. `order`: null if there was no first run.
void run(Simulation* simulation, const std::vector<Job>& jobs, std::size_t n, const MemoryFile* order,
         int connection) {
  const Job& job = jobs[n];
  const auto progress = [&](double share) {
    const double of_all = order != nullptr ? (1 + share) / 2 : share;
    send_message(connection, MessageKind::progress, n, std::to_string(of_all));
  };
  const auto lost = [&](const std::string& report) {
    if (simulation != nullptr) keep_partial_profile(*simulation, job, report);
    send_message(connection, MessageKind::error, n, report);
    _exit(1);
  };
  const RunResult result =
      simulation == nullptr ? count(job, progress) : simulate(*simulation, job, order, progress, lost);
  keep_record(job, result);
  send_message(connection, MessageKind::result, n, to_json(result, true));
}

// The runs that this process forks.
class Runs {
 public:
  Runs(Simulation* simulation, const std::vector<Job>& jobs, int connection)
      : simulation_(simulation), jobs_(jobs), connection_(connection) {}

  // Serves until so many runs have been asked for and have ended.
  void serve(std::size_t expected) {
    while (expected != 0 || !runs_.empty()) {
      std::vector<pollfd> watched;
      for (const auto& r : runs_) watched.push_back({r->process.connection(), POLLIN, 0});
      if (expected != 0) watched.push_back({connection_, POLLIN, 0});
      if (poll(watched.data(), watched.size(), -1) < 0) continue;  // interrupted
      const bool is_asked = expected != 0 && watched.back().revents != 0;
      for (std::size_t i = runs_.size(); i-- > 0;)
        if (watched[i].revents != 0) receive(i);
      if (!is_asked) continue;
      start(receive_request(connection_));
      --expected;
    }
  }

 private:
  struct Run {
    Run(std::size_t j, const std::function<void(int)>& body) : job(j), process(body) {}
    std::size_t job;
    ChildProcess process;
  };

  void start(std::size_t job) {
    runs_.push_back(std::make_unique<Run>(job, [&](int connection) {
      for (const auto& r : runs_) close(r->process.connection());
      end_with(jobs_, job, connection, [&] { run(simulation_, jobs_, job, nullptr, connection); });
    }));
  }

  void receive(std::size_t i) {
    Run& run = *runs_[i];
    const auto pass_on = [&](const RunMessage& m) { send_message(connection_, m.kind, m.job, m.text); };
    if (run.process.receive(pass_on)) return;
    send_message(connection_, MessageKind::ended, run.job, std::to_string(run.process.status()));
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  Simulation* simulation_;
  const std::vector<Job>& jobs_;
  int connection_;
  std::vector<std::unique_ptr<Run>> runs_;
};

void end_without_memory() {
  if (is_for_want_of_memory()) _exit(exit_without_memory);
  std::abort();
}

}  // namespace

void run_group(const std::vector<Job>& jobs, const JobGroup& group, int connection) {
  std::set_terminate(end_without_memory);
  const std::size_t first = group.front();
  end_with(jobs, first, connection, [&] {
    std::optional<MemoryFile> order;
    if (jobs[first].needs_first_run()) record_issue_order(jobs, first, order.emplace(), connection);
    const Job& job = jobs[first];
    Simulation* const simulation =
        job.count ? nullptr : &put_together(*job.platform, job.waveform, job.pipeline);
    if (group.size() == 1)
      run(simulation, jobs, first, order ? &*order : nullptr, connection);
    else
      Runs(simulation, jobs, connection).serve(group.size());
  });
}

}  // namespace subcore
