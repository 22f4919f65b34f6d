#include "subcore/program/analysis/study/cache_study.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "subcore/model/isa/opcodes.h"
#include "subcore/model/trace/sidecar.h"
#include "subcore/program/analysis/study/trace_lines.h"

namespace subcore {
namespace {

enum class Source : std::uint8_t { listing, sidecar, trace, synthetic, none };
constexpr std::array<std::string_view, 5> source_names = {"listing", "sidecar", "trace", "synthetic", "none"};

bool is_branch(const std::string& opcode) {
  const auto info = opcode_info(opcode);
  return info && (info->execution == ExecutionClass::branch || info->execution == ExecutionClass::barrier);
}

// Feeds the lines of one kernel to all jobs.
class KernelStudy {
 public:
  KernelStudy(const std::filesystem::path& file, const StudyOptions& options, std::vector<StudyJob>& jobs,
              StudySummary& summary)
      : lines_(file), jobs_(jobs), summary_(summary), flags_(source_of_flags(file, options)) {
    const std::string_view name = source_names[static_cast<std::size_t>(flags_)];
    auto& all = summary_.flag_sources;
    if (std::find(all.begin(), all.end(), name) == all.end()) all.emplace_back(name);
    for (StudyJob& job : jobs_) {
      const RegisterCacheParameters& p = job.run.parameters();
      (p.rfcsim_compat ? compat_ : corrected_) = true;
      if (p.rfcsim_compat && p.allocation == RegisterCacheAllocation::look_ahead)
        lines_.count_addresses(true);
      job.over = !job.failure.empty();
    }
  }

  void run(const std::function<void(double)>& progress) {
    StudyLine line, next;
    bool more = lines_.next(line);
    while (more) {
      more = lines_.next(next);
      const bool ends = !more || next.first_of_warp;
      deliver(line, ends ? nullptr : &next);
      if (ends) end_warp(line.warp);
      std::swap(line, next);
      constexpr std::uint64_t interval = 4096;
      if (progress && summary_.instructions % interval == 0)
        progress(static_cast<double>(lines_.bytes_read()));
    }
    for (StudyJob& job : jobs_)
      while (!job.over && !job.run.end_marker()) {
      }
    for (StudyJob& job : jobs_) job.run.end_kernel();
    if (progress) progress(static_cast<double>(lines_.bytes_total()));
  }

 private:
  Source source_of_flags(const std::filesystem::path& file, const StudyOptions& options) {
    switch (options.flags) {
      case StudyFlags::trace:
        return Source::trace;
      case StudyFlags::synthetic:
        return Source::synthetic;
      case StudyFlags::none:
        return Source::none;
      case StudyFlags::automatic:
        break;
    }
    if (options.listing) {
      listing_ = &options.listing->flags_of(lines_.kernel_name());
      return Source::listing;
    }
    if (auto sidecar = sidecar_of(file)) {
      sidecar_ = std::move(*sidecar);
      return Source::sidecar;
    }
    return lines_.announces_reuse() ? Source::trace : Source::synthetic;
  }

  void deliver(const StudyLine& line, const StudyLine* next) {
    std::uint8_t flags = 0;
    const SidecarEntry* entry = nullptr;
    switch (flags_) {
      case Source::none:
        break;
      case Source::synthetic:
        flags = synthetic(line, next);
        break;
      case Source::trace:
        flags = line.reuse > 0 ? static_cast<std::uint8_t>(line.reuse) : std::uint8_t{0};
        break;
      case Source::listing:
        if (const auto it = listing_->find(line.pc); it != listing_->end()) flags = it->second;
        break;
      case Source::sidecar:
        entry = sidecar_.find(line.pc);
        if (entry != nullptr) flags = entry->reuse_mask;
    }
    ++summary_.instructions;
    summary_.hmma += line.opcode.compare(0, 4, "HMMA") == 0 ? 1 : 0;
    summary_.imma += line.opcode.compare(0, 4, "IMMA") == 0 ? 1 : 0;
    if (compat_) deliver_compat(line, flags);
    if (!corrected_) return;
    const StudySlots* slots = nullptr;
    if (entry != nullptr) {
      const auto [it, first] = slots_.try_emplace(line.pc);
      if (first) it->second.of_source = slots_of(entry->sources, line.sources.data(), line.sources.size());
      slots = &it->second;
    }
    corrected_view(line, flags, slots, instruction_);
    each(false, line, [&](StudyJob& job) { job.run.execute(line.warp, instruction_); });
  }

