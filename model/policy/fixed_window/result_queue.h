// Results of fixed latency on their way to the banks (Huerta, MICRO 2025). The queue passes on one
// instruction's results per cycle, or takes as many cycles as the ports of its banks need. Results get their
// entry when the instruction is let through, so units never wait for an entry. Younger instructions of fixed
// latency take a result from here before the bank has it.
//
// Results leave in the order in which they become ready. Of results that become ready in the same cycle, the
// one of the unit with the lower number goes first, as in the arbiter of the banks. A result finds an entry
// if it leaves fewer cycles after it is ready than there are entries.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "subcore/model/trace/program_order.h"

namespace subcore {

class ResultQueue {
 public:
  explicit ResultQueue(unsigned entries) : entries_(entries) {}

  // Whether results that are ready in cycle `ready` will find an entry. `now` never goes back.
  bool has_room(Cycle now, Cycle ready) {
    forget(now);
    Cycle leaves = ready;
    for (const Result& r : results_)
      if (r.ready <= ready) leaves = std::max(leaves, r.leaves + 1);
    return leaves - ready < entries_;
  }
  // Puts in an instruction's results, which take `cycles` to be written. Precondition: has_room(). Returns
  // the cycle in which the last of them leaves for its bank, as far as is known.
  Cycle put(const Instruction& i, Cycle ready, unsigned cycles = 1) {
    const ExecutionUnitKind unit = unit_of(i.code->execution);
    auto at = results_.end();
    while (at != results_.begin() &&
           std::tie(ready, unit) < std::tie(std::prev(at)->ready, std::prev(at)->unit))
      --at;
    Result result{ready, 0, cycles, unit, i.warp_uid, {}};
    for (unsigned d = 0; d < i.destination_count; ++d)
      result.writes.push_back({i.destination(d), RegisterWrite::of(i, d)});
    at = results_.insert(at, std::move(result));
    const auto own = at - results_.begin();
    Cycle next = own == 0 ? 0 : std::prev(at)->leaves + 1;
    for (; at != results_.end(); ++at) {
      at->leaves = std::max(at->ready, next) + at->cycles - 1;
      next = at->leaves + 1;
    }
    return results_[static_cast<std::size_t>(own)].leaves;
  }
  // Calls use(write) for each result of the register that is ready in cycle `execution` but not yet in the
  // bank in cycle `read`. Calls are in the order in which results become ready.
  template <class Use>
  void each(std::uint32_t warp_uid, Register reg, Cycle read, Cycle execution, Use use) const {
    for (const Result& r : results_) {
      if (r.warp_uid != warp_uid || r.ready > execution || r.leaves < read) continue;
      for (const auto& [one, lanes] : r.writes)
        if (one == reg) use(lanes);
    }
  }

 private:
  struct Result {
    Cycle ready, leaves;
    unsigned cycles;
    ExecutionUnitKind unit;
    std::uint32_t warp_uid;
    boost::container::small_vector<std::pair<Register, RegisterWrite>, 4> writes;
  };
  void forget(Cycle now) {
    const auto gone = [now](const Result& r) { return r.leaves < now; };
    results_.erase(std::remove_if(results_.begin(), results_.end(), gone), results_.end());
  }

  unsigned entries_;
  boost::container::small_vector<Result, 16> results_;
};

}  // namespace subcore
