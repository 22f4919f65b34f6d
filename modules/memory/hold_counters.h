// How long a cache kept requests waiting before it took them in, and what the requests waited for.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "subcore/model/statistics/counter.h"
#include "subcore/modules/protocol/cycle.h"

namespace subcore {

// Cause for which a request waits; none: the request has been taken in. Each cycle of waiting has one cause,
// the first that the cache meets. A miss meets line, queue, mshr and merge, in this order.
enum class HoldCause : std::uint8_t {
  none,
  // Every line of the set has a sector on its way, or may not make room.
  line,
  queue,         // no place in the queue of requests to be sent on
  mshr,          // no miss status holding register
  merge,         // the register has as many waiting requests as it may
  response,      // too many responses wait to be sent
  invalidation,  // the line is being fetched for an earlier kernel
};
constexpr std::array<std::string_view, 7> names(HoldCause) {
  return {"none", "line", "queue", "mshr", "merge", "response", "invalidation"};
}

// Counters of one module that holds one request at a time. The causes add up to `cycles`.
struct HoldCounters {
  explicit HoldCounters(CounterList& counters) : list(counters) {}
  CounterList& list;
  Counter requests{list, "stalls", "requests", "requests that were not taken in at once"};
  Counter cycles{list, "stall_cycles", "cycles",
                 "time that requests waited before they were taken in: the sum over the causes"};
  std::array<Counter, 6> causes{
      {{list, "stall_line_cycles", "cycles",
        "time that requests waited for a line of their set that may be evicted"},
       {list, "stall_queue_cycles", "cycles",
        "time that requests waited for a place in the queue of requests to be sent on"},
       {list, "stall_mshr_cycles", "cycles", "time that requests waited for a miss status holding register"},
       {list, "stall_merge_cycles", "cycles",
        "time that requests waited for a place among the requests of a miss status holding register"},
       {list, "stall_response_cycles", "cycles", "time that requests waited until responses had been sent"},
       {list, "stall_invalidation_cycles", "cycles",
        "time that requests waited for a fetch that had begun before the cache was emptied"}}};

  // Cycles with this cause. Precondition: the cause is not HoldCause::none.
  std::uint64_t of(HoldCause cause) const { return causes[static_cast<std::size_t>(cause) - 1]; }
  // The request is not taken in now, for this cause. If the request was held before, the cycles since then
  // count for its earlier cause.
  void hold(HoldCause cause, Cycle now) {
    if (cause_ == HoldCause::none) {
      ++requests;
    } else {
      count(now);
    }
    cause_ = cause;
    since_ = now;
  }
  // The request is taken in now.
  void release(Cycle now) {
    if (cause_ != HoldCause::none) count(now);
    cause_ = HoldCause::none;
  }

 private:
  void count(Cycle now) {
    cycles += now - since_;
    causes[static_cast<std::size_t>(cause_) - 1] += now - since_;
  }
  HoldCause cause_ = HoldCause::none;
  Cycle since_ = 0;  // when the request was last held
};

}  // namespace subcore
