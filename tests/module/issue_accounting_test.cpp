// The accounting of an issue scheduler's cycles by itself: two warp slots, two collectors, from cycle 10 on.
#include "subcore/modules/issue_scheduler/issue_accounting.h"

#include <catch2/catch.hpp>

#include "tests/module/kit.h"

namespace issue_accounting_test {

using namespace subcore;
using namespace subcore::test;

namespace {

using Rows = std::vector<std::string>;

struct Account : TransferObserver<StallEvent> {
  Account() {
    port.observe(*this);
    first.id = 1;
    second.id = 2;
  }
  void transferred(const StallEvent& e) override {
    told.push_back(std::to_string(e.cycle) + ": s" + std::to_string(e.warp_slot) + ' ' +
                   line_of(e.cause).name + " w" + std::to_string(e.warp_uid));
  }
  // Ready warps find no collector from now on.
  void find_none() { accounting.begin(accounting.all_busy(0b11)); }
  // For these causes the windows of the two slots have no candidate; none: they have one.
  void wait_for(StallCause first_slot, StallCause second_slot) {
    const WarpMask eligible =
        (first_slot == StallCause::none ? 1u : 0u) | (second_slot == StallCause::none ? 2u : 0u);
    accounting.all_affected();
    accounting.find_causes(IssueAccounting::Warps{eligible, 0, ~WarpMask{0}, 0, -1},
                           [&](unsigned slot) { return slot == 0 ? first_slot : second_slot; });
  }

