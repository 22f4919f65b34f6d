#include "scenarios/job_runner.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <mutex>
#include <new>
#include <stdexcept>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/statistics/whole_file.h"
#include "platforms/config/reader.h"
#include "scenarios/interrupt.h"
#include "scenarios/progress.h"
#include "scenarios/results_folder.h"
#include "scenarios/simulation.h"

namespace subcore {
namespace {

// Messages from child to parent, each a kind, a length in decimal, a newline and the text.
void write_all(int pipe, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(pipe, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(3);  // the parent is gone
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

// From the run, and from whoever watches over it. Without allocation: the message may be that there is no
// memory.
std::mutex sending;
void send(int pipe, char kind, std::string_view text) {
  const std::lock_guard lock(sending);
  char head[32];
  const int length = std::snprintf(head, sizeof head, "%c%zu\n", kind, text.size());
  write_all(pipe, {head, static_cast<std::size_t>(length)});
  write_all(pipe, text);
}

std::string name_of(const Job& job) {
  return job.platform.name + " on " + job.trace.name;
}

void run_here(const Job& job, int pipe) {
  // Never taken down: the process ends behind it, and SystemC takes as long for that as for putting it
  // together, at 80 SMs three times as long.
  Simulation& simulation = *new Simulation(job.platform, job.trace, job.waveform, job.pipeline);
  if (job.profile) simulation.observe_profile();
  const RunResult result = simulation.run([&](double share) { send(pipe, 'p', std::to_string(share)); },
                                          [&](const std::string& report) {
                                            send(pipe, 'e', report);
                                            _exit(1);
                                          });
  if (!job.folder.empty()) {
    std::filesystem::create_directories(job.folder);
    const RunRecorder& recorder = simulation.recorder();
    const std::string contents[] = {recorder.statistics_json_text(), recorder.statistics_csv_text(),
                                    recorder.intervals_csv_text(), recorder.power_csv_text(),
                                    resolved_yaml(job.platform)};
    static_assert(std::size(contents) == std::size(run_files));
    for (std::size_t f = 0; f < std::size(run_files); ++f)
      write_whole_file(job.folder / run_files[f], contents[f]);
    if (job.profile) write_whole_file(job.folder / profile_file, simulation.profile_json_text());
  }
  send(pipe, 'r', to_json(result, true));
}

[[noreturn]] void child(const Job& job, int pipe) {
  try {
    run_here(job, pipe);
  } catch (const std::bad_alloc&) {
    send(pipe, 'm', {});
    _exit(1);
  } catch (const SimulationError& e) {
    send(pipe, 'e', name_of(job) + ": " + e.what());
    _exit(1);
  } catch (const std::exception& e) {
    send(pipe, 'e', e.what());
    _exit(1);
  }
  _exit(0);  // no destructors of the parent's objects, no SystemC teardown
}

const char* const less_memory = "more of it, fewer runs at once (--jobs), or a smaller platform or trace";

// Of a run that has not said what became of it.
std::string end_of(int status) {
  if (!WIFSIGNALED(status)) return "the run ended without a result";
  const int signal = WTERMSIG(status);
  // As a terminal does it, to all processes at once: this one must have it, too.
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
    poll(nullptr, 0, 100);
    throw_if_interrupted();
  }
  const std::string text = "the run was ended by signal " + signal_name(signal);
  if (signal != SIGKILL) return text;
  return text + ", by somebody or because memory ran out; then expected " + less_memory;
}

struct Child {
  std::size_t job;
  pid_t pid;
  int pipe;
  std::string received;
  bool answered = false;
};

class Pool {
 public:
  Pool(const std::vector<Job>& jobs, unsigned parallel, void (*passed)(const RunResult&))
      : jobs_(jobs), parallel_(parallel), passed_(passed), results_(jobs.size()), share_(jobs.size(), 0.0) {}
  ~Pool() {
    for (const Child& c : children_) kill(c.pid, SIGKILL);
    for (const Child& c : children_) {
      close(c.pipe);
      waitpid(c.pid, nullptr, 0);
    }
  }

  std::vector<RunResult> run() {
    ProgressBar bar("subcore");
    while (done_ < jobs_.size()) {
      while (next_ < jobs_.size() && children_.size() < parallel_) start();
      std::vector<pollfd> watched;
      for (const Child& c : children_) watched.push_back({c.pipe, POLLIN, 0});
      const int ready = poll(watched.data(), watched.size(), 200);
      throw_if_interrupted();
      if (ready < 0 && errno != EINTR) throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
      for (std::size_t i = watched.size(); i-- > 0;) {
        if (ready > 0 && watched[i].revents != 0) receive(i);
      }
      double sum = 0;
      for (const double s : share_) sum += s;
      bar.show(sum / static_cast<double>(jobs_.size()), label());
    }
    return std::move(results_);
  }

 private:
  void start() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    const pid_t parent = getpid(), pid = fork();
    if (pid < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
    if (pid == 0) {
      // A parent that is killed cannot end its children.
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(3);  // it was killed before
      close(ends[0]);
      for (const Child& c : children_) close(c.pipe);
      forget_interrupts();
      signal(SIGPIPE, SIG_DFL);  // without its parent it has nothing to do
      child(jobs_[next_], ends[1]);
    }
    close(ends[1]);
    children_.push_back({next_++, pid, ends[0], {}, false});
  }

  void receive(std::size_t i) {
    Child& c = children_[i];
    char block[4096];
    const ssize_t n = read(c.pipe, block, sizeof block);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) {
      finish(i);
      return;
    }
    c.received.append(block, static_cast<std::size_t>(n));
    for (std::size_t line; (line = c.received.find('\n')) != std::string::npos;) {
      const std::size_t length = std::stoul(c.received.substr(1, line - 1));
      if (c.received.size() < line + 1 + length) return;
      handle(c, c.received[0], c.received.substr(line + 1, length));
      c.received.erase(0, line + 1 + length);
    }
  }

  void handle(Child& c, char kind, const std::string& text) {
    if (kind == 'p') share_[c.job] = std::stod(text);
    if (kind == 'e') throw std::runtime_error(text);
    if (kind == 'm')
      throw std::runtime_error(name_of(jobs_[c.job]) + ": out of memory; expected " + less_memory);
    if (kind == 'r') {
      results_[c.job] = run_result_from_json(text);
      c.answered = true;
      if (passed_ != nullptr) passed_(results_[c.job]);
    }
  }

  void finish(std::size_t i) {
    const Child c = children_[i];
    close(c.pipe);
    int status = 0;
    waitpid(c.pid, &status, 0);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!c.answered) throw std::runtime_error(name_of(jobs_[c.job]) + ": " + end_of(status));
    share_[c.job] = 1.0;
    ++done_;
  }

  std::string label() const {
    if (children_.empty()) return {};
    const Job& j = jobs_[children_.front().job];
    return std::to_string(done_) + "/" + std::to_string(jobs_.size()) + " " + name_of(j);
  }

  const std::vector<Job>& jobs_;
  unsigned parallel_;
  void (*passed_)(const RunResult&);
  std::vector<RunResult> results_;
  std::vector<double> share_;
  std::vector<Child> children_;
  std::size_t next_ = 0, done_ = 0;
};

}  // namespace

std::vector<RunResult> run_jobs(const std::vector<Job>& jobs, unsigned parallel,
                                void (*passed)(const RunResult&)) {
  return Pool(jobs, parallel == 0 ? 1 : parallel, passed).run();
}

}  // namespace subcore
