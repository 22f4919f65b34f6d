// Results of fixed latency on their way to the banks (Huerta, MICRO 2025): a queue that gives one a cycle to
// its bank, in which a result has had a place since its instruction was let through, so that units never wait
// for it. Younger instructions of fixed latency take a result from here before the bank has it.
//
// A result that becomes ready behind k others leaves k cycles later; so a queue of n places is a calendar in
// which no result leaves n or more cycles after it is ready.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <optional>

#include <boost/container/small_vector.hpp>

#include "model/isa/instruction.h"

namespace subcore {

class ResultQueue {
 public:
  explicit ResultQueue(unsigned entries) : entries_(entries) {}

  // Whether `count` results that are ready in cycle `ready` find places; more than there are at all find them
  // when they are alone. `now` never goes back, and `ready` is less than `horizon` behind it.
  bool has_room(Cycle now, Cycle ready, unsigned count) {
    forget(now);
    const Cycle places = std::max(entries_, count);
    for (Cycle at = ready; count != 0; ++at) {
      if (at - ready >= places) return false;
      count -= !leaves_[at % horizon];
    }
    return true;
  }
  // Precondition: has_room(), of one result. Returns the cycle in which it leaves for its bank.
  Cycle put(std::uint32_t warp_uid, Register reg, Version version, Cycle ready) {
    Cycle at = ready;
    while (leaves_[at % horizon]) ++at;
    leaves_[at % horizon] = true;
    results_.push_back({ready, at, warp_uid, version, reg});
    return at;
  }
  // The newest result of the register that is ready in cycle `execution` and that the bank does not have yet
  // in cycle `read`.
  std::optional<Version> newest(std::uint32_t warp_uid, Register reg, Cycle read, Cycle execution) const {
    std::optional<Version> best;
    for (const Result& r : results_) {
      if (r.warp_uid != warp_uid || r.reg != reg || r.ready > execution || r.leaves < read) continue;
      if (!best || *best < r.version) best = r.version;
    }
    return best;
  }

  static constexpr std::size_t horizon = 1024;

 private:
  struct Result {
    Cycle ready, leaves;
    std::uint32_t warp_uid;
    Version version;
    Register reg;
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
