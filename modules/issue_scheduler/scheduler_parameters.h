// Parameters of the issue scheduler (keys sub_core.scheduler.* of a platform file).
#pragma once  // A detail: any version may change this header (docs/integrating.md).

#include <array>
#include <cstdint>
#include <string_view>

#include "subcore/model/parameters/parameter_list.h"
#include "subcore/model/policy/fetch_redirect.h"
#include "subcore/model/policy/issue/issue_window.h"
#include "subcore/model/policy/promotion/promotion.h"
#include "subcore/model/policy/warp_priority/warp_priority.h"

namespace subcore {

// The next step if the selected warp gets no collector: the next warp is tried, or nothing issues in the
// cycle.
enum class AllocationFailure : std::uint8_t { next_warp, stall };
// When a pending warp counts as ready: when its next instruction has no hazard, or only when there is a
// collector for it, too.
enum class PendingReady : std::uint8_t { no_hazard, collector_free };

constexpr std::array<std::string_view, 2> names(AllocationFailure) {
  return {"next_warp", "stall"};
}
constexpr std::array<std::string_view, 2> names(PendingReady) {
  return {"no_hazard", "collector_free"};
}

// Parameters of the active set (sub_core.scheduler.two_level.*).
struct TwoLevelParameters {
  std::uint32_t active_warps = 0;
  Demotion demotion = Demotion::long_latency;
  Chosen<PromotionChoice> promotion{"eligible_fifo"};
  PendingReady pending_ready = PendingReady::collector_free;
  void describe(ParameterVisitor& v) {
    v.field("active_warps", active_warps, {0, 64}, "warps",
            "two-level scheduling: warps per scheduler that may issue; 0 = all");
    v.only_if(active_warps != 0, "sub_core.scheduler.two_level.active_warps of at least 1", [&] {
      v.choice("demotion", demotion,
               "when an active warp becomes pending: when it waits for a long-latency result, or at the end "
               "of a strand while such a result is outstanding");
      v.choice("promotion", promotion, "choice of the pending warp that becomes active");
      v.choice("pending_ready", pending_ready,
               "condition on which a pending warp counts as ready in Malekeh's Fig. 10, state 2: no hazard, "
               "or also a free collector");
    });
  }
};

struct SchedulerParameters {
  Chosen<WarpPriorityChoice> priority{"gto"};
  std::uint32_t instruction_buffer = 2;
  AllocationFailure alloc_fail = AllocationFailure::next_warp;
  TwoLevelParameters two_level;
  std::uint32_t fetch_width = 1;
  FetchRedirect fetch_redirect = FetchRedirect::perfect;
  Chosen<IssueChoice> issue{"in_order"};
  void describe(ParameterVisitor& v) {
    v.choice("priority", priority, "warp priority: which ready warp issues first");
    v.field("instruction_buffer", instruction_buffer, {1, 64}, "instructions",
            "instruction buffer entries per warp");
    v.choice("alloc_fail", alloc_fail,
             "when the chosen warp gets no collector: try the next warp, or issue nothing in this cycle");
    v.group("two_level", two_level);
    v.field("fetch_width", fetch_width, {1, 16}, "instructions/cycle",
            "instructions fetched for a warp in a cycle");
    v.choice("fetch_redirect", fetch_redirect,
             "when fetching goes on behind an instruction that changes the flow of control: at once "
             "(perfect), when the instruction has issued, or when it is written back");
    v.choice("issue", issue, "order in which a warp issues, and the mechanism that finds hazards");
  }
};

}  // namespace subcore