  void deliver_compat(const StudyLine& line, std::uint8_t flags) {
    RfcsimLine kind = RfcsimLine::skipped;
    std::string failure;
    try {
      kind = rfcsim_view(line, flags, instruction_);
    } catch (const std::domain_error& e) {
      failure = e.what();
    }
    if (!failure.empty()) {
      each(true, line, [&](StudyJob&) { throw std::domain_error(failure); });
    } else if (kind == RfcsimLine::instruction) {
      each(true, line, [&](StudyJob& job) { job.run.execute(line.warp, instruction_); });
    } else if (kind == RfcsimLine::skipped) {
      ++summary_.skipped_by_rfcsim;
    } else {
      bool cut = false;
      each(true, line, [&](StudyJob& job) {
        job.over = job.run.end_marker();
        cut = cut || job.over;
      });
      if (cut) ++summary_.kernels_cut_by_rfcsim;
    }
  }

  std::uint8_t synthetic(const StudyLine& line, const StudyLine* next) {
    if (line.reuse >= 0)
      lines_.fail(
          line.number, "a reuse mask in a file whose format line announces none",
          "'reuse' in '#traces format', or --flags trace, which takes lines without a mask as unflagged");
    if (next == nullptr || next->pc != line.pc + lines_.instruction_bytes()) return 0;
    const auto [branch, first] = branches_.try_emplace(line.pc, false);
    if (first) branch->second = is_branch(line.opcode);
    if (branch->second) return 0;
    unsigned flags = 0;
    for (std::size_t k = 0; k < 4 && k < line.sources.size() && k < next->sources.size(); ++k)
      if (line.sources[k] == next->sources[k] && line.sources[k] != rz) flags |= 1u << k;
    return static_cast<std::uint8_t>(flags);
  }

  void end_warp(std::uint32_t warp) {
    for (StudyJob& job : jobs_)
      if (job.failure.empty()) job.run.end_warp(warp);
  }

  // Calls `f` for every job of a kind that still takes part. A job ends for good where RFC-sim would end.
  template <typename F>
  void each(bool compat, const StudyLine& line, F&& f) {
    for (StudyJob& job : jobs_) {
      if (job.over || job.run.parameters().rfcsim_compat != compat) continue;
      try {
        f(job);
      } catch (const std::domain_error& e) {
        job.over = true;
        try {
          const std::string what = e.what();
          const std::size_t cut = what.rfind("; expected ");
          lines_.fail(line.number, what.substr(0, cut), what.substr(cut + 11));
        } catch (const TraceError& located) {
          job.failure = located.what();
        }
      }
    }
  }

  StudyTraceLines lines_;
  std::vector<StudyJob>& jobs_;
  StudySummary& summary_;
  Sidecar sidecar_;
  const std::unordered_map<std::uint64_t, std::uint8_t>* listing_ = nullptr;
  std::unordered_map<std::uint64_t, StudySlots> slots_;  // by PC, in the order of appearance
  std::unordered_map<std::uint64_t, bool> branches_;     // by PC, in the order of appearance
  Source flags_;
  bool compat_ = false, corrected_ = false;  // whether any job is of this kind
  StudyInstruction instruction_;
};

}  // namespace

bool StudySummary::synthetic_flags() const {
  return std::find(flag_sources.begin(), flag_sources.end(), "synthetic") != flag_sources.end();
}

StudySummary run_cache_study(const TraceProgram& program, const StudyOptions& options,
                             std::vector<StudyJob>& jobs, const std::function<void(double)>& progress) {
  StudySummary summary;
  double total = 0, done = 0;
  for (const auto& file : program.kernels) total += static_cast<double>(std::filesystem::file_size(file));
  for (const auto& file : program.kernels) {
    KernelStudy kernel(file, options, jobs, summary);
    kernel.run([&](double bytes) {
      if (progress) progress(total > 0 ? std::min(1.0, (done + bytes) / total) : 1.0);
    });
    done += static_cast<double>(std::filesystem::file_size(file));
    ++summary.kernels;
  }
  return summary;
}

}  // namespace subcore
