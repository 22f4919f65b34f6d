// The part of a platform file for register caches between collectors and banks (keys
// sub_core.operand_cache.*): which cache, and the parameters that all of them have.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <algorithm>
#include <cstdint>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/operand_cache/operand_cache_policy.h"
#include "subcore/model/policy/partial_write.h"

namespace subcore {

struct OperandCacheParameters {
  Chosen<OperandCacheChoice> kind{"none"};
  std::uint32_t entries = 6;
  std::uint32_t hit_latency = 1;
  std::uint32_t hit_port = 1;
  std::uint32_t write_back_port = 0;
  double transfer_energy_pj = 0;
  PartialWrite partial_write = PartialWrite::safe;

  bool exists() const { return kind->exists(); }
  // Ports of the stored values: the ports for hits, and one for writes.
  std::uint32_t value_ports() const { return std::max(hit_port, 1u) + 1; }
  void describe(ParameterVisitor& v) {
    v.choice("kind", kind, "register cache between collectors and banks");
    v.only_if(exists(), "sub_core.operand_cache.kind other than none", [&] {
      v.field("entries", entries, {1, 64}, "entries",
              "entries per active warp: of the cache, of the operand register file (software_rfc), of the "
              "partition (ltrf); of the pool, if the warps share one (near)");
      v.field("hit_latency", hit_latency, {0, 16}, "cycles",
              "from issue until the collector has the operand; an uncontested bank takes 1");
      v.field("hit_port", hit_port, {0, 64}, "operands/cycle",
              "hits that a collector gets in a cycle; 0 = all of them");
      v.field("transfer_energy_pj", transfer_energy_pj, {0.0, 10000.0}, "pJ",
              "energy of an operand's way from the cache to a collector, on top of the table's");
      v.only_if(kind->writes_back(), "a sub_core.operand_cache.kind that writes back (not reuse, near)", [&] {
        v.field("write_back_port", write_back_port, {0, 64}, "operands/cycle",
                "width of the way back to the banks, which a warp that leaves takes; 0 = one operand per "
                "bank");
        v.choice("partial_write", partial_write,
                 "results of some lanes on top of an older value that others still need: merge only (safe), "
                 "or allocate like whole ones (ignore)");
      });
    });
  }
};

}  // namespace subcore
