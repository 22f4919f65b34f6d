// The order that issue and dispatch must keep, judged by program order alone. An observer on the sockets of
// every sub-core of an SM checks the order. The observer knows nothing of matrices and rules, and checks
// these points:
// * Reads and writes of a warp's register keep their order.
// * Memory accesses of which one writes enter the load/store unit in order.
// * No access passes a barrier before its CTA is there.
// * No barrier is reached before older accesses have entered the load/store unit.
// * Nothing passes a branch that has not issued, either way.
//
// The versions of operands show the order of registers only.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "subcore/platforms/streaming_multiprocessor.h"
#include "tests/module/program.h"

namespace subcore::test {

class IssueOrder {
 public:
  // CTAs are placed in the order of `program`. Both live as long as this does.
  IssueOrder(StreamingMultiprocessor& sm, const Program& program);

  std::vector<std::string> violations;  // the first few
  std::uint64_t issued = 0, overtaken = 0;

 private:
  struct Seen {
    const StaticInstruction* code = nullptr;
    std::uint32_t mask = 0;
    Cycle issued = never, collected = never, dispatched = never, entered = never, retired = never;
    unsigned barriers_before = 0;
  };
  struct Warp {
    std::size_t cta = 0;
    unsigned barriers = 0;       // barriers in its whole program
    std::vector<Cycle> arrived;  // cycles of its arrivals at barriers
    unsigned fetched_barriers = 0;
    std::deque<Seen> seen;  // by sequence
    std::size_t done = 0;   // all before have retired
  };
  template <class Payload>
  struct Watch : TransferObserver<Payload> {
    IssueOrder* owner = nullptr;
    void (IssueOrder::*call)(const Payload&) = nullptr;
    void transferred(const Payload& p) override { (owner->*call)(p); }
  };
  template <class Payload>
  void watch(OutPort<Payload>& port, void (IssueOrder::*call)(const Payload&)) {
    auto w = std::make_shared<Watch<Payload>>();
    w->owner = this;
    w->call = call;
    port.observe(*w);
    watches_.push_back(std::move(w));
  }
  void fetch(const FetchTransfer& t);
  void issue(const IssueTransfer& t);
  void collect(const DispatchTransfer& t);
  void enter(const EnteredTransfer& t);
  void dispatch(const DispatchTransfer& t);
  void retire(const RetireTransfer& t);
  // Empty, or how issuing `a` in cycle `now` before `p` is over breaks program order.
  static std::string broken(const Seen& a, const Seen& p, Cycle now);
  void complain(const Instruction& i, Cycle now, const std::string& what, std::size_t older);
  bool passed(const Warp& w, unsigned barrier, Cycle now) const;

  std::vector<Warp> warps_;  // by dynamic warp id - 1
  std::vector<std::vector<std::size_t>> ctas_;
  std::vector<std::shared_ptr<void>> watches_;
};

}  // namespace subcore::test
