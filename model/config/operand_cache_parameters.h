// The part of a platform file for register caches between collectors and banks (keys
// sub_core.operand_cache.*): RFC, software RFC, LTRF and the register-cache study's.
#pragma once

#include <cstdint>

#include "model/config/parameter.h"
#include "model/config/scheduler_parameters.h"
#include "model/policy/kinds.h"
#include "model/policy/register_cache.h"

namespace subcore {

struct OperandCacheParameters {
  OperandCacheKind kind = OperandCacheKind::none;
  std::uint32_t entries = 6;
  std::uint32_t lrf_entries = 1;
  std::uint32_t hit_latency = 1;
  bool live_only = false;
  std::uint32_t prefetch_port = 0;
  std::uint32_t write_back_port = 0;
  double transfer_energy_pj = 0;
  Overwrite overwrite = Overwrite::keeps_place;
  std::uint32_t ways = 2;
  RegisterCacheAllocation allocation = RegisterCacheAllocation::compiler_aided;
  DestinationMap destination_map = DestinationMap::interleaved;
  RegisterCacheReplacement replacement = RegisterCacheReplacement::fifo;
  RegisterCacheWrite write = RegisterCacheWrite::write_back;
  PartialWrite partial_write = PartialWrite::safe;
  // Of a sub-core: of every warp that may be active.
  std::uint32_t entries_in_all(const TwoLevelParameters& two_level, std::uint32_t warp_slots) const {
    if (kind == OperandCacheKind::none) return 0;
    const std::uint32_t warps = two_level.active_warps != 0 ? two_level.active_warps : warp_slots;
    return warps * (entries + (kind == OperandCacheKind::software_rfc ? lrf_entries : 0));
  }
  RegisterCacheParameters register_cache() const {
    RegisterCacheParameters p;
    p.entries = entries;
    p.ways = ways;
    p.allocation = allocation;
    p.map = destination_map;
    p.replacement = replacement;
    p.write = write;
    return p;
  }
  template <class V>
  void describe(V& v) {
    v.choice("kind", kind, "register cache between collectors and banks");
    v.field("entries", entries, {1, 64}, "entries",
            "entries per active warp: of the cache, of the operand register file (software_rfc), of the "
            "partition (ltrf)");
    v.field("lrf_entries", lrf_entries, {0, 8}, "entries",
            "entries of the last-result file per active warp (software_rfc)");
    v.field("hit_latency", hit_latency, {0, 16}, "cycles",
            "from issue until the collector has the operand; an uncontested bank takes 1");
    v.field("live_only", live_only,
            "neither fetch nor write back registers that nobody will read (ltrf; LTRF+)");
    v.field("prefetch_port", prefetch_port, {0, 64}, "operands/cycle",
            "width of the prefetch crossbar; 0 = one operand per bank (ltrf)");
    v.field("write_back_port", write_back_port, {0, 64}, "operands/cycle",
            "width of the way back to the banks, which a warp that leaves takes; 0 = one operand per bank");
    v.choice("overwrite", overwrite,
             "a result whose register is in the cache keeps the old one's place in the order of eviction, or "
             "counts as new (rfc)");
    v.field("transfer_energy_pj", transfer_energy_pj, {0.0, 10000.0}, "pJ",
            "energy of an operand's way from the cache to a collector, on top of the table's");
    v.field("ways", ways, {0, 64}, "ways", "associativity; 0 = full (register_cache)");
    v.choice(
        "allocation", allocation,
        "which operands enter: sources that miss, destinations, both, or destinations and sources with the "
        "compiler's reuse flag; look_ahead is for cache-study only (register_cache)");
    v.choice("destination_map", destination_map, "set of a destination register (register_cache)");
    v.choice("replacement", replacement, "victim in a set (register_cache)");
    v.choice("write", write, "results stay in the cache, or go to the banks as well (register_cache)");
    v.choice("partial_write", partial_write,
             "results of some lanes on top of an older value that others still need: merge only (safe), or "
             "allocate like whole ones (ignore)");
  }
};

}  // namespace subcore
