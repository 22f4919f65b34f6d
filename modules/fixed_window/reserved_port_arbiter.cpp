#include "subcore/modules/fixed_window/reserved_port_arbiter.h"

#include <algorithm>
#include <sstream>

#include "subcore/model/isa/execution_class.h"
#include "subcore/modules/protocol/failure.h"

namespace subcore {

// Results that the compiler counts on cannot wait: a load's does where both want a bank.
void ReservedPortArbiter::begin_writes(Cycle now) {
  writes_of_bank_.fill(0);
  auto first = results_.begin();
  for (auto r = first; r != results_.end() && r->stamp <= now; ++r)
    if (has_counted_result(r->instruction->code->execution)) std::rotate(first++, r, r + 1);
}

bool ReservedPortArbiter::take_bank(unsigned bank) {
  if (write_ports_ != 0 && writes_of_bank_[bank] == write_ports_) return false;
  ++writes_of_bank_[bank];
  return true;
}

bool ReservedPortArbiter::grant_reads(Cycle now) {
  std::array<std::uint8_t, 64> granted{};
  std::size_t left = 0;
  for (std::size_t n = 0; n < reads_.size(); ++n) {
    const Read r = reads_[n];
    if (r.stamp > now) {
      reads_[left++] = r;
      continue;
    }
    if (read_ports_ != 0 && ++granted[r.bank] > read_ports_) report_ports(r, now);
    grant(r, now);
  }
  reads_.erase(reads_.begin() + static_cast<std::ptrdiff_t>(left), reads_.end());
  return false;
}

void ReservedPortArbiter::report_ports(const Read& r, Cycle now) const {
  std::ostringstream text;
  text << name() << ": cycle " << now << ": bank " << unsigned{r.bank} << " is read more than "
       << unsigned{read_ports_} << " times, for R" << unsigned{r.reg} << " of warp slot " << r.warp_slot
       << "; expected reserved ports";
  fail(report_id::ports, text.str());
}

}  // namespace subcore