  CounterList list;
  IssueCycles cycles{list, true, true, true, ~0u};
  EventPort<StallEvent> port{"port"};
  IssueAccounting accounting{cycles, port, 2, 2, 10};
  KernelHeader first, second;
  Rows told;
};

}  // namespace

TEST_CASE(
    "issue accounting: cycles without a collector are those of the nearest of the collectors in the way") {
  Account a;
  a.accounting.issued(0, 0);
  a.accounting.issued(1, 1);
  a.find_none();
  a.accounting.complete(1, 13);
  a.accounting.takes_another(1, true, 16);
  CHECK(a.accounting.cause(12) == StallCause::operands);
  CHECK(a.accounting.cause(13) == StallCause::dispatch);
  CHECK(a.accounting.cause(15) == StallCause::turn_around);
  a.accounting.count(16);
  CHECK(a.cycles.with(StallCause::operands) == 3);
  CHECK(a.cycles.with(StallCause::dispatch) == 2);
  CHECK(a.cycles.with(StallCause::turn_around) == 1);
  CHECK(a.cycles.by_state[static_cast<std::size_t>(IssueState::no_collector)] == 6);
}

TEST_CASE("issue accounting: a collector is in the way of the warps whose last instructions it got") {
  for (const WarpMask ready : {0b01, 0b10}) {
    Account a;
    a.accounting.issued(0, 0);
    a.accounting.issued(1, 1);
    a.accounting.complete(0, 11);
    a.accounting.refused(ready, 0b11);
    a.accounting.begin(StallCause::operands);
    a.accounting.count(14);
    CHECK(a.cycles.with(StallCause::operands) == (ready == 0b01 ? 1 : 4));
    CHECK(a.cycles.with(StallCause::dispatch) == (ready == 0b01 ? 3 : 0));
  }
}

TEST_CASE("issue accounting: a fixed window says what it waits for") {
  for (const StallCause cause : {StallCause::port_hold, StallCause::unit_queue}) {
    Account a;
    a.accounting.issued(0, 0);
    a.accounting.waits_for(0, cause);
    a.accounting.begin(a.accounting.all_busy(0b1));
    CHECK(a.accounting.state() == state_of(cause));
    a.accounting.count(12);
    CHECK(a.cycles.with(cause) == 2);
  }
}

TEST_CASE("issue accounting: of several busy collectors, the nearest of what they wait for counts") {
  Account a;
  a.accounting.issued(0, 0);
  a.accounting.issued(1, 1);
  a.accounting.waits_for(0, StallCause::port_hold);
  a.accounting.waits_for(1, StallCause::unit_queue);
  a.find_none();
  CHECK(a.accounting.state() == IssueState::no_collector);
  a.accounting.count(12);
  CHECK(a.cycles.with(StallCause::unit_queue) == 2);
}

TEST_CASE("issue accounting: cycles without a warp are drained if the next instruction is another kernel's") {
  Account a;
  a.accounting.count(12);  // before any kernel
  a.accounting.fetched(&a.first);
  a.accounting.begin(StallCause::issued);
  a.accounting.count(13);
  CHECK(a.cycles.with(StallCause::no_warp) == 2);
  for (const KernelHeader* next : {&a.first, &a.second}) {
    a.accounting.begin(StallCause::no_warp);
    a.accounting.count(next == &a.first ? 18 : 28);
    a.accounting.fetched(next);
    a.accounting.begin(StallCause::issued);
    a.accounting.count(next == &a.first ? 20 : 30);
  }
  CHECK(a.cycles.with(StallCause::no_warp) == 7);
  CHECK(a.cycles.with(StallCause::drained) == 8);
  CHECK(a.cycles.with(StallCause::issued) == 5);
  // Nothing is counted between runs.
  a.accounting.begin(StallCause::no_warp);
  a.accounting.end_run(33);
  CHECK(a.cycles.with(StallCause::drained) == 11);
  a.accounting.count(50);
  CHECK(a.cycles.with(StallCause::drained) == 11);
}

TEST_CASE("issue accounting: the nearest cause that some warp has counts") {
  Account a;
  CHECK(a.accounting.nearest_cause() == StallCause::none);
  a.wait_for(StallCause::raw_long, StallCause::war);
  CHECK(a.accounting.nearest_cause() == StallCause::war);
  a.wait_for(StallCause::raw_long, StallCause::raw_long);
  CHECK(a.accounting.nearest_cause() == StallCause::raw_long);
  a.wait_for(StallCause::none, StallCause::none);
  CHECK(a.accounting.nearest_cause() == StallCause::none);
}

TEST_CASE("issue accounting: windows are asked for causes only of warps that something has happened to") {
  Account a;
  a.wait_for(StallCause::raw_long, StallCause::war);
  std::vector<unsigned> asked;
  const IssueAccounting::Warps none{0, 0b10, ~WarpMask{0}, 0, -1};
  const auto drains = [&](unsigned slot) {
    asked.push_back(slot);
    return StallCause::draining;
  };
  a.accounting.affected(1);
  a.accounting.find_causes(none, drains);
  a.accounting.find_causes(none, drains);
  CHECK(asked == std::vector<unsigned>{1});
  CHECK(a.accounting.cause(0, none, 12) == StallCause::raw_long);
  // The warp has more instructions to be fetched.
  CHECK(a.accounting.cause(1, none, 12) == StallCause::buffer_empty);
}

TEST_CASE("issue accounting: the cause of a warp that could issue is what the scheduler did instead") {
  Account a;
  a.wait_for(StallCause::none, StallCause::none);
  const WarpMask both = 0b11, all = ~WarpMask{0};
  const auto cause = [&](const IssueAccounting::Warps& w) { return a.accounting.cause(0, w, 10); };
  a.accounting.begin(StallCause::issued);
  CHECK(cause({both, 0, all, 0, 0}) == StallCause::issued);
  CHECK(cause({both, 0, all, 0, 1}) == StallCause::not_selected);
  CHECK(cause({both, 0, 0b10, 0, 1}) == StallCause::not_active);
  CHECK(cause({both, 0, all, 0b01, 1}) == StallCause::unit_busy);
  CHECK(cause({0, 0b01, all, 0, 1}) == StallCause::fetch);
  CHECK(cause({0, 0, all, 0, 1}) == StallCause::no_warp);
  a.accounting.begin(StallCause::held);
  CHECK(cause({both, 0, all, 0, -1}) == StallCause::held);
  a.find_none();
  CHECK(cause({both, 0, all, 0, -1}) == StallCause::operands);
}

TEST_CASE(
    "issue accounting: observers hear changes, and of collectors when it is known what they waited for") {
  Account a;
  Instruction i;
  i.warp_uid = 7;
  a.find_none();
  const auto tell = [&](Cycle now, unsigned slot, WarpMask eligible, WarpMask followed,
                        const Instruction* candidate) {
    a.accounting.tell(now, slot, IssueAccounting::Warps{eligible, followed, ~WarpMask{0}, 0, -1}, candidate,
                      5, [] { return static_cast<const Instruction*>(nullptr); });
  };
  tell(10, 0, 0, 0, nullptr);  // nothing new
  tell(10, 0, 0, 0b01, nullptr);
  tell(11, 0, 0, 0b01, nullptr);
  tell(11, 1, 0b10, 0, &i);
  CHECK(a.told == Rows{"10: s0 fetch w5"});
  a.accounting.complete(0, 12);
  a.accounting.count(14);
  CHECK(a.told == Rows{"10: s0 fetch w5", "10: s1 operands w7", "12: s1 dispatch w7"});
}

}  // namespace issue_accounting_test
