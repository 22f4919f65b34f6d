// The issue scheduler's part of a platform file (keys sub_core.scheduler.*): warp priority, two levels of
// warps, SOCGPU.
#pragma once

#include <cstdint>

#include "model/config/parameter.h"
#include "model/policy/dependence_matrix.h"
#include "model/policy/kinds.h"

namespace subcore {

struct TwoLevelParameters {
  std::uint32_t active_warps = 0;
  Demotion demotion = Demotion::long_latency;
  Promotion promotion = Promotion::eligible_fifo;
  PendingReady pending_ready = PendingReady::collector_free;
  template <class V>
  void describe(V& v) {
    v.field("active_warps", active_warps, {0, 64}, "warps",
            "two-level scheduling: warps per scheduler that may issue; 0 = all");
    v.choice(
        "demotion", demotion,
        "an active warp becomes pending when it waits for a long-latency result, or at the end of a strand "
        "with one outstanding");
    v.choice("promotion", promotion,
             "which pending warp becomes active: the first that can go on, or simply the first");
    v.choice(
        "pending_ready", pending_ready,
        "what makes a pending warp ready in the count of Malekeh's Fig. 10, state 2: no hazard, or also a "
        "free collector");
  }
};

struct SocgpuParameters {
  DependenceOptions options;
  template <class V>
  void describe(V& v) {
    v.choice(
        "control_release", options.control_release,
        "what follows a branch waits until it has issued, or is written back (the matrix taken literally)");
    v.choice("war_release", options.war_release,
             "a write waits until an older read is written back (literally) or its operands are collected");
    v.choice("memory_release", options.memory_release,
             "a store, or a load behind a store, waits until the older access is written back (literally) or "
             "on its way into the load/store unit, which keeps order");
    v.choice(
        "older_release", options.older_release,
        "a branch, barrier or exit waits until all older instructions have issued, or are written back; a "
        "barrier always waits until older accesses have entered the load/store unit");
    v.field(
        "barriers_wait", options.barriers_wait,
        "barriers and exits wait for older instructions, which the paper does not say (off: what is stored "
        "before a barrier may be performed after it)");
  }
};

struct SchedulerParameters {
  WarpPriorityKind priority = WarpPriorityKind::gto;
  std::uint32_t instruction_buffer = 2;
  AllocationFailure alloc_fail = AllocationFailure::next_warp;
  WarGuard war_guard = WarGuard::operand_collection;
  std::uint32_t war_max_uses = 9999;
  bool memory_guard = true;
  TwoLevelParameters two_level;
  std::uint32_t fetch_width = 1;
  FetchRedirect fetch_redirect = FetchRedirect::perfect;
  IssueKind issue = IssueKind::in_order;
  SocgpuParameters socgpu;
  template <class V>
  void describe(V& v) {
    v.choice("priority", priority, "warp priority: which ready warp issues first");
    v.field("instruction_buffer", instruction_buffer, {1, 64}, "instructions",
            "instruction buffer entries per warp");
    v.choice("alloc_fail", alloc_fail,
             "when the chosen warp gets no collector: try the next warp, or stall the cycle");
    v.choice("war_guard", war_guard,
             "when a pending register read stops blocking a younger write (SOCGPU's WAR scoreboard)");
    v.field("war_max_uses", war_max_uses, {1, 65535}, "reads",
            "pending reads of one register at which issue blocks");
    v.field(
        "memory_guard", memory_guard,
        "a store, or a load behind a store, issues once the older access of its warp has left its collector "
        "(issue in_order)");
    v.group("two_level", two_level);
    v.field("fetch_width", fetch_width, {1, 16}, "instructions/cycle", "fetched per warp");
    v.choice(
        "fetch_redirect", fetch_redirect,
        "behind an instruction that changes the flow of control, fetching goes on at once (perfect), when "
        "it has issued, or when it is written back");
    v.choice("issue", issue,
             "a warp issues in order by a scoreboard, or out of order by a dependence matrix (socgpu)");
    v.group("socgpu", socgpu);
  }
};

}  // namespace subcore
