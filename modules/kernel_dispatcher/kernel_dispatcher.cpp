#include "subcore/modules/kernel_dispatcher/kernel_dispatcher.h"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "subcore/modules/l1_cache/cache_control.h"
#include "subcore/modules/protocol/report_ids.h"

namespace subcore {

KernelDispatcher::KernelDispatcher(const sc_core::sc_module_name& name, unsigned sms,
                                   const CtaRoom::Capacity& capacity, const OperandOptions& operands,
                                   const PassOptions& passes, Cycle launch_cycles, CtaDispatch rate,
                                   unsigned hosts, Cycle start_cycle)
    : TickingModule(name),
      cta_socket("cta_socket", sms),
      cache_control_socket("cache_control_socket", sms),
      launch_socket("launch_socket", hosts),
      operands_(operands),
      passes_(passes),
      capacity_(capacity),
      launch_cycles_(launch_cycles),
      rate_(rate),
      start_cycle_(start_cycle),
      room_(sms, CtaRoom(capacity)),
      resident_(sms) {
  for (unsigned s = 0; s < sms; ++s) cta_socket[s].on_status<&KernelDispatcher::cta_finished>(this, s);
  for (unsigned h = 0; h < hosts; ++h) launch_socket[h].on_receive<&KernelDispatcher::launch>(this, h);
}

void KernelDispatcher::load(const TraceProgram& program) {
  list_.name += (list_.name.empty() ? "" : "+") + program.name;
  if (!program.selection.empty())
    list_.selection += (list_.selection.empty() ? "" : ", ") + program.selection;
  const auto append = [](auto& all, const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  append(list_.kernels, program.kernels);
  append(list_.skipped_commands, program.skipped_commands);
}

void KernelDispatcher::launch(unsigned host, KernelTransfer& t) {
  launches_.put({t.stamp, host, t.kernel});
  wake(t.stamp);
}

void KernelDispatcher::run(const TraceProgram& program) {
  if (!finished_) {
    std::ostringstream text;
    text << name() << ": run() with " << program.name << " while " << program_.name << " is running (kernel "
         << next_kernel_ << " of " << kernels_of_run() << "); expected finished()";
    SC_REPORT_ERROR(report_id::run, text.str().c_str());
    return;
  }
  // Before the simulation starts no module needs to be woken, because all modules tick in cycle 0.
  if (sc_core::sc_get_status() >= sc_core::SC_START_OF_SIMULATION) wake_now();
  begin(program);
}

void KernelDispatcher::begin(const TraceProgram& program) {
  program_ = program;
  issue_order_.reset();
  next_of_program_ = next_kernel_ = 0;
  finished_ = false;
  for (const auto& f : on_run_) f();
}

const std::filesystem::path& KernelDispatcher::next_file() {
  ++next_kernel_;
  ++kernels_;
  launch_.reset();
  part_ = {};
  place_ = waves_ = 0;
  if (program_left() != 0) {
    if (!program_.parts.empty()) part_ = program_.parts.at(next_of_program_);
    return program_.kernels[next_of_program_++];
  }
  launch_ = queue_.front();
  queue_.pop_front();
  return list_.kernels[launch_->kernel];
}

// Opens the next kernel. Every CTA of the kernel must fit an empty SM, or the kernel could never run.
void KernelDispatcher::open_next(Cycle now) {
  if (next_kernel_ == 0 && !program_.issue_order.empty())
    issue_order_ = std::make_unique<IssueOrderReader>(program_.issue_order);
  const std::filesystem::path& file = next_file();
  KernelIssueOrder order;
  if (issue_order_ != nullptr) order = issue_order_->next();
  kernel_ =
      std::make_unique<AnnotatedKernel>(file, operands_, passes_, issue_order_ != nullptr ? &order : nullptr);
  const KernelHeader& h = kernel_->header();
  if (binary_version_ == 0) binary_version_ = h.binary_version;
  needs_ = cta_needs(h.warps_per_cta(), h.registers_per_thread, h.shared_memory_bytes);
  if (!CtaRoom(capacity_).fits(needs_)) {
    std::ostringstream text;
    text << file.string() << ": a CTA of kernel " << h.name << " needs " << needs_.warps << " warps, "
         << needs_.registers << " registers and " << needs_.shared_memory_bytes
         << " bytes of shared memory; expected at most " << capacity_.warps << ", " << capacity_.registers
         << " and " << capacity_.shared_memory_bytes << " (one SM)";
    throw TraceError(text.str());
  }
  launched_ = now + launch_cycles_;
  ctas_at_once_ = 0;
  const std::uint64_t shared_bytes =
      std::uint64_t{CtaRoom(capacity_).count(needs_)} * needs_.shared_memory_bytes;
  for (auto& cache : cache_control_socket)
    if (cache.is_bound()) cache.write(cache_register::invalidate, shared_bytes);
}

// Reads the kernel's next CTA that is to run; false if there is none.
bool KernelDispatcher::read_next(CtaTrace& cta) {
  const std::uint64_t next = part_.next(place_);
  if (next == KernelPart::none) return false;
  if (next != place_) kernel_->seek(next);
  if (!kernel_->next(cta)) {
    if (next == place_) return false;
    throw TraceError(program_.kernels[next_of_program_ - 1].string() + ": kernel " + kernel_->header().name +
                     " has no CTA at place " + std::to_string(next + 1) +
                     ", from which on the kernel is to run; expected a smaller place, from 1");
  }
  place_ = next + 1;
  return true;
}

// Calls on_wave functions. A CTA without traced warps is never sent, but may be the last CTA of a wave.
void KernelDispatcher::tell_waves() {
  if (part_.wave == 0 || place_ > part_.end) return;
  for (; waves_ < place_ / part_.wave; ++waves_)
    for (const auto& f : on_wave_) f();
}

// Makes a CTA pending; false when all CTAs have been sent.
bool KernelDispatcher::fetch(Cycle now) {
  if (pending_ != nullptr) return true;
  while (true) {
    if (!kernel_) {
      if ((program_left() == 0 && queue_.empty()) || live_ != 0) return false;
      open_next(now);
    }
    CtaTrace& cta = traces_.take();
    if (read_next(cta)) {
      if (cta.warps.empty()) {  // a CTA without traced warps is over before it starts
        traces_.give_back(cta);
        continue;
      }
      pending_ = &cta;
      return true;
    }
    traces_.give_back(cta);
    if (live_ != 0) return false;  // the kernel drains before the next one begins
    end_kernel(now);
  }
}

void KernelDispatcher::end_kernel(Cycle now) {
  for (const auto& [opcode, count] : kernel_->code().unknown_opcodes) unknown_opcodes_[opcode] += count;
  const CompilerBitsSet made_up = kernel_->made_up();
  for (std::size_t n = 0; n < compiler_bits_count; ++n) made_up_bits_[n] += made_up[n] ? 1 : 0;
  for (const auto& f : on_kernel_end_) f(kernel_->header().name);
  kernel_.reset();
  if (!launch_) return;
  KernelTransfer t{now + 1, launch_->kernel, KernelTransfer::Kind::ended};
  launch_socket[launch_->host].status(t);
}

void KernelDispatcher::cta_finished(unsigned sm, CtaTransfer& t) {
  done_.put({t.stamp, sm, t.cta});
  wake(t.stamp);
}

Cycle KernelDispatcher::tick(Cycle now) {
  if (now < start_cycle_) return start_cycle_;
  try {
    return dispatch(now);
  } catch (const TraceError& e) {
    fail(report_id::trace, e.what());
  }
}

Cycle KernelDispatcher::dispatch(Cycle now) {
  done_.take(now, [this](const Done& done) {
    auto& resident = resident_[done.sm];
    const auto it =
        std::find_if(resident.begin(), resident.end(), [&](const Resident& r) { return r.cta == done.cta; });
    room_[done.sm].give_back(it->needs);
    traces_.give_back(*it->cta);
    resident.erase(it);
    --live_;
  });
  launches_.take(now, [this](const Launch& l) {
    queue_.push_back(l);
    if (!finished_) return;
    TraceProgram launched = list_;
    launched.kernels.clear();
    begin(launched);
  });
  if (finished_) return never;
  if (!fetch(now)) {
    if (live_ == 0) {
      finished_ = true;
      for (const auto& f : on_finish_) f();
    }
    return never;
  }
  if (now < launched_) return launched_;
  return send(now) ? now + 1 : never;  // a finished CTA will wake us
}

// Sends CTAs to the SMs that have room, in turn: to the first such SM, or one CTA to each. False: none was
// sent.
bool KernelDispatcher::send(Cycle now) {
  const auto sms = static_cast<unsigned>(room_.size());
  const unsigned first = next_sm_;
  bool sent = false;
  for (unsigned i = 0; i < sms; ++i) {
    const unsigned sm = (first + i) % sms;
    if (!room_[sm].fits(needs_)) continue;
    next_sm_ = (sm + 1) % sms;
    room_[sm].take(needs_);
    if (ctas_at_once_ == 0) kernel_start_ = now;
    ctas_at_once_ = std::max(ctas_at_once_, ++live_);
    ++ctas_;
    warps_ += pending_->warps.size();
    for (const WarpTrace& w : pending_->warps) instructions_ += w.records.size();
    CtaTransfer t{now + 1, pending_, &kernel_->code(), &kernel_->header(), sm, kernel_start_};
    resident_[sm].push_back({pending_, needs_});
    pending_ = nullptr;
    cta_socket[sm].send(t);
    tell_waves();
    sent = true;
    if (rate_ == CtaDispatch::gpu || !fetch(now)) break;
  }
  return sent;
}

double KernelDispatcher::progress() const {
  if (finished_ || kernels_of_run() == 0) return 1.0;
  double done = static_cast<double>(next_kernel_);
  if (kernel_) {
    const auto total = static_cast<double>(kernel_->reader().bytes_total());
    done -= 1.0 - (total > 0 ? static_cast<double>(kernel_->reader().bytes_read()) / total : 1.0);
  }
  return done / static_cast<double>(kernels_of_run());
}

void KernelDispatcher::report_waiting(std::ostream& out) const {
  if (finished_) return;
  out << name() << ": kernel " << next_kernel_ << " of " << kernels_of_run() << ", " << live_ << " CTAs live";
  if (kernel_) out << ", " << kernel_->header().name;
  out << '\n';
}

std::vector<Signal> KernelDispatcher::signals() {
  SignalList list;
  list.key([this](Cycle) { return (next_kernel_ << 32) + live_ * 2 + (kernel_ ? 1 : 0); })
      .text(
          "kernel", [this](Cycle) { return kernel_ ? std::uint64_t{next_kernel_} : Signal::x; },
          [this](std::uint64_t) { return kernel_->header().name; })
      .number("kernel_number", 32, [this](Cycle) { return std::uint64_t{next_kernel_}; })
      .number("live_ctas", 16, [this](Cycle) { return std::uint64_t{live_}; });
  return list;
}

}  // namespace subcore
