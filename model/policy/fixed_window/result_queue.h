// Results of fixed latency on their way to the banks (Huerta, MICRO 2025): a queue that passes one
// instruction's results a cycle, or as many cycles long as its banks' ports need. They have had an entry
// since the instruction was let through, so units never wait for it. Younger instructions of fixed latency
// take a result from here before the bank has it.
//
// Results leave in the order in which they become ready; of those that do in one cycle, the one of the unit
// with the lower number goes first, as in the arbiter of the banks. A result finds an entry if it has left
// fewer cycles behind its being ready than there are entries.
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

  // Whether results that are ready in cycle `ready` find an entry. `now` never goes back.
  bool has_room(Cycle now, Cycle ready) {
    forget(now);
    Cycle leaves = ready;
    for (const Result& r : results_)
      if (r.ready <= ready) leaves = std::max(leaves, r.leaves + 1);
    return leaves - ready < entries_;
  }
  // An instruction's results, which take `cycles` to be written. Precondition: has_room(). Returns the cycle
  // in which the last of them leave for their banks, as far as is known by now.
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
  // Calls use(write) for each result of the register that is ready in cycle `execution`, but not yet in the
  // bank in cycle `read`, in the order in which they become ready.
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
