#include "model/policy/out_of_order_window.h"

#include <algorithm>
#include <ostream>

namespace subcore {

OutOfOrderWindow::OutOfOrderWindow(unsigned entries, const DependenceOptions& options)
    : matrix_(entries, options), buffer_(entries, nullptr) {
  arriving_.reserve(entries);
}

// Precondition: `i` is in the buffer.
unsigned OutOfOrderWindow::entry_of(const Instruction& i) const {
  return static_cast<unsigned>(std::find(buffer_.begin(), buffer_.end(), &i) - buffer_.begin());
}

bool OutOfOrderWindow::insert(Instruction& i, Cycle stamp) {
  arriving_.push_back({&i, stamp});
  return true;
}

Instruction* OutOfOrderWindow::candidate(Cycle now, Cycle& look_again) {
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

void OutOfOrderWindow::issue(Instruction& i) {
  matrix_.issue(entry_of(i));
  if (i.code->kind == InstructionKind::barrier && i.mask != 0) at_barrier_ = true;
}

// A barrier is passed when it has both retired and been released.
void OutOfOrderWindow::retired(Instruction& i) {
  const unsigned entry = entry_of(i);
  buffer_[entry] = nullptr;
  if (at_barrier_ && i.code->kind == InstructionKind::barrier && i.mask != 0) {
    held_ = static_cast<int>(entry);
  } else {
    matrix_.written_back(entry);
  }
}

void OutOfOrderWindow::barrier_released() {
  at_barrier_ = false;
  if (held_ >= 0) matrix_.written_back(static_cast<unsigned>(held_));
  held_ = -1;
}

bool OutOfOrderWindow::describe(std::ostream& out) const {
  if (drained()) return false;
  out << arriving_.size() + static_cast<unsigned>(__builtin_popcountll(matrix_.valid())) << " buffered";
  if (at_barrier_) out << ", waits at a barrier";
  for (unsigned e = 0; e < buffer_.size(); ++e) {
    if (buffer_[e] == nullptr) continue;
    out << "; entry " << e << ": pc 0x" << std::hex << buffer_[e]->code->pc << std::dec;
    if ((matrix_.issued() >> e & 1u) != 0) {
      out << " has issued";
      continue;
    }
    if (matrix_.row(e) != 0) out << " waits for";
    for (std::uint64_t left = matrix_.row(e); left != 0; left &= left - 1)
      out << ' ' << __builtin_ctzll(left);
  }
  return true;
}

}  // namespace subcore
