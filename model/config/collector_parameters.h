// The collectors' part of a platform file (keys sub_core.collector.*): Malekeh and BOW.
#pragma once

#include <cstdint>

#include "model/config/parameter.h"
#include "model/policy/kinds.h"

namespace subcore {

struct CollectorParameters {
  CollectorKind kind = CollectorKind::ocu;
  std::uint32_t count = 2;
  std::uint32_t slots = 6;
  std::uint32_t entries = 8;
  AllocationKind allocation = AllocationKind::any_free;
  ReplacementKind replacement = ReplacementKind::near_aware;
  bool cache_results = true;
  bool near_filter = true;
  std::uint32_t result_ports = 1;
  bool stale_invalidate = true;
  PartialWrite partial_write = PartialWrite::safe;
  WritePolicy write_policy = WritePolicy::write_through;
  std::uint32_t window = 3;
  InFlight in_flight = InFlight::window;
  BranchHandling branch = BranchHandling::ignore;
  bool dup_source_is_hit = false;
  template <class V>
  void describe(V& v) {
    v.choice("kind", kind,
             "operand collector unit (ocu), caching collector unit (ccu) or bypassing collector (boc)");
    v.field("count", count, {1, 64}, "collectors", "collectors per sub-core");
    v.field("slots", slots, {1, 16}, "operands",
            "source operand slots of a collector (the operand collector table)");
    v.field("entries", entries, {1, 64}, "entries",
            "operands in the cache table of a caching collector, or in the window of a bypassing one");
    v.choice("allocation", allocation, "which collector a warp's instruction goes to");
    v.choice("replacement", replacement, "victim among the unlocked cache table entries");
    v.field("cache_results", cache_results, "results may enter the cache table through port D");
    v.field("near_filter", near_filter, "only results with near reuse enter the cache table");
    v.field("result_ports", result_ports, {0, 16}, "results/cycle",
            "port D width per collector; 0 = unlimited");
    v.field("stale_invalidate", stale_invalidate,
            "a filtered or dropped result invalidates its old copy (off = wrong results)");
    v.choice("partial_write", partial_write,
             "results of some lanes on top of an older value that others still need: merge only (safe), or "
             "allocate like whole ones (ignore)");
    v.choice("write_policy", write_policy,
             "bypassing collectors: results go to the banks at once, or when they leave the window");
    v.field("window", window, {1, 32}, "instructions",
            "IW: a bypassing collector keeps a value for this many instructions after its last use");
    v.choice("in_flight", in_flight,
             "instructions that a bypassing collector collects at once: as many as its window, or 1");
    v.choice("branch", branch,
             "after a branch: go on, issue nothing more of the warp until it has retired, or begin a new "
             "bypassing window when it was taken");
    v.field("dup_source_is_hit", dup_source_is_hit,
            "count the second occurrence of a source register as a hit");
  }
};

}  // namespace subcore
