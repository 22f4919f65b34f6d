#include "subcore/model/policy/issue/issue_window.h"

#include "subcore/model/policy/issue/control_bits.h"
#include "subcore/model/policy/issue/in_order.h"
#include "subcore/model/policy/issue/socgpu.h"

namespace subcore {

Choices<IssueChoice>& IssueChoice::choices() {
  static Choices<IssueChoice> table =
      Choices<IssueChoice>()
          .add<InOrderChoice>("in_order", "a warp issues in program order, by a scoreboard")
          .add<SocgpuChoice>("socgpu", "a warp issues out of order, by a dependence matrix")
          .add<ControlBitsChoice>("control_bits",
                                  "a warp issues in program order, by the compiler's control bits");
  return table;
}

std::unique_ptr<HoldClock> IssueChoice::make_hold_clock() const {
  return nullptr;
}

}  // namespace subcore
