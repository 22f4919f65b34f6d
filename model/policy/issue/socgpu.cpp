#include "subcore/model/policy/issue/socgpu.h"

#include <algorithm>
#include <ostream>

#include "subcore/base/bits.h"
#include "subcore/model/parameters/checker.h"

namespace subcore {

SocgpuWindow::SocgpuWindow(unsigned entries, const DependenceOptions& options, DependenceCounts* counts,
                           unsigned products)
    : matrix_(entries, options, counts, products), buffer_(entries, nullptr) {
  arriving_.reserve(entries);
}

// Precondition: `i` is in the buffer.
unsigned SocgpuWindow::entry_of(const Instruction& i) const {
  return static_cast<unsigned>(std::find(buffer_.begin(), buffer_.end(), &i) - buffer_.begin());
}

bool SocgpuWindow::insert(Instruction& i, Cycle stamp) {
  arriving_.push_back({&i, stamp});
  return true;
}

Instruction* SocgpuWindow::candidate(Cycle now, Cycle& look_again) {
  std::size_t arrived = 0;
  for (; arrived < arriving_.size() && arriving_[arrived].stamp <= now; ++arrived) {
    Instruction* i = arriving_[arrived].instruction;
    buffer_[matrix_.insert(*i)] = i;
  }
  if (arrived != 0)
    arriving_.erase(arriving_.begin(), arriving_.begin() + static_cast<std::ptrdiff_t>(arrived));
  if (!arriving_.empty()) look_again = arriving_.front().stamp;
  const int entry = matrix_.candidate();
  return entry >= 0 ? buffer_[static_cast<unsigned>(entry)] : nullptr;
}

// The hazard of the oldest instruction that has not issued. If all have issued, the reason why no others
// come.
Blocked SocgpuWindow::blocked(Cycle) const {
  const std::uint64_t left = matrix_.valid() & ~matrix_.issued();
  if (left != 0) {
    unsigned oldest = bits::lowest(left);
    for (const unsigned e : bits::each(left))
      if (buffer_[e]->sequence < buffer_[oldest]->sequence) oldest = e;
    return {matrix_.cause(oldest), buffer_[oldest]};
  }
  if (matrix_.empty()) return {};
  if (matrix_.full()) return {StallCause::window_full, nullptr};
  return {release_.waits() ? release_.cause() : StallCause::draining, nullptr};
}

void SocgpuWindow::issue(Instruction& i, Cycle) {
  matrix_.issue(entry_of(i));
  release_.issue(i);
}

// A barrier, or an mbarrier, is passed when it has both retired and been released.
bool SocgpuWindow::retired(Instruction& i) {
  const unsigned entry = entry_of(i);
  buffer_[entry] = nullptr;
  if (release_.waits() && waits_for_release(i)) {
    held_ = static_cast<int>(entry);
  } else {
    matrix_.written_back(entry);
  }
  return true;
}

void SocgpuWindow::barrier_released() {
  release_.released();
  if (held_ >= 0) matrix_.written_back(static_cast<unsigned>(held_));
  held_ = -1;
}

bool SocgpuWindow::describe(std::ostream& out) const {
  if (drained()) return false;
  out << arriving_.size() + bits::count(matrix_.valid()) << " buffered" << release_.words();
  for (unsigned e = 0; e < buffer_.size(); ++e) {
    if (buffer_[e] == nullptr) continue;
    out << "; entry " << e << ": pc 0x" << std::hex << buffer_[e]->code->pc << std::dec;
    if (bits::has(matrix_.issued(), e)) {
      out << " has issued";
      continue;
    }
    if (matrix_.row(e) != 0) out << " waits for";
    for (const unsigned older : bits::each(matrix_.row(e))) out << ' ' << older;
  }
  return true;
}

namespace {

struct SocgpuParameters {
  DependenceOptions& options;
  void describe(ParameterVisitor& v) {
    v.choice("control_release", options.control_release,
             "instructions behind a branch wait until the branch has issued, or is written back (the matrix "
             "taken literally)");
    v.choice("war_release", options.war_release,
             "a write waits until the older reading instruction is written back (the matrix taken "
             "literally), or has collected its operands");
    v.choice("memory_release", options.memory_release,
             "stores, and loads behind stores, wait until the older access is written back (the matrix taken "
             "literally) or on its way into the load/store unit, which keeps order");
    v.choice("older_release", options.older_release,
             "a branch, barrier or exit waits until all older instructions have issued, or are written "
             "back; a barrier always waits until older accesses have entered the load/store unit");
    v.field("barriers_wait", options.barriers_wait,
            "barriers and exits wait for older instructions, which the paper does not say; false: a store "
            "before a barrier may be performed after the barrier");
  }
};

}  // namespace

void SocgpuChoice::describe(ParameterVisitor& v) {
  SocgpuParameters parameters{options};
  v.group("socgpu", parameters);
}

void SocgpuChoice::check(Checker& c) const {
  const std::uint64_t buffer = c.whole("sub_core.scheduler.instruction_buffer");
  c.require(buffer >= 2, "sub_core.scheduler.instruction_buffer", {"sub_core.scheduler.issue"},
            "nothing can be issued out of order from an instruction buffer of " + std::to_string(buffer) +
                " (sub_core.scheduler.issue socgpu); expected at least 2");
}

std::unique_ptr<IssueWindow> SocgpuChoice::make(const IssueWindowSite& site) const {
  return std::make_unique<SocgpuWindow>(site.instruction_buffer, options, site.dependences, site.products);
}

}  // namespace subcore
