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
              "entries per active warp: of the cache, of the operand register file (software_rfc) or of the "
              "partition (ltrf); entries of the pool, if the warps share one (near)");
      v.field("hit_latency", hit_latency, {0, 16}, "cycles",
              "time from issue until the collector has the operand; a bank without conflict takes 1");
      v.field("hit_port", hit_port, {0, 64}, "operands/cycle",
              "hits that a collector receives in a cycle; 0 = no limit");
      v.field("transfer_energy_pj", transfer_energy_pj, {0.0, 10000.0}, "pJ",
              "energy of moving an operand from the cache to a collector, added to the energy table's");
      v.only_if(kind->writes_back(), "a sub_core.operand_cache.kind that writes back (not reuse, near)", [&] {
        v.field("write_back_port", write_back_port, {0, 64}, "operands/cycle",
                "width of the path back to the banks, by which a warp that becomes pending writes its "
                "registers back; 0 = one operand per bank");
        v.choice("partial_write", partial_write,
                 "results of some lanes over an older value that other lanes still need: merge only with an "
                 "existing entry (safe), or allocate like results of all lanes (ignore)");
      });
    });
  }
};

}  // namespace subcore
