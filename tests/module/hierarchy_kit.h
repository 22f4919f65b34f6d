// The parameters of the tables of cycles of the memory hierarchy, and an L1 between a scripted initiator and
// a scripted memory.
#pragma once

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "subcore/modules/l1_cache/l1_cache.h"
#include "subcore/modules/memory/memory_parameters.h"
#include "tests/module/memory_kit.h"

namespace subcore::test {

using Requests = std::vector<Requester::Request>;
using Seen = std::vector<std::string>;

// The parameters of the tables of cycles, whatever the defaults are: four ways, a line's place at its fill,
// registers of lines, and writes that allocate nothing.
inline HierarchyParameters plain() {
  HierarchyParameters p;
  p.hit_latency = 20;
  p.l1.ways = 4;
  p.l1.allocation = LineAllocation::on_fill;
  p.l1.mshrs = 64;
  p.l1.mshr_unit = p.l2.mshr_unit = MshrUnit::line;
  p.l1.merges = p.l1.queue = 8;
  p.l1.write_allocate = false;
  p.l2.set_index = IndexFunction::linear;
  p.l2.mshrs = 128;
  p.l2.merges = p.l2.queue = 16;
  return p;
}

// A fetch is sent the cycle after its request, and the memory answers 10 cycles later. The L1 sees the answer
// in the next cycle and answers in that cycle: 12 cycles after the request.
struct L1Bench : Stage {
  explicit L1Bench(const sc_core::sc_module_name& name, const HierarchyParameters& p = plain(),
                   TickOrder order = TickOrder::pipeline)
      : Stage(name, order), sm("sm", conductor), l1("l1", p, conductor), memory("memory", conductor, 10) {
    sm.out.bind(l1.memory_socket);
    l1.interconnect_socket.bind(memory.in);
    conductor.add(sm);
    conductor.add(l1);
    conductor.add(memory);
  }
  Requester sm;
  L1Cache l1;
  Backend memory;
};

// An L1 of four sets of two lines. Lines 0, 4 and 8 share a set.
inline HierarchyParameters small_l1() {
  HierarchyParameters p = plain();
  p.l1.kilobytes = 1;
  p.l1.ways = 2;
  return p;
}

// Cycles for which a cache kept requests waiting, by cause, in the order of HoldCause. CHECKs their sum.
template <class Cache>
std::vector<std::uint64_t> held(const Cache& c) {
  const HoldCounters& h = c.counters().held;
  std::vector<std::uint64_t> causes;
  std::uint64_t sum = 0;
  for (const Counter& cause : h.causes) {
    causes.push_back(cause);
    sum += cause;
  }
  CHECK(sum == h.cycles);
  return causes;
}

}  // namespace subcore::test
