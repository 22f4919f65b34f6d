#include "subcore/modules/collector/boc.h"
#include "subcore/modules/collector/ccu.h"
#include "subcore/modules/collector/ocu.h"
#include "subcore/modules/fixed_window/fixed_window.h"
#include "subcore/modules/operand_path/collector_choice.h"

namespace subcore {

Choices<CollectorChoice>& CollectorChoice::choices() {
  static Choices<CollectorChoice> table =
      Choices<CollectorChoice>()
          .add<OcuChoice>("ocu", "operand collector unit: keeps nothing")
          .add<CcuChoice>("ccu", "caching collector unit: a cache table of operands (Malekeh)")
          .add<BocChoice>("boc", "bypassing operand collector: a window of a warp's last instructions (BOW)")
          .add<FixedWindowChoice>("fixed_window",
                                  "no collectors: registers are read in a window of cycles behind issue "
                                  "(Huerta)");
  return table;
}

}  // namespace subcore
