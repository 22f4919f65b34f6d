// Parameters of collectors (keys sub_core.collector.* of a platform file): the kind, and what all kinds have.
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <cstdint>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/allocation/allocation.h"
#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/model/policy/partial_write.h"
#include "subcore/modules/operand_path/collector_choice.h"

namespace subcore {

struct CollectorParameters {
  Chosen<CollectorChoice> kind{"ocu"};
  std::uint32_t count = 2;
  std::uint32_t slots = 6;
  std::uint32_t entries = 8;
  Chosen<AllocationChoice> allocation{"any_free"};
  PartialWrite partial_write = PartialWrite::safe;
  BranchHandling branch = BranchHandling::ignore;
  bool dup_source_is_hit = false;

  // The number of operands that one collector stores.
  std::uint32_t operands() const { return kind->keeps_values() ? entries : slots; }
  void describe(ParameterVisitor& v) {
    v.choice("kind", kind, "collectors of source operands");
    v.field_or_word("count", count, "per_warp", {1, 64}, "collectors",
                    "collectors per sub-core; per_warp: one for each warp slot");
    v.field_or_word("slots", slots, "widest", {1, max_sources}, "operands",
                    "source operand slots of a collector (the operand collector table). widest: as many as "
                    "the machine's widest tensor instruction needs: 8 before sm_80, 13 from sm_80 on, and 32 "
                    "on sm_90. A fixed_window reads the DMMA of sm_90 with 13");
    v.choice("allocation", allocation, "collector that a warp's instruction goes to");
    v.choice("branch", branch,
             "after a branch: go on, issue nothing of the warp until the branch has retired, or begin a new "
             "bypassing window if the branch was taken");
    v.only_if(kind->keeps_values(), "a sub_core.collector.kind that keeps values (not ocu)", [&] {
      v.field(
          "entries", entries, {1, 64}, "entries",
          "operands in the cache table of a caching collector, or in the window of a bypassing collector");
      v.choice("partial_write", partial_write,
               "results of some lanes over an older value that other lanes still need: merge only with an "
               "existing entry (safe), or allocate like results of all lanes (ignore)");
      v.field("dup_source_is_hit", dup_source_is_hit,
              "count the second occurrence of a source register as a hit");
    });
  }
};

}  // namespace subcore
