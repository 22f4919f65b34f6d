#include "tests/module/issue_order.h"

#include <algorithm>

namespace subcore::test {
namespace {

using K = InstructionKind;

bool active(const StaticInstruction& code, std::uint32_t mask, K kind) {
  return mask != 0 && code.kind == kind;
}
bool accesses(const StaticInstruction& c, std::uint32_t mask) {
  return (active(c, mask, K::load) || active(c, mask, K::store) || active(c, mask, K::atomic)) &&
         c.space != MemorySpace::constant;
}
bool changes_memory(const StaticInstruction& c, std::uint32_t mask) {
  return active(c, mask, K::store) || active(c, mask, K::atomic);
}
template <class A, class B>
bool common(const A& a, unsigned na, const B& b, unsigned nb) {
  return std::find_first_of(a.begin(), a.begin() + na, b.begin(), b.begin() + nb) != a.begin() + na;
}

}  // namespace

IssueOrder::IssueOrder(StreamingMultiprocessor& sm, const Program& program) {
  for (const CtaTrace& cta : program.ctas) {
    ctas_.emplace_back();
    for (const WarpTrace& w : cta.warps) {
      ctas_.back().push_back(warps_.size());
      Warp& warp = warps_.emplace_back();
      warp.cta = ctas_.size() - 1;
      for (const TraceRecord& r : w.records)
        warp.barriers += active(program.code.instructions[r.code], r.mask, K::barrier);
    }
  }
  for (auto& s : sm.sub_cores) {
    watch(s.trace_player.instruction_socket, &IssueOrder::fetch);
    for (auto& c : s.scheduler.issue_socket) watch(c, &IssueOrder::issue);
    for (auto& c : s.collectors) watch(c.dispatch_socket, &IssueOrder::collect);
    for (auto& u : s.dispatch.unit_socket) watch(u, &IssueOrder::dispatch);
    watch(s.dispatch.entered_socket, &IssueOrder::enter);
    watch(s.arbiter.retire_socket, &IssueOrder::retire);
  }
}

void IssueOrder::fetch(const FetchTransfer& t) {
  const Instruction& i = *t.instruction;
  Warp& w = warps_.at(i.warp_uid - 1);
  Seen s;
  s.code = i.code;
  s.mask = i.mask;
  s.barriers_before = w.fetched_barriers;
  w.fetched_barriers += active(*i.code, i.mask, K::barrier);
  if (i.sequence != w.seen.size()) violations.push_back("fetched out of program order");
  w.seen.push_back(s);
}

// Instructions of a sub-core enter the load/store unit, and its requests reach the memory, in order of
// dispatch.
void IssueOrder::dispatch(const DispatchTransfer& t) {
  const Instruction& i = *t.instruction;
  Warp& w = warps_.at(i.warp_uid - 1);
  Seen& a = w.seen.at(i.sequence);
  a.dispatched = t.stamp - 1;
  if (!accesses(*a.code, a.mask)) return;
  const bool changes = changes_memory(*a.code, a.mask);
  for (std::size_t p = w.done; p < i.sequence; ++p) {
    const Seen& older = w.seen[p];
    if (older.dispatched != never || !accesses(*older.code, older.mask)) continue;
    if (changes) complain(i, a.dispatched, "stores before an older access", p);
    if (!changes && changes_memory(*older.code, older.mask))
      complain(i, a.dispatched, "loads before an older store", p);
  }
}

void IssueOrder::collect(const DispatchTransfer& t) {
  warps_.at(t.instruction->warp_uid - 1).seen.at(t.instruction->sequence).collected = t.stamp;
}

void IssueOrder::enter(const EnteredTransfer& t) {
  warps_.at(t.instruction->warp_uid - 1).seen.at(t.instruction->sequence).entered = t.stamp;
}

void IssueOrder::retire(const RetireTransfer& t) {
  Warp& w = warps_.at(t.instruction->warp_uid - 1);
  w.seen.at(t.instruction->sequence).retired = t.stamp;
}

std::string IssueOrder::broken(const Seen& a, const Seen& p, Cycle now) {
  const bool retired = p.retired <= now, issued = p.issued < now;
  const StaticInstruction &x = *a.code, &y = *p.code;
  if (a.mask != 0 && p.mask != 0) {
    if (!retired && common(x.sources, x.source_count, y.destinations, y.destination_count))
      return "reads before an older write";
    if (!retired && common(x.destinations, x.destination_count, y.destinations, y.destination_count))
      return "writes before an older write";
    if (p.collected > now && common(x.destinations, x.destination_count, y.sources, y.source_count))
      return "writes before an older read";
  }
  if (p.entered > now && active(x, a.mask, K::barrier) && accesses(y, p.mask))
    return "reaches a barrier before an older access has entered the load/store unit";
  if (!issued && (x.kind == K::control || x.kind == K::exit))
    return "branches or ends before an older instruction";
  if (!issued && y.kind == K::control) return "passes an older branch";
  return {};
}

bool IssueOrder::passed(const Warp& w, unsigned barrier, Cycle now) const {
  for (const std::size_t other : ctas_[w.cta]) {
    const Warp& o = warps_[other];
    if (o.barriers > barrier && (o.arrived.size() <= barrier || o.arrived[barrier] >= now)) return false;
  }
  return true;
}

void IssueOrder::complain(const Instruction& i, Cycle now, const std::string& what, std::size_t older) {
  if (violations.size() < 5)
    violations.push_back("cycle " + std::to_string(now) + ": " + std::to_string(i.warp_uid) + "." +
                         std::to_string(i.sequence) + " " + what + " (" + std::to_string(older) + ")");
}

void IssueOrder::issue(const IssueTransfer& t) {
  const Cycle now = t.stamp - 1;
  const Instruction& i = *t.instruction;
  Warp& w = warps_.at(i.warp_uid - 1);
  Seen& a = w.seen.at(i.sequence);
  while (w.done < w.seen.size() && w.seen[w.done].retired <= now) ++w.done;
  bool late = false;
  for (std::size_t p = w.done; p < i.sequence; ++p) {
    const std::string what = broken(a, w.seen[p], now);
    if (!what.empty()) complain(i, now, what, p);
  }
  for (std::size_t y = i.sequence + 1; y < w.seen.size(); ++y) late |= w.seen[y].issued < now;
  const bool barrier = active(*a.code, a.mask, K::barrier);
  if ((accesses(*a.code, a.mask) || barrier || a.code->kind == K::exit) && a.barriers_before != 0 &&
      !passed(w, a.barriers_before - 1, now))
    complain(i, now, "passes a barrier before its CTA is there", i.sequence);
  a.issued = now;
  if (barrier) w.arrived.push_back(now);
  ++issued;
  overtaken += late;
}

}  // namespace subcore::test
