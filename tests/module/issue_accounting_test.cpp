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
  a.accounting.set_warp_cause(0, StallCause::raw_long);
  a.accounting.set_warp_cause(1, StallCause::war);
  CHECK(a.accounting.nearest_cause() == StallCause::war);
  a.accounting.set_warp_cause(1, StallCause::raw_long);
  CHECK(a.accounting.nearest_cause() == StallCause::raw_long);
  a.accounting.set_warp_cause(0, StallCause::none);
  a.accounting.set_warp_cause(1, StallCause::none);
  CHECK(a.accounting.nearest_cause() == StallCause::none);
}

TEST_CASE(
    "issue accounting: observers hear changes, and of collectors when it is known what they waited for") {
  Account a;
  Instruction i;
  i.warp_uid = 7;
  a.find_none();
  a.accounting.tell(10, 0, StallCause::no_warp, nullptr);  // nothing new
  a.accounting.tell(10, 0, StallCause::fetch, nullptr, 5);
  a.accounting.tell(11, 0, StallCause::fetch, nullptr, 5);
  a.accounting.tell_later(1, &i);
  CHECK(a.told == Rows{"10: s0 fetch w5"});
  a.accounting.complete(0, 12);
  a.accounting.count(14);
  CHECK(a.told == Rows{"10: s0 fetch w5", "10: s1 operands w7", "12: s1 dispatch w7"});
}

}  // namespace issue_accounting_test
