#include "subcore/program/runs/job_runner.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subcore/program/runs/child_process.h"
#include "subcore/program/runs/gpu_hook.h"
#include "subcore/program/runs/interrupt.h"
#include "subcore/program/runs/progress.h"
#include "subcore/program/runs/run_process.h"

namespace subcore {
namespace {

const char* const less_memory = "more of it, fewer runs at once (--jobs), or a smaller platform or trace";

// Words for the end of a run that has sent no result and no error.
std::string end_of(int status) {
  if (!WIFSIGNALED(status)) return "the run ended without a result";
  const int signal = WTERMSIG(status);
  // A terminal sends the signal to all processes at once, so this process must get it, too.
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP) {
    poll(nullptr, 0, 100);
    throw_if_interrupted();
  }
  const std::string text = "the run was ended by signal " + signal_name(signal);
  if (signal != SIGKILL) return text;
  return text + ", by somebody or because memory ran out; in the second case expected " + less_memory;
}

// Groups jobs that share a platform, in the order of the first job of each. With a user's function no jobs
// share a platform: the function is called in the process that simulates a run, with a GPU that has not been
// elaborated.
std::vector<JobGroup> groups_of(const std::vector<Job>& jobs) {
  std::vector<JobGroup> groups;
  for (std::size_t n = 0; n < jobs.size(); ++n) {
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const JobGroup& g) {
      const Job& first = jobs[g.front()];
      return !has_gpu_hook() && !jobs[n].is_alone() && !first.is_alone() &&
             first.platform == jobs[n].platform;
    });
    if (same == groups.end())
      groups.push_back({n});
    else
      same->push_back(n);
  }
  return groups;
}

class Pool {
 public:
  Pool(const std::vector<Job>& jobs, unsigned parallel, void (*passed)(const RunResult&),
       std::vector<std::string>* failures)
      : jobs_(jobs),
        parallel_(parallel),
        passed_(passed),
        failures_(failures),
        results_(jobs.size()),
        progress_(jobs.size()),
        groups_(groups_of(jobs)) {}

  std::vector<RunResult> run() {
    try {
      run_all();
    } catch (const Interrupted&) {
      for (const auto& p : platforms_) p->process.ask_to_end();
      for (const auto& p : platforms_) p->process.await_end();
      throw;
    }
    return std::move(results_);
  }

 private:
  void run_all() {
    ProgressBar bar("subcore");
    while (done_ < jobs_.size()) {
      while (next_group_ < groups_.size() && running_.size() < parallel_) start();
      std::vector<pollfd> watched;
      for (const auto& p : platforms_) watched.push_back({p->process.connection(), POLLIN, 0});
      const int ready = poll(watched.data(), watched.size(), 200);
      throw_if_interrupted();
      if (ready < 0 && errno != EINTR) throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
      for (std::size_t i = watched.size(); i-- > 0;) {
        if (ready > 0 && watched[i].revents != 0) receive(i);
      }
      double sum = 0;
      for (const Progress& p : progress_) sum += p.share;
      bar.show(sum / static_cast<double>(jobs_.size()), label());
    }
  }

  struct Progress {
    double share = 0;
    bool answered = false;  // the job has a result, or has failed
    bool ended = false;
  };
  // The process of a platform.
  struct Platform {
    Platform(const JobGroup& g, const std::function<void(int)>& body) : group(g), process(body) {}
    const JobGroup& group;
    ChildProcess process;
  };

  // Starts the next run of the present platform, or the first run of another. Platforms come one after the
  // other, so only the last of platforms_ still has runs to be asked for.
  void start() {
    const JobGroup& group = groups_[next_group_];
    if (next_ == 0) {
      platforms_.push_back(std::make_unique<Platform>(group, [&](int connection) {
        for (const auto& p : platforms_) close(p->process.connection());
        run_group(jobs_, group, connection);
      }));
    }
    const std::size_t job = group[next_];
    if (group.size() > 1) platforms_.back()->process.ask(job);
    running_.push_back(job);
    if (++next_ < group.size()) return;
    next_ = 0;
    ++next_group_;
  }

  void receive(std::size_t i) {
    Platform& platform = *platforms_[i];
    if (platform.process.receive([this](const RunMessage& m) { handle(m); })) return;
    // A single run had no other process. Of several, the runs that are still missing will not come.
    const int status = platform.process.status();
    const bool is_asked_for_more = next_ != 0 && &platform.group == &groups_[next_group_];
    for (std::size_t n = 0; n < (is_asked_for_more ? next_ : platform.group.size()); ++n)
      end(platform.group[n], status);
    if (is_asked_for_more) {  // another process
      JobGroup& group = groups_[next_group_];
      group.erase(group.begin(), group.begin() + static_cast<std::ptrdiff_t>(std::exchange(next_, 0)));
    }
    platforms_.erase(platforms_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void handle(const RunMessage& m) {
    switch (m.kind) {
      case RunMessage::Kind::progress:
        progress_[m.job].share = std::stod(m.text);
        return;
      case RunMessage::Kind::result:
        results_[m.job] = run_result_from_json(m.text);
        progress_[m.job].answered = true;
        if (passed_ != nullptr) passed_(results_[m.job]);
        return;
      case RunMessage::Kind::error:
        fail(m.job, m.text);
        return;
      case RunMessage::Kind::no_memory:
        fail_without_memory(m.job);
        return;
      case RunMessage::Kind::ended:
        end(m.job, std::stoi(m.text));
    }
  }

  void fail(std::size_t job, const std::string& text) {
    if (failures_ == nullptr) throw std::runtime_error(text);
    failures_->push_back(text);
    progress_[job].answered = true;
  }

  void fail_without_memory(std::size_t job) {
    fail(job, jobs_[job].name() + ": out of memory; expected " + less_memory);
  }

  void end(std::size_t job, int status) {
    Progress& p = progress_[job];
    if (p.ended) return;
    if (!p.answered && WIFEXITED(status) && WEXITSTATUS(status) == exit_without_memory)
      fail_without_memory(job);
    else if (!p.answered && failures_ == nullptr && WIFSIGNALED(status))
      throw RunKilled(jobs_[job].name() + ": " + end_of(status));
    else if (!p.answered)
      fail(job, jobs_[job].name() + ": " + end_of(status));
    p = {1.0, true, true};
    running_.erase(std::find(running_.begin(), running_.end(), job));
    ++done_;
  }

  std::string label() const {
    if (running_.empty()) return {};
    return std::to_string(done_) + "/" + std::to_string(jobs_.size()) + " " + jobs_[running_.front()].name();
  }

  const std::vector<Job>& jobs_;
  unsigned parallel_;
  void (*passed_)(const RunResult&);
  std::vector<std::string>* failures_;
  std::vector<RunResult> results_;
  std::vector<Progress> progress_;
  std::vector<JobGroup> groups_;
  std::vector<std::unique_ptr<Platform>> platforms_;
  std::vector<std::size_t> running_;
  std::size_t next_group_ = 0, next_ = 0;  // index in its group
  std::size_t done_ = 0;
};

}  // namespace

std::vector<RunResult> run_jobs(const std::vector<Job>& jobs, unsigned parallel,
                                void (*passed)(const RunResult&), std::vector<std::string>* failures) {
  return Pool(jobs, parallel == 0 ? 1 : parallel, passed, failures).run();
}

}  // namespace subcore
