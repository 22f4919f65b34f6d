#include "subcore/model/policy/fixed_window/port_table.h"

#include <algorithm>

namespace subcore {

PortTable::PortTable(unsigned banks, unsigned ports)
    : banks_(banks), ports_(ports), cycle_(horizon, 0), taken_(horizon * banks, 0) {}

std::uint8_t& PortTable::taken(Cycle cycle, unsigned bank) {
  const std::size_t row = cycle % horizon;
  if (cycle_[row] != cycle) {
    cycle_[row] = cycle;
    std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(row * banks_), banks_, std::uint8_t{0});
  }
  return taken_[row * banks_ + bank];
}

unsigned PortTable::window_for(const Reads& reads, unsigned window) const {
  if (ports_ == 0) return window;
  for (unsigned n = 0; n < reads.count; ++n) {
    const auto begin = reads.bank.begin(), end = begin + reads.count;
    const auto of_bank = static_cast<unsigned>(std::count(begin, end, reads.bank[n]));
    window = std::max(window, (of_bank + ports_ - 1) / ports_);
  }
  return window;
}

bool PortTable::reserve(Reads& reads, Cycle first, unsigned window) {
  for (unsigned n = 0; n < reads.count; ++n) {
    Cycle at = first;
    while (ports_ != 0 && at < first + window && taken(at, reads.bank[n]) == ports_) ++at;
    if (at == first + window) {
      while (n-- > 0) --taken(reads.cycle[n], reads.bank[n]);
      return false;
    }
    reads.cycle[n] = at;
    if (ports_ != 0) ++taken(at, reads.bank[n]);
  }
  return true;
}

}  // namespace subcore
