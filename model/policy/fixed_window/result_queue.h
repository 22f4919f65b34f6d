// Results of fixed latency on their way to the banks (Huerta, MICRO 2025): a queue that passes one
// instruction's results a cycle. They have had an entry since the instruction was let through, so units never
// wait for it. Younger instructions of fixed latency take a result from here before the bank has it.
//
// A result that becomes ready behind k others leaves k cycles later; so a queue of n entries is a calendar in
// which nothing leaves n or more cycles after it is ready.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <bitset>
#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "subcore/model/trace/program_order.h"

namespace subcore {

class ResultQueue {
 public:
  explicit ResultQueue(unsigned entries) : entries_(entries) {}

  // Whether results that are ready in cycle `ready` find an entry. `now` never goes back, and `ready` is less
  // than `horizon` behind it.
  bool has_room(Cycle now, Cycle ready) {
    forget(now);
    for (Cycle at = ready; at - ready < entries_; ++at)
      if (!leaves_[at % horizon]) return true;
    return false;
  }
  // An instruction's results. Precondition: has_room(). Returns the cycle in which they leave for their
  // banks.
  Cycle put(const Instruction& i, Cycle ready) {
    Cycle at = ready;
    while (leaves_[at % horizon]) ++at;
    leaves_[at % horizon] = true;
    for (unsigned d = 0; d < i.destination_count; ++d)
      results_.push_back({ready, at, i.warp_uid, i.destination(d), RegisterWrite::of(i, d)});
    return at;
  }
  // Calls use(write) for each result of the register that is ready in cycle `execution`, but not yet in the
  // bank in cycle `read`, in the order in which the results were put here.
  template <class Use>
  void each(std::uint32_t warp_uid, Register reg, Cycle read, Cycle execution, Use use) const {
    for (const Result& r : results_)
      if (r.warp_uid == warp_uid && r.reg == reg && r.ready <= execution && r.leaves >= read) use(r.write);
  }

  static constexpr std::size_t horizon = 1024;

 private:
  struct Result {
    Cycle ready, leaves;
    std::uint32_t warp_uid;
    Register reg;
    RegisterWrite write;
  };
  void forget(Cycle now) {
    if (now - now_ >= horizon) {
      leaves_.reset();
      now_ = now;
    }
    for (; now_ < now; ++now_) leaves_[now_ % horizon] = false;
    const auto gone = [now](const Result& r) { return r.leaves < now; };
    results_.erase(std::remove_if(results_.begin(), results_.end(), gone), results_.end());
  }

  unsigned entries_;
  Cycle now_ = 0;
  std::bitset<horizon> leaves_;
  boost::container::small_vector<Result, 16> results_;
};

}  // namespace subcore
