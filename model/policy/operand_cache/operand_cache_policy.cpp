#include "subcore/model/policy/operand_cache/operand_cache_policy.h"

#include "subcore/model/parameters/checker.h"
#include "subcore/model/policy/operand_cache/ltrf.h"
#include "subcore/model/policy/operand_cache/near.h"
#include "subcore/model/policy/operand_cache/register_cache.h"
#include "subcore/model/policy/operand_cache/reuse.h"
#include "subcore/model/policy/operand_cache/rfc.h"
#include "subcore/model/policy/operand_cache/software_rfc.h"

namespace subcore {
namespace {

class NoOperandCacheChoice final : public OperandCacheChoice {
 public:
  bool exists() const override { return false; }
  std::unique_ptr<OperandCachePolicy> make(const OperandCacheParameters&, unsigned) const override {
    return nullptr;
  }
  std::uint32_t entries_per_warp(std::uint32_t) const override { return 0; }
};

}  // namespace

Choices<OperandCacheChoice>& OperandCacheChoice::choices() {
  static Choices<OperandCacheChoice> table =
      Choices<OperandCacheChoice>()
          .add<NoOperandCacheChoice>("none", "collectors read the banks")
          .add<RfcChoice>("rfc", "RFC: a small cache per active warp that results go to")
          .add<SoftwareRfcChoice>("software_rfc",
                                  "software RFC: last-result and operand register files, "
                                  "planned by the compiler")
          .add<LtrfChoice>("ltrf", "LTRF: a partition per active warp, prefetched interval by interval")
          .add<RegisterCacheChoice>("register_cache",
                                    "the register cache of the JETCAS study: set-associative, per warp")
          .add<ReuseOperandCacheChoice>(
              "reuse", "NVIDIA's reuse cache: an entry per operand slot and bank, filled by reuse flags")
          .add<NearOperandCacheChoice>("near", "near operands and results, of each warp or in a pool");
  return table;
}

void OperandCacheChoice::require_active_warps(Checker& c, const char* word) {
  c.require(c.whole("sub_core.scheduler.two_level.active_warps") != 0,
            "sub_core.scheduler.two_level.active_warps", {"sub_core.operand_cache.kind"},
            "sub_core.operand_cache.kind " + in_quotes(word) +
                " belongs to active warps, but 0 means one-level scheduling; expected 1 to 64");
}

void OperandCacheChoice::require_all_warps(Checker& c, const char* word) {
  const std::uint64_t active = c.whole("sub_core.scheduler.two_level.active_warps");
  c.require(active == 0, "sub_core.scheduler.two_level.active_warps", {"sub_core.operand_cache.kind"},
            std::to_string(active) + " of the warps would share what sub_core.operand_cache.kind " +
                in_quotes(word) + " has for every warp; expected 0");
}

}  // namespace subcore
